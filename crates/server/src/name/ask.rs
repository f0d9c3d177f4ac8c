//! Signed request to register or change a name: read, then proven. Before the proof its content is not trusted.

use super::nonce::{self, Nonce};
use super::owner::Owner;
use super::signature::{self, Checked};
use super::{coin, table, time};
use crate::error::in_words;
use crate::guard::body;
use crate::guard::memory::Share;
use crate::guard::project::Project;
use crate::shared::Rate;
use crate::{AppState, Failure};
use alloy_primitives::{Address, hex, keccak256};
use axum::extract::Request;
use axum::http::StatusCode;
use portico_json::{Value, parse};
use portico_terms::address;
use portico_terms::coin_type::chain;
use portico_terms::sign_in::{LIFE, SignIn};

/// Maximum size of the body, in bytes: signatures of undeployed smart accounts contain their deployment (ERC-6492).
const LIMIT: usize = 64 * 1024;

/// Allowed difference between a visitor's clock and ours, in seconds.
const WINDOW: u64 = 120;

/// Request with its signed message and signature.
pub(super) struct Ask {
    pub(super) coin_type: u32,
    /// With EIP-55 checksum.
    pub(super) signer: String,
    /// Fields of the request: of the body for a sign-in text, of the message for the form of older clients.
    pub(super) said: Value,
    form: Form,
    message: String,
    signature: Vec<u8>,
    /// Share of the memory budget that the body occupies.
    _share: Share,
}

/// Form of the signed message.
enum Form {
    /// Sign-in text (EIP-4361), with the values that do not depend on the change.
    SignIn { uri: String, nonce: String, issued_at: u64, chain: u64 },
    /// JSON of older clients, signed at this time in epoch seconds.
    Json { at: u64 },
}

impl Ask {
    pub(super) async fn read(state: &AppState, project: &Project, request: Request) -> Result<Ask, Failure> {
        spend(state, project).await?;
        let mut share = state.memory().of(project.visitor()).share();
        let body = body::read_within(request, &mut share, LIMIT).await?;
        let text = str::from_utf8(&body).map_err(|_| Failure::parameter("body", "Send the body as UTF-8 text"))?;
        let body = parse(text).map_err(|_| Failure::parameter("body", "Send the body as JSON"))?;
        let coin_type =
            coin_type(&body).ok_or_else(|| unfit("coinType", "Use a whole number below 2^32 as coin type"))?;
        if !coin::is_evm(coin_type) {
            return Err(unfit("coinType", "Use an account of an EVM chain. Others can't sign for a name."));
        }
        let signer = field(&body, "address", "Add the address of the account that signs")?;
        let signer = address::with_checksum(signer).map_err(|error| unfit("address", &error.to_string()))?;
        let signature = field(&body, "signature", "Add the signature")?;
        let digits = signature.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let signature = digits.ok_or_else(|| unfit("signature", "Use 0x and hex digits as signature"))?;
        let message = field(&body, "message", "Add the signed message")?.to_owned();
        let (form, said) = if message.trim_start().starts_with(['{', '[']) {
            let said = said(&message)?;
            (json(state, &said).await?, said)
        } else {
            (sign_in(state, project, coin_type, &body).await?, body)
        };
        Ok(Ask { coin_type, signer, said, form, message, signature, _share: share })
    }

    /// Refuses the form of older clients, which only registers.
    pub(super) fn sign_in_only(&self) -> Result<(), Failure> {
        match self.form {
            Form::SignIn { .. } => Ok(()),
            Form::Json { .. } => Err(unfit(
                "message",
                "A message in JSON can only register a name. For this change, sign a sign-in text (EIP-4361) with uri, nonce and issuedAt of SignedName.",
            )),
        }
    }

