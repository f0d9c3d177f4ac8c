//! Scenarios of the activity list: how transactions are drawn, which are left out, and when the list is requested.

mod moved;
mod namespaces;
mod pages;

use portico_api::account::{
    Application, Balances, FungibleInfo, History, NftContent, NftFlags, NftInfo, Picture, Transaction,
    TransactionMetadata, Transfer, TransferQuantity,
};
use portico_core::account::{Event as Account, Tab};
use portico_core::activity::{Event as Activity, Item, Kind, Status, View};
use portico_core::connect::Event as Connect;
use portico_core::modal::{Event as Modal, View as Page};
use portico_core::notice::Message;
use portico_core::{Event, ListState};
use portico_json::to_text;
use portico_testkit::{ScriptedWallet, Store, World, options};

const ROUTE: &str = "/history";
const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/// Receiver of a token payment.
const PAID: &str = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const OTHER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

fn transaction(id: u32, kind: &str, day: &str, transfers: Vec<Transfer>) -> Transaction {
    Transaction {
        id: id.to_string(),
        metadata: TransactionMetadata {
            operation_type: kind.into(),
            hash: format!("0x{id:064x}"),
            mined_at: format!("{day}T10:00:00Z"),
            sent_from: ADDRESS.to_lowercase(),
            sent_to: OTHER.into(),
            status: "confirmed".into(),
            nonce: 7,
            application: None,
            chain: Some("eip155:31337".into()),
            fee: Some("0.000021".into()),
        },
        transfers: Some(transfers),
        approval: None,
    }
}

fn token(symbol: &str, direction: &str, numeric: &str) -> Transfer {
    let icon = Picture { url: format!("/v1/image/{symbol}") };
    let info = FungibleInfo { symbol: Some(symbol.into()), icon: Some(icon), ..FungibleInfo::default() };
    let quantity = TransferQuantity { numeric: numeric.into() };
    Transfer { fungible_info: Some(info), direction: direction.into(), quantity, ..Transfer::default() }
}

fn piece(name: &str, is_spam: bool) -> Transfer {
    let preview = Some(Picture { url: "https://host.example/v1/image/nft".into() });
    let content = Some(NftContent { preview, detail: None });
    let info = NftInfo { name: Some(name.into()), content, flags: NftFlags { is_spam } };
    let quantity = TransferQuantity { numeric: "1".into() };
    Transfer { nft_info: Some(info), direction: "in".into(), quantity, ..Transfer::default() }
}

fn page(data: Vec<Transaction>, next: Option<&str>) -> String {
    to_text(&History { data, next: next.map(Into::into), ..History::default() })
}

fn of(id: u32) -> Transaction {
    transaction(id, "send", "2026-11-02", vec![token("ETH", "out", "1")])
}

fn with(options: &str) -> World {
    let options = options.replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha")], Store::default());
    world.server.serves("/balance", &Balances::default());
    world.server.answers(ROUTE, 200, &page(vec![of(1)], None));
    world.connect_first();
    world.open(None);
    world
}

fn world() -> World {
    with(&options())
}

fn choose(world: &mut World) {
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
}

fn shown(body: &str) -> World {
    let mut world = world();
    world.server.answers(ROUTE, 200, body);
    choose(&mut world);
    world
}

fn more(world: &mut World) {
    world.dispatch(Event::Activity(Activity::MoreAsked { ticket: None }));
}

fn view(world: &World) -> View {
    world.snapshot().activity.unwrap()
}

fn items(world: &World) -> Vec<Item> {
    view(world).months.into_iter().flat_map(|month| month.items).collect()
}

fn ids(world: &World) -> Vec<String> {
    items(world).into_iter().map(|item| item.id).collect()
}

#[test]
fn spec_7_4_the_list_is_asked_for_when_its_tab_is_first_shown() {
    let mut world = world();
    assert_eq!((world.server.count(ROUTE), view(&world).state), (0, ListState::Unknown));
    choose(&mut world);
    let (request, _) = world.server.heard.last().unwrap();
    let path = format!("GET https://host.example/v1/account/{ADDRESS}/history?projectId=test");
    assert!(request.starts_with(&path) && request.ends_with("&chainId=eip155:31337"), "{request}");
    assert_eq!((ids(&world), view(&world).state), (vec!["1".into()], ListState::Ready));
}

