//! Snapshot of everything that React draws: one field per feature; the fields of home and the parts come from the table of features.

use crate::account::Extent;
use crate::app::Features;
use crate::facts::Facts;
use crate::part::Part;
use crate::table::features;
use crate::{account, config, connect, modal, network, notice};
use portico_json::Json;

macro_rules! declare {
    (
        views [ $($views:tt)* ]
        first [ $($first:tt)* ]
        home [ $($Home:ident($home_state:ty) in $home:ident {
            $(events: $home_event:ty,)? $(reasons: $home_reason:ty,)? $(alarms: $home_alarm:ty,)?
            $(snapshot: { $($(#[$home_about:meta])* $home_field:ident: $home_type:ty = $home_make:expr,)* },)?
        })* ]
        parts [ $($Part:ident($part_state:ty) in $part:ident {
            events: $event:ty, reasons: $reason:ty, alarms: $alarm:ty,
            $(switch: $switch:ident,)? form: $form:ident, views: [$($view:ident),*],
            snapshot: { $($(#[$about:meta])* $field:ident: $type:ty = $make:expr,)* },
        })* ]
    ) => {
        /// The whole state that views read. Only the fields that changed cross the bridge.
        #[derive(Clone, Debug, Json, PartialEq)]
        pub struct Snapshot {
            /// Validated options of the host.
            pub config: config::View,
            /// Overlay and its stack of views.
            pub modal: modal::Picture,
            /// Snack and alert.
            pub notice: notice::View,
            /// Connection status, current attempt and connection methods.
            pub connect: connect::View,
            /// Wallets to choose from.
            pub wallets: connect::Wallets,
            /// Wallets of the directory; `null` until a list of wallets was shown.
            pub directory: Option<connect::DirectoryView>,
            /// Pairing with a remote wallet in progress; `null` if there is none.
            pub pairing: Option<connect::PairingView>,
            /// Seconds until the shown pairing code expires; `null` without a code. A separate field because it changes every second.
            pub countdown: Option<u32>,
            /// Networks and the active one.
            pub network: network::View,
            /// Connected accounts.
            pub account: account::View,
            $($($($(#[$home_about])* pub $home_field: $home_type,)*)?)*
            $($($(#[$about])* pub $field: $type,)*)*
        }

        impl Features {
            /// Returns the whole snapshot. Views of a part that is not loaded are those of an idle core.
            pub(crate) fn snapshot(&self, facts: &Facts, wallets: connect::Wallets) -> Snapshot {
                let (idle, no_facts) = (Features::default(), Facts::default());
                let once = |part| if self.own.here.open(part) { (self, facts) } else { (&idle, &no_facts) };
                let (own, known) = once(Part::Home);
                let mut account = self.connections_view();
                if self.own.here.has(Part::Home) {
                    self.complete_accounts(&mut account, Extent::Whole);
                }
                Snapshot {
                    config: self.config.view(),
                    modal: self.modal.view(facts),
                    notice: self.notice.view(facts),
                    connect: self.connect.view(facts),
                    wallets,
                    directory: self.connect.directory_view(facts),
                    pairing: own.connect.pairing_view(known),
                    countdown: own.connect.countdown(known),
                    network: self.network.view(),
                    account,
                    $($($($home_field: $home_make(own, known),)*)?)*
                    $($($field: {
                        let (features, facts) = once(Part::$Part);
                        $make(features, facts)
                    },)*)*
                }
            }
        }
    };
}
features!(declare);
