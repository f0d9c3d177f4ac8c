//! The vault on another host than the server: both as real processes, in a folder each, with certificates of one authority.

use crate::support;
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::Arc;
use support::device::Device;
use support::node::{portico, said};
use support::tls::{Authority, Purpose};
use support::vault::{VaultProcess, now};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::Child;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ClientConfig, RootCertStore, SupportedProtocolVersion};

const ORIGIN: &str = "http://localhost:1";
const HOST: &str = "https://shop.example";

/// Configuration of one side, with the files of [`Authority::write`].
fn toml(side: &str) -> String {
    format!(
        "listen = \"127.0.0.1:0\"\n[wallet]\norigin = \"{ORIGIN}\"\nlisten = \"127.0.0.1:0\"\n[wallet.mail]\noutbox = true\n\
         [wallet.vault]\n{side}\ncertificate = \"own.pem\"\ncertificate_key = \"own.key\"\nauthority = \"authority.pem\"\n"
    )
}

/// The vault, and its port for servers.
async fn vault(authority: &Authority) -> (TempDir, VaultProcess, u16) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), toml("listen = \"127.0.0.1:0\"")).unwrap();
    authority.write(folder.path(), "localhost", Purpose::ServerAuth);
    let (done, _, error) = said(folder.path(), &["vault", "init"]).await;
    assert!(done, "{error}");
    let vault = VaultProcess::start(folder.path(), &[]).await;
    let port = vault.line.trim_end().rsplit_once(':').unwrap().1.parse().unwrap();
    (folder, vault, port)
}

/// Folder of a server whose vault is at this port of another host.
async fn server(authority: &Authority, port: u16) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("portico.toml"), toml(&format!("address = \"localhost:{port}\""))).unwrap();
    authority.write(folder.path(), "portico.example", Purpose::ClientAuth);
    let (done, _, error) = said(folder.path(), &["project", "add", "--id", "demo", "--origin", HOST]).await;
    assert!(done, "{error}");
    folder
}

/// Starts the server; its wallet's address.
async fn serve(folder: &TempDir) -> (Child, String) {
    let mut serve = portico(folder.path(), &["serve"]);
    let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let line = within("the line of the wallet", lines.next_line()).await.unwrap().unwrap();
    let address = line.strip_prefix("wallet on http://").unwrap().split(' ').next().unwrap().to_owned();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    (child, address)
}