#[test]
fn spec_3_15_the_fee_is_that_of_the_account_and_the_called_contract_is_told_beside_the_receiver() {
    let paid = |id, from: &str| {
        let mut sent = transaction(id, "send", "2026-11-02", vec![token("USDC", "out", "1.2345678")]);
        sent.transfers.as_mut().unwrap()[0].recipient = Some(PAID.into());
        sent.metadata.sent_from = from.into();
        sent
    };
    let mut nonsense = paid(3, ADDRESS);
    nonsense.metadata.fee = Some("1e-5".into());
    let world = shown(&page(vec![paid(1, ADDRESS), paid(2, OTHER), nonsense], None));
    let told: Vec<_> = items(&world).into_iter().map(|item| (item.fee, item.contract)).collect();
    let contract = Some(portico_terms::address::to_checksum(OTHER));
    assert_eq!(told, [(Some("0.000021".into()), contract.clone()), (None, None), (None, contract)]);
    let first = items(&world)[0].clone();
    assert_eq!(first.other_address.as_deref(), Some(PAID));
    assert_eq!((first.moves[0].amount.as_deref(), first.moves[0].exact.as_deref()), (Some("1.235"), Some("1.2345678")));
}

#[test]
fn spec_2_13_an_unwrapping_takes_one_coin_and_gives_another_whatever_its_label_says() {
    let both =
        |id, kind| transaction(id, kind, "2026-11-02", vec![token("ETH", "in", "0.5"), token("WETH", "out", "0.5")]);
    let alone = transaction(3, "withdraw", "2026-11-02", vec![token("WETH", "out", "0.5")]);
    let world = shown(&page(vec![both(1, "receive"), both(2, "withdraw"), alone], None));
    let signs = |item: &Item| item.moves.iter().map(|one| one.sign.clone()).collect::<String>();
    assert_eq!(items(&world).iter().map(signs).collect::<Vec<_>>(), ["-+", "-+", "-"]);
}

#[test]
fn spec_3_15_3_16_and_2_10_a_transaction_has_a_kind_a_date_a_counterparty_and_what_moved() {
    let mut swap = transaction(
        1,
        "trade",
        "2026-11-02",
        vec![token("USDC", "out", "1250.00499"), token("WETH", "in", "0.0001"), token("DUST", "in", "1")],
    );
    swap.metadata.application = Some(Application { name: "Uniswap".into(), icon_url: String::new() });
    let mut got = transaction(2, "receive", "2026-10-30", vec![piece("Punk #7", false), piece("Free money", true)]);
    got.metadata.sent_from = OTHER.into();
    got.metadata.status = "failed".into();
    let world = shown(&page(vec![swap, got], None));
    let [swap, got] = items(&world).try_into().unwrap();
    assert_eq!((swap.kind, swap.own, swap.status), (Kind::Trade, true, Status::Confirmed));
    assert_eq!((swap.other.as_deref(), swap.application.as_deref()), (Some("0x70…dc79C8"), Some("Uniswap")));
    assert_eq!(swap.url, Some(format!("https://scan-31337.example/tx/0x{:064x}", 1)));
    let moves: Vec<_> =
        swap.moves.iter().map(|it| (it.sign.as_str(), it.amount.as_deref(), it.name.as_str())).collect();
    assert_eq!(moves, [("-", Some("1250.005"), "USDC"), ("+", Some("<0.001"), "WETH")]);
    assert_eq!(swap.moves[0].picture.as_deref(), Some("https://host.example/v1/image/USDC?projectId=test"));
    assert_eq!((got.kind, got.own, got.status), (Kind::Receive, false, Status::Failed));
    assert_eq!(
        to_text(&got.moves),
        r#"[{"sign":"+","amount":null,"exact":null,"name":"Punk #7","picture":"https://host.example/v1/image/nft","nft":true,"count":null,"atMost":false,"address":null,"contract":null,"mark":null}]"#
    );
}

