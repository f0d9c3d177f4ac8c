//! The part of the core that is loaded first after the first module (decision 7): features of a connected visitor, and codes and sessions of
//! remote wallets. The methods of [`Home`] are its only entries: code that can be reached through them alone is built into its module, and
//! [`Features::home`] gives a `Home` only when that is loaded.

use crate::app::Features;
use crate::connect;
use crate::cx::Cx;
use crate::feature::Feature;
use crate::modal::View;
use crate::part::{Part, Parts};
use crate::storage::Stored;
use crate::table::features;
use portico_json::Value;
use portico_terms::rpc::RpcError;
use portico_terms::{ChainId, Namespace};

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($first:tt)* ]
        home [ $($Home:ident($home_state:ty) in $home:ident { $($home_rest:tt)* })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident { $($part_rest:tt)* })* ]
    ) => {
        /// State of the features in home and in the parts.
        #[derive(Debug, Default)]
        pub(crate) struct Own {
            $(pub $home: $home_state,)*
            $(pub $part: $part_state,)*
            /// The parts that are loaded.
            pub here: Parts,
        }

        impl Own {
            /// Before anybody connected, with the values that earlier pages stored.
            pub fn new(stored: &Stored) -> Own {
                Own {
                    $($home: <$home_state as Feature>::restored(stored),)*
                    $($part: <$part_state as Feature>::restored(stored),)*
                    here: Parts::default(),
                }
            }
        }
    };
}
features!(declare);

/// Access to the code of home that is loaded. Events, answers, alarms and views go through the methods in `app/dispatch.rs`.
pub(crate) struct Home<'a>(pub(crate) &'a mut Features);

impl Features {
    /// The entries of home, once it is loaded.
    pub fn home(&mut self) -> Option<Home<'_>> {
        self.own.here.has(Part::Home).then_some(Home(self))
    }
}

/// Each method is an entry: never inlined, so that the build finds it by its name.
impl Home<'_> {
    /// An event of a remote wallet.
    #[inline(never)]
    pub fn remote_update(self, event: connect::Event, cx: &mut Cx) {
        self.0.connect.remote_update(event, cx);
    }

    /// An answer to a request for a remote wallet.
    #[inline(never)]
    pub fn remote_answered(self, reason: connect::Reason, answer: Result<Value, RpcError>, cx: &mut Cx) {
        self.0.connect.remote_answered(reason, answer, cx);
    }

    /// An alarm of a code on the screen.
    #[inline(never)]
    pub fn remote_alarm(self, alarm: connect::Alarm, cx: &mut Cx) {
        self.0.connect.pairing_alarm(alarm, cx);
    }

    /// A view is on top that shows a code for a remote wallet.
    #[inline(never)]
    pub fn pairing_shown(self, cx: &mut Cx) {
        let uri = self.0.modal.uri().map(String::from);
        self.0.connect.pairing_shown(uri, cx);
    }

    /// A relay told how it stands.
    #[inline(never)]
    pub fn relay_changed(self, cx: &mut Cx) {
        self.0.connect.relay_changed(cx);
    }

    /// The visitor went back from a code.
    #[inline(never)]
    pub fn pairing_left(self, cx: &mut Cx) {
        self.0.connect.pairing_left(cx);
    }

    /// The modal was closed, over whatever it showed.
    #[inline(never)]
    pub fn closed(self, cx: &mut Cx) {
        self.0.connect.pairing_closed(cx);
        let forms = Part::ALL.iter().filter_map(|part| part.form());
        for view in forms.chain([View::RegisterAccountName]) {
            Home(self.0).left(view, cx);
        }
    }

    /// What a session approves (spec 3.2).
    #[inline(never)]
    pub fn approve(self, namespace: Namespace, chains: Option<Vec<ChainId>>, stands: &ChainId, cx: &mut Cx) {
        self.0.network.approve(namespace, chains, stands, cx);
    }

    /// The modal opened.
    #[inline(never)]
    pub fn opened(self, cx: &mut Cx) {
        self.0.own.account.look(cx);
        Home(self.0).shown(cx);
    }

    /// What is listed of the account in use is that account's, and where it is looked at it is asked for.
    #[inline(never)]
    pub fn shown(self, cx: &mut Cx) {
        let facts = self.0.facts();
        let own = &mut self.0.own;
        own.account.forget_others(&facts);
        own.activity.changed(&facts);
        if facts.modal_open && facts.account.is_some() {
            let mut fresh = Cx::new(cx.now, &facts);
            if own.account.show(&mut fresh) {
                own.activity.show(&mut fresh);
            }
            Home(self.0).shown_to_features(&mut fresh);
            cx.take_over(fresh);
        }
    }

    /// The account of a namespace is another one, or stands on another network.
    #[inline(never)]
    pub fn changed(self, namespace: Namespace, cx: &mut Cx) {
        // The connection changed in this turn: what is known of it has to be made anew.
        let facts = self.0.facts();
        let network = self.0.network.active_network_of(namespace).cloned();
        let mut fresh = Cx::new(cx.now, &facts);
        self.0.own.account.changed(namespace, network.as_deref(), &mut fresh);
        cx.take_over(fresh);
    }

    /// Connections are gone (spec 4.7, 4.9).
    #[inline(never)]
    pub fn reset(self, namespaces: &[Namespace], cx: &mut Cx) {
        self.0.own.account.reset(namespaces, cx);
        self.reset_forms(cx);
    }

    /// The transaction is on its way.
    #[inline(never)]
    pub fn send_started(self, cx: &mut Cx) {
        self.0.own.account.refresh(cx);
    }

    /// The transaction was mined, or given up.
    #[inline(never)]
    pub fn send_settled(self, cx: &mut Cx) {
        self.0.own.activity.spent();
        self.0.own.account.spent(cx);
        self.shown(cx);
    }

    /// The account registered a name.
    #[inline(never)]
    pub fn named(self, address: &str, name: &str, cx: &mut Cx) {
        self.0.own.account.named(address, name, cx);
    }
}