/// Status and body of a response of the wallet's listener.
async fn send(address: &str, head: &str, headers: &[(&str, String)], body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let mut text = format!("{head} HTTP/1.1\r\nhost: localhost:1\r\nconnection: close\r\norigin: {ORIGIN}\r\n");
    text.extend(headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")));
    text += &format!("content-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(text.as_bytes()).await.unwrap();
    let mut response = String::new();
    within("a response", stream.read_to_string(&mut response)).await.unwrap();
    let status = response.split(' ').nth(1).unwrap().parse().unwrap();
    (status, response.split_once("\r\n\r\n").unwrap().1.to_owned())
}

async fn ask(address: &str, device: &Device, path: &str, body: &Value) -> (u16, Value) {
    let body = body.to_string();
    let headers = device.headers_at(now(), path, &body);
    let (status, text) = send(address, &format!("POST {path}"), &headers, &body).await;
    (status, serde_json::from_str(&text).unwrap())
}

/// Word after `before` in the newest mail.
async fn word(address: &str, before: &str) -> String {
    let (_, mails) = send(address, "GET /outbox.json", &[], "").await;
    let mails: Value = serde_json::from_str(&mails).unwrap();
    let text = mails[0]["text"].as_str().unwrap();
    text.split_once(before).unwrap().1.lines().next().unwrap().to_owned()
}

#[tokio::test]
async fn a_login_passes_to_a_confined_vault_on_another_host_by_mutual_tls() {
    let authority = Authority::new("Authority of the tests");
    let (vault_folder, vault, port) = vault(&authority).await;
    for thread in std::fs::read_dir(format!("/proc/{}/task", vault.child.id().unwrap())).unwrap() {
        let status = std::fs::read_to_string(thread.unwrap().path().join("status")).unwrap();
        assert!(status.contains("Seccomp:\t2\n") && status.contains("NoNewPrivs:\t1\n"), "{status}");
    }
    let folder = server(&authority, port).await;
    let (_serve, address) = serve(&folder).await;
    let mut device = Device::new();
    let body = json!({"email": "ada@example.org", "project": "demo", "host": HOST, "language": "en"});
    let (status, started) = ask(&address, &device, "/wallet/v1/login/email", &body).await;
    assert_eq!(status, 200, "{started}");
    let token = word(&address, "/approve?t=").await;
    assert_eq!(send(&address, "POST /approve", &[], &format!("t={token}&decision=approve")).await.0, 200);
    let code = word(&address, "\n    ").await;
    let body = json!({"transaction": started["transaction"], "code": code, "key": device.worker_key()});
    let (status, entered) = ask(&address, &device, "/wallet/v1/login/code", &body).await;
    assert_eq!(status, 200, "{entered}");
    device.access = Some(entered["session"]["access"].as_str().unwrap().into());
    assert_eq!(ask(&address, &device, "/wallet/v1/wallet", &device.wallet()).await.0, 200);
    let files = |folder: &TempDir| {
        let all = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
        all.map(|name| name.into_string().unwrap()).collect::<Vec<_>>()
    };
    assert!(files(&vault_folder).contains(&"vault.key".into()));
    assert!(
        !files(&folder).iter().any(|name| name.starts_with("vault.")),
        "the server's host has neither key nor database"
    );
    let (_, told, _) = said(folder.path(), &["doctor"]).await;
    assert!(told.contains(&format!("ok     vault: localhost:{port} answers by mutual TLS.")), "{told}");
    let (done, told, _) = said(vault_folder.path(), &["vault", "doctor"]).await;
    assert!(done && told.contains("ok     vault: has certificates for servers on other hosts"), "{told}");
    vault.kill().await;
    assert_eq!(ask(&address, &device, "/wallet/v1/me", &json!({})).await.0, 503);
    let (_, told, _) = said(folder.path(), &["doctor"]).await;
    let refuses =
        format!("wrong  vault: couldn't reach the vault at localhost:{port}: it refuses connections. Start it there");
    assert!(told.contains(&refuses), "{told}");
}

/// Client of this version of TLS, with a certificate or without one.
fn client(
    trusted: &Authority,
    own: Option<(String, String)>,
    version: &'static SupportedProtocolVersion,
) -> TlsConnector {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(trusted.pem().as_bytes()).unwrap()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()));
    let config = config.with_protocol_versions(&[version]).unwrap().with_root_certificates(roots);
    TlsConnector::from(Arc::new(match own {
        None => config.with_no_client_auth(),
        Some((certificate, key)) => {
            let chain = vec![CertificateDer::from_pem_slice(certificate.as_bytes()).unwrap()];
            config.with_client_auth_cert(chain, PrivateKeyDer::from_pem_slice(key.as_bytes()).unwrap()).unwrap()
        }
    }))
}

/// Response of the vault, or the reason why there is none.
async fn answer(client: TlsConnector, port: u16) -> std::io::Result<String> {
    let stream = TcpStream::connect(("127.0.0.1", port)).await?;
    let mut stream = client.connect("localhost".try_into().unwrap(), stream).await?;
    stream.write_all(b"POST /metrics HTTP/1.1\r\nhost: vault\r\nconnection: close\r\n\r\n").await?;
    let mut response = String::new();
    within("an answer", stream.read_to_string(&mut response)).await.map(|_| response)
}

