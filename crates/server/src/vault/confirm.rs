//! Confirmation of what a visitor does in the settings: by the link of a mail, whose page shows the number that the settings show too, or by a
//! passkey. A session alone, which whoever sits at an open browser has, neither shows the keys nor changes who can open the wallet.

use super::asked::Signed;
use super::code;
use super::encoding::{decode, encode, hash, random};
use super::enter::{By, Entry, told};
use super::export::by_mail;
use super::limits::Kind;
use super::link::{self, Asking, Decision, Shown};
use super::login::{deliver, mailing, place, send};
use super::mail::{Address, Matter, Notice};
use super::table::{self, Asker, NewConfirmation, UserRow};
use super::wallet::user;
use super::{Vault, answer, broken, unread};
use crate::Failure;
use crate::language::Language;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{ConfirmationAsked, ConfirmationStarted, ConfirmationWait, Confirmed, Deed, DeviceAnswer};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Paths of the web tier's own requests, which visitors cannot reach.
pub(crate) const SHOW: &str = "/confirmation";
pub(crate) const DECIDE: &str = "/confirmation/decide";

/// Milliseconds in which a confirmation can be given, and then is good.
const GOOD: i64 = 10 * 60 * 1000;
/// Time limit of a wait.
const WAIT: Duration = Duration::from_secs(25);
const LONGEST_LANGUAGE: usize = 35;

fn ended() -> Failure {
    Failure::new(StatusCode::GONE, "transaction", "This confirmation has ended. Start again.")
}

/// `/wallet/v1/confirm`
pub(super) async fn begin(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Login, signed.asked.client).await?;
    let ConfirmationAsked { deed, language, mail } = signed.asked.read()?;
    if language.len() > LONGEST_LANGUAGE {
        return Err(Failure::parameter("language", "The language is too long"));
    }
    let user = user(&vault, &signed).await?;
    let (id, device) = (user.id.clone(), signed.session.device.clone());
    let to = told(&vault, user)?.email.as_deref().and_then(Address::parse).filter(|_| mail);
    if mail && to.is_none() {
        let sentence = "This account has no email. Use a passkey, or disconnect and log in again.";
        return Err(Failure::new(StatusCode::CONFLICT, "email", sentence));
    }
    if deed == Deed::Export && mail {
        by_mail(&vault, &id).await?;
    }
    if let Some(to) = &to {
        mailing(&vault, to, Some("confirm")).await?;
    }
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    let token = encode(random::<32>().map_err(|error| broken(&error))?);
    let number = code::number().map_err(|error| broken(&error))?;
    let host = table::host_of(vault.database(), &id, &device).await.map_err(unread)?.unwrap_or_default();
    let asker = Asker {
        device,
        host,
        browser: signed.asked.browser.clone(),
        place: place(signed.asked.client),
        number,
        language,
        ends_at: vault.now() + GOOD,
    };
    let approval = to.as_ref().map(|_| hash(&token));
    let new = NewConfirmation {
        id: &hash(&transaction),
        user: &id,
        deed: deed.word(),
        asker: &asker,
        approval: approval.as_deref(),
    };
    table::insert_confirmation(vault.database(), &new).await.map_err(unread)?;
    let Asker { host, browser, place, number, language, .. } = asker;
    let number = to.is_some().then_some(number);
    if let Some(to) = to {
        let link = format!("{}/confirm?t={token}", vault.inner.origin);
        deliver(&vault, to, &language, Matter::Confirm { deed, link, host, browser, place }).await?;
    }
    Ok(answer(&ConfirmationStarted { transaction, number }))
}

/// `/wallet/v1/confirm/wait`: waits until the mail's link was used, or for 25 seconds.
pub(super) async fn wait(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, signed.asked.client).await?;
    let ConfirmationWait { transaction } = signed.asked.read()?;
    let id = decode::<32>(&transaction).map(|_| hash(&transaction)).ok_or_else(ended)?;
    let (user, device) = (&signed.session.user, &signed.session.device);
    let bell = vault.inner.waiting.bell(&id);
    let end = Instant::now() + WAIT;
    loop {
        // From here on a ring counts, so none between the look and the wait is missed.
        let mut rings = std::pin::pin!(bell.notified());
        rings.as_mut().enable();
        let found = table::confirmation_state(vault.database(), &id, user, device, vault.now()).await;
        let (_, state) = found.map_err(unread)?.ok_or_else(ended)?;
        let decision = match state.as_str() {
            "open" => DeviceAnswer::Waiting,
            "refused" => DeviceAnswer::Refused,
            _ => DeviceAnswer::Approved,
        };
        let waits = decision == DeviceAnswer::Waiting;
        if !waits || timeout_at(end, rings).await.is_err() {
            return Ok(answer(&told_as(&vault, user, device, decision).await?));
        }
    }
}

