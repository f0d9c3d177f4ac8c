//! Scenarios of what a row tells beside an amount: numbers of NFTs, approvals, amounts that are not known exactly, and payments that the
//! server has no history of.

use super::*;
use portico_api::account::Approval;
use portico_core::modal::View as ModalView;
use portico_core::send::Event as Send;

#[test]
fn spec_3_16_several_nfts_of_one_id_are_counted_and_a_single_one_is_not() {
    let counted = |(id, numeric): (u32, &str)| {
        let mut moved = piece("Badge #7", false);
        moved.quantity.numeric = numeric.into();
        transaction(id, "receive", "2026-11-02", vec![moved])
    };
    let rows =
        [(1, "2"), (2, "1"), (3, "0"), (4, "1.5"), (5, "-2"), (6, "many"), (7, "9999999999999999999999"), (8, "02")];
    let world = shown(&page(rows.map(counted).into(), None));
    let told: Vec<_> = items(&world).into_iter().map(|item| item.moves[0].count.clone()).collect();
    assert_eq!(told, [Some("2".into()), None, None, None, None, None, None, Some("02".to_owned())]);
    assert!(items(&world).iter().all(|item| item.moves[0].amount.is_none()));
}

#[test]
fn spec_3_16_an_amount_that_the_server_cannot_tell_is_the_most_that_left_and_one_that_came_is_exact() {
    let doubted = |direction: &str| Transfer { at_most: Some(true), ..token("ETH", direction, "0.02") };
    let swap = transaction(1, "trade", "2026-11-02", vec![doubted("out"), doubted("in")]);
    let sure = transaction(2, "trade", "2026-11-01", vec![token("ETH", "out", "0.02")]);
    let world = shown(&page(vec![swap, sure], None));
    let told: Vec<Vec<bool>> =
        items(&world).iter().map(|item| item.moves.iter().map(|one| one.at_most).collect()).collect();
    assert_eq!(told, [vec![true, false], vec![false]]);
}

#[test]
fn spec_3_16_of_a_swap_the_amount_that_left_stands_before_the_one_that_came() {
    let moved = |transfers: Vec<Transfer>| {
        let world = shown(&page(vec![transaction(1, "trade", "2026-11-02", transfers)], None));
        let moves = items(&world).remove(0).moves;
        moves.into_iter().map(|one| [one.sign, one.name].concat()).collect::<Vec<_>>()
    };
    assert_eq!(moved(vec![token("DAI", "in", "49"), token("USDC", "out", "50")]), ["-USDC", "+DAI"]);
    let three = vec![token("UNI", "out", "1"), token("USDC", "out", "50"), token("DAI", "in", "49")];
    assert_eq!(moved(three), ["-UNI", "+DAI"]);
}

#[test]
fn an_account_that_calls_itself_is_no_other_party() {
    let mut batch = transaction(1, "trade", "2026-11-02", vec![token("ETH", "in", "1")]);
    batch.metadata.sent_to = ADDRESS.into();
    let world = shown(&page(vec![batch], None));
    let item = items(&world).remove(0);
    assert_eq!((item.other, item.other_address, item.contract), (None, None, None));
}

#[test]
fn a_moved_token_tells_its_whole_contract() {
    let mut usdc = token("USDC", "out", "5");
    usdc.fungible_info.as_mut().unwrap().address = Some(OTHER.to_lowercase());
    let world = shown(&page(vec![transaction(1, "send", "2026-11-02", vec![usdc, token("ETH", "out", "1")])], None));
    let told: Vec<_> = items(&world)[0].moves.iter().map(|one| one.contract.clone()).collect();
    assert_eq!(told, [Some(OTHER.into()), None]);
}

fn approving(id: u32, amount: Option<&str>, known: bool) -> Transaction {
    let approval = Approval {
        spender: PAID.to_lowercase(),
        spender_name: Some("Uniswap V2".into()),
        amount: amount.map(Into::into),
        symbol: known.then(|| "USDC".into()),
        decimals: known.then_some(6),
    };
    Transaction { approval: Some(approval), ..transaction(id, "approve", "2026-11-02", vec![]) }
}

#[test]
fn an_approval_tells_who_may_spend_and_how_much() {
    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    // 2^160 - 1 and 2^96 - 1.
    let (permit, narrow) = ("1461501637330902918203684832716283019655932542975", "79228162514264337593543950335");
    let rows = vec![
        approving(1, Some("100000000"), true),
        approving(2, Some(largest), true),
        approving(3, Some(permit), false),
        approving(4, Some(narrow), true),
        approving(5, Some("100000000"), false),
        approving(6, Some("0"), true),
        approving(7, None, true),
        approving(8, Some("1e9"), true),
    ];
    let world = shown(&page(rows, None));
    let told: Vec<_> = items(&world)
        .into_iter()
        .map(|item| {
            let approval = item.approval.unwrap();
            assert_eq!((&*approval.spender, approval.spender_name.as_deref()), (PAID, Some("Uniswap V2")));
            (approval.amount, approval.unlimited)
        })
        .collect();
    let (hundred, none) = (Some("100".to_owned()), Some("0".to_owned()));
    let unlimited = (None, true);
    assert_eq!(
        told,
        [
            (hundred, false),
            unlimited.clone(),
            unlimited.clone(),
            unlimited,
            (None, false),
            (none, false),
            (None, false),
            (None, false)
        ]
    );
}

