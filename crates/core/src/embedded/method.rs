//! Methods of the provider beside its requests, for a host with a form of its own. Each is one step of the login, the social login or the change
//! of the address that views show, and waits for the state in which its step ends: a host skips nothing, and knows what the views know.

use super::Embedded;
use super::calls::{Question, Wait, is_connected};
use super::event::Purpose;
use super::fault::{Fault, RequestFault};
use super::frame::solana_chain;
use super::login::{Phase, Step, digits, is_whole, with};
use super::services::item;
use super::session::Known;
use super::social;
use super::update::{Phase as UpdatePhase, is_new};
use crate::config::Social;
use crate::cx::Cx;
use crate::effect::HostError;
use portico_api::frame::FrameEvent;
use portico_json::{Json, Value};
use portico_terms::AccountKind;

/// Method of the provider.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "EmbeddedMethod")]
pub enum Method {
    /// Sends the mail of a login: `{email}`, answered by `{action, number?}` (spec 7.14).
    ConnectEmail,
    /// Waits for the approval of this device (spec 7.15).
    ConnectDevice,
    /// Gives the code: `{otp}`; answered once the account is connected (spec 7.16).
    ConnectOtp,
    /// Connects the account of a session that the frame has already.
    Connect,
    /// Ends a social login: `{uri}`; answered once the account is connected (spec 7.17).
    ConnectSocial,
    /// Begins a social login: `{provider}`, answered by `{uri}` (spec 7.18).
    GetSocialRedirectUri,
    /// Begins a login at Farcaster, answered by `{url}` (spec 7.19).
    GetFarcasterUri,
    /// Waits for the signature of Farcaster's app; answered once the account is connected (spec 7.20).
    ConnectFarcaster,
    /// Answered by the user (spec 7.21); with `{chainId}` of a Solana network by the same user with the account there.
    GetUser,
    /// Ends a session without a connected account (spec 7.22).
    SignOut,
    /// Answered by `{isConnected}` (spec 7.23).
    IsConnected,
    /// Answered by `{chainId}` (spec 7.24).
    GetChainId,
    /// Answered by `{smartAccountEnabledNetworks}` (spec 7.25).
    GetSmartAccountEnabledNetworks,
    /// Chooses the kind of account: `{type}`, answered by `{type, address}` (spec 7.27).
    SetPreferredAccount,
    /// Begins a change of the address: `{email}`, answered by `{action}` (spec 7.29). It goes on while the visitor looks at the modal's form,
    /// which tells it. Once the visitor begins a change there, its calls reject with [`RequestFault::Replaced`].
    UpdateEmail,
    /// Gives the code of the present address: `{otp}` (spec 7.30).
    UpdateEmailPrimaryOtp,
    /// Gives the code of the new address: `{otp}`, answered by `{newEmail}` (spec 7.30).
    UpdateEmailSecondaryOtp,
    /// Adds the login of the host's site to the wallet: `{jwt}`, answered once the visitor agreed in the settings.
    AddLogin,
    /// Tells the frame the theme of the modal (spec 7.31).
    SyncTheme,
    /// Tells the frame of the host (spec 7.32).
    SyncDappData,
    /// Starts the frame anew (spec 7.33).
    Reload,
    /// Withdraws the request that the visitor decides about (spec 8.37).
    RejectRpcRequests,
}

impl Method {
    /// Whether it is about an account, and so needs a session (spec 8.22).
    fn needs_account(self) -> bool {
        matches!(
            self,
            Method::Connect
                | Method::GetUser
                | Method::SetPreferredAccount
                | Method::UpdateEmail
                | Method::UpdateEmailPrimaryOtp
                | Method::UpdateEmailSecondaryOtp
                | Method::AddLogin
        )
    }

    /// Whether it is a step of a login.
    fn enters(self) -> bool {
        matches!(
            self,
            Method::ConnectEmail
                | Method::ConnectDevice
                | Method::ConnectOtp
                | Method::ConnectSocial
                | Method::GetSocialRedirectUri
                | Method::GetFarcasterUri
                | Method::ConnectFarcaster
        )
    }
}

