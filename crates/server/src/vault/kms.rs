//! A root key in the AWS Key Management Service (KMS). The service keeps an HMAC key that it never gives out; the root key is what that key makes
//! of a fixed text (`GenerateMac`), each time a vault starts. So no file has it, and each start is in the service's log.

use crate::outbound::{NoTrust, http_client};
use alloy_primitives::hex;
use axum::body::Bytes;
use axum::http::{HeaderValue, Method, Request, Response, Uri};
use base64::prelude::{BASE64_STANDARD as BASE64, Engine as _};
use reqsign_aws_v4::{DefaultCredentialProvider, RequestSigner};
use reqsign_core::{Context, FileRead, HttpSend, OsEnv, Signer};
use reqwest::Url;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::time::Duration;
use zeroize::{Zeroize, Zeroizing};

/// Text of which the service makes the root key.
const TEXT: &[u8] = b"portico root 1";
/// Time for a request, and for all that finds the credentials.
const LIMIT: Duration = Duration::from_secs(15);
/// Maximum length of an answer.
const LONGEST: usize = 16 * 1024;

/// Where the key is: `aws-kms:` and its ARN; behind `?endpoint=` the address of the service, if it is not the public one of the key's region.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KmsKey {
    arn: String,
    region: String,
    endpoint: Url,
    own_endpoint: bool,
}

/// Reason why the service gives no root key. Each text is one sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum KmsError {
    /// The text names no key.
    #[error("{0}. Write it as `aws-kms:arn:aws:kms:<region>:<account>:key/<id>`.")]
    Name(&'static str),
    /// There are no credentials, or they cannot sign.
    #[error(
        "found no AWS credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run with a role that may use the key ({0})"
    )]
    Credentials(String),
    /// The service does not answer.
    #[error("{0} isn't responding ({1})")]
    Silent(String, String),
    /// The service refused.
    #[error("AWS refused: {0}")]
    Refused(String),
    /// The answer is none of this service.
    #[error("{0} answered with something else than a KMS response")]
    Form(String),
    /// The machine has no trusted certificates, or no thread.
    #[error("{0}")]
    Machine(String),
}

