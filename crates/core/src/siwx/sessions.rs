//! Sessions of the site: those that it confirmed, and those to save.

use super::message::Words;
use super::{Phase, Reason, SAVING, Siwx};
use crate::cx::Cx;
use crate::effect::{Operation, SignInCall, StorageArea};
use crate::facts::Facts;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::signal::Signal;
use crate::storage;
use crate::wallet;
use portico_json::Value;
use portico_terms::ChainId;

/// Time in milliseconds for which a known session counts without a question to the site: it may end elsewhere, or expire.
pub const FRESH: u64 = 60_000;

/// Account that signs in, on its chain.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Signer {
    pub chain: ChainId,
    pub address: String,
    pub handle: String,
}

/// Account that signed in, on its chain.
#[derive(Debug)]
pub(super) struct Signed {
    pub chain: ChainId,
    pub address: String,
    /// Time at which the site confirmed the session, in epoch milliseconds.
    pub confirmed: u64,
}

impl Signer {
    /// The active account, if it signs in, on a network of the host.
    pub(super) fn of(facts: &Facts) -> Option<Signer> {
        let account = facts.account.as_deref().filter(|account| facts.options.signs_in(account.namespace))?;
        let network = facts.active_network.as_deref().filter(|_| !facts.unsupported)?;
        (network.chain_namespace == account.namespace).then(|| Signer {
            chain: network.caip_network_id.clone(),
            address: account.address.clone(),
            handle: account.handle.clone(),
        })
    }

    pub(super) fn is(&self, signed: &Signed) -> bool {
        self.chain == signed.chain && self.address == signed.address
    }

    /// Whether a session is of this account and chain. The letters of an EVM address may have any case.
    pub(super) fn signed(&self, session: &Value) -> bool {
        let text = |name: &str| session.get(name).as_str().unwrap_or_default();
        text("chainId") == self.chain.to_string() && text("accountAddress").eq_ignore_ascii_case(&self.address)
    }
}

impl Siwx {
    /// The page became visible again. A visitor in the middle of something else is not interrupted.
    pub(super) fn page_shown(&mut self, cx: &mut Cx) {
        if self.phase == Phase::Ready && self.words.is_none() {
            self.stop(cx);
            return self.check(cx);
        }
        let idle = self.phase == Phase::Idle && matches!(cx.facts.view, None | Some(View::Account));
        let reason = match self.phase {
            Phase::Ready => Reason::Again(self.attempt),
            _ if idle && self.confirmed().is_some_and(|signed| cx.now >= signed.confirmed + FRESH) => {
                Reason::Still(self.attempt)
            }
            _ => return,
        };
        self.ask(SignInCall::GetSessions, Vec::new(), reason, None, cx);
    }

    /// Network that Cancel leads back to, once.
    pub(super) fn way_back(&self, facts: &Facts) -> Option<ChainId> {
        self.last_signed(facts).filter(|_| !self.returned)
    }

    /// Last network on which the same account signed in.
    pub(super) fn last_signed(&self, facts: &Facts) -> Option<ChainId> {
        let signer = self.signer.as_ref()?;
        let is_other = |signed: &&Signed| {
            signed.address == signer.address
                && signed.chain != signer.chain
                && signed.chain.namespace() == signer.chain.namespace()
                && facts.network(&signed.chain).is_some()
        };
        self.signed.iter().rfind(is_other).map(|signed| signed.chain.clone())
    }

    /// Session of the account that is active.
    pub(super) fn confirmed(&self) -> Option<&Signed> {
        let signer = self.signer.as_ref()?;
        self.signed.iter().find(|signed| signer.is(signed))
    }

    /// The site has no session of the active account (any more). A `siweConfig` has one session at a time: it was of this account, or the
    /// question ended that of another.
    pub(super) fn forget(&mut self, facts: &Facts) {
        let only = facts.options.siwe;
        if let Some(signer) = &self.signer {
            self.signed.retain(|signed| !only && !signer.is(signed));
        }
    }

    /// The site has a session of the active account.
    pub(super) fn confirm(&mut self, cx: &mut Cx) {
        self.forget(cx.facts);
        if let Some(Signer { chain, address, .. }) = self.signer.clone() {
            self.signed_in(chain, address, cx);
        }
    }

