//! Scenarios of the account's NFTs.

use portico_api::account::{Nft, NftFlags, Nfts};
use portico_core::account::{Event as Account, NftsView, Tab};
use portico_core::{Event, ListState};
use portico_json::to_text;
use portico_testkit::{ScriptedWallet, Store, World, options};

const ROUTE: &str = "/nfts";

fn nft(number: u32) -> Nft {
    Nft {
        address: "eip155:31337:0x0000000000000000000000000000000000000007".into(),
        token_id: number.to_string(),
        name: format!("Punk #{number}"),
        collection: "Punks".into(),
        image_url: format!("/v1/image/{number}"),
        amount: "1".into(),
        flags: NftFlags::default(),
    }
}

fn page(data: Vec<Nft>, next: Option<&str>) -> String {
    to_text(&Nfts { data, next: next.map(Into::into), ..Nfts::default() })
}

fn world() -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    world.connect_first();
    world.open(None);
    world
}

fn choose(world: &mut World) {
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Nfts }));
}

fn more(world: &mut World) {
    world.dispatch(Event::Account(Account::NftsAsked));
}

fn view(world: &World) -> NftsView {
    world.snapshot().nfts.unwrap()
}

fn names(world: &World) -> Vec<String> {
    view(world).items.into_iter().map(|item| item.name).collect()
}

#[test]
fn collectibles_are_asked_for_when_their_tab_is_shown_and_page_by_page() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![nft(1), nft(2)], Some("two")));
    world.server.answers("cursor=two", 200, &page(vec![nft(2), nft(3)], None));
    assert_eq!((world.server.count(ROUTE), view(&world).state), (0, ListState::Unknown));
    choose(&mut world);
    assert_eq!(names(&world), ["Punk #1", "Punk #2"]);
    assert_eq!(view(&world).items[0].picture.as_deref(), Some("https://host.example/v1/image/1?projectId=test"));
    assert!(view(&world).more);
    more(&mut world);
    assert_eq!(names(&world), ["Punk #1", "Punk #2", "Punk #3"]);
    more(&mut world);
    assert_eq!((world.server.count(ROUTE), view(&world).more), (2, false));
}

#[test]
fn spam_and_what_is_no_collectible_is_left_out() {
    let mut world = world();
    let spam = to_text(&Nft { flags: NftFlags { is_spam: true }, ..nft(1) });
    let unnamed = to_text(&Nft { name: String::new(), ..nft(2) });
    let strange = to_text(&Nft { image_url: "https://evil.example/a".into(), amount: "12".into(), ..nft(3) });
    let list = [spam, "7".into(), "null".into(), "{}".into(), unnamed, strange].join(",");
    world.server.answers(ROUTE, 200, &format!(r#"{{"data":[{list}],"next":null}}"#));
    choose(&mut world);
    assert_eq!(names(&world), ["Punks #2", "Punk #3"]);
    let last = view(&world).items.remove(1);
    assert_eq!((last.picture, last.amount.as_deref()), (None, Some("12")));
    assert!(!view(&world).more);
    assert_eq!(world.skipped_items(), 3);
}

#[test]
fn a_page_that_cannot_be_had_is_asked_for_again_when_the_visitor_asks() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![nft(1)], Some("two")));
    world.server.answers("cursor=two", 500, "");
    choose(&mut world);
    more(&mut world);
    assert_eq!((names(&world).len(), view(&world).state), (1, ListState::Unavailable));
    world.server.answers("cursor=two", 200, &page(vec![nft(2)], None));
    more(&mut world);
    assert_eq!((names(&world).len(), view(&world).state), (2, ListState::Ready));
    assert_eq!(world.server.count("cursor=two"), 2);
}

#[test]
fn a_server_without_a_source_for_the_network_says_so_once_and_no_error_is_shown() {
    let mut world = world();
    world.server.answers(ROUTE, 501, "");
    choose(&mut world);
    assert_eq!((names(&world).len(), view(&world).state), (0, ListState::Unserved));
    more(&mut world);
    assert_eq!((world.server.count(ROUTE), view(&world).state), (1, ListState::Unserved));
    world.advance(31_000);
    world.server.answers(ROUTE, 200, &page(vec![nft(1)], None));
    choose(&mut world);
    assert_eq!((names(&world).len(), view(&world).state), (1, ListState::Ready));
}

#[test]
fn another_account_has_its_own_collectibles() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![nft(1)], None));
    choose(&mut world);
    world.server.silent = true;
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    // Another account starts at the first tab.
    choose(&mut world);
    assert_eq!((names(&world).len(), view(&world).state), (0, ListState::Loading));
}

#[test]
fn collectibles_that_cannot_be_had_anew_stay_until_they_can() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![nft(1)], None));
    choose(&mut world);
    world.advance(31_000);
    world.server.answers(ROUTE, 503, "");
    choose(&mut world);
    assert_eq!((names(&world), view(&world).state), (vec!["Punk #1".into()], ListState::Outdated));
    world.server.answers(ROUTE, 200, &page(vec![nft(2)], None));
    more(&mut world);
    assert_eq!((names(&world), view(&world).state), (vec!["Punk #2".into()], ListState::Ready));
}