impl From<NoTrust> for KmsError {
    fn from(error: NoTrust) -> KmsError {
        KmsError::Machine(error.to_string())
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Made {
    mac: String,
    key_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Created {
    key_metadata: Metadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Metadata {
    arn: String,
}

#[derive(Deserialize)]
struct Fault {
    #[serde(rename = "__type")]
    kind: String,
    #[serde(alias = "Message", default)]
    message: String,
}

impl KmsKey {
    /// Reads the name of a key, if the text is one.
    pub(super) fn parse(text: &str) -> Option<Result<KmsKey, KmsError>> {
        Some(read(text.strip_prefix("aws-kms:")?))
    }

    /// Text that names the key.
    pub(super) fn name(&self) -> String {
        let endpoint = if self.own_endpoint { format!("?endpoint={}", self.endpoint) } else { String::new() };
        format!("aws-kms:{}{endpoint}", self.arn)
    }

    /// The root key.
    pub(super) fn root(&self) -> Result<Zeroizing<[u8; 32]>, KmsError> {
        let mut made: Made = self.ask(
            "GenerateMac",
            json!({"KeyId": self.arn, "MacAlgorithm": "HMAC_SHA_256", "Message": BASE64.encode(TEXT)}),
        )?;
        let other = || KmsError::Form(self.host());
        let mut bytes = BASE64.decode(&made.mac).map_err(|_| other())?;
        made.mac.zeroize();
        let mut root = Zeroizing::new([0; 32]);
        let fits = bytes.len() == root.len() && made.key_id == self.arn;
        if fits {
            root.copy_from_slice(&bytes);
        }
        bytes.zeroize();
        if fits { Ok(root) } else { Err(other()) }
    }

    /// Makes another key of the same kind in the same account and region.
    pub(super) fn make_next(&self) -> Result<KmsKey, KmsError> {
        let created: Created = self.ask(
            "CreateKey",
            json!({"KeySpec": "HMAC_256", "KeyUsage": "GENERATE_VERIFY_MAC", "Description": "Portico vault root"}),
        )?;
        let endpoint = self.own_endpoint.then(|| self.endpoint.clone());
        let next = named(&created.key_metadata.arn, endpoint).ok().filter(|next| next.region == self.region);
        next.ok_or_else(|| KmsError::Form(self.host()))
    }

    /// Sentences about a key that was made for nothing.
    pub(super) fn left_over(&self) -> String {
        let KmsKey { arn, region, .. } = self;
        format!(
            "The new key {arn} stays in AWS KMS, and nothing is encrypted with it. Delete it: aws kms schedule-key-deletion --region {region} --key-id {arn}"
        )
    }

    fn host(&self) -> String {
        self.endpoint.host_str().unwrap_or_default().into()
    }

    /// Asks the service in a thread of its own: vaults start before their threads, and some commands are asynchronous already.
    fn ask<Answer: DeserializeOwned + Send>(&self, action: &str, body: serde_json::Value) -> Result<Answer, KmsError> {
        let machine = |error: std::io::Error| KmsError::Machine(format!("couldn't start a thread ({error})"));
        let work = || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(machine)?;
            runtime.block_on(async {
                let late = |_| KmsError::Silent(self.host(), format!("waited {} s", LIMIT.as_secs()));
                tokio::time::timeout(LIMIT, self.send(action, body)).await.map_err(late)?
            })
        };
        std::thread::scope(|scope| {
            let panicked = |_| KmsError::Machine("the request to the key management service panicked".into());
            std::thread::Builder::new().spawn_scoped(scope, work).map_err(machine)?.join().map_err(panicked)?
        })
    }

    async fn send<Answer: DeserializeOwned>(&self, action: &str, body: serde_json::Value) -> Result<Answer, KmsError> {
        let silent = |error: reqwest::Error| KmsError::Silent(self.host(), error.without_url().to_string());
        let http = http_client(true)?;
        let body = body.to_string();
        let mut request = Request::new(());
        *request.method_mut() = Method::POST;
        *request.uri_mut() = self.endpoint.as_str().parse::<Uri>().map_err(|_| KmsError::Form(self.host()))?;
        let headers = request.headers_mut();
        headers.insert("content-type", HeaderValue::from_static("application/x-amz-json-1.1"));
        let text = |text: String| HeaderValue::from_str(&text).map_err(|_| KmsError::Form(self.host()));
        headers.insert("x-amz-target", text(format!("TrentService.{action}"))?);
        // The signature covers the body by this header.
        headers.insert("x-amz-content-sha256", text(hex::encode(digest(&SHA256, body.as_bytes())))?);
        let (mut head, ()) = request.into_parts();
        let context = Context::new().with_env(OsEnv).with_file_read(Files).with_http_send(Roles(http.clone()));
        let signer = Signer::new(context, DefaultCredentialProvider::new(), RequestSigner::new("kms", &self.region));
        signer.sign(&mut head, None).await.map_err(|error| KmsError::Credentials(error.to_string()))?;
        let sent = http.post(self.endpoint.clone()).headers(head.headers).body(body).send().await.map_err(silent)?;
        let status = sent.status();
        let answer = limited(sent).await.map_err(silent)?.ok_or_else(|| KmsError::Form(self.host()))?;
        if status.is_success() {
            return serde_json::from_slice(&answer).map_err(|_| KmsError::Form(self.host()));
        }
        let fault: Fault = serde_json::from_slice(&answer).map_err(|_| KmsError::Form(self.host()))?;
        let kind = fault.kind.rsplit('#').next().unwrap_or_default();
        let told = format!("{kind} {}", fault.message);
        Err(KmsError::Refused(told.chars().filter(|letter| !letter.is_control()).take(300).collect()))
    }
}

/// Reads the name of a key.
fn read(name: &str) -> Result<KmsKey, KmsError> {
    let (arn, query) = name.split_once('?').map_or((name, None), |(arn, query)| (arn, Some(query)));
    let Some(query) = query else { return named(arn, None) };
    let endpoint = query.strip_prefix("endpoint=").and_then(|endpoint| Url::parse(endpoint).ok());
    let endpoint = endpoint.ok_or(KmsError::Name("after the `?` stands `endpoint=` and an address"))?;
    let loopback = matches!(endpoint.host_str(), Some("127.0.0.1" | "[::1]" | "localhost"));
    if endpoint.scheme() != "https" && !loopback {
        return Err(KmsError::Name("its endpoint has to begin with https://"));
    }
    named(arn, Some(endpoint))
}

/// Key with an ARN. An alias is none: it may come to mean another key, with which nothing opens.
fn named(arn: &str, endpoint: Option<Url>) -> Result<KmsKey, KmsError> {
    let [Some("arn"), Some(partition), Some("kms"), Some(region), Some(account), Some(key), None] =
        std::array::from_fn({
            let mut parts = arn.split(':');
            move |_| parts.next()
        })
    else {
        return Err(KmsError::Name("it isn't the ARN of a KMS key"));
    };
    let word =
        |text: &str| !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-');
    let id = key.strip_prefix("key/").ok_or(KmsError::Name("it has to be the ARN of a key, not of an alias"))?;
    if ![partition, region, account, id].into_iter().all(word) {
        return Err(KmsError::Name("it isn't the ARN of a KMS key"));
    }
    let ending = if partition == "aws-cn" { "amazonaws.com.cn" } else { "amazonaws.com" };
    let public = || Url::parse(&format!("https://kms.{region}.{ending}/"));
    let own_endpoint = endpoint.is_some();
    let endpoint = endpoint.map_or_else(public, Ok).map_err(|_| KmsError::Name("it isn't the ARN of a KMS key"))?;
    Ok(KmsKey { arn: arn.into(), region: region.into(), endpoint, own_endpoint })
}

/// Body of an answer; `None` if it is too long.
async fn limited(mut answer: reqwest::Response) -> Result<Option<Zeroizing<Vec<u8>>>, reqwest::Error> {
    let mut body = Zeroizing::new(Vec::with_capacity(LONGEST));
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > LONGEST {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

/// Files of the credentials.
#[derive(Debug)]
struct Files;

impl FileRead for Files {
    async fn file_read(&self, path: &str) -> reqsign_core::Result<Vec<u8>> {
        std::fs::read(path).map_err(|error| reqsign_core::Error::unexpected(format!("couldn't read {path}: {error}")))
    }
}

/// Asks the services that hand out credentials of a role.
#[derive(Debug)]
struct Roles(reqwest::Client);

impl HttpSend for Roles {
    async fn http_send(&self, request: Request<Bytes>) -> reqsign_core::Result<Response<Bytes>> {
        let failed = |error: reqwest::Error| reqsign_core::Error::unexpected(error.without_url().to_string());
        let request = reqwest::Request::try_from(request).map_err(failed)?;
        let answer = self.0.execute(request).await.map_err(failed)?;
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = answer.status();
        *response.headers_mut() = answer.headers().clone();
        let body = limited(answer).await.map_err(failed)?;
        let long = || reqsign_core::Error::unexpected("the answer with the credentials is too long");
        *response.body_mut() = Bytes::copy_from_slice(&body.ok_or_else(long)?);
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARN: &str = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

    #[test]
    fn a_name_is_an_arn_and_perhaps_an_endpoint() {
        let key = KmsKey::parse(&format!("aws-kms:{ARN}")).unwrap().unwrap();
        assert_eq!(key.endpoint.as_str(), "https://kms.eu-central-1.amazonaws.com/");
        assert_eq!(key.name(), format!("aws-kms:{ARN}"));
        let own = format!("aws-kms:{ARN}?endpoint=https://vpce-1.kms.eu-central-1.vpce.amazonaws.com/");
        let key = KmsKey::parse(&own).unwrap().unwrap();
        assert_eq!((key.region.as_str(), key.name()), ("eu-central-1", own));
        assert!(KmsKey::parse(&"00".repeat(32)).is_none());
    }

    #[test]
    fn a_name_of_another_form_is_refused_and_an_alias_is() {
        for (name, lacks) in [
            ("arn:aws:kms:eu-central-1:111122223333:alias/root", "alias"),
            ("arn:aws:s3:eu-central-1:111122223333:key/1", "ARN"),
            ("arn:aws:kms:eu.evil.example/:111122223333:key/1", "ARN"),
            ("1234abcd", "ARN"),
            (&format!("{ARN}?endpoint=http://kms.example"), "https"),
            (&format!("{ARN}?region=eu"), "endpoint="),
        ] {
            let error = KmsKey::parse(&format!("aws-kms:{name}")).unwrap().unwrap_err().to_string();
            assert!(error.contains(lacks), "{name}: {error}");
        }
    }
}
