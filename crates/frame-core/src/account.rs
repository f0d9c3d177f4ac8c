//! The visitor's account and session, as far as the page knows them: names and addresses, never a token.

use crate::effect::{Failure, FailureKind, Operation};
use crate::frame::Frame;
use crate::message::{DEFAULT, Request, WENT_WRONG, as_value, fault, object, payload};
use crate::network;
use crate::reason::Reason;
use crate::site::Site;
use portico_api::frame::{
    ChainChoice, EmailConnected, FrameAccount, FrameFault, FrameTheme, FrameUser, HostData, UserQuestion,
};
use portico_api::wallet::{Empty, LoginAction, Me, WalletUser};
use portico_json::{Json, Map, Read, Value};
use portico_terms::address::{is_solana, with_checksum};
use portico_terms::{ChainId, Namespace};

/// The only kind of account so far.
const EOA: &str = "eoa";

/// Largest metadata of a host that is kept, in bytes of JSON.
const LARGEST_METADATA: usize = 8 * 1024;

/// User with the addresses of the wallet, by namespace.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "FrameAccountState")]
pub struct Account {
    pub user: WalletUser,
    /// Address of each namespace, by its word: "eip155".
    pub addresses: Map<String, String>,
}

impl Account {
    /// Reads an account; an address of eip155 gets its checksum.
    pub fn parse(value: &Value) -> Option<Account> {
        let mut account = Account::read(value).ok()?;
        let own = with_checksum(account.addresses.get("eip155")?).ok()?;
        account.addresses.insert("eip155".into(), own);
        Some(account)
    }

    fn of_me(value: &Value) -> Option<Account> {
        let me = Me::read(value).ok()?;
        Account::parse(&as_value(&Account { user: me.user, addresses: me.wallet?.addresses }))
    }

    /// Address on a chain, if the wallet has one there.
    pub fn address_on(&self, chain: &ChainId) -> Option<&str> {
        let address = self.addresses.get(chain.namespace().word())?;
        (chain.namespace() != Namespace::Solana || is_solana(address)).then_some(address)
    }
}

/// What the visitor can do where the browser denies the frame its storage: private windows and strict settings do.
const NO_STORAGE: &str = "Your browser blocks this wallet's storage. Leave private browsing, or allow cookies for this site, then try again.";

/// Error for a failed operation, in the words that the visitor may read.
pub fn fault_of(failure: Failure) -> FrameFault {
    match failure.kind {
        FailureKind::NoSession => fault("Your session ended. Log in again."),
        FailureKind::Refused | FailureKind::Unproved if !failure.message.is_empty() => fault(&failure.message),
        FailureKind::Unreachable => fault(WENT_WRONG),
        FailureKind::NoStorage => fault(NO_STORAGE),
        FailureKind::Refused | FailureKind::Unproved | FailureKind::Broken => fault(DEFAULT),
    }
}

impl Frame {
    /// Error for a failed operation; one without a session also ends what the page knows of it.
    pub(crate) fn failed(&mut self, failure: Failure) -> FrameFault {
        if failure.kind == FailureKind::NoSession {
            self.account = None;
        }
        fault_of(failure)
    }

    /// Spec 7.21.
    pub(crate) fn get_user(&mut self, request: Request, value: &Value) {
        let question = match value {
            Value::Null => Ok(UserQuestion::default()),
            value => payload::<UserQuestion>(value),
        };
        let chain = question.and_then(|question| match &question.chain_id {
            Some(chain) if !chain.is_null() => network::chosen(chain).map(|chain| (question, Some(chain))),
            _ => Ok((question, None)),
        });
        match chain {
            Err(fault) => self.reply(request, Err(fault)),
            Ok((question, chain)) => {
                // The account on Solana is told beside that on the chain in use.
                if let Some(chain) = chain.filter(|chain| chain.namespace() != Namespace::Solana) {
                    self.chain = chain;
                }
                self.ask("me", &Empty {}, true, Reason::UserRead { request, question });
            }
        }
    }

    pub(crate) fn user_read(&mut self, request: Request, question: &UserQuestion, answer: Result<Value, Failure>) {
        match self.take_me(answer) {
            Ok(()) => self.tell_user(request, question),
            Err(fault) => self.reply(request, Err(fault)),
        }
    }

    /// Keeps the account of a response of `/wallet/v1/me`.
    fn take_me(&mut self, answer: Result<Value, Failure>) -> Result<(), FrameFault> {
        let value = answer.map_err(|failure| self.failed(failure))?;
        // The addresses of a wallet that nobody opened here are only what the server says.
        if self.locked {
            return Err(fault("Open your wallet first"));
        }
        self.account = Account::of_me(&value);
        if self.account.is_some() { Ok(()) } else { Err(fault(DEFAULT)) }
    }