#[test]
fn an_approval_of_somebody_else_or_for_nonsense_tells_no_spender() {
    let nonsense = |field: fn(&mut Approval)| {
        let mut row = approving(1, Some("5"), true);
        field(row.approval.as_mut().unwrap());
        items(&shown(&page(vec![row], None))).remove(0).approval
    };
    assert_eq!(nonsense(|approval| approval.spender = "javascript:alert(1)".into()), None);
    assert_eq!(nonsense(|approval| approval.symbol = Some("visit https://gift.example".into())).unwrap().symbol, None);
    assert_eq!(nonsense(|approval| approval.decimals = Some(256)).unwrap().amount, None);
    let mut foreign = approving(1, Some("5"), true);
    foreign.metadata.sent_from = OTHER.into();
    assert_eq!(items(&shown(&page(vec![foreign], None)))[0].approval, None);
}

fn of_nodes(data: Vec<Transaction>) -> String {
    to_text(&History { data, source: Some("rpc".into()), ..History::default() })
}

#[test]
fn an_empty_history_that_was_read_from_nodes_is_none_and_one_from_an_explorer_is_empty() {
    let unknown = shown(&of_nodes(vec![]));
    assert_eq!((view(&unknown).state, view(&unknown).empty, unknown.snack()), (ListState::Unserved, true, None));
    let known = shown(&of_nodes(vec![of(1)]));
    assert_eq!((view(&known).state, ids(&known)), (ListState::Ready, vec!["1".into()]));
    let explored = to_text(&History { source: Some("explorer".into()), ..History::default() });
    assert_eq!(view(&shown(&explored)).state, ListState::Ready);
}

fn pay(world: &mut World, hash: &str, succeeds: bool) {
    world.node.receipts.insert(hash.into(), succeeds);
    world.modal(Modal::ViewAsked { view: ModalView::WalletSend });
    for event in [Send::AmountTyped { text: "1.23456".into() }, Send::ReceiverTyped { text: OTHER.into() }] {
        world.dispatch(Event::Send(event));
    }
    world.advance(500);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.advance(10_000);
}

#[test]
fn a_payment_that_this_page_saw_mined_stays_listed_where_the_server_has_no_history() {
    let hash = format!("0x{}", "ab".repeat(32));
    for (body, succeeds, status) in
        [(of_nodes(vec![]), true, Status::Confirmed), (of_nodes(vec![]), false, Status::Failed)]
    {
        let mut world = shown(&body);
        pay(&mut world, &hash, succeeds);
        choose(&mut world);
        let [item] = items(&world).try_into().unwrap();
        assert_eq!((item.kind, item.status, item.own), (Kind::Send, status, true));
        assert_eq!((item.hash.as_deref(), item.other_address.as_deref()), (Some(&*hash), Some(OTHER)));
        assert_eq!(item.url, Some(format!("https://scan-31337.example/tx/{hash}")));
        let moved = &item.moves[0];
        assert_eq!(
            (&*moved.sign, moved.amount.as_deref(), moved.exact.as_deref()),
            ("-", Some("1.235"), Some("1.23456"))
        );
        assert_eq!((view(&world).state, view(&world).months.len()), (ListState::Unserved, 1));
    }
}

#[test]
fn a_payment_that_this_page_saw_is_listed_once_and_only_for_its_own_account() {
    let hash = format!("0x{}", "ab".repeat(32));
    let mut world = shown(&of_nodes(vec![]));
    pay(&mut world, &hash, true);
    let mut told = of(1);
    told.metadata.hash = hash.clone();
    world.server.answers(ROUTE, 200, &of_nodes(vec![told]));
    world.advance(31_000);
    choose(&mut world);
    assert_eq!(ids(&world), ["1"]);
    world.server.answers(ROUTE, 501, "");
    world.wallet_shows(&[OTHER]);
    choose(&mut world);
    assert_eq!((ids(&world), view(&world).state), (vec![], ListState::Unserved));
    world.wallet_shows(&[ADDRESS]);
    choose(&mut world);
    assert_eq!((ids(&world), view(&world).state), (vec![hash], ListState::Unserved));
}

#[test]
fn a_payment_is_not_added_to_the_history_of_an_explorer() {
    let mut world = world();
    choose(&mut world);
    pay(&mut world, &format!("0x{}", "ab".repeat(32)), true);
    choose(&mut world);
    assert_eq!(ids(&world), ["1"]);
}

#[test]
fn a_gain_is_cut_as_on_the_receipt_and_a_loss_is_rounded_to_the_nearest() {
    let both = vec![token("USDC", "in", "1249.1189"), token("WETH", "out", "0.4996")];
    let world = shown(&page(vec![transaction(1, "trade", "2026-11-02", both)], None));
    let amounts: Vec<_> = items(&world)[0].moves.iter().map(|one| one.amount.clone().unwrap()).collect();
    assert_eq!(amounts, ["0.500", "1249.118"]);
}
