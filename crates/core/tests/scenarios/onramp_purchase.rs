//! Scenarios of a purchase: its page, its progress, and the visitor's return.

use super::onramp::{REFERENCE, URL, choose, hosted, opened, page, posted, say, told, type_amount};
use portico_api::onramp::{OnrampAmount, OnrampPurchase};
use portico_core::analytics::Name;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::Message;
use portico_core::onramp::{Event as Onramp, LIFE, Phase, Problem, Progress, PurchaseView};
use portico_core::{Event, account};
use portico_testkit::{Tab, World, options};

const HASH: &str = "0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b";

/// Makes the server report this state of a purchase, with an amount and a hash.
fn answers(world: &mut World, state: &str) {
    reports(world, state, "0.031208475", "ETH", HASH);
}

fn reports(world: &mut World, state: &str, amount: &str, currency: &str, hash: &str) {
    let amount = OnrampAmount { amount: amount.into(), currency: currency.into() };
    let (purchase_amount, hash) = (Some(amount), Some(hash.into()));
    world.server.serves("/onramp/purchase", &OnrampPurchase { state: state.into(), purchase_amount, hash });
}

/// World with a purchase opened at Coinbase, which does not know it yet.
fn begun() -> World {
    let mut world = opened();
    answers(&mut world, "unseen");
    choose(&mut world, "coinbase");
    world
}

fn purchase(world: &World) -> PurchaseView {
    world.snapshot().onramp.purchase.unwrap()
}

fn looks(world: &World) -> usize {
    world.server.count("/onramp/purchase")
}

#[test]
fn the_tab_is_opened_with_the_visitors_click_and_led_to_the_page_of_the_provider() {
    let mut world = opened();
    type_amount(&mut world, "100");
    choose(&mut world, "coinbase");
    assert_eq!(world.tabs, [Tab::At(URL.into())]);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.onramp.phase), (View::BuyInProgress, Phase::Opened));
    assert_eq!(snapshot.onramp.provider.unwrap().label, "Coinbase");
    let asked = posted(&world, "/onrampurl");
    let wallet = &asked.get("destinationWallets").as_list().unwrap()[0];
    assert_eq!(wallet.get("address").as_str(), Some("0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"));
    assert_eq!(asked.get("defaultNetwork").as_str(), Some("eip155:31337"));
    assert_eq!(
        (asked.get("presetFiatAmount").as_str(), asked.get("purchaseCurrency").as_str()),
        (Some("100"), Some("ETH"))
    );
    let tracked = told(&world, Name::SelectBuyProvider).unwrap();
    assert_eq!(
        (tracked.get("provider").as_str(), tracked.get("isSmartAccount").as_bool()),
        (Some("coinbase"), Some(false))
    );
}

#[test]
fn while_the_page_is_asked_for_the_tab_waits_empty_and_leaving_closes_it() {
    let mut world = opened();
    world.server.silent = true;
    choose(&mut world, "coinbase");
    assert_eq!((world.tabs.as_slice(), world.snapshot().onramp.phase), ([Tab::Empty].as_slice(), Phase::Preparing));
    // A second press sends no further request.
    say(&mut world, Onramp::OpenAsked);
    assert_eq!((world.tabs.len(), world.server.count("/onrampurl")), (1, 1));
    world.modal(Modal::BackAsked);
    assert_eq!((world.tabs.as_slice(), world.snapshot().onramp.phase), ([Tab::Closed].as_slice(), Phase::Choosing));
    choose(&mut world, "meld");
    world.modal(Modal::CloseAsked);
    assert_eq!(world.tabs, [Tab::Closed, Tab::Closed]);
}

