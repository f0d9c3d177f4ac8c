//! Scenarios of the account's name and picture.

use portico_api::identity::Identity;
use portico_core::Event;
use portico_core::account::AccountState;
use portico_core::connect::Event as Connect;
use portico_json::to_text;
use portico_testkit::{ScriptedWallet, Store, World, options};

const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const KEY: &str = "@portico/identity_cache";

/// Options with a first network that is no test network, and a second that is one.
fn names_options() -> String {
    options().replacen(r#""testnet":true"#, r#""testnet":false"#, 1).replacen(
        '{',
        r#"{"endpoints":"https://host.example","#,
        1,
    )
}

fn alice() -> String {
    let identity =
        Identity { name: Some("alice.eth".into()), avatar: Some("/v1/image/a".into()), ..Identity::default() };
    to_text(&identity)
}

fn world(body: &str) -> World {
    let mut world = World::with(&names_options(), vec![ScriptedWallet::named("Alpha")], Store::default());
    world.server.answers("/v1/identity/", 200, body);
    world
}

fn connected(body: &str) -> World {
    let mut world = world(body);
    world.connect_first();
    world
}

fn state(world: &World) -> AccountState {
    world.snapshot().account.accounts[0].clone()
}

fn named(world: &World) -> (Option<String>, Option<String>) {
    (state(world).profile_name, state(world).profile_image)
}

fn nobody() -> (Option<String>, Option<String>) {
    (None, None)
}

fn is_alice(world: &World) -> bool {
    named(world) == (Some("alice.eth".into()), Some("https://host.example/v1/image/a?projectId=test".into()))
}

#[test]
fn spec_4_40_the_name_and_the_picture_of_an_account_are_looked_up_when_it_connects() {
    let world = connected(&alice());
    assert!(is_alice(&world));
    assert_eq!(world.server.count(&format!("GET https://host.example/v1/identity/{ADDRESS}?projectId=test")), 1);
}

#[test]
fn spec_9_3_a_picture_is_shown_once_it_has_loaded_or_after_two_seconds() {
    for (loads, shown) in [(1, 1), (1_999, 1_999), (2_000, 2_000), (60_000, 2_000)] {
        let mut world = world(&alice());
        world.picture = Some(loads);
        world.connect_first();
        world.advance(shown - 1);
        assert_eq!(named(&world), (Some("alice.eth".into()), None), "{loads}");
        world.advance(1);
        assert!(is_alice(&world), "{loads}");
    }
    let mut world = world(&alice());
    world.picture = None;
    world.connect_first();
    world.advance(60_000);
    assert_eq!(named(&world), (Some("alice.eth".into()), None), "a broken one never is");
}

#[test]
fn a_picture_that_loads_late_is_not_shown_for_another_account_nor_on_a_test_network() {
    let late = || {
        let mut world = world(&alice());
        world.picture = Some(1_000);
        world.connect_first();
        world
    };
    let mut world = late();
    world.server.serves(&format!("/v1/identity/{OTHER}"), &Identity::default());
    world.wallet_shows(&[OTHER]);
    world.advance(2_000);
    assert_eq!(named(&world), nobody());
    let mut world = late();
    world.wallet_switches(31338);
    world.advance(2_000);
    assert_eq!(named(&world), nobody());
}

#[test]
fn spec_4_40_on_a_test_network_they_are_cleared_and_not_looked_up() {
    let mut world = connected(&alice());
    world.wallet_switches(31338);
    assert_eq!(named(&world), nobody());
    world.wallet_shows(&[OTHER]);
    assert_eq!((named(&world), world.server.count("/v1/identity/")), (nobody(), 1));
}

#[test]
fn spec_4_40_an_answer_that_comes_on_a_test_network_is_not_shown_there() {
    let mut world = world(&alice());
    world.server.silent = true;
    world.connect_first();
    world.wallet_switches(31338);
    world.server.silent = false;
    assert_eq!(named(&world), nobody());
    world.wallet_switches(31337);
    // The first request is still pending, so it is not repeated.
    assert_eq!(world.server.count("/v1/identity/"), 1);
}

#[test]
fn another_account_does_not_keep_the_name_of_the_one_before() {
    let mut world = connected(&alice());
    world.server.serves(&format!("/v1/identity/{OTHER}"), &Identity::default());
    world.wallet_shows(&[OTHER]);
    assert_eq!(named(&world), nobody());
    world.wallet_shows(&[ADDRESS]);
    assert!(is_alice(&world));
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(named(&world), nobody());
}

#[test]
fn spec_9_5_and_3_23_a_name_is_good_for_5_minutes_and_a_reload_shows_it_at_once() {
    let mut world = connected(&alice());
    world.server.silent = true;
    world.advance(299_000);
    world.reload();
    assert!(is_alice(&world));
    assert_eq!(world.server.count("/v1/identity/"), 1);
    world.advance(1_001);
    world.reload();
    // The old name stays until a new one arrives.
    assert!(is_alice(&world));
    assert_eq!(world.server.count("/v1/identity/"), 2);
}

