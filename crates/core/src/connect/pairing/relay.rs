//! The client and its relays: loading on demand, and relay state.

use super::*;

impl Connect {
    /// A remote wallet may be needed: loads the client, once.
    pub fn relay_wanted(&mut self, cx: &mut Cx) {
        if cx.facts.options.wallet_connect && self.remote.relays.client == Client::Absent {
            self.remote.relays.client = Client::Opening;
            cx.ask(Operation::OpenRelay, Reason::Relay);
        }
    }

    /// The client is ready with its stored sessions, or failed to load.
    pub(in crate::connect) fn relay_answered(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match answer {
            // The client was requested twice and both requests succeeded.
            _ if self.remote.relays.client == Client::Ready => {}
            Ok(value) => {
                self.remote.relays.client = Client::Ready;
                self.remote.stored.alone = value.get("alone").as_bool() == Some(true);
                self.remote.restore(cx);
                let sessions = value.get("sessions");
                self.sessions_back(sessions, cx);
                if self.remote.stored.alone {
                    self.adopt_session(sessions, cx);
                }
                if self.remote.is_wanted() && !self.remote.is_usable(cx.now) && !self.remote.has_failed() {
                    self.open_pairing(cx);
                }
            }
            Err(error) => {
                self.remote.relays.client = Client::Absent;
                if self.remote.is_wanted() {
                    self.pairing_failed(Phase::Failed, error, cx);
                }
            }
        }
    }

    /// Records the state of a relay.
    pub fn relay_noted(&mut self, relay: String, state: RelayState, reason: Option<String>) {
        self.remote.relays.states.insert(relay, state);
        self.remote.relays.said = reason;
    }

    /// The state of a relay changed; refusals are reported to the host (spec 8.49).
    pub fn relay_changed(&mut self, cx: &mut Cx) {
        let remote = &mut self.remote;
        remote.wait_for_relay(cx);
        let said = remote.relays.said.take();
        if remote.is_reached() {
            remote.relays.reason = None;
        } else if said.is_some() && said != remote.relays.reason {
            if let Some(alert) = said.as_deref().and_then(AlertKey::of_message) {
                cx.signal(Signal::Warn(alert, cx.facts.environment.origin.to_string()));
            }
            remote.relays.reason = said;
        }
    }

    /// The visitor requests a new code.
    pub(in crate::connect) fn pairing_retry(&mut self, cx: &mut Cx) {
        if self.remote.is_wanted() && !cx.facts.options.manual_pairing {
            self.drop_code(cx);
            // Forgets refused relays: the visitor may have fixed the cause.
            let relays = std::mem::take(&mut self.remote.relays.states);
            let open = |(_, state): &(&String, &RelayState)| **state != RelayState::Refused;
            self.remote.relays.states =
                relays.iter().filter(open).map(|(relay, state)| (relay.clone(), *state)).collect();
            self.open_pairing(cx);
        }
    }
}