#[test]
fn a_page_that_cannot_be_had_closes_the_tab_tells_its_kind_of_failure_and_can_be_tried_again() {
    let refusal =
        r#"{"status":"FAILED","reasons":[{"field":"","description":"Coinbase isn't responding. Try again."}]}"#;
    for (status, body, problem) in [
        (502, refusal, Some(Problem::Unanswered)),
        (500, "", Some(Problem::Unanswered)),
        (422, refusal, Some(Problem::Refused)),
        (404, refusal, Some(Problem::Refused)),
        (429, refusal, Some(Problem::Busy)),
        (503, refusal, Some(Problem::Busy)),
        (403, refusal, None),
        (200, r#"{"url":"http://pay.coinbase.com/","network":"eip155:1"}"#, None),
        (200, r#"{"url":"javascript:alert(1)","network":"eip155:1"}"#, None),
        (200, r#"{"url":7,"network":"eip155:1"}"#, None),
    ] {
        let mut world = opened();
        world.server.answers("/onrampurl", status, body);
        choose(&mut world, "coinbase");
        let onramp = world.snapshot().onramp;
        assert_eq!((onramp.phase, onramp.problem), (Phase::Failed, problem), "{status} {body}");
        let told = world.told_developer.concat();
        assert_eq!(told.contains("Coinbase isn't responding. Try again."), body == refusal, "{told}");
        assert_eq!(world.tabs, [Tab::Closed], "{body}");
        world.server.serves("/onrampurl", &page(None));
        say(&mut world, Onramp::RetryAsked);
        assert_eq!((world.snapshot().onramp.phase, world.tabs.last()), (Phase::Opened, Some(&Tab::At(URL.into()))));
    }
}

#[test]
fn where_no_tab_opens_by_itself_the_visitor_follows_a_link_and_a_page_that_is_over_is_asked_for_anew() {
    let mut world = opened();
    world.tabs_refused = true;
    choose(&mut world, "coinbase");
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.phase, onramp.link.as_deref()), (Phase::Ready, Some(URL)));
    say(&mut world, Onramp::LinkFollowed);
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.phase, onramp.link), (Phase::Opened, None));
    // Each purchase page can be opened once.
    say(&mut world, Onramp::OpenAsked);
    assert_eq!((world.server.count("/onrampurl"), world.snapshot().onramp.phase), (2, Phase::Ready));
    world.advance(300_000);
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.phase, onramp.link), (Phase::Failed, None));
    say(&mut world, Onramp::RetryAsked);
    assert_eq!((world.server.count("/onrampurl"), world.snapshot().onramp.phase), (3, Phase::Ready));
}

#[test]
fn on_a_phone_no_tab_is_put_before_a_page_that_waits_for_an_answer() {
    let mut world = hosted(&options());
    world.environment.mobile = true;
    world.reload();
    world.open(Some("OnRampProviders"));
    choose(&mut world, "coinbase");
    assert_eq!((world.tabs.len(), world.snapshot().onramp.phase), (0, Phase::Ready));
}

#[test]
fn the_visitor_who_is_back_sees_the_account_asked_for_anew() {
    let mut world = opened();
    choose(&mut world, "coinbase");
    let asked = |world: &World| world.node.bodies.iter().filter(|body| body.contains("eth_getBalance")).count();
    let before = asked(&world);
    say(&mut world, Onramp::DoneAsked);
    world.advance(1_000);
    assert_eq!(world.snapshot().modal.view, View::Account);
    assert!(asked(&world) > before);
}

#[test]
fn who_sells_is_told_the_way_back_to_this_page_and_nothing_else_of_its_address() {
    let world = begun();
    let asked = posted(&world, "/onrampurl");
    assert_eq!(asked.get("returnUrl").as_str(), Some("https://host.example/shop?portico-bought=1"));
    let mut framed = hosted(&options());
    framed.environment.origin = "null".into();
    framed.reload();
    framed.open(Some("OnRampProviders"));
    choose(&mut framed, "coinbase");
    assert!(posted(&framed, "/onrampurl").get("returnUrl").is_null(), "a page without an origin has none");
}

#[test]
fn once_its_page_was_opened_a_purchase_is_looked_at_ever_more_seldom_and_not_for_ever() {
    let mut world = begun();
    assert_eq!((looks(&world), purchase(&world).progress), (0, Progress::Unknown));
    world.advance(5_000);
    assert_eq!((looks(&world), purchase(&world).progress), (1, Progress::Unseen));
    let asked = &world.server.heard.last().unwrap().0;
    assert!(asked.contains(&format!("provider=coinbase&reference={REFERENCE}")), "{asked}");
    world.advance(60_000);
    assert!((4..=6).contains(&looks(&world)), "{}", looks(&world));
    world.advance(LIFE);
    let most = looks(&world);
    assert!(most < 40 && purchase(&world).over, "{most}");
    world.advance(10 * LIFE);
    assert_eq!(looks(&world), most);
    // The visitor may still request the state.
    say(&mut world, Onramp::CheckAsked);
    assert_eq!(looks(&world), most + 1);
}

#[test]
fn a_purchase_is_told_as_it_goes_on_and_in_the_end_what_the_account_holds_is_asked_for_anew() {
    let mut world = begun();
    answers(&mut world, "pending");
    world.advance(5_000);
    assert_eq!(purchase(&world).progress, Progress::Pending);
    answers(&mut world, "done");
    let balances = |world: &World| world.node.bodies.iter().filter(|body| body.contains("eth_getBalance")).count();
    let before = balances(&world);
    say(&mut world, Onramp::CheckAsked);
    world.advance(1_000);
    let purchase = purchase(&world);
    assert_eq!(
        (purchase.progress, purchase.gets.as_deref(), purchase.symbol.as_deref()),
        (Progress::Done, Some("0.0312084"), Some("ETH"))
    );
    assert_eq!(purchase.url.as_deref(), Some(&*format!("https://scan-31337.example/tx/{HASH}")));
    assert!(balances(&world) > before);
    // The result is on screen: no message appears, and no further request is sent.
    assert_eq!(world.snack(), None);
    let most = looks(&world);
    world.advance(LIFE);
    assert_eq!(looks(&world), most);
    assert!(world.store.entries().iter().all(|entry| entry.key != "@portico/purchase"));
}

