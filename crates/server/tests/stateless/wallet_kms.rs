//! A root key in AWS KMS, as the operator sets it up. The service is a double with the recorded shapes of `GenerateMac`, `CreateKey` and of
//! errors; it checks each signature by the published steps of Signature Version 4, with an HMAC that shares no code with the server's.

use crate::support;
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use base64::prelude::{BASE64_STANDARD as BASE64, Engine as _};
use ring::{digest, hmac};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection, query};
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use support::node::portico;
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;

const ACCESS: &str = "AKIDEXAMPLE";
const SECRET: &str = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
const REGION: &str = "eu-central-1";

fn arn(id: &str) -> String {
    format!("arn:aws:kms:{REGION}:111122223333:key/{id}")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

fn mac(key: &[u8], text: &[u8]) -> Vec<u8> {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text).as_ref().to_vec()
}

fn sha256(text: &[u8]) -> String {
    hex(digest::digest(&digest::SHA256, text).as_ref())
}

/// Signature of a request by Signature Version 4, from the headers that it names as signed.
fn signature(headers: &HeaderMap, signed: &str, scope: &str, body: &[u8]) -> String {
    let value = |name: &str| headers.get(name).unwrap().to_str().unwrap();
    let lines: String = signed.split(';').map(|name| format!("{name}:{}\n", value(name))).collect();
    let request = format!("POST\n/\n\n{lines}\n{signed}\n{}", sha256(body));
    let text = format!("AWS4-HMAC-SHA256\n{}\n{scope}\n{}", value("x-amz-date"), sha256(request.as_bytes()));
    let key = scope.split('/').fold(format!("AWS4{SECRET}").into_bytes(), |key, part| mac(&key, part.as_bytes()));
    hex(&mac(&key, text.as_bytes()))
}

/// The service: ids of its keys, and what it does.
#[derive(Default)]
struct Service {
    keys: Mutex<Vec<String>>,
    asked: Mutex<Vec<String>>,
    /// Key in whose place it answers for another one.
    mistakes_keys: Mutex<Option<String>>,
}

async fn respond(State(service): State<Arc<Service>>, headers: HeaderMap, body: Bytes) -> (StatusCode, String) {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let fault =
        |kind: &str, message: &str| (StatusCode::BAD_REQUEST, json!({"__type": kind, "message": message}).to_string());
    let part = |name: &str| {
        let rest = value("authorization").split_once(&format!("{name}=")).map_or("", |(_, rest)| rest);
        rest.split(',').next().unwrap_or_default().to_owned()
    };
    let (credential, signed, told) = (part("Credential"), part("SignedHeaders"), part("Signature"));
    let scope = credential.split_once('/').map_or("", |(_, scope)| scope).to_owned();
    let covered = ["host", "x-amz-date", "x-amz-target"].iter().all(|name| signed.split(';').any(|one| one == *name));
    if !credential.starts_with(&format!("{ACCESS}/"))
        || !scope.ends_with(&format!("/{REGION}/kms/aws4_request"))
        || !covered
        || signature(&headers, &signed, &scope, &body) != told
    {
        return fault("InvalidSignatureException", "The request signature we calculated does not match.");
    }
    let action = value("x-amz-target").to_owned();
    service.asked.lock().unwrap().push(action.clone());
    let asked: Value = serde_json::from_slice(&body).unwrap();
    let mut keys = service.keys.lock().unwrap();
    match action.as_str() {
        "TrentService.CreateKey" => {
            assert_eq!((&asked["KeySpec"], &asked["KeyUsage"]), (&json!("HMAC_256"), &json!("GENERATE_VERIFY_MAC")));
            let made = arn(&format!("made-{}", keys.len()));
            keys.push(made.clone());
            (StatusCode::OK, json!({"KeyMetadata": {"Arn": made, "KeyState": "Enabled"}}).to_string())
        }
        "TrentService.GenerateMac" if !keys.iter().any(|key| asked["KeyId"] == *key) => {
            fault("NotFoundException", "Key 'x' does not exist")
        }
        "TrentService.GenerateMac" => {
            assert_eq!(asked["MacAlgorithm"], "HMAC_SHA_256");
            let text = BASE64.decode(asked["Message"].as_str().unwrap()).unwrap();
            let key = asked["KeyId"].as_str().unwrap();
            let made = BASE64.encode(mac(key.as_bytes(), &text));
            let id = if service.mistakes_keys.lock().unwrap().as_deref() == Some(key) {
                arn("other")
            } else {
                key.to_owned()
            };
            (StatusCode::OK, json!({"Mac": made, "KeyId": id, "MacAlgorithm": "HMAC_SHA_256"}).to_string())
        }
        _ => fault("UnknownOperationException", ""),
    }
}

/// Starts the service with one key, and makes a folder whose key file names that key.
async fn begin() -> (Arc<Service>, TempDir, String) {
    let service = Arc::new(Service { keys: Mutex::new(vec![arn("first")]), ..Service::default() });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}/", listener.local_addr().unwrap());
    let router = Router::new().fallback(respond).with_state(Arc::clone(&service));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\noutbox = true\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    write_key(folder.path(), &format!("aws-kms:{}?endpoint={endpoint}\n", arn("first")));
    (service, folder, endpoint)
}

