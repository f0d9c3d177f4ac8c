//! The core against the real router, in one process and without a browser: whole journeys of a visitor.
//! All responses of the host's server come from the real server. Wallets are those of the World; where coins move, the chain is real too.

#![allow(clippy::disallowed_methods, reason = "tests prepare databases and read their addresses")]

#[path = "../support/mod.rs"]
mod support;

mod hostile;
mod lies;
mod names;
mod swap;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use portico_core::modal::{Event as Modal, View};
use portico_core::name::Event as Name;
use portico_core::onramp::{Event as Onramp, Phase, Progress, PurchaseView, State};
use portico_core::{Event, Outcome};
use portico_testkit::{Backend, ScriptedWallet, Store, Tab, World, options};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};
use support::names::{NAMES, Visitor};
use support::sellers::{documented, meld};
use support::web::{Heard, Web};
use support::{Server, recorded, status_and_text};
use tokio::runtime::{Builder, Runtime};

const HOST: &str = "https://host.example";

/// A page whose server is a real router, and the runtime on which that runs.
struct Whole {
    world: World,
    server: Arc<Server>,
    runtime: Arc<Runtime>,
}

/// Key of the visitor's account.
fn visitor() -> Visitor {
    Visitor::new(7)
}

/// EIP-191 signature over the hex bytes of a `personal_sign` request.
fn sign(message: &str) -> String {
    let bytes = alloy_primitives::hex::decode(message).unwrap();
    visitor().sign(&String::from_utf8(bytes).unwrap())
}

/// Wallet that signs messages as the visitor.
fn signing_wallet() -> ScriptedWallet {
    let mut wallet = ScriptedWallet::named("Alpha Wallet");
    wallet.accounts = vec![visitor().address()];
    wallet.signer = Some(sign);
    wallet
}

