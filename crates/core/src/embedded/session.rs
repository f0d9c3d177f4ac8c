//! Session of the frame: who is logged in, with which address, on which chain (spec 3.25, 3.31, 4.35 to 4.37, 7.21, 7.23).

use super::Embedded;
use super::calls::tell_listeners;
use super::event::Purpose;
use super::fault::{Fault, RequestFault};
use crate::config::Social;
use crate::cx::Cx;
use crate::effect::{Operation, StorageArea};
use crate::facts::EmbeddedUser;
use crate::signal::Signal;
use crate::storage::{StoredLogin, keys};
use portico_api::frame::{FrameAccount, FrameEvent, FrameUser, UserQuestion};
use portico_json::{Read, Value, parse, to_text};
use portico_terms::address::{is_evm, is_solana, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{AccountKind, ChainId, Namespace, is_email};

/// Knowledge about the session.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) enum Known {
    /// The frame was not asked yet.
    #[default]
    Unknown,
    /// The frame was asked.
    Asked,
    Out,
    In,
}

/// The session of the frame.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub known: Known,
    /// EVM address with its checksum.
    pub address: Option<String>,
    pub chain: Option<ChainId>,
    pub user: EmbeddedUser,
    /// Calls that wait for the accounts: ticket, and whether a refusal is an error rather than an empty list.
    pub waiting: Vec<(u32, bool)>,
    /// The visitor just logged in: the account connects as soon as the user is known.
    pub entering: bool,
}

impl Session {
    pub fn restored(stored: &StoredLogin) -> Session {
        let mut session = Session { chain: stored.chain.clone(), ..Session::default() };
        session.user.preferred = stored.preferred;
        session
    }

    /// Prefers a kind of account, here and on later pages (spec 4.23). The choice outlives a login.
    pub fn prefer(&mut self, kind: AccountKind, cx: &mut Cx) {
        self.user.preferred = Some(kind);
        let (area, key, value) = (StorageArea::Local, keys::PREFERRED_KIND.into(), kind.word().into());
        cx.order(Operation::WriteStorage { area, key, value });
    }

    /// Payload of the question for the user.
    pub fn question(&self, cx: &Cx) -> Value {
        let chain = self.chain.clone().filter(|chain| cx.facts.network(chain).is_some());
        let chain = chain.or_else(|| super::frame::chain(cx));
        let kind = self.user.preferred.unwrap_or_else(|| cx.facts.options.preferred_kind(Namespace::Eip155));
        let question = UserQuestion {
            chain_id: chain.as_ref().and_then(number),
            preferred_account_type: Some(kind.word().into()),
            siwx_message: None,
        };
        let mut question = parse(&to_text(&question)).unwrap_or_default();
        if let Value::Object(fields) = &mut question {
            fields.retain(|(_, value)| !value.is_null());
        }
        question
    }

    /// Takes over the user as the frame told it. Returns false for a user without a valid address.
    pub fn take(&mut self, answer: &Value, cx: &mut Cx) -> bool {
        let Ok(user) = FrameUser::read(answer) else { return false };
        if !(user.address.starts_with("0x") && is_evm(&user.address)) {
            return false;
        }
        self.address = Some(to_checksum(&user.address));
        self.chain = chain_of(&user.chain_id).or_else(|| super::frame::chain(cx));
        self.known = Known::In;
        let kind = user.preferred_account_type.as_deref().and_then(AccountKind::from_word);
        self.user = EmbeddedUser {
            email: user.email.filter(|email| is_email(email)),
            name: user.user_name.map(|name| crate::shown::clean(&name)).filter(|name| !name.is_empty()),
            provider: user.provider.filter(|word| word == super::jwt::WORD || Social::from_word(word).is_some()),
            kind: kind.unwrap_or(AccountKind::Eoa),
            preferred: self.user.preferred,
            deployed: user.smart_account_deployed,
        };
        self.store(cx);
        true
    }

    /// The user as the host gets it: what is known here, not what the frame said (spec 3.25).
    pub fn told(&self) -> Value {
        let address = self.address.clone().unwrap_or_default();
        let EmbeddedUser { email, name, provider, kind, deployed, .. } = self.user.clone();
        let user = FrameUser {
            email,
            accounts: vec![FrameAccount { address: address.clone(), kind: kind.word().into() }],
            address,
            chain_id: self.chain.as_ref().and_then(number).unwrap_or_default(),
            user_name: name,
            provider,
            smart_account_deployed: deployed,
            preferred_account_type: Some(kind.word().into()),
        };
        parse(&to_text(&user)).unwrap_or_default()
    }

    /// The user with the Solana account that the frame told.
    pub fn told_on_solana(&self, answer: &Value) -> Option<Value> {
        let FrameUser { address, chain_id, .. } = FrameUser::read(answer).ok()?;
        let mut user = FrameUser::read(&self.told()).ok().filter(|_| is_solana(&address))?;
        let kind = AccountKind::Eoa.word();
        user.accounts = vec![FrameAccount { address: address.clone(), kind: kind.into() }];
        (user.address, user.chain_id) = (address, chain_id);
        (user.preferred_account_type, user.smart_account_deployed) = (Some(kind.into()), None);
        parse(&to_text(&user)).ok()
    }