#[test]
fn spec_9_5_a_name_of_5_minutes_ago_gives_way_to_the_answer_and_outlives_a_server_that_fails() {
    for (status, body, name) in [
        (200, to_text(&Identity { name: Some("bob.eth".into()), ..Identity::default() }), Some("bob.eth")),
        (200, to_text(&Identity::default()), None),
        (500, String::new(), Some("alice.eth")),
        (200, "nonsense".into(), Some("alice.eth")),
        (200, r#"{"name":7}"#.into(), Some("alice.eth")),
    ] {
        let mut world = connected(&alice());
        world.advance(300_000);
        world.server.answers("/v1/identity/", status, &body);
        world.reload();
        assert_eq!((named(&world).0.as_deref(), world.server.count("/v1/identity/")), (name, 2), "{status} {body}");
    }
}

#[test]
fn spec_3_21_the_name_of_an_address_is_kept_with_the_address_and_the_time() {
    let mut world = connected(&alice());
    let now = world.now;
    let entry = |world: &World| {
        let entries = portico_json::parse(&world.store.values[KEY]).unwrap();
        let entry = entries.as_list().unwrap()[0].clone();
        let text = |field| entry.get(field).as_str().map(String::from);
        (text("address"), text("name"), entry.get("at").as_u64())
    };
    let of_alice = |at| (Some(ADDRESS.into()), Some("alice.eth".into()), Some(at));
    assert_eq!(entry(&world), of_alice(now));
    // The name is requested again after five minutes (spec 9.5), and no earlier.
    world.advance(299_999);
    world.reload();
    assert_eq!(entry(&world), of_alice(now));
    world.advance(1);
    world.reload();
    assert_eq!(entry(&world), of_alice(now + 300_000));
}

#[test]
fn spec_3_23_that_an_address_has_no_name_is_remembered_as_well_and_a_failure_is_not() {
    let mut world = connected(&to_text(&Identity::default()));
    world.reload();
    assert_eq!((named(&world), world.server.count("/v1/identity/")), (nobody(), 1));
    let mut world = connected("nonsense");
    world.server.answers("/v1/identity/", 200, &alice());
    world.reload();
    assert!(is_alice(&world));
}

#[test]
fn what_the_server_calls_a_name_or_a_picture_is_hostile() {
    for (body, name) in [
        (r#"{"name":"","avatar":"https://evil.example/a.png"}"#, None),
        (r#"{"name":7,"avatar":{}}"#, None),
        (r#"{"name":"\u202eecila","avatar":"javascript:alert(1)"}"#, Some("ecila")),
        ("[]", None),
        ("null", None),
    ] {
        assert_eq!(named(&connected(body)), (name.map(Into::into), None), "{body}");
    }
}

#[test]
fn what_was_stored_is_hostile_when_it_is_read_back() {
    let later = 1_700_000_000_000_u64 + 60_000;
    for (stored, kept) in [
        (
            format!(
                r#"[{{"address":"{ADDRESS}","name":"bob.eth","avatar":"https://evil.example/a","at":1700000000000}}]"#
            ),
            true,
        ),
        (format!(r#"[7,null,{{"address":"{ADDRESS}","name":"bob.eth","avatar":null,"at":1700000000000}}]"#), true),
        (format!(r#"[{{"address":"{ADDRESS}","name":"bob.eth","avatar":null,"at":{later}}}]"#), false),
        (format!(r#"[{{"address":"{ADDRESS}","name":"bob.eth","avatar":null,"at":"1"}}]"#), false),
        (format!(r#"[{{"address":"{OTHER}","name":"bob.eth","avatar":null,"at":1700000000000}}]"#), false),
        ("{".into(), false),
    ] {
        let mut store = Store::default();
        store.values.insert("@portico/version".into(), "1".into());
        store.values.insert(KEY.into(), stored.clone());
        let mut world = World::with(&names_options(), vec![ScriptedWallet::named("Alpha")], store);
        world.server.silent = true;
        world.connect_first();
        assert_eq!(named(&world), (kept.then(|| "bob.eth".into()), None), "{stored}");
    }
}

#[test]
fn spec_3_23_only_the_latest_addresses_are_remembered() {
    let mut world = connected(&alice());
    for number in 1..=20 {
        world.wallet_shows(&[&format!("0x{number:040x}")]);
    }
    assert_eq!(world.store.values[KEY].matches("address").count(), 8);
    assert!(world.store.values[KEY].contains(&format!("0x{:040x}", 20)));
}

#[test]
fn the_send_form_knows_the_names_of_the_wallets_other_accounts() {
    let mut world = world(&to_text(&Identity::default()));
    world.connect_first();
    let bob = Identity { name: Some("bob.eth".into()), ..Identity::default() };
    world.server.serves(&format!("/v1/identity/{OTHER}"), &bob);
    world.wallet_shows(&[ADDRESS, OTHER]);
    let asked = |world: &World| world.server.count(&format!("/v1/identity/{OTHER}"));
    world.open(None);
    assert_eq!((asked(&world), state(&world).names.get(OTHER)), (0, None));
    for times in [1, 1] {
        world.open(Some("WalletSend"));
        assert_eq!(state(&world).names.get(OTHER).map(String::as_str), Some("bob.eth"));
        assert_eq!(asked(&world), times, "a name is kept for five minutes");
    }
    world.wallet_switches(31338);
    assert_eq!(state(&world).names.get(OTHER), None, "names are not shown on test networks");
}
