//! What a visitor sees and changes of the account: devices, freezing.

use super::asked::Signed;
use super::enter::told;
use super::limits::Kind;
use super::login::place;
use super::mail::{Address, Notice};
use super::table::{self, DeviceRow, UserRow};
use super::wallet::{record, user};
use super::{Vault, answer, logins, unread};
use crate::Failure;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use portico_api::wallet::{Device, DeviceRemoval, Empty, Me};

/// `/wallet/v1/me`
pub(super) async fn me(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Request, signed.asked.client).await?;
    let (user, device) = (user(&vault, &signed).await?, &signed.session.device);
    let place = place(signed.asked.client);
    table::touch_device(vault.database(), &user.id, device, &place, vault.now()).await.map_err(unread)?;
    seen(&vault, user, device).await
}

/// `/wallet/v1/devices/end`: signs out everywhere, here too. The devices stay approved.
pub(super) async fn end_devices(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let user = &signed.session.user;
    vault.log("all sessions ended", user, &signed.session.device).await?;
    table::take_shares(vault.database(), user).await.map_err(unread)?;
    Ok(answer(&Empty {}))
}

/// `/wallet/v1/device/remove`
pub(super) async fn remove_device(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    let DeviceRemoval { id } = signed.asked.read()?;
    vault.changes(&signed).await?;
    let user = super::wallet::user(&vault, &signed).await?;
    vault.log("device removed", &user.id, &id).await?;
    if !table::remove_device(vault.database(), &user.id, &id).await.map_err(unread)? {
        return Err(Failure::new(StatusCode::NOT_FOUND, "id", "This device was already removed"));
    }
    vault.notify(user, signed.asked.language, Notice::DeviceRemoved)?;
    let user = super::wallet::user(&vault, &signed).await?;
    seen(&vault, user, &signed.session.device).await
}

/// `/wallet/v1/freeze`: no share is released until the wallet is unfrozen. It asks for no confirmation, since whoever lost a device is in a hurry.
pub(super) async fn freeze(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    vault.log("frozen", &signed.session.user, &signed.session.device).await?;
    table::freeze(vault.database(), &signed.session.user, Some(vault.now())).await.map_err(unread)?;
    let user = user(&vault, &signed).await?;
    seen(&vault, user, &signed.session.device).await
}

/// `/wallet/v1/thaw`: ends a freeze of the visitor's own, after a confirmation.
pub(super) async fn thaw(State(vault): State<Vault>, signed: Signed) -> Result<Response, Failure> {
    vault.inner.limits.spend(Kind::Logged, signed.asked.client).await?;
    vault.changes(&signed).await?;
    if user(&vault, &signed).await?.held {
        let sentence = "The operator of this site froze this wallet. Contact them.";
        return Err(Failure::new(StatusCode::FORBIDDEN, "frozen", sentence));
    }
    vault.log("thawed", &signed.session.user, &signed.session.device).await?;
    table::freeze(vault.database(), &signed.session.user, None).await.map_err(unread)?;
    vault.notify(user(&vault, &signed).await?, signed.asked.language, Notice::Unfrozen)?;
    let user = user(&vault, &signed).await?;
    seen(&vault, user, &signed.session.device).await
}

impl Vault {
    /// Freezes or unfreezes the wallet of a user for the operator; `None` if there is no such user. `named` is an address or an id.
    pub(crate) async fn freeze(&self, named: &str, unfreeze: bool) -> Result<Option<String>, Failure> {
        let named = match Address::parse(named) {
            Some(address) => self.keys().index(address.canonical()),
            None => named.into(),
        };
        let at = (!unfreeze).then(|| self.now());
        let found = table::hold(self.database(), &named, at).await.map_err(unread)?;
        if let Some(user) = &found {
            let event = if unfreeze { "thawed by the operator" } else { "frozen by the operator" };
            self.log(event, user, "").await?;
        }
        Ok(found)
    }
}

/// The account as a response.
pub(super) async fn seen(vault: &Vault, user: UserRow, here: &str) -> Result<Response, Failure> {
    let wallet = match table::wallet_of(vault.database(), &user.id).await.map_err(unread)? {
        Some(wallet) => Some(record(vault, &user, wallet, here).await?),
        None => None,
    };
    let devices = table::devices(vault.database(), &user.id).await.map_err(unread)?;
    let device = |(id, label, host, place, approved, used): DeviceRow| {
        let current = id == here;
        Device { id, label, host, place, approved, used, current }
    };
    let devices = devices.into_iter().map(device).collect();
    let held = user.held;
    let user = told(vault, user)?;
    let logins = logins::of(vault, &user.id, user.email.as_deref()).await?;
    let services = vault.inner.desk.as_ref().map(|desk| desk.named.clone()).unwrap_or_default();
    Ok(answer(&Me { user, wallet, devices, held, logins, services }))
}
