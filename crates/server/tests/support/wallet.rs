//! Vault and wallet listener as values, and a device's requests to them.

use super::Server;
use super::device::Device;
use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response, StatusCode};
use portico_server::config::{Config, MailWay, Wallet};
use portico_server::db::{Database, Schema};
use portico_server::vault::{self, Clock, Mailer, Root, Vault};
use serde_json::{Value, json};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection, PgConnection, query, query_scalar};
use std::path::Path;
use tokio::net::UnixListener;
use tower::ServiceExt;

pub const ORIGIN: &str = "http://localhost:8081";
pub const HOST: &str = "https://shop.example";
const NOW: i64 = 1_700_000_000_000;

/// A vault without a socket, with a database and a clock of its own.
pub struct Safe {
    pub router: Router,
    pub vault: Option<Vault>,
    pub clock: Clock,
    pub database: Database,
    pub config: Wallet,
    pub server: Server,
}

impl Safe {
    pub async fn new() -> Safe {
        Safe::with("").await
    }

    /// With further lines of `[wallet.vault]`.
    pub async fn with(lines: &str) -> Safe {
        Safe::made("", lines, Mailer::new(&MailWay::Outbox).unwrap()).await
    }

    /// With mails that are sent.
    pub async fn with_mailer(mailer: Mailer) -> Safe {
        Safe::made("", "", mailer).await
    }

    async fn made(toml: &str, lines: &str, mailer: Mailer) -> Safe {
        let server = Server::configured(toml).await;
        let folder = server.folder.path();
        let file = |name: &str| folder.join(name).display().to_string();
        // PostgreSQL has the tables of server and vault in one schema.
        let database = match server.place.database.starts_with("postgres") {
            true => server.place.database.clone(),
            false => file("vault.sqlite"),
        };
        let toml = format!(
            "[wallet]\norigin = \"{ORIGIN}\"\n[wallet.mail]\noutbox = true\n[wallet.vault]\ndatabase = {database:?}\n\
             root_key_file = {:?}\nsocket = {:?}\n{lines}",
            file("vault.key"),
            file("vault.sock")
        );
        let config = Config::parse(Path::new("portico.toml"), &toml, [], &server.flags()).unwrap().wallet.unwrap();
        Root::create(&config.vault.root_key_file).unwrap();
        let database = Database::with_schema(&config.vault.database, Schema::Vault).await.unwrap();
        database.migrate().await.unwrap();
        let clock = Clock::at(NOW);
        let mut safe = Safe { router: Router::new(), vault: None, clock, database, config, server };
        safe.start(mailer).await;
        safe
    }

    /// Starts the vault, or starts it again with an empty memory.
    pub async fn start(&mut self, mailer: Mailer) {
        let root = Root::read(&self.config.vault.root_key_file).unwrap();
        let (database, clock) = (self.database.clone(), self.clock.clone());
        let vault = Vault::new(root, database, &self.config.vault, ORIGIN, mailer, clock).await.unwrap();
        let vault = vault.with_services(&self.config).unwrap();
        self.router = vault::router(vault.clone());
        self.vault = Some(vault);
    }

    /// Starts the vault again, as after a crash.
    pub async fn restart(&mut self) {
        self.start(Mailer::new(&MailWay::Outbox).unwrap()).await;
    }

    /// Sends a request as the web tier does, from this address.
    pub async fn send(&self, path: &str, headers: &[(&str, String)], body: &str) -> (StatusCode, Value) {
        let mut request = Request::post(path).header("portico-browser", "Firefox on Linux");
        if !headers.iter().any(|(name, _)| *name == "portico-client") {
            request = request.header("portico-client", "203.0.113.9");
        }
        for (name, value) in headers {
            request = request.header(*name, value);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let (status, text) = super::status_and_text(response).await;
        (status, serde_json::from_str(&text).unwrap_or_else(|_| panic!("{status} {text}")))
    }

    /// Kept mails, the newest first.
    pub async fn mails(&self) -> Vec<Value> {
        let (status, mails) = self.send("/outbox", &[], "").await;
        assert_eq!(status, StatusCode::OK);
        mails.as_array().unwrap().clone()
    }

    /// Token of the link in the last mail.
    pub async fn link(&self) -> String {
        let text = self.mails().await[0]["text"].as_str().unwrap().to_owned();
        let (_, after) = text.split_once("/approve?t=").unwrap();
        after.lines().next().unwrap().to_owned()
    }

    /// Code in the last mail.
    pub async fn code(&self) -> String {
        let text = self.mails().await[0]["text"].as_str().unwrap().to_owned();
        let line = text.lines().find_map(|line| line.strip_prefix("    ")).unwrap();
        line.to_owned()
    }

    pub async fn approve(&self, token: &str) -> StatusCode {
        self.send("/approve", &[], &json!({"token": token, "approve": true}).to_string()).await.0
    }

    /// Response to a login by e-mail of a device.
    pub async fn begin(&self, device: &Device, email: &str) -> (StatusCode, Value) {
        let body = json!({"email": email, "project": "demo", "host": HOST, "language": "en"});
        device.ask(self, "/wallet/v1/login/email", &body).await
    }

    /// Logs in a new device by approval and code.
    pub async fn log_in(&self, device: &mut Device, email: &str) -> Value {
        let (status, started) = self.begin(device, email).await;
        assert_eq!(status, StatusCode::OK, "{started}");
        if started["action"] == "VERIFY_DEVICE" {
            assert_eq!(self.approve(&self.link().await).await, StatusCode::OK);
        }
        self.finish(device, &started).await
    }

    /// Types the code of the last mail.
    pub async fn finish(&self, device: &mut Device, started: &Value) -> Value {
        let body =
            json!({"transaction": started["transaction"], "code": self.code().await, "key": device.worker_key()});
        let (status, entered) = device.ask(self, "/wallet/v1/login/code", &body).await;
        assert_eq!(status, StatusCode::OK, "{entered}");
        device.access = Some(entered["session"]["access"].as_str().unwrap().into());
        entered
    }
}

impl Device {
    /// Claims of a proof for a request.
    pub fn claims(&self, safe: &Safe, path: &str, body: &str) -> Value {
        self.claims_at(safe.clock.now(), path, body)
    }