    /// The site has a session of an account. An earlier end of one must not end this one on the next page.
    pub(super) fn signed_in(&mut self, chain: ChainId, address: String, cx: &mut Cx) {
        let key = storage::sign_out(cx.facts.options.siwe, &chain, &address);
        cx.order(Operation::RemoveStorage { area: StorageArea::Local, key });
        self.signed.push(Signed { chain, address, confirmed: cx.now });
    }

    /// Saves the session that the wallet signed together with the connection, if there is one of this account and chain.
    pub(super) fn save_signed(&mut self, cx: &mut Cx) -> bool {
        let mut ahead = std::mem::take(&mut self.ahead);
        let Some(signer) = &self.signer else { return false };
        let Some(place) = ahead.iter().position(|session| signer.signed(session)) else { return false };
        let session = ahead.swap_remove(place);
        let signature = wallet::signature(signer.chain.namespace(), session.get("signature"));
        let (Some(signature), Ok(words)) = (signature, Words::read(&session, &cx.facts.environment.origin, cx.now))
        else {
            return false;
        };
        self.words = Some(words);
        self.ahead = ahead;
        cx.say(Variant::Loading, Message::Authenticating);
        self.save(signature.into(), Some(session.get("cacao").clone()), cx);
        true
    }

    /// Saves the sessions that the wallet signed for other chains, unless the site took them together with the first: it tells those that it has
    /// then. In a `siweConfig` they would take the place of the one just saved.
    pub(super) fn save_others(&mut self, told: &Value, cx: &mut Cx) {
        let ahead = std::mem::take(&mut self.ahead);
        if cx.facts.options.siwe {
            return;
        }
        for session in ahead {
            let text = |name: &str| session.get(name).as_str().unwrap_or_default();
            let Ok(chain) = text("chainId").parse() else { continue };
            let address = text("accountAddress").to_owned();
            let Value::List(saved) = told else {
                let call = Operation::AskSignIn { call: SignInCall::AddSession, given: session };
                cx.ask(call, Reason::SavedToo(chain, address));
                continue;
            };
            let is_this =
                |one: &Value| ["chainId", "accountAddress"].iter().all(|name| one.get(name) == session.get(name));
            if saved.iter().any(is_this) {
                self.signed_in(chain, address, cx);
            }
        }
    }

    pub(super) fn save(&mut self, signature: String, cacao: Option<Value>, cx: &mut Cx) {
        let Some(words) = &self.words else { return };
        self.phase = Phase::Saving;
        let mut session = vec![
            ("data".into(), words.data.clone()),
            ("message".into(), words.text.as_str().into()),
            ("signature".into(), Value::Text(signature)),
        ];
        session.extend(cacao.map(|cacao| ("cacao".into(), cacao)));
        // A site that takes each nonce once has to get all at once.
        if !self.ahead.is_empty() && !cx.facts.options.siwe {
            session.push(("others".into(), Value::List(self.ahead.clone())));
        }
        self.ask(SignInCall::AddSession, session, Reason::Saved(self.attempt), Some(SAVING), cx);
    }

    /// Namespaces were disconnected: without an account their sessions end, unless the site keeps them.
    pub(super) fn reset(&mut self, cx: &mut Cx) {
        if !cx.facts.is_connected_in(self.namespace()) {
            // Until a message is made, the site may have a session without having told.
            if let Some(signer) = self.signer.take_if(|_| self.phase != Phase::Idle && self.words.is_none()) {
                self.signed.push(Signed { chain: signer.chain, address: signer.address, confirmed: cx.now });
            }
            self.ahead.clear();
            self.stop(cx);
            self.words = None;
            self.signer = None;
        }
        let (signed, left): (_, Vec<Signed>) = std::mem::take(&mut self.signed)
            .into_iter()
            .partition(|signed| cx.facts.is_connected_in(signed.chain.namespace()));
        self.signed = signed;
        for signed in left {
            cx.signal(Signal::SessionLeft(signed.chain, signed.address));
        }
    }
}