/// A page with a connected wallet, in front of this server.
fn whole(runtime: Arc<Runtime>, server: Server, wallet: ScriptedWallet, options: &str) -> Whole {
    let server = Arc::new(server);
    let options = options
        .replacen('{', &format!(r#"{{"endpoints":"{HOST}","#), 1)
        .replace(r#""projectId":"test""#, r#""projectId":"demo""#);
    let mut world = World::with(&options, vec![wallet], Store::default());
    // The server compares the time of signed messages with its own clock.
    world.now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as u64;
    world.server.backend = Some(router(runtime.clone(), server.clone()));
    world.connect_first();
    world.open(None);
    Whole { world, server, runtime }
}

/// The router as the answer to each request for the host's origin.
fn router(runtime: Arc<Runtime>, server: Arc<Server>) -> Backend {
    Backend::new(move |method, url, body| {
        let path = url.strip_prefix(HOST).unwrap();
        let request = Request::builder().method(method.word()).uri(path).header("content-type", "application/json");
        let request = request.header("origin", HOST).body(Body::from(body.unwrap_or_default().to_owned())).unwrap();
        let (status, body) = runtime.block_on(async { status_and_text(server.send(request).await).await });
        Outcome::HttpAnswered { status: status.as_u16(), retry_after: None, body }
    })
}

fn runtime() -> Arc<Runtime> {
    Arc::new(Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap())
}

/// Meld as documented, which knows the last purchase by the given status, and none before there is one.
fn seller(status: Arc<Mutex<Option<&'static str>>>) -> impl Fn(&Heard) -> (StatusCode, String) + Send + Sync {
    let reference = Mutex::new(String::new());
    move |heard| match heard.path.split('?').next().unwrap_or_default() {
        "/crypto/session/widget" => {
            let body: Value = serde_json::from_slice(&heard.body).unwrap();
            *reference.lock().unwrap() = body["externalSessionId"].as_str().unwrap_or_default().into();
            documented(heard)
        }
        "/payments/transactions" => {
            let mut list: Value = serde_json::from_str(&recorded("meld/transactions")).unwrap();
            let mut purchase = list["transactions"][1].take();
            purchase["externalSessionId"] = reference.lock().unwrap().clone().into();
            let known = status.lock().unwrap().map(|status| {
                purchase["status"] = status.into();
                purchase
            });
            list["transactions"] = known.into_iter().collect();
            (StatusCode::OK, list.to_string())
        }
        "/payments/crypto/quote" => {
            let body: Value = serde_json::from_slice(&heard.body).unwrap();
            let mut answer: Value = serde_json::from_str(&recorded("meld/quote")).unwrap();
            for quote in answer["quotes"].as_array_mut().unwrap() {
                for field in ["sourceCurrencyCode", "destinationCurrencyCode", "sourceAmount"] {
                    quote[field] = body[field].clone();
                }
            }
            (StatusCode::OK, answer.to_string())
        }
        _ => documented(heard),
    }
}

fn purchase(world: &World) -> PurchaseView {
    world.snapshot().onramp.purchase.unwrap()
}

#[test]
fn a_visitor_buys_coins_and_sees_what_becomes_of_the_purchase() {
    let runtime = runtime();
    let status = Arc::new(Mutex::new(None));
    let web = runtime.block_on(Web::start(seller(status.clone())));
    let server = runtime.block_on(Server::configured(&meld(&web.url(""))));
    let Whole { mut world, .. } = whole(runtime, server, signing_wallet(), &options());
    world.modal(Modal::ViewAsked { view: View::OnRampProviders });
    world.dispatch(Event::Onramp(Onramp::CountryChosen { id: "DE".into() }));
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.state, onramp.offers, onramp.country.as_deref()), (State::Ready, State::Ready, Some("DE")));
    assert_eq!(onramp.providers.iter().map(|one| one.label.as_str()).collect::<Vec<_>>(), ["Meld.io"]);
    world.dispatch(Event::Onramp(Onramp::AmountTyped { text: "100".into() }));
    world.advance(500);
    let quote = world.snapshot().onramp.providers[0].quote.clone().unwrap();
    assert!(quote.gets.starts_with("0.03"), "{quote:?}");
    world.dispatch(Event::Onramp(Onramp::ProviderChosen { name: "meld".into() }));
    assert_eq!(world.snapshot().onramp.phase, Phase::Opened);
    assert!(
        matches!(&world.tabs[..], [Tab::At(url)] if url.starts_with("https://meldcrypto.com/")),
        "{:?}",
        world.tabs
    );
    assert_eq!(purchase(&world).progress, Progress::Unknown);
    *status.lock().unwrap() = Some("SETTLED");
    world.dispatch(Event::Onramp(Onramp::CheckAsked));
    let bought = purchase(&world);
    assert_eq!(
        (bought.progress, bought.gets.as_deref(), bought.symbol.as_deref()),
        (Progress::Done, Some("0.0308"), Some("ETH"))
    );
    world.dispatch(Event::Onramp(Onramp::DoneAsked));
    assert_eq!(world.snapshot().modal.view, View::Account);
}

#[test]
fn a_visitor_registers_a_name_and_another_page_finds_it() {
    let named = options().replacen(r#""testnet":true"#, r#""testnet":false"#, 1);
    let runtime = runtime();
    let server = runtime.block_on(Server::configured(NAMES));
    let Whole { mut world, runtime, server } = whole(runtime, server, signing_wallet(), &named);
    world.modal(Modal::ViewAsked { view: View::ChooseAccountName });
    world.modal(Modal::ViewAsked { view: View::RegisterAccountName });
    world.dispatch(Event::Name(Name::Typed { text: "alice".into() }));
    world.advance(500);
    assert!(world.snapshot().name.suggestions.iter().any(|one| one.label == "alice" && !one.registered));
    world.dispatch(Event::Name(Name::RegisterAsked));
    let snapshot = world.snapshot();
    assert_eq!((snapshot.name.problem, snapshot.modal.view), (None, View::RegisterAccountNameSuccess));
    assert_eq!(snapshot.account.accounts[0].profile_name.as_deref(), Some("alice.portico.eth"));
    let path = format!("/v1/profile/reverse/{}?projectId=demo", visitor().address());
    let (status, text) = runtime.block_on(async { status_and_text(server.get(&path).await).await });
    assert_eq!(status, StatusCode::OK, "{text}");
    assert!(text.contains("alice.portico.eth"), "{text}");
}