/// A decision with the time until which it is good.
pub(super) async fn told_as(
    vault: &Vault,
    user: &str,
    device: &str,
    decision: DeviceAnswer,
) -> Result<Confirmed, Failure> {
    let good = table::confirmed(vault.database(), user, device, vault.now()).await.map_err(unread)?;
    let until = good.filter(|_| decision == DeviceAnswer::Approved).map_or(0, |(_, until)| until);
    Ok(Confirmed { answer: decision, until })
}

async fn found(vault: &Vault, token: &str) -> Result<table::Confirmation, Failure> {
    let found = table::confirmation_of(vault.database(), &link::token_hash(token)?, vault.now()).await;
    found.map_err(unread)?.ok_or_else(link::ended)
}

/// What a link is about; changes nothing.
pub(super) async fn show(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Shown { token } = link::body(&text)?;
    let found = found(&vault, &token).await?;
    let open = found.state == "open";
    Ok(answer(&Asking::new(&found.deed, found.asker, GOOD, open)))
}

/// The visitor's decision on the page.
pub(super) async fn decide(State(vault): State<Vault>, text: String) -> Result<Response, Failure> {
    let Decision { token, approve } = link::body(&text)?;
    let found = found(&vault, &token).await?;
    let decided = if approve { Decided::ByMail } else { Decided::Refused };
    if !settle(&vault, &found.id, &found.user, &found.asker.device, &found.deed, decided).await? {
        return Err(link::answered());
    }
    Ok(answer(&Asking::new(&found.deed, found.asker, GOOD, false)))
}

/// Decision on a confirmation.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Decided {
    Refused,
    ByMail,
    /// By a passkey, and whether it confirms exports.
    ByPasskey(bool),
}

/// Decides a confirmation, and wakes the device that waits for it; false if it was decided before.
pub(super) async fn settle(
    vault: &Vault,
    id: &str,
    user: &str,
    device: &str,
    deed: &str,
    decided: Decided,
) -> Result<bool, Failure> {
    let (approve, by_passkey) = (decided != Decided::Refused, decided == Decided::ByPasskey(true));
    vault.log(&format!("{deed} {}", if approve { "confirmed" } else { "refused" }), user, device).await?;
    let (now, until) = (vault.now(), vault.now() + GOOD);
    let decided = table::decide_confirmation(vault.database(), id, approve, by_passkey, now, until).await;
    vault.inner.waiting.ring(id);
    decided.map_err(unread)
}

pub(super) fn unconfirmed() -> Failure {
    Failure::new(StatusCode::FORBIDDEN, "confirm", "Confirm this first, or disconnect and log in again")
}

impl Vault {
    /// Whether the session of a request confirmed a change of what opens the wallet.
    pub(super) async fn changes(&self, signed: &Signed) -> Result<(), Failure> {
        let (user, device) = (&signed.session.user, &signed.session.device);
        let good = table::confirmed(self.database(), user, device, self.now()).await.map_err(unread)?;
        let fits = good.is_some_and(|(deed, _)| deed == Deed::Change.word() || deed == LOGIN || deed == TOKEN);
        if fits { Ok(()) } else { Err(unconfirmed()) }
    }

    /// Whether the session confirmed that a host's own login may open the wallet. A login alone confirms that only where there is nothing to
    /// confirm by, and never one by a host's token: else whoever runs a site could add themselves.
    pub(super) async fn lets_host(&self, signed: &Signed) -> Result<(), Failure> {
        let (own, device) = (&signed.session.user, &signed.session.device);
        let good = table::confirmed(self.database(), own, device, self.now()).await.map_err(unread)?;
        let fits = match good {
            Some((deed, _)) if deed == Deed::Change.word() => true,
            Some((deed, _)) if deed == LOGIN => {
                let bare = user(self, signed).await?.email_sealed.is_none();
                bare && !table::has_passkey(self.database(), own).await.map_err(unread)?
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(unconfirmed()) }
    }

    /// A visitor without an address cannot get a mail: a login that just ended counts as a confirmation.
    pub(super) async fn entered(&self, user: &UserRow, entry: &Entry<'_>) -> Result<(), Failure> {
        if user.email_sealed.is_some() {
            return Ok(());
        }
        let until = self.now() + GOOD;
        let word = if entry.proof == By::Token { TOKEN } else { LOGIN };
        let by_passkey = entry.proof == By::Passkey(true);
        table::note_confirmed(self.database(), &user.id, entry.device, word, by_passkey, until).await.map_err(unread)
    }

    /// Tells the visitor by mail what was done in the settings, where there is an address. A full queue stops nothing: it is done.
    pub(super) fn notify(&self, user: UserRow, language: Language, notice: Notice) -> Result<(), Failure> {
        let to = told(self, user)?.email.as_deref().and_then(Address::parse);
        if let Some(to) = to
            && let Err(failure) = send(self, to, language.tag(), Matter::Notice(notice))
        {
            tracing::warn!(?failure, "couldn't send a notice about the settings of a wallet");
        }
        Ok(())
    }
}

/// Words of a login in the place of a confirmation: by the visitor, and by a host's token.
const LOGIN: &str = "login";
const TOKEN: &str = "token";