impl Embedded {
    /// The host called a method.
    pub(super) fn called(&mut self, method: Method, payload: Value, ticket: u32, cx: &mut Cx) {
        if let Err(error) = self.carry_out(method, payload, ticket, cx) {
            cx.reject_host(Some(ticket), error);
        }
    }

    fn carry_out(&mut self, method: Method, payload: Value, ticket: u32, cx: &mut Cx) -> Result<(), HostError> {
        if method.needs_account() && self.session.known != Known::In {
            if self.session.known == Known::Out {
                return Err(RequestFault::NoAccount.into());
            }
            if self.session.known == Known::Unknown {
                self.check_session(cx);
            }
            self.calls.held.push((method, payload, ticket));
            return Ok(());
        }
        let connected = is_connected(cx);
        if method.enters() && connected {
            return Err(RequestFault::Connected.into());
        }
        if (method.enters() || method == Method::Connect) && self.given.is_some() {
            return Err(RequestFault::Busy.into());
        }
        let text = |name: &str| payload.get(name).as_str().ok_or(RequestFault::Params);
        let code =
            || text("otp").and_then(|otp| if is_whole(&digits(otp)) { Ok(otp) } else { Err(RequestFault::Params) });
        let Embedded { frame, login, social, update, session, calls, given, .. } = self;
        let mut read = |event: FrameEvent, cx: &mut Cx| frame.ask(event, Value::Null, Purpose::Read(ticket), cx);
        match method {
            Method::ConnectEmail => {
                let email = text("email")?;
                let busy = matches!(login.phase, Phase::Sending | Phase::Checking | Phase::Entering);
                if busy || login.phase != Phase::Typing && !login.hosted {
                    return Err(RequestFault::Busy.into());
                }
                // A refused address leaves the steps before as they are.
                if let Some(fault) = login.refusal(email, cx.now) {
                    return Err(HostError::from(&fault));
                }
                calls.end(|wait| matches!(wait, Wait::Mail | Wait::Device), RequestFault::Late, cx);
                login.led(email, frame, cx);
                calls.waiting.push((ticket, Wait::Mail));
            }
            Method::ConnectDevice if login.hosted && login.phase == Phase::Device => {
                calls.end(|wait| wait == Wait::Device, RequestFault::Late, cx);
                login.fault = None;
                frame.forget(|purpose| *purpose == Purpose::Login(Step::Device), cx);
                frame.ask(FrameEvent::ConnectDevice, Value::Null, Purpose::Login(Step::Device), cx);
                calls.waiting.push((ticket, Wait::Device));
            }
            Method::ConnectDevice if login.hosted && login.phase == Phase::Code => {
                cx.resolve_host(Some(ticket), Value::Null);
            }
            Method::ConnectOtp if login.hosted && login.phase == Phase::Code => {
                login.code_typed(code()?, frame, cx);
                (*given, calls.entry) = (Some(ticket), Some(Wait::Code));
            }
            Method::Connect if connected => cx.resolve_host(Some(ticket), Value::Null),
            Method::Connect => {
                (*given, calls.entry) = (Some(ticket), None);
                session.entering = true;
                self.ask_user(cx);
            }
            Method::GetSocialRedirectUri | Method::GetFarcasterUri => {
                let service = match method {
                    Method::GetFarcasterUri => Social::Farcaster,
                    _ => Social::from_word(text("provider")?)
                        .filter(|social| *social != Social::Farcaster)
                        .ok_or(RequestFault::Params)?,
                };
                social.free()?;
                calls.end(|wait| matches!(wait, Wait::Page | Wait::Channel), RequestFault::Late, cx);
                social.begin(item(service), true, frame, cx);
                let wait = if method == Method::GetFarcasterUri { Wait::Channel } else { Wait::Page };
                calls.waiting.push((ticket, wait));
            }
            Method::ConnectSocial => {
                social.free()?;
                let uri = text("uri")?;
                let service = social::service_of(uri, cx).ok_or(RequestFault::Params)?;
                social.handed(uri, service, session, frame, cx);
                (*given, calls.entry) = (Some(ticket), Some(Wait::Social));
            }
            Method::ConnectFarcaster => {
                social.sign(frame, cx)?;
                (*given, calls.entry) = (Some(ticket), Some(Wait::Social));
            }
            Method::IsConnected => {
                let purpose = Purpose::Call(Question::Session, Some(ticket));
                frame.ask(FrameEvent::IsConnected, Value::Null, purpose, cx);
            }
            Method::GetUser => match payload.get("chainId").as_str() {
                None => self.ask_user_for(Some(ticket), cx),
                Some(named) => {
                    let chain = solana_chain(Some(named), cx).ok_or(RequestFault::ChainNotSupported)?;
                    let purpose = Purpose::Call(Question::Other, Some(ticket));
                    frame.ask(FrameEvent::GetUser, with("chainId", &chain.to_string()), purpose, cx);
                }
            },
            Method::SetPreferredAccount => {
                let kind = AccountKind::from_word(text("type")?).ok_or(RequestFault::Params)?;
                let purpose = Purpose::Call(Question::Preferred, Some(ticket));
                frame.ask(FrameEvent::SetPreferredAccount, with("type", kind.word()), purpose, cx);
            }
            Method::UpdateEmail => {
                let email = text("email")?;
                let busy = matches!(update.phase, UpdatePhase::Sending | UpdatePhase::Checking);
                if busy || update.phase != UpdatePhase::Typing && !update.hosted {
                    return Err(RequestFault::Busy.into());
                }
                if !is_new(email, session.user.email.as_deref()) {
                    return Err(HostError::from(&Fault::Email));
                }
                update.hosted = true;
                calls.replaced = false;
                update.send(email, frame, cx);
                calls.waiting.push((ticket, Wait::Begun));
            }
            Method::UpdateEmailPrimaryOtp if update.hosted && update.phase == UpdatePhase::Primary => {
                update.code_typed(code()?, frame, cx);
                calls.waiting.push((ticket, Wait::Primary));
            }
            Method::UpdateEmailSecondaryOtp if update.hosted && update.phase == UpdatePhase::Secondary => {
                update.code_typed(code()?, frame, cx);
                calls.waiting.push((ticket, Wait::Secondary));
            }
            Method::UpdateEmailPrimaryOtp | Method::UpdateEmailSecondaryOtp if calls.replaced => {
                return Err(RequestFault::Replaced.into());
            }
            Method::ConnectDevice
            | Method::ConnectOtp
            | Method::UpdateEmailPrimaryOtp
            | Method::UpdateEmailSecondaryOtp => return Err(RequestFault::NotBegun.into()),
            Method::GetChainId => read(FrameEvent::GetChainId, cx),
            Method::GetSmartAccountEnabledNetworks => read(FrameEvent::GetSmartAccountEnabledNetworks, cx),
            Method::SyncTheme => read(FrameEvent::SyncTheme, cx),
            Method::SyncDappData => read(FrameEvent::SyncDappData, cx),
            Method::AddLogin if self.settings.shown => return Err(RequestFault::Busy.into()),
            Method::AddLogin => {
                let jwt = text("jwt")?;
                self.login_given(jwt, ticket, cx);
            }
            Method::Reload => {
                let visits = login.phase != Phase::Typing && !login.hosted || social.free().is_err();
                if visits || self.settings.shown {
                    return Err(RequestFault::Busy.into());
                }
                read(FrameEvent::Reload, cx);
                self.leave_all(cx);
                if self.session.known == Known::In {
                    // The frame forgot the account.
                    self.ask_user_for(None, cx);
                }
            }
            Method::SignOut => {
                frame.ask(FrameEvent::SignOut, Value::Null, Purpose::Read(ticket), cx);
                self.leave_all(cx);
                self.end_session(cx);
            }
            Method::RejectRpcRequests => {
                self.withdraw(cx);
                cx.resolve_host(Some(ticket), Value::Null);
            }
        }
        Ok(())
    }

    pub(super) fn ask_user_for(&mut self, ticket: Option<u32>, cx: &mut Cx) {
        let question = self.session.question(cx);
        self.frame.ask(FrameEvent::GetUser, question, Purpose::Call(Question::User, ticket), cx);
    }

    /// Leaves logins and changes of the address: the frame forgot their requests.
    fn leave_all(&mut self, cx: &mut Cx) {
        self.login.leave(&mut self.frame, cx);
        self.social.leave(&mut self.frame, cx);
        self.update.leave(&mut self.frame, cx);
    }
}
