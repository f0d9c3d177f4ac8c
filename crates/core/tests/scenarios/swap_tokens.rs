//! Scenarios of the lists of tokens that a swap offers.

use super::swap::*;
use portico_api::account::Balances;
use portico_core::modal::{Event as Modal, View};
use portico_core::swap::{Event as Swap, Offer, PAGE, Target};
use portico_testkit::World;

#[test]
fn a_list_that_cannot_be_had_can_be_asked_for_again_and_one_that_was_had_is_kept() {
    let mut world = market(alpha());
    world.server.answers(TOKENS, 503, "");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!(form(&world).offer, Offer::Unavailable);
    for nonsense in ["", "null", "[]", r#"{"tokens":[]}"#, r#"{"tokens":[7,{}]}"#] {
        world.server.answers(TOKENS, 200, nonsense);
        act(&mut world, Swap::RetryAsked);
        assert_eq!(form(&world).offer, Offer::Unavailable, "{nonsense}");
    }
    lists(&mut world, [token("ETH", COIN, 18)]);
    act(&mut world, Swap::RetryAsked);
    assert_eq!((form(&world).offer, form(&world).source_token.unwrap().symbol.as_str()), (Offer::Ready, "ETH"));
    let lists = world.server.count("/v1/convert/tokens");
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!((form(&world).offer, world.server.count("/v1/convert/tokens")), (Offer::Ready, lists));
}

#[test]
fn the_list_is_searched_what_is_held_comes_first_and_what_is_on_no_list_last() {
    let mut world = market(alpha());
    let balances = vec![held("USDC", USDC, "5000"), held("ODD", ODD, "9000"), held("DAI", DAI, "0")];
    world.server.serves("/balance", &Balances { balances, ..Balances::default() });
    world.advance(31_000);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    let symbols = |world: &World| -> Vec<String> {
        world.snapshot().swap_tokens.unwrap().items.into_iter().map(|item| item.symbol).collect()
    };
    act(&mut world, Swap::SelectAsked { target: Target::SourceToken });
    assert_eq!(view(&world), View::SwapSelectToken);
    assert_eq!(symbols(&world), ["USDC", "ETH", "DAI", "ODD"]);
    let items = world.snapshot().swap_tokens.unwrap().items;
    assert_eq!((items[0].shown.as_deref(), items[0].value.as_deref()), (Some("5000.00"), Some("5000.00")));
    assert_eq!((items[3].unlisted, items[3].contract.as_deref()), (true, Some("0x00…0000dd")));
    for (search, found) in [("us", vec!["USDC"]), (USDC, vec!["USDC"]), (" dai ", vec!["DAI"]), ("nobody", vec![])] {
        act(&mut world, Swap::SearchTyped { text: search.into() });
        assert_eq!(symbols(&world), found, "{search}");
    }
    act(&mut world, Swap::TokenChosen { address: "0x12".into() });
    assert_eq!(view(&world), View::SwapSelectToken);
    act(&mut world, Swap::TokenChosen { address: ODD.into() });
    assert_eq!((view(&world), form(&world).source_token.unwrap().symbol.as_str()), (View::Swap, "ODD"));
    // A token that is not listed cannot be received.
    act(&mut world, Swap::SelectAsked { target: Target::ToToken });
    assert!(!symbols(&world).contains(&"ODD".into()));
    assert!(world.event_names().contains(&"CLICK_SELECT_TOKEN_TO_SWAP"));
}

#[test]
fn the_button_that_says_select_token_opens_the_list_of_the_missing_one() {
    let mut world = market(alpha());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert!(form(&world).to_token.is_none());
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(view(&world), View::SwapSelectToken);
    act(&mut world, Swap::TokenChosen { address: USDC.into() });
    assert_eq!((view(&world), form(&world).to_token.unwrap().symbol.as_str()), (View::Swap, "USDC"));
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(view(&world), View::Swap);
}

#[test]
fn spec_2_11_a_balance_stands_in_the_form_as_it_does_in_the_list() {
    let mut world = market(alpha());
    let balances = vec![held("USDC", USDC, "5000")];
    world.server.serves("/balance", &Balances { balances, ..Balances::default() });
    world.advance(31_000);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    act(&mut world, Swap::SelectAsked { target: Target::SourceToken });
    let listed = |symbol: &str| {
        let items = world.snapshot().swap_tokens.unwrap().items;
        items.into_iter().find(|item| item.symbol == symbol).unwrap().shown
    };
    let (token, coin) = (listed("USDC"), listed("ETH"));
    assert_eq!(token.as_deref(), Some("5000.00"));
    assert_eq!(form(&world).source_token.unwrap().shown, coin);
    act(&mut world, Swap::TokenChosen { address: USDC.into() });
    assert_eq!(form(&world).source_token.unwrap().shown, token);
}

#[test]
fn a_long_list_is_told_page_by_page() {
    let mut world = market(alpha());
    let numbered = |number| token(&format!("T{number}"), &format!("0x{number:040x}"), 18);
    lists(&mut world, (1..=100).map(numbered).collect::<Vec<_>>());
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    let told = |world: &World| {
        let list = world.snapshot().swap_tokens.unwrap();
        (list.items.len(), list.more, list.count)
    };
    act(&mut world, Swap::SelectAsked { target: Target::ToToken });
    assert_eq!(told(&world), (PAGE, true, 100));
    act(&mut world, Swap::MoreAsked);
    act(&mut world, Swap::MoreAsked);
    assert_eq!(told(&world), (100, false, 100));
    act(&mut world, Swap::SearchTyped { text: "t10".into() });
    assert_eq!(told(&world), (2, false, 2));
}

#[test]
fn each_list_marks_the_token_of_its_own_side() {
    let mut world = opened(alpha());
    for (target, chosen) in [(Target::SourceToken, COIN), (Target::ToToken, USDC)] {
        act(&mut world, Swap::SelectAsked { target });
        let items = world.snapshot().swap_tokens.unwrap().items.into_iter();
        let marked: Vec<_> = items.filter(|item| item.chosen).map(|item| item.address).collect();
        assert_eq!(marked, [chosen], "{target:?}");
        world.modal(Modal::BackAsked);
    }
}