#[test]
fn a_visitor_who_went_on_is_told_in_passing_what_became_of_the_purchase() {
    for (state, message) in [("done", Message::PurchaseDone), ("failed", Message::PurchaseFailed)] {
        let mut world = begun();
        say(&mut world, Onramp::DoneAsked);
        assert_eq!(world.snapshot().modal.view, View::Account);
        world.modal(Modal::CloseAsked);
        answers(&mut world, state);
        world.advance(5_000);
        assert_eq!(world.snack(), Some(message), "{state}");
    }
}

#[test]
fn back_from_the_tab_the_purchase_is_looked_at_at_once() {
    let mut world = begun();
    world.dispatch(Event::Account(account::Event::PageShown));
    assert_eq!((looks(&world), purchase(&world).progress), (1, Progress::Unseen));
}

#[test]
fn what_cannot_be_known_is_not_made_up() {
    for (status, body) in [(502, ""), (200, "{}"), (200, r#"{"state":"rich"}"#), (200, "[1"), (404, "")] {
        let mut world = begun();
        world.server.answers("/onramp/purchase", status, body);
        world.advance(5_000);
        let purchase = purchase(&world);
        assert_eq!((purchase.progress, purchase.gets, purchase.url), (Progress::Unknown, None, None), "{body}");
        world.advance(60_000);
        assert!(looks(&world) > 2, "it is asked again");
    }
    for hash in ["javascript:alert(1)", "0x1", "../evil", ""] {
        let mut world = begun();
        reports(&mut world, "done", "1e9", "<b>", hash);
        world.advance(5_000);
        assert_eq!((purchase(&world).url, purchase(&world).gets), (None, None), "{hash}");
    }
}

#[test]
fn where_the_server_tells_no_reference_nobody_is_asked_and_the_visitor_says_when_it_is_done() {
    let mut world = opened();
    world.server.serves("/onrampurl", &page(None));
    choose(&mut world, "coinbase");
    world.advance(LIFE);
    assert_eq!((looks(&world), world.snapshot().onramp.purchase), (0, None));
}

#[test]
fn a_visitor_who_is_led_back_sees_in_the_new_page_what_became_of_the_purchase() {
    let mut world = begun();
    answers(&mut world, "pending");
    world.reload();
    assert_eq!(looks(&world), 0);
    say(&mut world, Onramp::Returned);
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.open, snapshot.modal.view), (true, View::BuyInProgress));
    assert_eq!((snapshot.onramp.phase, looks(&world)), (Phase::Opened, 1));
    assert_eq!((purchase(&world).label.as_str(), purchase(&world).progress), ("Coinbase", Progress::Pending));
    // The return is shown only once.
    world.modal(Modal::CloseAsked);
    say(&mut world, Onramp::Returned);
    assert!(!world.snapshot().modal.open);
}

#[test]
fn a_return_without_a_purchase_or_from_one_of_long_ago_shows_nothing() {
    let mut fresh = hosted(&options());
    say(&mut fresh, Onramp::Returned);
    assert!(!fresh.snapshot().modal.open);
    let mut late = begun();
    late.modal(Modal::CloseAsked);
    late.now += LIFE + 1;
    late.reload();
    say(&mut late, Onramp::Returned);
    assert!(!late.snapshot().modal.open);
    for nonsense in ["7", "{}", r#"{"provider":"coinbase"}"#, "[", "null"] {
        let mut world = begun();
        world.modal(Modal::CloseAsked);
        world.store.write(portico_core::StorageArea::Local, "@portico/purchase", nonsense);
        world.reload();
        say(&mut world, Onramp::Returned);
        assert!(!world.snapshot().modal.open, "{nonsense}");
    }
}

#[test]
fn a_purchase_is_shown_to_the_account_that_began_it_alone() {
    let mut world = begun();
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    assert_eq!(world.snapshot().onramp.purchase, None);
    world.advance(LIFE);
    assert_eq!(looks(&world), 0);
    world.wallet_shows(&["0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"]);
    assert_eq!(world.snapshot().onramp.purchase, None);
}

#[test]
fn another_network_does_not_end_what_was_begun() {
    let mut world = begun();
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    answers(&mut world, "done");
    world.advance(5_000);
    assert_eq!(purchase(&world).network, "Anvil One");
    assert_eq!(purchase(&world).progress, Progress::Done);
}
