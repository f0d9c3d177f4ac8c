//! Login by e-mail (spec 3.29, 7.14–7.16, 8.35, 9.11): an address, the approval of an unknown device, a code.
//!
//! Known and unknown addresses take the same way with the same statements, and mails leave after the answer. Only an approved device, which knows
//! that the address has an account, waits for its mail.

use super::asked::Asked;
use super::enter::{By, Entry, email_place, enter};
use super::limits::{Kind, again};
use super::mail::{Address, Full, Letter, Matter, Sending};
use super::seal::WorkerKey;
use super::table::{self, Asker, Login};
use super::{Vault, answer, arrival, broken, code, unread};
use crate::Failure;
use crate::vault::encoding::{decode, encode, hash, random};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{CodeLogin, DeviceAnswer, DeviceWait, DeviceWaited, EmailLogin, LoginAction, LoginStarted};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::{Instant, timeout, timeout_at};
use zeroize::Zeroizing;

/// Limits of the mails to one address in a time, beside the pause between two of them (spec 9.11).
pub(super) const MAILINGS: [(i64, usize); 2] = [(10 * 60_000, 3), (24 * 60 * 60_000, 10)];

/// Time limit of a wait for an approval.
const WAIT: Duration = Duration::from_secs(25);

/// Time for which an answer waits for a mail's way to the mail server: a second try of one that is away begins after five seconds.
const MAIL_WAIT: Duration = Duration::from_secs(8);

/// Seconds until mails of a visitor who has too many on the way are likely sent or given up.
const SHARE_WAIT: u32 = 60;

const LONGEST_HOST: usize = 255;
const LONGEST_LANGUAGE: usize = 35;

/// `/wallet/v1/login/email`
pub(super) async fn email(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let body: EmailLogin = asked.read()?;
    let address =
        Address::parse(&body.email).ok_or_else(|| Failure::parameter("email", "Enter a valid email address"))?;
    let fits = body.host.len() <= LONGEST_HOST && body.language.len() <= LONGEST_LANGUAGE;
    if !fits {
        return Err(Failure::parameter("host", "The host or the language is too long"));
    }
    vault.inner.limits.spend(Kind::Login, asked.client).await?;
    let index = vault.keys().index(address.canonical());
    let transaction = encode(random::<32>().map_err(|error| broken(&error))?);
    let approved = table::approved_user(vault.database(), &index, &asked.device).await.map_err(unread)?;
    if let (Some(user), Some(session)) = (&approved, asked.session(&vault).await?)
        && session.user == *user
    {
        return Ok(answer(&LoginStarted { transaction, action: LoginAction::Connect, number: None }));
    }
    // An approved device has mails of its own, so that strangers cannot use up those of its user.
    mailing(&vault, &address, approved.as_ref().map(|_| asked.device.as_str())).await?;
    let begun = Begun { body: &body, address: &address, index: &index, transaction: &transaction };
    begin(&vault, &asked, &begun, approved.is_some()).await.map(|started| answer(&started))
}

/// A login that begins.
struct Begun<'a> {
    body: &'a EmailLogin,
    address: &'a Address,
    index: &'a str,
    transaction: &'a str,
}

/// Stores the login and sends the mail: that of the approval, or the code to an approved device.
async fn begin(vault: &Vault, asked: &Asked, begun: &Begun<'_>, approved: bool) -> Result<LoginStarted, Failure> {
    let id = hash(begun.transaction);
    let number = code::number().map_err(|error| broken(&error))?;
    let token = encode(random::<32>().map_err(|error| broken(&error))?);
    let code = code::new().map_err(|error| broken(&error))?;
    let asker = Asker {
        device: asked.device.clone(),
        host: begun.body.host.clone(),
        browser: asked.browser.clone(),
        place: place(asked.client),
        number,
        language: begun.body.language.clone(),
        ends_at: vault.now() + code::GOOD,
    };
    let sealed = vault.keys().seal(&["login email", &id], begun.address.as_str().as_bytes());
    let email_sealed = sealed.map_err(|error| broken(&error))?;
    let (approval, code_hash) = (hash(&token), vault.keys().code_hash(&id, &code, &asked.device));
    let login = Login {
        id: &id,
        email_index: begun.index,
        email_sealed: &email_sealed,
        asker: &asker,
        approval: (!approved).then_some(&approval),
        code: approved.then_some(&code_hash),
    };
    table::insert_login(vault.database(), &login).await.map_err(unread)?;
    let Asker { host, browser, place, number, language, .. } = asker;
    let matter = match approved {
        true => Matter::Code { code, host },
        false => {
            let link = format!("{}/approve?t={token}", vault.inner.origin);
            Matter::Approval { link, host, browser, place }
        }
    };
    let transaction = begun.transaction.into();
    if approved {
        deliver(vault, begun.address.clone(), &language, matter).await?;
        return Ok(LoginStarted { transaction, action: LoginAction::VerifyOtp, number: None });
    }
    let sending = send(vault, begun.address.clone(), &language, matter)?;
    tokio::spawn(watch(vault.clone(), id, sending));
    Ok(LoginStarted { transaction, action: LoginAction::VerifyDevice, number: Some(number) })
}