    /// Checks that the signed text is exactly that of the statement, then the signature, and uses the message up. Returns the signer, as
    /// far as it is proven.
    pub(super) async fn prove(&self, state: &AppState, statement: &str) -> Result<Owner, Failure> {
        self.says(statement)?;
        let refused = |description: &str| Failure::new(StatusCode::UNAUTHORIZED, "signature", description);
        let signer: Address = self.signer.parse().map_err(|_| refused(NOT_SIGNED))?;
        let chain = coin::chain(state, self.coin_type);
        let checked = signature::check(state, chain.as_ref(), signer, &self.message, &self.signature).await;
        let owner = match (checked, coin::on_one_chain(state, self.coin_type)) {
            (Checked::Key, _) => Owner::by_key(&self.signer),
            (Checked::Contract, Some(coin_type)) => Owner::on_chain(coin_type, &self.signer),
            (Checked::Contract, None) | (Checked::Wrong, _) => return Err(refused(NOT_SIGNED)),
            (Checked::NoSourceAnswered, _) => {
                let description =
                    "Couldn't check the signature because the account's chain isn't responding. Try again.";
                return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "signature", description));
            }
        };
        let first = match &self.form {
            Form::SignIn { nonce, .. } => nonce::spend(state, nonce).await,
            Form::Json { at } => self.spend(state, *at).await,
        };
        if first.map_err(|error| Failure::database(&error))? {
            Ok(owner)
        } else {
            let field = if matches!(self.form, Form::Json { .. }) { "message" } else { "nonce" };
            Err(Failure::parameter(field, "This message was used before. Sign a new one."))
        }
    }

    /// Compares a sign-in text with the one that this server builds from the same values.
    fn says(&self, statement: &str) -> Result<(), Failure> {
        let Form::SignIn { uri, nonce, issued_at, chain } = &self.form else { return Ok(()) };
        let address = &self.signer;
        let expected = SignIn { uri, address, statement, chain: *chain, nonce, issued_at: *issued_at }.text();
        let expected =
            expected.ok_or_else(|| unfit("message", "Remove control characters from the values of the request"))?;
        if self.message == expected {
            return Ok(());
        }
        let mut signed = self.message.split('\n');
        let differs = expected.split('\n').enumerate().find(|(_, line)| signed.next() != Some(line));
        let description = match differs {
            Some((line, text)) => format!("Line {} of the signed message has to be: {text}", line + 1),
            None => "End the signed message after its expiration time".into(),
        };
        Err(unfit("message", &description))
    }

    /// Marks a message of an older client as used; false if it was used before.
    async fn spend(&self, state: &AppState, at: u64) -> Result<bool, sqlx::Error> {
        let hash = hex::encode(keccak256([self.signer.as_bytes(), self.message.as_bytes()].concat()));
        let end = i64::try_from((at + WINDOW) * 1000).unwrap_or(i64::MAX);
        // Clocks of nodes differ: a row stays a little longer than its message counts.
        let forget = time::now() - i64::try_from(WINDOW * 1000).unwrap_or(0);
        table::use_message(state.database(), &hash, end, forget).await
    }
}

const NOT_SIGNED: &str = "The signature doesn't match this account and message. Sign again.";

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
        let description = format!("Too many name changes from here. Try again in {}.", in_words(spent.seconds));
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

fn now() -> u64 {
    u64::try_from(time::now() / 1000).unwrap_or(0)
}

/// Reads the values of a sign-in text and checks its page, time and nonce.
async fn sign_in(state: &AppState, project: &Project, coin_type: u32, body: &Value) -> Result<Form, Failure> {
    let uri = field(body, "uri", "Add the origin of the page as uri")?.to_owned();
    project.is_for(&uri).map_err(|description| unfit("uri", &description))?;
    let chain = chain(coin_type).ok_or_else(|| unfit("coinType", "Use 60 as coin type of Ethereum"))?;
    let issued_at = body.get("issuedAt").as_u64();
    let issued_at = issued_at.ok_or_else(|| unfit("issuedAt", "Add the time of the message in epoch seconds"))?;
    let now = now();
    if issued_at > now.saturating_add(WINDOW) {
        let description = "The message is dated in the future. Correct this device's clock.";
        return Err(Failure::parameter("issuedAt", description));
    }
    if issued_at + LIFE < now {
        return Err(Failure::parameter("issuedAt", "The message has expired. Sign a new one."));
    }
    let nonce = field(body, "nonce", "Add the nonce")?.to_owned();
    check(state, &nonce).await?;
    Ok(Form::SignIn { uri, nonce, issued_at, chain })
}

/// Checks the time of a message of an older client, and its nonce if it has one.
async fn json(state: &AppState, said: &Value) -> Result<Form, Failure> {
    let at = said.get("timestamp").as_u64();
    let at = at.ok_or_else(|| unfit("timestamp", "Add the time in epoch seconds to the signed message"))?;
    if now().abs_diff(at) > WINDOW {
        let description = "The message has expired or this device's clock is wrong. Sign a new one.";
        return Err(Failure::parameter("timestamp", description));
    }
    let nonce = said.get("nonce");
    if !nonce.is_null() {
        check(state, nonce.as_str().unwrap_or_default()).await?;
    }
    Ok(Form::Json { at })
}

/// Parses a message of an older client.
fn said(message: &str) -> Result<Value, Failure> {
    let said = parse(message).map_err(|_| unfit("message", "Send the signed message as JSON"))?;
    let fields = said.as_object().ok_or_else(|| unfit("message", "Send the signed message as a JSON object"))?;
    let known = |name: &str| ["name", "attributes", "timestamp", "nonce"].contains(&name);
    if !fields.iter().all(|(name, value)| value.is_null() || known(name)) {
        return Err(unfit(
            "message",
            "A message in JSON can only register a name. To transfer or change one, sign a sign-in text (EIP-4361).",
        ));
    }
    Ok(said)
}

async fn check(state: &AppState, nonce: &str) -> Result<(), Failure> {
    match nonce::check(state, nonce).await.map_err(|error| Failure::database(&error))? {
        Nonce::Good => Ok(()),
        Nonce::Old => Err(Failure::parameter("nonce", "The message has expired. Sign a new one.")),
        Nonce::Foreign => Err(Failure::parameter("nonce", "The nonce isn't from this server. Get one and sign again.")),
    }
}
