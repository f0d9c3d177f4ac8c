//! Scenarios of the pages of the activity list: next page, end, failure, refresh.

use super::*;

#[test]
fn spec_4_30_the_list_is_paged_by_cursor_and_one_page_is_asked_for_at_a_time() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![of(1)], Some("t&w")));
    choose(&mut world);
    assert!(view(&world).more);
    world.server.silent = true;
    for _ in 0..5 {
        more(&mut world);
    }
    assert_eq!((world.server.count("cursor=t%26w"), view(&world).state), (1, ListState::More));
    assert!(!view(&world).empty);
}

#[test]
fn spec_4_30_the_empty_flag_stands_where_there_is_nothing_and_after_an_error() {
    assert!(view(&shown(&page(vec![], None))).empty);
    assert!(!view(&shown(&page(vec![of(1)], None))).empty);
    let failed = shown("nonsense");
    assert_eq!((view(&failed).empty, view(&failed).state), (true, ListState::Unavailable));
}

#[test]
fn spec_8_6_and_8_54_a_list_that_cannot_be_had_is_said_and_tracked() {
    for (status, body) in
        [(500, ""), (200, ""), (200, "[]"), (200, r#"{"data":{}}"#), (200, r#"{"data":[],"next":7}"#), (429, "{}")]
    {
        let mut world = world();
        world.server.answers(ROUTE, status, body);
        world.events.clear();
        choose(&mut world);
        assert_eq!(world.snack(), Some(Message::FailedToFetchTransactions), "{status} {body}");
        let (name, properties) = &world.events[1];
        assert_eq!(name, "ERROR_FETCH_TRANSACTIONS");
        let told = format!(r#"{{"address":"{ADDRESS}","projectId":"test","cursor":"","isSmartAccount":false"#);
        assert!(to_text(properties).starts_with(&told), "{properties:?}");
    }
}

#[test]
fn a_server_without_a_source_for_the_network_has_no_activity_and_that_is_no_error() {
    let mut world = world();
    world.server.answers(ROUTE, 501, "");
    world.events.clear();
    choose(&mut world);
    assert_eq!((view(&world).empty, view(&world).state, world.snack()), (true, ListState::Unserved, None));
    assert!(!world.events.iter().any(|(name, _)| name == "ERROR_FETCH_TRANSACTIONS"));
}

#[test]
fn spec_4_30_a_later_page_that_cannot_be_had_leaves_the_others_and_the_visitor_may_ask_again() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![of(1)], Some("two")));
    world.server.answers("cursor=two", 503, "");
    choose(&mut world);
    more(&mut world);
    assert_eq!((ids(&world).len(), view(&world).state), (1, ListState::Unavailable));
    world.server.answers("cursor=two", 200, &page(vec![of(2)], None));
    more(&mut world);
    assert_eq!((ids(&world), view(&world).state), (vec!["1".into(), "2".into()], ListState::Ready));
}

#[test]
fn spec_4_30_a_list_that_cannot_be_had_anew_keeps_what_it_shows_and_only_the_visitor_asks_again() {
    for nonsense in ["", "[]", r#"{"data":7}"#] {
        let mut world = world();
        world.server.answers(ROUTE, 200, &page(vec![of(2), of(1)], Some("two")));
        choose(&mut world);
        world.advance(31_000);
        world.server.answers(ROUTE, if nonsense.is_empty() { 503 } else { 200 }, nonsense);
        choose(&mut world);
        assert_eq!((ids(&world).len(), view(&world).state), (2, ListState::Outdated), "{nonsense}");
        // Its end is on screen: offering a next page would request it again and again.
        assert!(view(&world).empty && !view(&world).more);
        assert_eq!(world.snack(), Some(Message::FailedToFetchTransactions));
        world.server.silent = true;
        more(&mut world);
        assert_eq!((ids(&world).len(), view(&world).state), (2, ListState::Loading));
        assert_eq!(world.server.count("cursor"), 0);
    }
}

#[test]
fn a_list_that_is_had_anew_after_a_failure_is_the_new_one() {
    let mut world = world();
    choose(&mut world);
    world.advance(31_000);
    world.server.answers(ROUTE, 503, "");
    choose(&mut world);
    world.server.answers(ROUTE, 200, &page(vec![of(3), of(2)], Some("two")));
    more(&mut world);
    assert_eq!((ids(&world), view(&world).state), (vec!["3".into(), "2".into()], ListState::Ready));
    assert!(view(&world).more);
}

#[test]
fn a_list_of_pages_without_anything_to_show_ends() {
    let mut world = world();
    for number in 0..20 {
        let part = if number == 0 { ROUTE.into() } else { format!("cursor=c{number}") };
        world.server.answers(&part, 200, &page(vec![], Some(&format!("c{}", number + 1))));
    }
    choose(&mut world);
    for _ in 0..20 {
        more(&mut world);
    }
    assert_eq!((world.server.count(ROUTE), view(&world).empty), (5, true));
}

#[test]
fn a_cursor_that_leads_to_itself_ends_the_list() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![of(1)], Some("loop")));
    world.server.answers("cursor=loop", 200, &page(vec![of(2)], Some("loop")));
    choose(&mut world);
    more(&mut world);
    assert!(!view(&world).more);
}

#[test]
fn a_hundred_pages_are_read_and_every_row_stands_once() {
    let mut world = world();
    for number in 0..100u32 {
        let part = if number == 0 { ROUTE.into() } else { format!("cursor=c{number:03}") };
        let data = (0..50).map(|row| of(number * 50 + row)).collect();
        world.server.answers(&part, 200, &page(data, Some(&format!("c{:03}", number + 1))));
    }
    choose(&mut world);
    for _ in 0..99 {
        more(&mut world);
    }
    assert_eq!(ids(&world).len(), 5_000);
}