#[test]
fn who_got_a_token_is_named_and_not_its_contract_and_who_signed_nothing_is_named_nowhere() {
    let to = |recipient: &str| Transfer { recipient: Some(recipient.into()), ..token("USDC", "out", "5") };
    let mut called = transaction(1, "send", "2026-11-02", vec![to(OTHER)]);
    called.metadata.sent_to = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48".into();
    let mut unsigned = called.clone();
    unsigned.id = "2".into();
    unsigned.metadata.sent_from = String::new();
    let traded = Transaction {
        id: "3".into(),
        transfers: Some(vec![to(ADDRESS)]),
        ..transaction(3, "trade", "2026-11-01", vec![])
    };
    let world = shown(&page(vec![called, unsigned, traded], None));
    let told: Vec<_> = items(&world).into_iter().map(|item| (item.own, item.other)).collect();
    let other = Some("0x70…dc79C8".to_owned());
    assert_eq!(told, [(true, other.clone()), (false, other.clone()), (true, other)]);
}

#[test]
fn spec_2_9_the_months_stand_newest_first_over_all_pages() {
    let day = |id: u32, day: &str| transaction(id, "send", day, vec![]);
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![day(1, "2026-01-05"), day(2, "2025-12-31")], Some("two")));
    world.server.answers(
        "cursor=two",
        200,
        &page(vec![day(3, "2025-12-30"), day(1, "2026-01-05"), day(4, "2024-12-30")], None),
    );
    choose(&mut world);
    more(&mut world);
    let months: Vec<_> = view(&world).months.iter().map(|month| (month.year, month.month, month.items.len())).collect();
    assert_eq!(months, [(2026, 1, 1), (2025, 12, 2), (2024, 12, 1)]);
}

#[test]
fn spec_5_13_and_5_14_spam_and_what_happened_on_other_chains_is_not_shown() {
    let spam = transaction(1, "receive", "2026-11-02", vec![piece("Free money", true)]);
    let mut elsewhere = of(2);
    elsewhere.metadata.chain = Some("eip155:1".into());
    assert_eq!(ids(&shown(&page(vec![spam, elsewhere, of(3)], None))), ["3"]);
}