pub(super) fn send(vault: &Vault, to: Address, language: &str, matter: Matter) -> Result<Sending, Failure> {
    let letter = Letter { to, language: language.into(), matter, at: vault.now(), visitor: arrival::client() };
    vault.inner.mailer.send(letter).map_err(|full| match full {
        Full::Queue => broken(&full),
        Full::Share => again(SHARE_WAIT),
    })
}

/// Sends a mail, and fails if the mail server doesn't take it in the time of the answer.
pub(super) async fn deliver(vault: &Vault, to: Address, language: &str, matter: Matter) -> Result<(), Failure> {
    let sending = send(vault, to, language, matter)?;
    match timeout(MAIL_WAIT, sending.fails()).await {
        Ok(true) => Err(unsent()),
        _ => Ok(()),
    }
}

/// Wakes the device of a login once its mail is sent; one whose mail isn't sent is told so.
pub(super) async fn watch(vault: Vault, id: String, sending: Sending) {
    let mut fails = std::pin::pin!(sending.fails());
    let failed = match timeout(MAIL_WAIT, &mut fails).await {
        Ok(failed) => failed,
        Err(_) => {
            vault.inner.waiting.ring(&id);
            fails.await
        }
    };
    // An error of the database is in the log, and the device waits until the login ends.
    if !failed || table::note_unsent(vault.database(), &id).await.map_err(unread).is_ok() {
        vault.inner.waiting.ring(&id);
    }
}

fn unsent() -> Failure {
    Failure::parameter("mail", "Couldn't send the email. Check the address, or try again.")
}

/// Counts a mail to the mailbox of an address, or answers 429 with the time to wait (spec 8.35). Mails of a kind, or to a device, have limits of
/// their own.
pub(super) async fn mailing(vault: &Vault, to: &Address, own: Option<&str>) -> Result<(), Failure> {
    let mailbox = vault.keys().index(&to.mailbox());
    let subject = own.map_or_else(|| mailbox.clone(), |own| format!("{mailbox} {own}"));
    count(vault, &subject, &MAILINGS, vault.inner.mail_pause).await
}

/// Counts what a subject may do so often in ten minutes and in a day, with a pause between two times, or answers 429 with the time to wait.
pub(super) async fn count(vault: &Vault, subject: &str, limits: &[(i64, usize); 2], pause: i64) -> Result<(), Failure> {
    let _counted = vault.inner.mailings.lock().await;
    let now = vault.now();
    let [_, (day, _)] = limits;
    let mailings = table::mailings(vault.database(), subject, now - day).await.map_err(unread)?;
    let cooled = mailings.first().map_or(now, |last| last + pause);
    let limits = limits.iter().map(|(within, most)| mailings.get(most - 1).map_or(now, |oldest| oldest + within));
    let free = limits.fold(cooled, i64::max);
    if free > now {
        return Err(again(u32::try_from((free - now + 999) / 1000).unwrap_or(u32::MAX)));
    }
    table::note_mailing(vault.database(), subject, now).await.map_err(unread)
}

