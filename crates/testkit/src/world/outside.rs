//! Events from outside the page: from the visitor's wallets and the relay.

use super::World;
use crate::wallet::ScriptedWallet;
use portico_api::frame::FrameEvent;
use portico_core::{Event, Outcome, SignInCall, connect, embedded, siwx, solana};
use portico_json::{Value, to_text};

impl World {
    /// Lets a hidden wallet announce itself.
    pub fn announce(&mut self, rdns: &str) {
        self.hidden.retain(|hidden| hidden != rdns);
        if let Some(found) = self.wallets.iter().find(|wallet| wallet.rdns == rdns).map(ScriptedWallet::announcement) {
            self.dispatch(Event::Connect(connect::Event::WalletFound { wallet: found }));
        }
    }

    /// Dispatches an event of the sign-in.
    pub fn sign_in(&mut self, event: siwx::Event) {
        self.dispatch(Event::Siwx(event));
    }

    /// Dispatches an event of the embedded wallet.
    pub fn embedded(&mut self, event: embedded::Event) {
        self.dispatch(Event::Embedded(event));
    }

    /// Answers, as the host's sign-in, the oldest call of this kind that waits.
    ///
    /// # Panics
    ///
    /// If none waits.
    pub fn site_answers(&mut self, call: SignInCall, answer: Result<Value, Value>) {
        let place = self.site.waiting.iter().position(|(waiting, _)| *waiting == call);
        let (_, id) = self.site.waiting.remove(place.unwrap_or_else(|| panic!("no {call:?} waits")));
        let outcome = match answer {
            Ok(value) => Outcome::Answered { value },
            Err(error) => Outcome::Failed { error },
        };
        self.resolve(id, outcome);
        self.settle();
    }

    /// Answers, in the frame, the oldest request of this kind that waits.
    ///
    /// # Panics
    /// If none waits.
    pub fn frame_answers(&mut self, event: FrameEvent, answer: Result<Value, Value>) {
        let place = self.frame.waiting.iter().position(|(waiting, _)| *waiting == event);
        let (_, id) = self.frame.waiting.remove(place.unwrap_or_else(|| panic!("no {event:?} waits")));
        let outcome = match answer {
            Ok(value) => Outcome::Answered { value },
            Err(error) => Outcome::Failed { error },
        };
        self.resolve(id, outcome);
        self.settle();
    }

    /// The window of a social login hands over an address, or is closed by the visitor.
    ///
    /// # Panics
    /// If no such window is open.
    pub fn window_ends(&mut self, uri: Option<&str>) {
        let id = self.away.take().unwrap_or_else(|| panic!("no window of a login is open"));
        if let Some(tab) = self.tabs.last_mut() {
            *tab = super::Tab::Closed;
        }
        let outcome = match uri {
            Some(uri) => Outcome::Answered { value: uri.into() },
            None => Outcome::Failed { error: Value::Null },
        };
        self.resolve(id, outcome);
        self.settle();
    }

    /// Dispatches a connection event, such as one of the WalletConnect client.
    pub fn connecting(&mut self, event: connect::Event) {
        self.dispatch(Event::Connect(event));
    }

    /// Reports a new state of the relay.
    pub fn relay_tells(&mut self, state: connect::RelayState, reason: Option<&str>) {
        let reason = reason.map(Into::into);
        self.connecting(connect::Event::RelayTold { relay: "wss://relay.example".into(), state, reason });
    }

    /// Approves in the remote wallet the pairing that was shown last.
    pub fn remote_approves(&mut self) {
        let session = self.remote.session(self.now);
        self.remote.sessions.push(to_text(&session));
        self.connecting(connect::Event::SessionSettled { session });
    }

    /// Rejects the latest pairing, as the visitor or the wallet would.
    pub fn remote_refuses(&mut self, code: i64, message: &str) {
        let topic = self.remote.topics.last().cloned().unwrap_or_default();
        self.connecting(connect::Event::PairingRejected { topic, code, message: message.into() });
    }

    /// Changes the accounts that the remote wallet approves.
    pub fn remote_changes(&mut self, accounts: &[&str]) {
        self.remote.accounts = accounts.iter().map(|account| (*account).into()).collect();
        let session = self.remote.session(self.now);
        self.remote.sessions = vec![to_text(&session)];
        self.connecting(connect::Event::SessionChanged { session });
    }

    /// Ends the session from within the remote wallet.
    pub fn remote_ends(&mut self) {
        let session = self.remote.session(self.now);
        self.remote.sessions.clear();
        let topic = session.get("topic").as_str().unwrap_or_default().into();
        self.connecting(connect::Event::SessionEnded { topic });
    }

    /// A message of the host's server arrives through the only open WebSocket.
    ///
    /// # Panics
    /// If there is none, or more than one.
    pub fn socket_tells(&mut self, text: &str) {
        let [url] = &self.sockets.open[..] else { panic!("{} sockets are open", self.sockets.open.len()) };
        self.dispatch(Event::Solana(solana::Event::MessageReceived { url: url.clone(), text: text.into() }));
    }

    /// The host's server closes all WebSockets.
    pub fn sockets_end(&mut self) {
        for url in self.sockets.open.clone() {
            self.end_socket(&url);
        }
        self.settle();
    }

    pub(super) fn end_socket(&mut self, url: &str) {
        for id in self.sockets.end(url) {
            self.resolve(id, Outcome::Failed { error: Value::Null });
        }
    }

    /// Switches the chain within the wallet.
    pub fn wallet_switches(&mut self, chain: u64) {
        self.wallets[0].chain = chain;
        let (handle, watched) = (self.wallets[0].handle(), self.wallets[0].watched);
        if watched {
            self.dispatch(Event::Network(portico_core::network::Event::ChainChanged {
                handle,
                chain: Value::Text(format!("{chain:#x}")),
            }));
        }
    }

    /// Changes the accounts that the wallet exposes to the page, possibly to none.
    pub fn wallet_shows(&mut self, accounts: &[&str]) {
        self.wallets[0].accounts = accounts.iter().map(|account| (*account).into()).collect();
        let (handle, watched) = (self.wallets[0].handle(), self.wallets[0].watched);
        if watched {
            let accounts = Value::List(accounts.iter().map(|account| (*account).into()).collect());
            self.dispatch(Event::Connect(connect::Event::AccountsChanged { handle, accounts }));
        }
    }
}