#[test]
fn hostile_transactions_are_left_out_or_drawn_without_what_is_wrong() {
    let good = to_text(&of(1));
    let strange = good
        .replace(r#""id":"1""#, r#""id":"2""#)
        .replace(r#""operationType":"send""#, r#""operationType":"__proto__""#)
        .replace(&format!("0x{:064x}", 1), "javascript:alert(1)")
        .replace("/v1/image/ETH", "https://evil.example/a.png")
        .replace(r#""status":"confirmed""#, r#""status":"__proto__""#)
        .replace(r#""direction":"out""#, r#""direction":"sideways""#)
        .replace(r#""transfers":["#, r#""transfers":[7,"#);
    let undated = good.replace("2026-11-02", "long ago");
    let list = ["7", "null", "{}", &undated, &good.replace(r#""confirmed""#, "7"), &good, &strange].join(",");
    let world = shown(&format!(r#"{{"data":[{list}],"next":null}}"#));
    let [_, strange] = items(&world).try_into().unwrap();
    assert_eq!((strange.kind, strange.status), (Kind::Execute, Status::Confirmed));
    assert_eq!((strange.url, strange.hash), (None, None));
    assert_eq!((strange.moves[0].picture.clone(), strange.moves[0].sign.as_str()), (None, ""));
    // Four transactions, and one transfer of the last.
    assert_eq!(world.skipped_items(), 5);
}

#[test]
fn spec_9_5_the_list_is_asked_for_anew_on_return_when_its_time_ran_out() {
    let mut world = world();
    choose(&mut world);
    world.advance(29_000);
    world.modal(Modal::CloseAsked);
    world.open(None);
    assert_eq!(world.server.count(ROUTE), 1);
    world.advance(1_001);
    world.dispatch(Event::Account(Account::PageShown));
    assert_eq!(world.server.count(ROUTE), 2);
    world.advance(31_000);
    world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Tokens }));
    assert_eq!(world.server.count(ROUTE), 2);
    world.server.answers(ROUTE, 200, &page(vec![of(2), of(1)], None));
    choose(&mut world);
    assert_eq!((world.server.count(ROUTE), ids(&world).len()), (3, 2));
}

#[test]
fn spec_7_4_and_7_5_after_a_transaction_of_the_visitors_own_lists_are_asked_for_past_the_servers_cache() {
    let mut world = world();
    choose(&mut world);
    world.node.receipts.insert(format!("0x{}", "ab".repeat(32)), true);
    world.modal(Modal::ViewAsked { view: portico_core::modal::View::WalletSend });
    for event in [
        portico_core::send::Event::AmountTyped { text: "1".into() },
        portico_core::send::Event::ReceiverTyped { text: OTHER.into() },
    ] {
        world.dispatch(Event::Send(event));
    }
    world.advance(500);
    world.dispatch(Event::Send(portico_core::send::Event::ReviewAsked));
    world.dispatch(Event::Send(portico_core::send::Event::ConfirmAsked));
    world.advance(10_000);
    // Two requests for the list, and one for the receivers paid before.
    assert_eq!(world.server.count("history?projectId=test"), 3);
    assert_eq!(world.server.count("cache=no-cache"), 1);
    assert_eq!(world.server.count("forceUpdate=true"), 1);
}

#[test]
fn another_account_or_network_begins_anew_and_late_answers_are_not_taken_for_it() {
    let mut world = world();
    choose(&mut world);
    world.server.silent = true;
    world.wallet_shows(&[OTHER]);
    choose(&mut world);
    assert_eq!((ids(&world).len(), view(&world).state), (0, ListState::Loading));
    world.wallet_switches(31338);
    assert_eq!(world.server.count(&format!("{OTHER}{ROUTE}")), 2);
    world.wallet_switches(999);
    assert_eq!(world.snapshot().activity, None);
    world.dispatch(Event::Connect(Connect::DisconnectAsked { namespace: None, ticket: None }));
    assert_eq!(world.snapshot().activity, None);
}

#[test]
fn spec_6_4_where_history_is_off_nothing_is_asked() {
    let mut off = with(&options().replace(r#""projectId""#, r#""features":{"history":false},"projectId""#));
    choose(&mut off);
    assert_eq!((off.server.count(ROUTE), off.snapshot().activity), (0, None));
}

#[test]
fn spec_8_24_transactions_cannot_be_fetched_without_an_address() {
    let open = |world: &mut World| {
        world.modal(Modal::OpenAsked {
            view: Some("Transactions".into()),
            namespace: None,
            uri: None,
            arguments: portico_json::Value::Null,
            ticket: Some(1),
        });
        world.answer(1).unwrap()
    };
    let mut nobody = World::new(vec![ScriptedWallet::named("Alpha")]);
    assert_eq!(
        open(&mut nobody),
        r#"[{"type":"rejected","error":{"reason":"addressRequired","message":"Transactions can't be fetched without an accountAddress","code":null}}]"#
    );
    assert_eq!(nobody.snapshot().modal.view, Page::Connect);
    assert!(open(&mut world()).contains("resolved"));
}

#[test]
fn spec_2_9_the_list_has_a_page_of_its_own_that_hosts_and_buttons_lead_to() {
    let mut world = world();
    world.modal(Modal::ViewAsked { view: Page::Transactions });
    assert_eq!((ids(&world), world.snapshot().modal.view), (vec!["1".into()], Page::Transactions));
    world.modal(Modal::CloseAsked);
    world.advance(31_000);
    world.open(Some("Transactions"));
    assert_eq!((world.server.count(ROUTE), world.snapshot().modal.view), (2, Page::Transactions));
}

#[test]
fn spec_8_54_looking_at_the_list_and_reading_on_in_it_are_tracked() {
    let mut world = world();
    world.server.answers(ROUTE, 200, &page(vec![of(1)], Some("two")));
    choose(&mut world);
    assert_eq!(world.event_names().iter().filter(|name| **name == "CLICK_TRANSACTIONS").count(), 1);
    world.server.answers(ROUTE, 500, "");
    more(&mut world);
    more(&mut world);
    let told: Vec<_> = world.events.iter().filter(|(name, _)| name.ends_with("_TRANSACTIONS")).collect();
    let names: Vec<_> = told.iter().map(|(name, _)| name.as_str()).collect();
    let failed = "ERROR_FETCH_TRANSACTIONS";
    assert_eq!(names, ["CLICK_TRANSACTIONS", "LOAD_MORE_TRANSACTIONS", failed, failed]);
    for (_, fields) in &told[1..] {
        assert_eq!((fields.get("address").as_str(), fields.get("cursor").as_str()), (Some(ADDRESS), Some("two")));
        assert_eq!(
            (fields.get("projectId").as_str(), fields.get("isSmartAccount").as_bool()),
            (Some("test"), Some(false))
        );
    }
    world.modal(Modal::ViewAsked { view: Page::Transactions });
    assert_eq!(world.event_names().iter().filter(|name| **name == "CLICK_TRANSACTIONS").count(), 2);
}