#[tokio::test]
async fn a_vault_answers_only_clients_with_a_certificate_of_its_authority_and_tls_1_3() {
    let (own, other) = (Authority::new("Authority of the tests"), Authority::new("Other authority"));
    let (_folder, _vault, port) = vault(&own).await;
    let good = own.issue("portico.example", Purpose::ClientAuth);
    let told = answer(client(&own, Some(good.clone()), &TLS13), port).await.unwrap();
    assert!(told.starts_with("HTTP/1.1 200 OK\r\n"), "{told}");
    let alert = async |own_certificate, version, expected: &str| {
        let error = answer(client(&own, own_certificate, version), port).await.unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    alert(None, &TLS13, "CertificateRequired").await;
    alert(Some(other.issue("portico.example", Purpose::ClientAuth)), &TLS13, "UnknownCA").await;
    // The certificate of a vault is none of a server.
    alert(Some(own.issue("localhost", Purpose::ServerAuth)), &TLS13, "received fatal alert").await;
    alert(Some(good), &TLS12, "ProtocolVersion").await;
    let mut plain = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    plain.write_all(b"POST /metrics HTTP/1.1\r\nhost: vault\r\n\r\n").await.unwrap();
    let mut bytes = Vec::new();
    let _ = within("the end", plain.read_to_end(&mut bytes)).await;
    assert!(!bytes.starts_with(b"HTTP"), "{bytes:?}");
}

#[tokio::test]
async fn a_server_and_a_vault_of_different_authorities_do_not_speak_and_the_doctor_says_why() {
    let (own, other) = (Authority::new("Authority of the tests"), Authority::new("Other authority"));
    let (_folder, _vault, port) = vault(&own).await;
    let told = async |folder: &TempDir| {
        let (done, told, _) = said(folder.path(), &["doctor"]).await;
        assert!(!done, "{told}");
        told.lines().find(|line| line.contains(" vault: ")).unwrap().to_owned()
    };
    // The vault's certificate is of an authority that this server doesn't trust.
    let folder = server(&other, port).await;
    let line = told(&folder).await;
    assert!(line.contains("isn't right (invalid peer certificate: UnknownIssuer)"), "{line}");
    // The server's certificate is of an authority that the vault doesn't trust.
    std::fs::write(folder.path().join("authority.pem"), own.pem()).unwrap();
    let line = told(&folder).await;
    assert!(line.contains("refuses the certificate of this server (received fatal alert: UnknownCA)"), "{line}");
    let (_serve, address) = serve(&folder).await;
    let body = json!({"email": "ada@example.org", "project": "demo", "host": HOST, "language": "en"});
    assert_eq!(ask(&address, &Device::new(), "/wallet/v1/login/email", &body).await.0, 503);
    // Its certificate is for another name.
    let toml = std::fs::read_to_string(folder.path().join("portico.toml")).unwrap();
    std::fs::write(
        folder.path().join("portico.toml"),
        toml.replace("localhost:", "127.0.0.1:").replace("http://127.0.0.1:1", ORIGIN),
    )
    .unwrap();
    let line = told(&folder).await;
    assert!(line.contains("isn't right (invalid peer certificate"), "{line}");
}

#[tokio::test]
async fn the_doctor_names_the_program_at_the_port_of_a_vault_that_does_not_run() {
    let authority = Authority::new("Authority of the tests");
    let holder = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let held = holder.local_addr().unwrap();
    let folder = tempfile::tempdir().unwrap();
    authority.write(folder.path(), "localhost", Purpose::ServerAuth);
    for (listen, told) in [
        (held.to_string(), format!("wrong  vault: {held} is used by ")),
        (
            "192.0.2.1:8443".into(),
            "wrong  vault: 192.0.2.1 isn't an address of this machine. Set `wallet.vault.listen` to one that is,"
                .into(),
        ),
    ] {
        std::fs::write(folder.path().join("portico.toml"), toml(&format!("listen = \"{listen}\""))).unwrap();
        let (_, lines, _) = said(folder.path(), &["vault", "doctor"]).await;
        assert!(lines.contains(&told), "{told} is not in {lines}");
    }
}

#[tokio::test]
async fn files_of_tls_that_are_missing_or_do_not_fit_are_told_before_anything_starts() {
    let authority = Authority::new("Authority of the tests");
    let folder = server(&authority, 1).await;
    let file = |name: &str| folder.path().join(name);
    let told = async || {
        let (done, _, error) = said(folder.path(), &["serve"]).await;
        assert!(!done);
        error
    };
    std::fs::write(file("own.key"), authority.issue("portico.example", Purpose::ClientAuth).1).unwrap();
    let error = told().await;
    assert!(error.contains("The key in `wallet.vault.certificate_key` doesn't fit the certificate"), "{error}");
    std::fs::write(file("own.pem"), "no certificate").unwrap();
    let error = told().await;
    assert!(
        error.contains("own.pem, which `wallet.vault.certificate` names, has no certificate in PEM form."),
        "{error}"
    );
    std::fs::remove_file(file("authority.pem")).unwrap();
    authority.write(&folder.path().join("."), "portico.example", Purpose::ClientAuth);
    std::fs::remove_file(file("authority.pem")).unwrap();
    let error = told().await;
    assert!(error.contains("Couldn't read authority.pem, which `wallet.vault.authority` names"), "{error}");
}

#[tokio::test]
async fn on_the_servers_host_a_command_of_the_vault_changes_nothing_and_names_the_other_host() {
    let authority = Authority::new("Authority of the tests");
    let folder = server(&authority, 1).await;
    for command in [&["init"][..], &["serve"], &["backup", "copy.sqlite"], &["audit", "verify"], &["rotate"]] {
        let (done, _, error) = said(folder.path(), &[&["vault"], command].concat()).await;
        let told = "The vault is on another host, at localhost:1 (`wallet.vault.address`).";
        assert!(!done && error.contains(told), "{command:?}: {error}");
    }
    for file in ["vault.key", "vault.sqlite", "copy.sqlite"] {
        assert!(!folder.path().join(file).exists(), "{file}");
    }
    // A key that was left here is none of that vault.
    std::fs::write(folder.path().join("vault.key"), "").unwrap();
    let (elsewhere, file) = (tempfile::tempdir().unwrap(), folder.path().join("portico.toml"));
    let (_, told, _) = said(elsewhere.path(), &["doctor", "--config", file.to_str().unwrap()]).await;
    assert!(told.contains(" vault: ") && !told.contains("root key"), "{told}");
}
