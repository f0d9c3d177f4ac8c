//! Server as a value, and a scripted node.
#![allow(dead_code, reason = "each test file uses its part")]

pub mod device;
pub mod exchange;
pub mod mail;
pub mod names;
pub mod node;
pub mod place;
pub mod port;
pub mod redis;
pub mod relay;
pub mod sellers;
pub mod signature;
pub mod socket;
pub mod tls;
pub mod vault;
pub mod wallet;
pub mod web;
mod within;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Request, Response, StatusCode};
use axum::response::IntoResponse;
use place::TestStores;
use portico_server::AppState;
use portico_server::config::{Config, Flags};
use portico_server::db::Database;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::{Notify, mpsc};
use tower::ServiceExt;
pub use within::within;

/// Path of an RPC request to the chain of the tests.
pub const RPC: &str = "/v1?chainId=eip155:31337&projectId=demo";

/// Server without a socket, with a database of its own.
pub struct Server {
    pub router: Router,
    pub state: AppState,
    pub database: Database,
    pub folder: TempDir,
    pub place: TestStores,
}

impl Server {
    /// Serves eip155:31337 from these upstreams.
    pub async fn with_upstreams(upstreams: &[&str]) -> Server {
        Server::configured(&chain(upstreams)).await
    }

    /// Like [`Server::with_upstreams`], with further allowed methods: a name or a prefix.
    pub async fn with_methods(methods: &str, upstreams: &[&str]) -> Server {
        Server::configured(&format!("{}methods = [{methods:?}]\n", chain(upstreams))).await
    }

    pub async fn configured(toml: &str) -> Server {
        let server = Server::without_project(toml).await;
        server.project(&["add", "--id", "demo", "--any-origin"]).await;
        server
    }

    /// Like [`Server::configured`], without the project, as in a new installation.
    pub async fn without_project(toml: &str) -> Server {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
        let place = TestStores::new(folder.path()).await;
        let config = Config::parse(Path::new("portico.toml"), toml, [], &place.flags()).unwrap();
        let database = Database::open(&config.database).await.unwrap();
        database.migrate().await.unwrap();
        let state = AppState::new(&config, database.clone(), place.shared()).unwrap();
        Server { router: portico_server::router(state.clone()), state, database, folder, place }
    }

    /// Another node with the same settings and stores.
    pub fn another(&self) -> Router {
        let toml = std::fs::read_to_string(self.folder.path().join("portico.toml")).unwrap();
        let config = Config::parse(Path::new("portico.toml"), &toml, [], &self.place.flags()).unwrap();
        portico_server::router(AppState::new(&config, self.database.clone(), self.place.shared()).unwrap())
    }

    /// Runs `portico project` with these words.
    pub async fn project(&self, words: &[&str]) {
        let file = self.folder.path().join("portico.toml");
        let file =
            [OsStr::new("--config"), file.as_os_str(), OsStr::new("--database"), OsStr::new(&self.place.database)];
        let words = ["portico", "project"].iter().chain(words).map(OsStr::new);
        let done = portico_server::cli::run(words.chain(file).map(OsStr::to_owned)).await;
        assert_eq!(format!("{done:?}"), format!("{:?}", ExitCode::SUCCESS));
    }

    /// Flags with the location of its database.
    pub fn flags(&self) -> Flags {
        self.place.flags()
    }

    pub async fn send(&self, request: Request<Body>) -> Response<Body> {
        within("an answer", self.router.clone().oneshot(request)).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Response<Body> {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    pub async fn post(&self, path: &str, body: impl Into<Body>) -> Response<Body> {
        self.send(Request::post(path).body(body.into()).unwrap()).await
    }

    /// Posts a JSON-RPC body in the background.
    pub fn ask(&self, body: impl Into<Body>) -> tokio::task::JoinHandle<Response<Body>> {
        let request = Request::post(RPC).body(body.into()).unwrap();
        let router = self.router.clone();
        tokio::spawn(async move { within("an answer", router.oneshot(request)).await.unwrap() })
    }

    /// Posts a JSON-RPC body and reads status and text.
    pub async fn rpc(&self, body: impl Into<Body>) -> (StatusCode, String) {
        status_and_text(self.post(RPC, body).await).await
    }
}

fn chain(upstreams: &[&str]) -> String {
    let list = upstreams.iter().map(|url| format!("{url:?}")).collect::<Vec<_>>().join(", ");
    format!("[[chains]]\nid = \"eip155:31337\"\nupstreams = [{list}]\n")
}

/// Advances the clock.
pub async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Stops the clock while this runs, however long it takes.
pub async fn in_no_time<T>(work: impl Future<Output = T>) -> T {
    tokio::time::pause();
    // A paused clock advances by itself whenever a task waits for the network, except while a blocking task runs.
    let (ended, runs) = std::sync::mpsc::channel::<()>();
    let holds = tokio::task::spawn_blocking(move || runs.recv().is_err());
    let done = work.await;
    drop(ended);
    assert!(holds.await.unwrap());
    tokio::time::resume();
    done
}

/// A JSON-RPC call without parameters.
pub fn call(id: usize, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method})
}

