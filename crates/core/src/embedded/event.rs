//! Events of visitor, frame and libraries, and the reasons of requests.

use super::calls::Question;
use super::method::Method;
use super::{login, social};
use crate::config::Social;
use portico_json::{Json, Value};
use std::fmt;

/// Embedded wallet: events of visitor, frame and libraries.
#[derive(Clone, Json)]
#[json(name = "EmbeddedEvent")]
pub enum Event {
    /// The visitor typed into the e-mail field.
    EmailTyped { email: String },
    /// The visitor continues with an e-mail address.
    EmailSubmitted { email: String },
    /// The visitor typed or pasted the code of the mail.
    CodeTyped { text: String },
    /// The visitor chose a social login.
    SocialChosen { social: Social },
    /// The visitor tries the same social login again.
    SocialRetryAsked,
    /// The page of a social login, which took the place of this one, sent the visitor back.
    SocialReturned {
        /// Address of the wallet's page with a one-time code.
        uri: String,
    },
    /// The host logs its visitor in by its own token.
    JwtGiven {
        /// Token (JWT) of the host's server.
        jwt: String,
        /// Ticket of the host call.
        ticket: u32,
    },
    /// The visitor wants another mail.
    ResendAsked,
    /// The visitor typed the new address.
    NewEmailTyped { email: String },
    /// The visitor changes the address.
    NewEmailSubmitted { email: String },
    /// The visitor opens the settings of the wallet, which the frame draws.
    SettingsAsked,
    /// The visitor logs in by a passkey, in the frame.
    PasskeyAsked,
    /// The visitor declined the passkey that was offered.
    PasskeyDeclined,
    /// A library or the core itself sent a request to the embedded wallet's provider (EIP-1193).
    RequestAsked {
        method: String,
        params: Value,
        /// CAIP-2 id of the chain, where the caller names one.
        chain: Option<String>,
        /// Number of the call.
        ticket: u32,
    },
    /// The host called a method of the provider.
    MethodCalled {
        method: Method,
        payload: Value,
        /// Number of the call.
        ticket: u32,
    },
    /// The frame loaded anew in its place: what it was asked before is lost.
    FrameRestarted,
}

impl fmt::Debug for Event {
    /// Names the event alone: the code is a secret, and so may be what is signed.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Event::EmailTyped { .. } => "EmailTyped",
            Event::EmailSubmitted { .. } => "EmailSubmitted",
            Event::CodeTyped { .. } => "CodeTyped",
            Event::SocialChosen { .. } => "SocialChosen",
            Event::SocialRetryAsked => "SocialRetryAsked",
            Event::SocialReturned { .. } => "SocialReturned",
            Event::JwtGiven { .. } => "JwtGiven",
            Event::ResendAsked => "ResendAsked",
            Event::NewEmailTyped { .. } => "NewEmailTyped",
            Event::NewEmailSubmitted { .. } => "NewEmailSubmitted",
            Event::SettingsAsked => "SettingsAsked",
            Event::PasskeyAsked => "PasskeyAsked",
            Event::PasskeyDeclined => "PasskeyDeclined",
            Event::RequestAsked { .. } => "RequestAsked",
            Event::MethodCalled { .. } => "MethodCalled",
            Event::FrameRestarted => "FrameRestarted",
        })
    }
}

/// Alarms of this feature. Starting one that already runs moves it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alarm {
    /// The frame had its time to settle after its first message (spec 4.34).
    Settled,
    /// Time limit of the oldest request to the frame (spec 9.12).
    Late,
    /// One second of the countdown to another mail has passed (spec 9.11).
    Countdown,
    /// The message about a refused method is due (spec 4.41).
    Refused,
    /// The frame starts anew after the view of Farcaster was left (spec 2.22).
    Reload,
}

/// Reasons of the feature's requests.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Creation of the frame of this number.
    Opened(u32),
    /// Request to the frame of this number.
    Frame(u32),
    /// Read of a chain for the call of this ticket.
    Read(u32),
    /// Services of the server.
    Offer,
    /// Whether a passkey is offered, read at the start of a session, or when the offer is due: coins or a payment were seen.
    PasskeyOffer { due: bool },
    /// Window for the social login of this number.
    Window(u32),
    /// Return of the visitor from the social login of this number.
    Returned(u32),
}

/// Purpose of a request to the frame: where its answer goes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Purpose {
    /// The end of the session.
    SignOut,
    /// A step of a login.
    Login(login::Step),
    /// A login by the host's own token.
    Jwt,
    /// A step of a social login.
    Social(social::Step),
    /// Whether there is a session.
    Session,
    /// The user of the session.
    User,
    /// The user of the session, with the signature of the site's sign-in message.
    SignIn,
    /// Another chain, for the call of this ticket.
    Switch(u32, portico_terms::ChainId),
    /// A read of the wallet, for the call of this ticket.
    Read(u32),
    /// A question of the host, for the call of this ticket.
    Call(Question, Option<u32>),
    /// A request that the visitor approves in the frame.
    Approval,
    /// The settings, until the visitor is done with them.
    Settings,
    /// A step of a change of the address.
    Update(super::update::Step),
}

impl Purpose {
    /// Whether the visitor decides how long the answer takes.
    pub fn is_of_visitor(&self) -> bool {
        matches!(self, Purpose::Approval | Purpose::Settings | Purpose::Social(social::Step::Signature(_)))
    }
}