    /// Headers of a request.
    pub fn headers(&self, safe: &Safe, path: &str, body: &str) -> Vec<(&'static str, String)> {
        self.headers_at(safe.clock.now(), path, body)
    }

    pub async fn ask(&self, safe: &Safe, path: &str, body: &Value) -> (StatusCode, Value) {
        let body = body.to_string();
        safe.send(path, &self.headers(safe, path, &body), &body).await
    }
}

const TABLES: [&str; 16] = [
    "vault_setting",
    "vault_user",
    "vault_device",
    "vault_wallet",
    "vault_slot",
    "vault_session",
    "vault_refresh",
    "vault_login",
    "vault_social",
    "vault_person",
    "vault_change",
    "vault_undo",
    "vault_confirm",
    "vault_passkey",
    "vault_password",
    "vault_audit",
];

impl Safe {
    fn is_file(&self) -> bool {
        !self.server.place.database.starts_with("postgres")
    }

    async fn file(&self) -> SqliteConnection {
        let file = SqliteConnectOptions::new().filename(self.server.folder.path().join("vault.sqlite"));
        SqliteConnection::connect_with(&file).await.unwrap()
    }

    /// Changes data in ways that no request does.
    pub async fn tamper(&self, statement: &'static str) {
        if !self.is_file() {
            return self.server.place.tamper(statement).await;
        }
        query(statement).execute(&mut self.file().await).await.unwrap();
    }

    /// All values of all rows, with `|` around each.
    pub async fn dump(&self) -> String {
        let mut dump = String::new();
        for table in TABLES {
            if self.is_file() {
                let mut file = self.file().await;
                let names: Vec<String> = query_scalar("select name from pragma_table_info($1)")
                    .bind(table)
                    .fetch_all(&mut file)
                    .await
                    .unwrap();
                let rows = query_scalar(AssertSqlSafe(all_of(table, &names)));
                dump.extend::<Vec<String>>(rows.fetch_all(&mut file).await.unwrap());
            } else {
                let mut server = PgConnection::connect(&self.server.place.database).await.unwrap();
                let names = "select column_name::text from information_schema.columns
                    where table_name = $1 and table_schema = current_schema()";
                let names: Vec<String> = query_scalar(names).bind(table).fetch_all(&mut server).await.unwrap();
                let rows = query_scalar(AssertSqlSafe(all_of(table, &names)));
                dump.extend::<Vec<String>>(rows.fetch_all(&mut server).await.unwrap());
            }
        }
        dump
    }
}

fn all_of(table: &str, names: &[String]) -> String {
    let columns: Vec<String> = names.iter().map(|name| format!("coalesce(cast({name} as text), '')")).collect();
    format!("select '|' || {} || '|' from {table}", columns.join(" || '|' || "))
}

/// The wallet's listener as a value, in front of a vault at a socket.
pub struct Web {
    pub safe: Safe,
    pub router: Router,
    /// Hash of the frame's files.
    pub hash: String,
    vault: tokio::task::JoinHandle<()>,
}

impl Web {
    pub async fn new() -> Web {
        Web::of(Safe::new().await).await
    }

    /// In front of a server with this configuration.
    pub async fn configured(toml: &str) -> Web {
        Web::of(Safe::made(toml, "", Mailer::new(&MailWay::Outbox).unwrap()).await).await
    }

    async fn of(safe: Safe) -> Web {
        let mut config = safe.config.clone();
        let frame = safe.server.folder.path().join("frame");
        std::fs::create_dir_all(frame.join("assets")).unwrap();
        std::fs::write(frame.join("index.html"), "<!doctype html><script type=module src=assets/frame.js></script>")
            .unwrap();
        std::fs::write(frame.join("assets/frame.js"), "export {}").unwrap();
        std::fs::write(frame.join("assets/frame.js.br"), "compressed").unwrap();
        config.frame = Some(frame);
        let listener = UnixListener::bind(&config.vault.socket).unwrap();
        let served = axum::serve(listener, safe.router.clone().into_make_service());
        let vault = tokio::spawn(async move { served.await.unwrap() });
        let wallet = portico_server::Wallet::open(&config).unwrap();
        let hash = wallet.frame_hash().unwrap().to_owned();
        let router = portico_server::wallet_router(safe.server.state.clone(), wallet);
        Web { safe, router, hash, vault }
    }

    /// Ends the vault.
    pub async fn without_vault(&self) {
        self.vault.abort();
        std::fs::remove_file(&self.safe.config.vault.socket).unwrap();
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        super::within("an answer", self.router.clone().oneshot(request)).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Response<Body> {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    /// Sends a signed request as the frame's worker does.
    pub async fn ask(&self, device: &Device, path: &str, body: &Value) -> (StatusCode, String) {
        self.ask_in("en", device, path, body).await
    }

    /// The same in a browser that prefers this language.
    pub async fn ask_in(&self, language: &str, device: &Device, path: &str, body: &Value) -> (StatusCode, String) {
        let body = body.to_string();
        let mut request = Request::post(path).header("origin", ORIGIN).header("accept-language", language);
        for (name, value) in device.headers(&self.safe, path, &body) {
            request = request.header(name, value);
        }
        super::status_and_text(self.send(request.body(Body::from(body)).unwrap()).await).await
    }
}