fn write_key(folder: &Path, text: &str) {
    let file = folder.join("vault.key");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// Command with these credentials.
fn command(folder: &Path, words: &[&str], secret: Option<&str>) -> Command {
    let mut command = portico(folder, words);
    // The machine that runs the test may have a role or a profile.
    command.env("AWS_EC2_METADATA_DISABLED", "true").env("HOME", folder).env_remove("AWS_PROFILE");
    match secret {
        Some(secret) => command.env("AWS_ACCESS_KEY_ID", ACCESS).env("AWS_SECRET_ACCESS_KEY", secret),
        None => command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY"),
    };
    command.env_remove("AWS_SESSION_TOKEN");
    command
}

/// Runs a command; returns success, stdout and stderr.
async fn said(folder: &Path, words: &[&str], secret: Option<&str>) -> (bool, String, String) {
    let output = within("the end of a command", command(folder, words, secret).output()).await.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[tokio::test]
async fn the_root_key_comes_from_aws_kms_and_no_file_has_it() {
    let (service, folder, _) = begin().await;
    let folder = folder.path();
    let key = || std::fs::read_to_string(folder.join("vault.key")).unwrap();
    let named = key();
    let (done, out, error) = said(folder, &["vault", "init"], Some(SECRET)).await;
    assert!(done && out.contains("for the root key in AWS KMS that vault.key names"), "{out}{error}");
    assert_eq!(key(), named);
    let belongs = async || {
        let (_, told, _) = said(folder, &["vault", "doctor"], Some(SECRET)).await;
        told.contains("ok     vault database: vault.sqlite belongs to the key")
    };
    assert!(belongs().await);

    // The vault asks the service before it confines itself.
    let mut serve = command(folder, &["vault", "serve"], Some(SECRET));
    let mut vault = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(vault.stdout.take().unwrap()).lines();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    within("the end of the vault", vault.kill()).await.unwrap();
    std::fs::remove_file(folder.join("vault.sock")).unwrap();

    // A rotation makes another key in the same account.
    let (done, out, error) = said(folder, &["vault", "rotate"], Some(SECRET)).await;
    assert!(done && out.contains("Replaced the root key in vault.key."), "{out}{error}");
    assert_eq!(key(), named.replace("first", "made-1"));
    assert!(belongs().await);
    let (done, out, error) = said(folder, &["vault", "audit", "verify"], Some(SECRET)).await;
    assert!(done, "{out}{error}");
    write_key(folder, &named);
    assert!(!belongs().await);
    let asked = service.asked.lock().unwrap();
    assert_eq!(asked.iter().filter(|action| *action == "TrentService.CreateKey").count(), 1);
}

#[tokio::test]
async fn a_rotation_that_fails_says_which_key_it_leaves_in_aws_kms_and_how_to_delete_it() {
    let (service, folder, _) = begin().await;
    let folder = folder.path();
    let (done, _, error) = said(folder, &["vault", "init"], Some(SECRET)).await;
    assert!(done, "{error}");
    let failed = async |id: &str| {
        let (done, out, error) = said(folder, &["vault", "rotate"], Some(SECRET)).await;
        assert!(!done && !folder.join("vault.key.new").exists(), "{out}{error}");
        let arn = arn(id);
        let left = format!(
            "The new key {arn} stays in AWS KMS, and nothing is encrypted with it. Delete it: aws kms schedule-key-deletion --region {REGION} --key-id {arn}"
        );
        assert!(error.trim_end().ends_with(&left), "{error}");
        error
    };
    // A row that the old key does not open stops the rotation.
    let file = SqliteConnectOptions::new().filename(folder.join("vault.sqlite"));
    let mut database = SqliteConnection::connect_with(&file).await.unwrap();
    let unreadable = "insert into vault_user (id, email_sealed, provider, created_at) values ('one', 'x', 'email', 0)";
    query(unreadable).execute(&mut database).await.unwrap();
    let error = failed("made-1").await;
    assert!(error.contains("the email address of user one. Nothing was changed."), "{error}");
    // The policy of the new key lets nobody use it.
    *service.mistakes_keys.lock().unwrap() = Some(arn("made-2"));
    let error = failed("made-2").await;
    assert!(error.contains("Couldn't get the root key that vault.key.new names: "), "{error}");
}

#[tokio::test]
async fn a_refusal_of_aws_kms_is_told_and_nothing_is_made() {
    let (service, folder, endpoint) = begin().await;
    let folder = folder.path();
    let refused = async |secret: Option<&str>| {
        let (done, out, error) = said(folder, &["vault", "init"], secret).await;
        assert!(!done, "{out}");
        assert!(!folder.join("vault.sqlite").exists());
        error
    };
    for (secret, told) in
        [(Some("wrong"), "AWS refused: InvalidSignatureException"), (None, "found no AWS credentials")]
    {
        let error = refused(secret).await;
        assert!(error.contains("Couldn't get the root key that vault.key names: ") && error.contains(told), "{error}");
        assert!(!error.contains(SECRET));
    }
    *service.mistakes_keys.lock().unwrap() = Some(arn("first"));
    let error = refused(Some(SECRET)).await;
    assert!(error.contains("answered with something else than a KMS response"), "{error}");
    *service.mistakes_keys.lock().unwrap() = None;
    for (name, told) in [
        (format!("{}?endpoint={endpoint}", arn("gone")), "AWS refused: NotFoundException Key 'x' does not exist"),
        (format!("{}?endpoint=http://127.0.0.1:1/", arn("first")), "127.0.0.1 isn't responding"),
        ("arn:aws:kms:eu-central-1:111122223333:alias/root".into(), "not of an alias"),
    ] {
        write_key(folder, &format!("aws-kms:{name}\n"));
        let error = refused(Some(SECRET)).await;
        assert!(error.contains(told), "{name}: {error}");
    }
}