    fn store(&self, cx: &mut Cx) {
        let mut write = |key: &str, value: String| {
            cx.order(Operation::WriteStorage { area: StorageArea::Local, key: key.into(), value });
        };
        write(keys::EMAIL_USED, "true".into());
        if let Some(email) = &self.user.email {
            write(keys::EMAIL, email.clone());
        }
        if let Some(name) = &self.user.name {
            write(keys::SOCIAL_NAME, name.clone());
        }
        if let Some(provider) = &self.user.provider {
            write(keys::SOCIAL, provider.clone());
        }
        if let Some(chain) = &self.chain {
            write(keys::LAST_CHAIN, chain.to_string());
        }
    }

    /// Stores the address after a change of it.
    pub fn keep_email(&self, cx: &mut Cx) {
        self.store(cx);
    }

    /// Another chain is in use.
    pub fn moved(&mut self, chain: ChainId, cx: &mut Cx) {
        self.chain = Some(chain);
        self.store(cx);
    }

    /// The visitor is logged out: stored data of the login goes (spec 4.37).
    pub fn end(&mut self, cx: &mut Cx) {
        let (waiting, preferred) = (std::mem::take(&mut self.waiting), self.user.preferred);
        *self = Session { known: Known::Out, waiting, ..Session::default() };
        self.user.preferred = preferred;
        for key in keys::LOGIN {
            cx.order(Operation::RemoveStorage { area: StorageArea::Local, key: key.into() });
        }
        tell_listeners("notConnected", Value::Null, cx);
    }
}

impl Embedded {
    pub(super) fn check_session(&mut self, cx: &mut Cx) {
        self.session.known = Known::Asked;
        self.frame.ask(FrameEvent::IsConnected, Value::Null, Purpose::Session, cx);
    }

    /// The frame said whether there is a session.
    pub(super) fn session_told(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        match answer.map(|answer| answer.get("isConnected").as_bool()) {
            Ok(Some(true)) if self.session.known == Known::In => self.tell_user("isConnected", cx),
            Ok(Some(true)) => self.ask_user(cx),
            // A server that cannot be asked says nothing about the session.
            Err(_) => self.gave_up(Purpose::Session, Fault::Late, cx),
            _ if self.session.known == Known::In => {
                self.session.end(cx);
                cx.signal(Signal::LoginLost);
            }
            _ => self.not_connected(cx),
        }
    }

    pub(super) fn ask_user(&mut self, cx: &mut Cx) {
        let question = self.session.question(cx);
        self.frame.ask(FrameEvent::GetUser, question, Purpose::User, cx);
    }

    /// The site's sign-in message goes to the frame, which signs it if the visitor just logged in.
    pub(super) fn sign_in(&mut self, message: &str, cx: &mut Cx) {
        self.frame.forget(|purpose| *purpose == Purpose::SignIn, cx);
        let mut question = self.session.question(cx);
        if let Value::Object(fields) = &mut question {
            fields.push(("siwxMessage".into(), super::login::with("serializedMessage", message)));
        }
        self.frame.ask(FrameEvent::GetUser, question, Purpose::SignIn, cx);
    }

    /// The user is known: calls get the account, and after a login it connects as a wallet does (spec 4.35).
    pub(super) fn entered(&mut self, cx: &mut Cx) {
        let entering = std::mem::take(&mut self.session.entering);
        let ticket = self.given.take_if(|_| entering);
        cx.signal(Signal::EmbeddedUserKnown { user: self.session.user.clone(), entering, ticket });
        self.tell_entered(entering, cx);
        self.read_offer(false, cx);
        self.tell_accounts(cx);
    }

    /// The host or the visitor ends the session. Answers that are still on their way would bring it back.
    pub(super) fn end_session(&mut self, cx: &mut Cx) {
        let of_session =
            |purpose: &Purpose| matches!(purpose, Purpose::User | Purpose::Session | Purpose::Jwt | Purpose::Call(..));
        for purpose in self.frame.forget(of_session, cx) {
            if let Purpose::Call(_, ticket) = purpose {
                cx.reject_host(ticket, RequestFault::Aborted.into());
            }
        }
        self.refuse_given(RequestFault::Aborted, cx);
        self.session.end(cx);
        self.tell_accounts(cx);
    }

    /// There is no session, or no user of it (spec 4.36, 4.37).
    pub(super) fn not_connected(&mut self, cx: &mut Cx) {
        if self.session.entering {
            self.login.not_entered(Fault::Unknown);
            self.social.failed(Fault::Unknown, cx);
            self.refuse_given(RequestFault::LoggedOut, cx);
        }
        self.session.end(cx);
        self.tell_accounts(cx);
    }
}

/// Number of an EVM chain as JSON.
pub(super) fn number(chain: &ChainId) -> Option<Value> {
    chain.number().map(|number| Value::Number(number.to_string()))
}

/// Chain by its number, or by its CAIP-2 id.
fn chain_of(value: &Value) -> Option<ChainId> {
    match value {
        Value::Number(text) => text.parse().ok().map(ChainId::eip155),
        Value::Text(text) if text.contains(':') => text.parse().ok(),
        Value::Text(text) => text.parse().ok().map(ChainId::eip155),
        _ => None,
    }
    .filter(|chain| chain.number().is_some_and(|number| number > 0))
}
