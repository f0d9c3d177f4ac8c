//! Signed request to register or change a name: read, then proven. Before the proof its content is not trusted.

use super::nonce::{self, Nonce};
use super::owner::Owner;
use super::signature::{self, Checked};
use super::{coin, normal, time};
use crate::guard::body;
use crate::guard::memory::Share;
use crate::guard::project::Project;
use crate::shared::Rate;
use crate::{AppState, Failure};
use alloy_primitives::{Address, hex};
use axum::extract::Request;
use axum::http::StatusCode;
use portico_json::{Value, parse};
use portico_terms::{EnsName, address};

/// Maximum size of the body, in bytes: signatures of undeployed smart accounts contain their deployment (ERC-6492).
const LIMIT: usize = 64 * 1024;

/// Allowed difference between a visitor's clock and ours, in seconds.
const WINDOW: u64 = 120;

/// Request with its signed message and signature.
pub(super) struct Ask {
    pub(super) coin_type: u32,
    /// With EIP-55 checksum.
    pub(super) signer: String,
    /// Parsed message.
    pub(super) said: Value,
    message: String,
    signature: Vec<u8>,
    nonce: String,
    /// Share of the memory budget that the body occupies.
    _share: Share,
}

impl Ask {
    /// Reads a request. Its message may contain only a name, the fields `says`, a time and a nonce, so that a signature for one purpose is
    /// useless for another.
    ///
    /// A request about a registered name contains that name in its message, or a nonce that was made for it.
    pub(super) async fn read(
        state: &AppState,
        project: &Project,
        request: Request,
        about: Option<&EnsName>,
        says: &[&str],
    ) -> Result<Ask, Failure> {
        spend(state, project).await?;
        let mut share = state.memory().of(project.visitor()).share();
        let body = body::read_within(request, &mut share, LIMIT).await?;
        let text = str::from_utf8(&body).map_err(|_| Failure::parameter("body", "The body is not UTF-8 text"))?;
        let body = parse(text).map_err(|_| Failure::parameter("body", "The body is not JSON"))?;
        let coin_type =
            coin_type(&body).ok_or_else(|| unfit("coinType", "The coin type must be a whole number below 2^32"))?;
        if !coin::is_evm(coin_type) {
            return Err(unfit("coinType", "Only accounts of EVM chains can sign for a name"));
        }
        let signer = field(&body, "address", "The address of the account that signs is missing")?;
        let signer = address::with_checksum(signer).map_err(|error| unfit("address", &error.to_string()))?;
        let signature = field(&body, "signature", "The signature is missing")?;
        let digits = signature.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let signature = digits.ok_or_else(|| unfit("signature", "The signature must be 0x and hex digits"))?;
        let message = field(&body, "message", "The signed message is missing")?.to_owned();
        let said = said(&message, says)?;
        if let Some(name) = about {
            same_name(state, &said, name)?;
        }
        let nonce = check(state, &said, about).await?;
        Ok(Ask { coin_type, signer, said, message, signature, nonce, _share: share })
    }

    /// Checks the signature and uses up the nonce. Returns the signer, as far as it is proven.
    pub(super) async fn prove(&self, state: &AppState) -> Result<Owner, Failure> {
        let refused = |description: &str| Failure::new(StatusCode::UNAUTHORIZED, "signature", description);
        let signer: Address = self.signer.parse().map_err(|_| refused(NOT_SIGNED))?;
        let chain = coin::chain(state, self.coin_type);
        let checked = signature::check(state, chain.as_ref(), signer, &self.message, &self.signature).await;
        let owner = match (checked, coin::on_one_chain(state, self.coin_type)) {
            (Checked::Key, _) => Owner::by_key(&self.signer),
            (Checked::Contract, Some(coin_type)) => Owner::on_chain(coin_type, &self.signer),
            (Checked::Contract, None) | (Checked::Wrong, _) => return Err(refused(NOT_SIGNED)),
            (Checked::NoSourceAnswered, _) => {
                let description = "The signature could not be checked now, as the chain of the account does not answer";
                return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "signature", description));
            }
        };
        if nonce::spend(state, &self.nonce).await.map_err(|error| Failure::database(&error))? {
            Ok(owner)
        } else {
            Err(Failure::parameter("nonce", "This message was used before; sign a new one"))
        }
    }
}