/// Address of a visitor without its end, as mails and pages show it. Empty for one of this machine or its network, which tells nothing about
/// who asks.
pub(super) fn place(client: IpAddr) -> String {
    match client {
        IpAddr::V4(address) if address.is_loopback() || address.is_private() || address.is_link_local() => {
            String::new()
        }
        IpAddr::V6(address)
            if address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local() =>
        {
            String::new()
        }
        IpAddr::V4(address) => {
            let [a, b, c, _] = address.octets();
            format!("{a}.{b}.{c}.x")
        }
        IpAddr::V6(address) => {
            let [a, b, c, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:x")
        }
    }
}

fn ended() -> Failure {
    Failure::new(StatusCode::GONE, "transaction", "This login has ended. Start again.")
}

/// `/wallet/v1/login/device`: waits until the mail's link was used, or for 25 seconds.
pub(super) async fn device(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, asked.client).await?;
    let DeviceWait { transaction } = asked.read()?;
    let id = decode::<32>(&transaction).map(|_| hash(&transaction)).ok_or_else(ended)?;
    let bell = vault.inner.waiting.bell(&id);
    let end = Instant::now() + WAIT;
    loop {
        // From here on a ring counts, so none between the look and the wait is missed.
        let mut rings = std::pin::pin!(bell.notified());
        rings.as_mut().enable();
        let login = table::login_of(vault.database(), &id, &asked.device, vault.now()).await.map_err(unread)?;
        let (state, _, is_unsent) = login.ok_or_else(ended)?;
        if is_unsent != 0 && state != "refused" {
            return Err(unsent());
        }
        let device = match state.as_str() {
            "device" => DeviceAnswer::Waiting,
            "refused" => DeviceAnswer::Refused,
            _ => DeviceAnswer::Approved,
        };
        let waits = device == DeviceAnswer::Waiting;
        if !waits || timeout_at(end, rings).await.is_err() {
            return Ok(answer(&DeviceWaited { device }));
        }
    }
}

/// `/wallet/v1/login/code`
pub(super) async fn code(State(vault): State<Vault>, asked: Asked) -> Result<Response, Failure> {
    let CodeLogin { transaction, code, key } = asked.read()?;
    let (key, code) = (WorkerKey::parse(&key)?, Zeroizing::new(code));
    let code = code::read(&code).ok_or_else(|| Failure::parameter("code", "Enter the 6-digit code from the email"))?;
    let id = decode::<32>(&transaction).map(|_| hash(&transaction)).ok_or_else(ended)?;
    vault.inner.limits.spend(Kind::Code, asked.client).await?;
    let now = vault.now();
    let tried = table::try_code(vault.database(), &id, &asked.device, code::TRIES, now).await.map_err(unread)?;
    let Some((expected, index, sealed, host, browser, approval)) = tried else {
        return Err(untried(&vault, &id, &asked.device).await);
    };
    if !vault.keys().is_code(&expected, &id, &code, &asked.device) {
        return Err(wrong());
    }
    if !table::finish(vault.database(), &id).await.map_err(unread)? {
        return Err(ended());
    }
    let email = vault.keys().open(&["login email", &id], &sealed).map_err(|error| broken(&error))?;
    let new = encode(random::<16>().map_err(|error| broken(&error))?);
    let sealed = vault.keys().seal(&email_place(&new), &email).map_err(|error| broken(&error))?;
    let user = table::find_or_insert(vault.database(), &index, &new, &sealed, now).await.map_err(unread)?;
    let proof = if approval.is_some() { By::ApprovedMail } else { By::Visitor };
    let entry = Entry { device: &asked.device, label: &browser, host: &host, proof };
    enter(&vault, user, &entry, &key).await.map(|entered| answer(&entered))
}

/// Reason why a code was not tried.
async fn untried(vault: &Vault, id: &str, device: &str) -> Failure {
    match table::login_of(vault.database(), id, device, vault.now()).await {
        Ok(Some((state, tries, _))) if state == "code" && tries >= code::TRIES => spent(),
        Ok(_) => ended(),
        Err(error) => unread(error),
    }
}

pub(super) fn wrong() -> Failure {
    metrics::counter!(super::metrics::WRONG_CODES).increment(1);
    Failure::parameter("code", "This code isn't right. Check the email.")
}

pub(super) fn spent() -> Failure {
    Failure::new(StatusCode::GONE, "code", "Too many wrong codes. Start again.")
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn an_address_is_told_without_its_end_and_one_of_the_own_network_not_at_all() {
        let places = |addresses: &[&str]| -> Vec<String> {
            addresses.iter().map(|address| place(address.parse().unwrap())).collect()
        };
        assert_eq!(places(&["203.0.113.77", "2001:db8:1:2::7"]), ["203.0.113.x", "2001:db8:1:x"]);
        let own = ["127.0.0.1", "10.1.2.3", "192.168.0.9", "169.254.1.1", "::1", "fd00::1", "fe80::1"];
        assert_eq!(places(&own), [""; 7]);
    }
}
