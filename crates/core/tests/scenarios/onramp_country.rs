//! Scenarios of the country of a purchase: guessed, chosen, remembered and told to who sells.

use crate::onramp::*;
use portico_api::onramp::*;
use portico_core::config::Event as Config;
use portico_core::modal::{Event as Modal, View};
use portico_core::onramp::{Event as Onramp, State};
use portico_core::{Event, StorageArea};
use portico_testkit::{Store, World, options};

/// Last request to a path.
fn asked(world: &World, part: &str) -> String {
    let found = world.server.heard.iter().rfind(|(request, _)| request.contains(part));
    found.map(|(request, _)| request.clone()).unwrap_or_default()
}

#[test]
fn where_the_visitor_is_is_guessed_by_the_time_zone_and_told_by_the_server() {
    let mut world = hosted(&options());
    world.dispatch(Event::Config(Config::TimeZoneTold { time_zone: "Europe/Berlin".into() }));
    world.open(Some("OnRampProviders"));
    assert!(asked(&world, "/onramp/options").contains("timeZone=Europe%2FBerlin"), "{}", asked(&world, "options"));
    let onramp = world.snapshot().onramp;
    assert_eq!(
        (onramp.country.as_deref(), onramp.countries),
        (Some("DE"), vec!["DE".into(), "FR".into(), "US".into()])
    );
    type_amount(&mut world, "100");
    assert_eq!(posted(&world, "/onramp/quote").get("country").as_str(), Some("DE"));
    // A guessed country is not stored.
    world.reload();
    world.open(Some("OnRampProviders"));
    assert!(asked(&world, "/onramp/options").contains("timeZone="));
}

#[test]
fn a_country_is_chosen_remembered_and_told_to_who_sells() {
    let mut world = opened();
    type_amount(&mut world, "100");
    world.modal(Modal::ViewAsked { view: View::OnRampCountrySelect });
    say(&mut world, Onramp::CountryChosen { id: "FR".into() });
    let snapshot = world.snapshot();
    assert_eq!((snapshot.modal.view, snapshot.onramp.country.as_deref()), (View::OnRampProviders, Some("FR")));
    assert!(asked(&world, "/onramp/options").contains("country=FR"));
    // The quote is requested once the options of the new country are known.
    assert_eq!(posted(&world, "/onramp/quote").get("country").as_str(), Some("FR"));
    world.reload();
    world.open(Some("OnRampProviders"));
    assert!(asked(&world, "/onramp/options").contains("country=FR"));
    choose(&mut world, "coinbase");
    assert_eq!(posted(&world, "/onrampurl").get("country").as_str(), Some("FR"));
}

#[test]
fn of_a_country_where_some_sell_by_state_the_state_is_chosen_as_well() {
    let mut world = opened();
    world.modal(Modal::ViewAsked { view: View::OnRampCountrySelect });
    say(&mut world, Onramp::CountryChosen { id: "US".into() });
    let snapshot = world.snapshot();
    assert_eq!(
        (snapshot.modal.view, snapshot.onramp.states),
        (View::OnRampStateSelect, vec!["CA".into(), "NY".into()])
    );
    // Without a state the choice of the country is not complete.
    assert_eq!(snapshot.onramp.country.as_deref(), Some("DE"));
    world.modal(Modal::BackAsked);
    assert_eq!((world.snapshot().modal.view, world.snapshot().onramp.states.len()), (View::OnRampCountrySelect, 0));
    say(&mut world, Onramp::CountryChosen { id: "US".into() });
    say(&mut world, Onramp::StateChosen { id: "TX".into() });
    assert_eq!(world.snapshot().modal.view, View::OnRampStateSelect, "it is on no list");
    say(&mut world, Onramp::StateChosen { id: "NY".into() });
    let snapshot = world.snapshot();
    assert_eq!(snapshot.modal.view, View::OnRampProviders);
    assert_eq!((snapshot.onramp.country.as_deref(), snapshot.onramp.subdivision.as_deref()), (Some("US"), Some("NY")));
    assert!(asked(&world, "/onramp/options").contains("country=US&subdivision=NY"));
    world.reload();
    world.open(Some("OnRampProviders"));
    assert_eq!(world.snapshot().onramp.subdivision.as_deref(), Some("NY"));
}

#[test]
fn a_country_that_is_on_no_list_is_not_taken_and_nonsense_that_was_stored_counts_as_nothing() {
    let mut world = opened();
    say(&mut world, Onramp::CountryChosen { id: "XX".into() });
    assert_eq!(world.snapshot().onramp.country.as_deref(), Some("DE"));
    for nonsense in ["", "de", "<b>", "US-", "{}"] {
        let mut store = Store::default();
        store.write(StorageArea::Local, "@portico/onramp_place", nonsense);
        let mut world = with_store(&options(), store);
        world.open(Some("OnRampProviders"));
        assert!(asked(&world, "/onramp/options").contains("timeZone="), "{nonsense}");
    }
}

#[test]
fn lists_of_the_country_before_are_not_shown_for_another() {
    let mut world = opened();
    world.server.silent = true;
    say(&mut world, Onramp::CountryChosen { id: "DE".into() });
    let onramp = world.snapshot().onramp;
    assert_eq!((onramp.offers, onramp.tokens.len(), onramp.currencies.len()), (State::Loading, 0, 0));
}

#[test]
fn spec_6_10_of_a_visitor_who_is_taken_to_be_nowhere_no_price_is_asked_until_they_say_where_they_are() {
    let mut world = hosted(&options());
    world.server.serves("/onramp/options", &OnrampOptions { country: None, ..goods() });
    world.open(Some("OnRampProviders"));
    type_amount(&mut world, "100");
    assert_eq!((world.snapshot().onramp.country, world.server.count("/onramp/quote")), (None, 0));
    say(&mut world, Onramp::CountryChosen { id: "FR".into() });
    assert_eq!(world.server.count("/onramp/quote"), 2);
}

#[test]
fn a_provider_is_opened_once_the_country_and_its_state_are_chosen() {
    let mut world = hosted(&options());
    world.server.serves("/onramp/options", &OnrampOptions { country: None, ..goods() });
    world.open(Some("OnRampProviders"));
    let view = |world: &World| world.snapshot().modal.view;
    choose(&mut world, "coinbase");
    assert_eq!(view(&world), View::OnRampCountrySelect);
    say(&mut world, Onramp::CountryChosen { id: "US".into() });
    say(&mut world, Onramp::StateChosen { id: "NY".into() });
    assert_eq!((view(&world), world.server.count("/onrampurl")), (View::OnRampProviders, 0));
    choose(&mut world, "coinbase");
    assert_eq!((view(&world), world.server.count("/onrampurl")), (View::BuyInProgress, 1));
}

#[test]
fn of_a_guessed_country_where_some_sell_by_state_the_state_is_chosen_first() {
    let mut world = hosted(&options());
    world.server.serves("/onramp/options", &OnrampOptions { country: Some("US".into()), ..goods() });
    world.open(Some("OnRampProviders"));
    choose(&mut world, "coinbase");
    assert_eq!((world.snapshot().modal.view, world.server.count("/onrampurl")), (View::OnRampStateSelect, 0));
    say(&mut world, Onramp::StateChosen { id: "CA".into() });
    choose(&mut world, "coinbase");
    assert_eq!(world.snapshot().modal.view, View::BuyInProgress);
}