    pub(crate) fn user(&self, question: &UserQuestion) -> Option<FrameUser> {
        let account = self.account.as_ref()?;
        let asked = question.chain_id.as_ref().and_then(network::chain_of);
        let chain = asked.as_ref().filter(|chain| chain.namespace() == Namespace::Solana).unwrap_or(&self.chain);
        let address = account.address_on(chain)?;
        let eoa = FrameAccount { address: address.into(), kind: EOA.into() };
        Some(FrameUser {
            email: account.user.email.clone(),
            address: address.into(),
            chain_id: network::wire(chain),
            accounts: vec![eoa],
            user_name: account.user.name.clone(),
            provider: Some(account.user.provider.clone()).filter(|provider| provider != "email"),
            smart_account_deployed: Some(false),
            preferred_account_type: question.preferred_account_type.as_ref().map(|_| EOA.into()),
        })
    }

    /// Second half of `CONNECT_EMAIL` on a device with a live session.
    pub(crate) fn session_taken(&mut self, request: Request, answer: Result<Value, Failure>) {
        let connected = EmailConnected { action: LoginAction::Connect, number: None };
        let taken = self.take_me(answer).map(|()| as_value(&connected));
        self.reply(request, taken);
    }

    /// Spec 7.23.
    pub(crate) fn is_connected(&mut self, request: Request) {
        self.ask("me", &Empty {}, true, Reason::ConnectionRead { request });
    }

    pub(crate) fn connection_read(&mut self, request: Request, answer: Result<Value, Failure>) {
        let connected = |connected| Ok(object(&[("isConnected", Value::Bool(connected))]));
        let reply = match answer {
            // Other failures say nothing about the session: the host must not forget the visitor.
            Err(failure) if failure.kind != FailureKind::NoSession => Err(fault_of(failure)),
            _ if self.locked => connected(false),
            Err(failure) => {
                self.failed(failure);
                connected(false)
            }
            Ok(value) => {
                self.account = Account::of_me(&value);
                connected(self.account.is_some())
            }
        };
        self.reply(request, reply);
    }

    /// Spec 7.22. What waits for the visitor is withdrawn first.
    pub(crate) fn sign_out(&mut self, request: Request) {
        self.withdraw();
        self.end_login();
        self.social = None;
        self.end_farcaster();
        self.account = None;
        self.consent = None;
        self.locked = false;
        self.close_settings();
        self.new_email = None;
        self.site = Site::default();
        self.order(Operation::EndSession, Reason::SignedOut { request });
    }

    pub(crate) fn signed_out(&mut self, request: Request, answer: Result<Value, Failure>) {
        let reply = match answer {
            Err(failure) if failure.kind != FailureKind::NoSession => Err(fault_of(failure)),
            _ => Ok(Value::Null),
        };
        self.reply(request, reply);
    }

    /// Spec 7.13.
    pub(crate) fn switch_network(&mut self, request: Request, value: &Value) {
        let chosen = payload::<ChainChoice>(value).and_then(|choice| network::chosen(&choice.chain_id));
        let reply = chosen.map(|chain| {
            self.chain = chain;
            object(&[("chainId", network::wire(&self.chain))])
        });
        self.reply(request, reply);
    }

    /// Spec 7.24.
    pub(crate) fn get_chain_id(&mut self, request: Request) {
        let chain = network::wire(&self.chain);
        self.reply(request, Ok(object(&[("chainId", chain)])));
    }

    /// Spec 7.27. Smart accounts are not built, so there is nothing to prefer to the plain account.
    pub(crate) fn set_preferred_account(&mut self, request: Request, value: &Value) {
        let address = self.account.as_ref().and_then(|account| account.address_on(&self.chain));
        let reply = match (value.get("type").as_str(), address) {
            (Some(EOA), Some(address)) => Ok(object(&[("type", EOA.into()), ("address", address.into())])),
            (Some(EOA), None) => Err(fault("Log in first")),
            (Some("smartAccount"), _) => Err(fault("Smart accounts aren't set up")),
            _ => Err(fault(DEFAULT)),
        };
        self.reply(request, reply);
    }

    /// Spec 7.31.
    pub(crate) fn sync_theme(&mut self, request: Request, value: &Value) {
        let taken = payload::<FrameTheme>(value).map(|theme| {
            self.theme.take(theme);
            Value::Null
        });
        self.reply(request, taken);
    }

    /// Spec 7.32. The data are the host's own words: they are shown as such, and decide nothing.
    pub(crate) fn sync_host_data(&mut self, request: Request, value: &Value) {
        let fits = portico_json::to_text(value).len() <= LARGEST_METADATA;
        let taken = payload::<HostData>(value).and_then(|data| if fits { Ok(data) } else { Err(fault(DEFAULT)) });
        let reply = taken.map(|data| {
            self.host_data = data;
            Value::Null
        });
        self.reply(request, reply);
    }

    /// Spec 7.33. Withdraws what waits and forgets what the page knows; the session stays.
    pub(crate) fn reload(&mut self, request: Request) {
        self.withdraw();
        self.end_login();
        self.close_settings();
        self.social = None;
        self.end_farcaster();
        self.account = None;
        self.consent = None;
        self.new_email = None;
        self.reply(request, Ok(Value::Null));
    }
}