pub async fn status_and_text(response: Response<Body>) -> (StatusCode, String) {
    let status = response.status();
    (status, text(response).await)
}

pub async fn text(response: Response<Body>) -> String {
    let body = within("a body", axum::body::to_bytes(response.into_body(), usize::MAX)).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

/// `reasons[0]` of a refusal, after a check of its form.
pub fn reason(text: &str) -> (String, String) {
    let problem: Value = serde_json::from_str(text).unwrap();
    assert_eq!(problem["status"], "FAILED");
    let reason = &problem["reasons"][0];
    (reason["field"].as_str().unwrap().into(), reason["description"].as_str().unwrap().into())
}

/// Recorded response of an external API, from fixtures/api.
pub fn recorded(path: &str) -> String {
    let file = format!("{}/../../fixtures/api/{path}.json", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Reaction of a node to a request.
pub enum Reply {
    Answer(StatusCode, String),
    Redirect(String),
    /// Responds when the gate is opened.
    Late(Arc<Notify>, String),
    Silence,
}

/// Node of a chain on a loopback port.
pub struct Upstream {
    pub url: String,
    heard: mpsc::UnboundedReceiver<String>,
}

type Script = Arc<dyn Fn(&str) -> Reply + Send + Sync>;

impl Upstream {
    pub async fn start(script: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Upstream {
        let (tell, heard) = mpsc::unbounded_channel();
        let script: Script = Arc::new(script);
        let router = Router::new().fallback(respond).with_state((script, tell));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Upstream { url, heard }
    }

    /// Answers each call with its own method as result.
    pub async fn echo() -> Upstream {
        Upstream::start(|body| {
            let echo = |call: &Value| json!({"jsonrpc": "2.0", "id": call["id"], "result": call["method"]});
            let answer = match serde_json::from_str(body).unwrap() {
                Value::Array(calls) => Value::Array(calls.iter().map(echo).collect()),
                call => echo(&call),
            };
            Reply::Answer(StatusCode::OK, answer.to_string())
        })
        .await
    }

    pub async fn says(status: u16, text: &str) -> Upstream {
        let text = text.to_owned();
        let status = StatusCode::from_u16(status).unwrap();
        Upstream::start(move |_| Reply::Answer(status, text.clone())).await
    }

    pub async fn silent() -> Upstream {
        Upstream::start(|_| Reply::Silence).await
    }

    /// Port without a listener.
    pub async fn absent() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    }

    /// Node that closes every connection.
    pub async fn hangs_up() -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                stream.readable().await.unwrap();
                drop(stream);
            }
        });
        url
    }

    /// Next request body that the node received.
    pub async fn heard(&mut self) -> String {
        within("a question to the node", self.heard.recv()).await.unwrap()
    }

    /// Number of received requests that the test has not read.
    pub fn unread(&self) -> usize {
        self.heard.len()
    }
}

async fn respond(
    State((script, tell)): State<(Script, mpsc::UnboundedSender<String>)>,
    body: Bytes,
) -> axum::response::Response {
    let body = String::from_utf8(body.to_vec()).unwrap();
    let reply = script(&body);
    let _ = tell.send(body);
    match reply {
        Reply::Answer(status, text) => (status, text).into_response(),
        Reply::Redirect(to) => (StatusCode::TEMPORARY_REDIRECT, [("location", to)]).into_response(),
        Reply::Late(gate, text) => {
            gate.notified().await;
            text.into_response()
        }
        Reply::Silence => std::future::pending().await,
    }
}