const NOT_SIGNED: &str = "The signature is not one of this account over this message";

/// Coin type from `coinType` or `coin_type`; `None` if missing or not a 32-bit number.
pub(super) fn coin_type(said: &Value) -> Option<u32> {
    let told = match said.get("coinType") {
        Value::Null => said.get("coin_type"),
        given => given,
    };
    told.as_u64().and_then(|number| u32::try_from(number).ok())
}

/// 429 if a visitor exceeds the rate limit of changes; the server of a host, which requests for many visitors, has none.
async fn spend(state: &AppState, project: &Project) -> Result<(), Failure> {
    let (Some(names), Some(client)) = (state.names(), project.client()) else { return Ok(()) };
    let changes = names.changes_per_client_per_hour;
    let rate = Rate { per_second: f64::from(changes) / 3600.0, burst: changes };
    state.shared().spend(&format!("names:{client}"), 1, rate).await.map_err(|spent| {
        let description = format!("Too many changes of names from here; try again in {} seconds", spent.seconds);
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "", description).again_after(spent.seconds)
    })
}

fn field<'a>(body: &'a Value, name: &'static str, missing: &str) -> Result<&'a str, Failure> {
    body.get(name).as_str().filter(|text| !text.is_empty()).ok_or_else(|| unfit(name, missing))
}

/// 422: well-formed, but cannot be processed.
pub(super) fn unfit(field: &str, description: &str) -> Failure {
    Failure::new(StatusCode::UNPROCESSABLE_ENTITY, field, description)
}

fn said(message: &str, says: &[&str]) -> Result<Value, Failure> {
    let said = parse(message).map_err(|_| unfit("message", "The signed message is not JSON"))?;
    let fields = said.as_object().ok_or_else(|| unfit("message", "The signed message is not a JSON object"))?;
    let fits = |(name, value): &(String, Value)| {
        value.is_null() || ["name", "timestamp", "nonce"].contains(&name.as_str()) || says.contains(&name.as_str())
    };
    if !fields.iter().all(fits) {
        return Err(unfit("message", "The signed message says something that is not for this request"));
    }
    Ok(said)
}

/// Refuses a message that names another name.
fn same_name(state: &AppState, said: &Value, name: &EnsName) -> Result<(), Failure> {
    let said = said.get("name");
    let parent = state.names().map_or("", |names| &names.parent);
    let same = said.as_str().is_some_and(|said| normal::name(said, parent).as_ref() == Ok(name));
    if said.is_null() || same { Ok(()) } else { Err(unfit("name", "The signed message is not about this name")) }
}

async fn check(state: &AppState, said: &Value, about: Option<&EnsName>) -> Result<String, Failure> {
    let now = u64::try_from(time::now() / 1000).unwrap_or(0);
    let at = said
        .get("timestamp")
        .as_u64()
        .ok_or_else(|| unfit("timestamp", "The signed message says no time in seconds"))?;
    if now.abs_diff(at) > WINDOW {
        let description = "The message was signed too long ago, or the clock of this device is wrong; sign a new one";
        return Err(Failure::parameter("timestamp", description));
    }
    let nonce = said.get("nonce").as_str().ok_or_else(|| unfit("nonce", "The signed message carries no nonce"))?;
    let parent = state.names().map_or("", |names| &names.parent);
    let named = said.get("name").as_str().and_then(|name| normal::name(name, parent).ok());
    let labels = match (&named, about) {
        (Some(name), _) => vec![nonce::ANY, name.label()],
        (None, Some(name)) => vec![name.label()],
        (None, None) => vec![nonce::ANY],
    };
    match nonce::check(state, nonce, &labels).await.map_err(|error| Failure::database(&error))? {
        Nonce::Good => Ok(nonce.into()),
        Nonce::Old => Err(Failure::parameter("nonce", "The message was prepared too long ago; sign a new one")),
        Nonce::Foreign if !labels.contains(&nonce::ANY) => {
            let description = "The signed message names no name, and its nonce was not made for this one";
            Err(Failure::parameter("nonce", description))
        }
        Nonce::Foreign => Err(Failure::parameter("nonce", "The nonce of the message is not from this server")),
    }
}
