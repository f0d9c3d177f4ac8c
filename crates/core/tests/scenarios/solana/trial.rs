//! Trials of payments on Solana that fail, before the review and after it.

use super::*;

#[test]
fn a_trial_that_fails_says_why_and_the_wallet_is_not_asked() {
    for (error, trouble, detail) in [
        (r#""InsufficientFundsForFee""#, Trouble::Coin, Some("too poor")),
        (r#"{"InsufficientFundsForRent":{"account_index":0}}"#, Trouble::Rest, Some("too poor")),
        (r#"{"InsufficientFundsForRent":{"account_index":1}}"#, Trouble::NewAccount, Some("too poor")),
        (r#"{"InstructionError":[3,{"Custom":17}]}"#, Trouble::Frozen, Some("too poor")),
        (r#"{"InstructionError":[3,{"Custom":6000}]}"#, Trouble::Fails, Some("too poor")),
        (r#""AccountInUse""#, Trouble::InUse, Some("too poor")),
        (r#""AlreadyProcessed""#, Trouble::Processed, Some("too poor")),
        (r#""BlockhashNotFound""#, Trouble::UnknownBlock, Some("too poor")),
        (r#""SanitizeFailure""#, Trouble::Fails, Some("too poor")),
        ("7", Trouble::Fails, Some("too poor")),
    ] {
        let mut node = node();
        node.simulation = format!(
            r#"{{"err":{error},"logs":["Program 11111111111111111111111111111111 invoke [1]","Program log: too poor"],"unitsConsumed":150}}"#
        );
        let (mut world, _) = opened(wallet(), node);
        review(&mut world, "0.5");
        let told = form(&world);
        assert_eq!((told.trouble, told.trouble_detail.as_deref()), (Some(trouble), detail), "{error}");
        assert_eq!((view(&world), requests(&world).len()), (View::SolanaSend, 0));
    }
}

#[test]
fn a_node_that_answers_nonsense_to_the_trial_has_not_tried_it() {
    for nonsense in
        ["null", "[]", r#""ok""#, r#"{"err":null}"#, r#"{"err":null,"unitsConsumed":"150"}"#, r#"{"err":"lol"}"#]
    {
        let mut node = node();
        node.simulation = nonsense.into();
        let (mut world, _) = opened(wallet(), node);
        fill(&mut world, "0.5", &solana_address(BOB));
        assert_eq!((form(&world).trouble, form(&world).ready), (Some(Trouble::Untried), false), "{nonsense}");
    }
}

#[test]
fn a_node_that_gives_its_reason_without_the_units_has_tried_it() {
    for (error, trouble) in [
        (r#""AccountInUse""#, Trouble::InUse),
        (r#""AlreadyProcessed""#, Trouble::Processed),
        (r#""BlockhashNotFound""#, Trouble::UnknownBlock),
        (r#"{"InsufficientFundsForRent":{"account_index":0}}"#, Trouble::Rest),
        (r#"{"InstructionError":[3,{"Custom":17}]}"#, Trouble::Frozen),
    ] {
        let (mut world, node) = filled("0.5");
        pay(&mut world, Pay::ReviewAsked);
        node.borrow_mut().simulation = format!(r#"{{"err":{error},"logs":null}}"#);
        pay(&mut world, Pay::ConfirmAsked);
        let told = form(&world);
        assert_eq!((told.phase, told.trouble, told.trouble_detail), (Phase::Failed, Some(trouble), None), "{error}");
        assert!(requests(&world).is_empty());
        // The same button tries again.
        node.borrow_mut().simulation = SolanaNode::default().simulation;
        pay(&mut world, Pay::ConfirmAsked);
        assert_eq!(sent(&node).len(), 1, "{error}");
    }
}

#[test]
fn a_balance_that_became_too_small_after_the_review_is_told_with_the_amount_that_has_to_stay() {
    let (mut world, node) = filled("0.5");
    pay(&mut world, Pay::ReviewAsked);
    node.borrow_mut().simulation =
        r#"{"err":{"InsufficientFundsForRent":{"account_index":0}},"logs":[],"unitsConsumed":0}"#.into();
    pay(&mut world, Pay::ConfirmAsked);
    let told = form(&world);
    assert_eq!((told.trouble, told.trouble_amount.as_deref()), (Some(Trouble::Rest), Some("0.00089088")));
}
