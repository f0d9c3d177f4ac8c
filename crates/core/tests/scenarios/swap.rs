//! A swap, from the first letter to the receipt. Longer than other files: every way in which the server, the wallet or the chain may refuse,
//! keep silent or lie has its story, and they share one market.

use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::notice::Message;
use portico_core::pay::typed::AmountFault;
use portico_core::swap::{Event as Swap, Fault, Offer, PAGE, Phase, QuoteFault, Target, View as Form};
use portico_json::{Value, parse};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

pub(super) const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub(super) const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
pub(super) const USDC: &str = "0x00000000000000000000000000000000000000c0";
pub(super) const DAI: &str = "0x00000000000000000000000000000000000000da";
const ODD: &str = "0x00000000000000000000000000000000000000dd";
pub(super) const ROUTER: &str = "0x00000000000000000000000000000000000000aa";
pub(super) const SEND: &str = "eth_sendTransaction";
pub(super) const QUOTES: &str = "/v1/convert/quotes";
pub(super) const BUILD: &str = "/v1/convert/build-transaction";
pub(super) const ETHER: u128 = 1_000_000_000_000_000_000;

pub(super) fn id(address: &str) -> String {
    format!("eip155:31337:{address}")
}

pub(super) fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

pub(super) fn token(symbol: &str, address: &str, decimals: u8) -> String {
    let address = id(address);
    format!(
        r#"{{"name":"{symbol} Coin","symbol":"{symbol}","address":"{address}","decimals":{decimals},"logoUri":"/v1/image/{symbol}","eip2612":false}}"#
    )
}

/// A host with a server that swaps on the first chain.
pub(super) fn market(wallet: ScriptedWallet) -> World {
    let hosted = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&hosted, vec![wallet], Store::default());
    let tokens = [token("ETH", COIN, 18), token("USDC", USDC, 6), token("DAI", DAI, 18)].join(",");
    world.server.answers("/v1/convert/tokens", 200, &format!(r#"{{"tokens":[{tokens}],"provider":"onchain"}}"#));
    world.server.answers("/balance", 200, r#"{"balances":[]}"#);
    has(&mut world, USDC, 5_000_000_000);
    for (token, decimals) in [(USDC, 6), (DAI, 18), (ODD, 6)] {
        world.node.calls.insert((token.into(), "0x313ce567".into()), word(decimals));
    }
    world.connect_first();
    world
}

pub(super) fn word(number: u128) -> String {
    format!("0x{number:064x}")
}

pub(super) fn has(world: &mut World, token: &str, amount: u128) {
    world.node.calls.insert((token.into(), "0x70a08231".into()), word(amount));
}

pub(super) fn allows(world: &mut World, token: &str, amount: u128) {
    world.node.calls.insert((token.into(), "0xdd62ed3e".into()), word(amount));
}

/// So much of one for so much of the other, as the server says it.
pub(super) fn quoted(world: &World, from: &str, to: &str, amount: u128, to_amount: u128) -> String {
    let spender = if from == COIN { "null".into() } else { format!("\"{}\"", id(ROUTER)) };
    let minimum = to_amount - to_amount / 100;
    let expiry = world.now / 1_000 + 60;
    format!(
        r#"{{"quotes":[{{"id":"q{to_amount}","provider":"onchain","fromAmount":"{amount}","fromAccount":"{}","toAmount":"{to_amount}","toAmountMin":"{minimum}","toAccount":"{}","route":[{{"name":"Uniswap V3","from":"","to":""}}],"priceImpact":"0.12","fee":"0.3","spender":{spender},"allowance":"0","gas":"180000","expiry":{expiry}}}]}}"#,
        id(from),
        id(to)
    )
}

/// From now on so much of one is quoted at so much of the other.
pub(super) fn quotes(world: &mut World, from: &str, to: &str, amount: u128, to_amount: u128) {
    let body = quoted(world, from, to, amount, to_amount);
    world.server.answers(&format!("amount={amount}&userAddress"), 200, &body);
}

/// From now on the server builds this.
pub(super) fn builds(world: &mut World, to: &str, amount: u128, value: u128, minimum: u128) {
    let expiry = world.now / 1_000 + 600;
    let body = format!(
        r#"{{"tx":{{"from":"{}","to":"{}","data":"0x38ed173900","amount":"{amount}","value":"{value}","eip155":{{"gas":"180000","gasPrice":"1"}}}},"toAmountMin":"{minimum}","expiry":{expiry}}}"#,
        id(ADDRESS),
        id(to)
    );
    world.server.answers(BUILD, 200, &body);
}

pub(super) fn act(world: &mut World, event: Swap) {
    world.dispatch(Event::Swap(event));
}

pub(super) fn choose(world: &mut World, target: Target, address: &str) {
    act(world, Swap::SelectAsked { target });
    act(world, Swap::TokenChosen { address: address.into() });
}

pub(super) fn typed(world: &mut World, text: &str) {
    act(world, Swap::AmountTyped { text: text.into() });
    world.advance(500);
}

/// With the form open: coins for USDC.
pub(super) fn opened(wallet: ScriptedWallet) -> World {
    let mut world = market(wallet);
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    world
}

/// In the preview: one coin for 3,000 USDC.
pub(super) fn reviewed(wallet: ScriptedWallet) -> World {
    let mut world = opened(wallet);
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world
}

/// In the preview: 1,000 USDC for a third of a coin.
pub(super) fn reviewed_token(wallet: ScriptedWallet) -> World {
    let mut world = opened(wallet);
    act(&mut world, Swap::FlipAsked);
    quotes(&mut world, USDC, COIN, 1_000_000_000, ETHER / 3);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 3 - ETHER / 300);
    typed(&mut world, "1000");
    act(&mut world, Swap::ReviewAsked);
    world
}

pub(super) fn form(world: &World) -> Form {
    world.snapshot().swap
}

pub(super) fn view(world: &World) -> View {
    world.snapshot().modal.view
}

fn snack(world: &World) -> Option<Message> {
    world.snapshot().notice.snack.and_then(|snack| snack.message)
}

fn asked(world: &World) -> usize {
    world.server.count(QUOTES)
}

pub(super) fn hash(pair: &str) -> String {
    format!("0x{}", pair.repeat(32))
}

pub(super) fn signs(world: &mut World, pair: &str) {
    world.wallet().behaviours.insert(SEND.into(), Behaviour::Nonsense(Value::Text(hash(pair))));
}

pub(super) fn sent(world: &World) -> Vec<Value> {
    let asked = world.wallets[0].requests.iter().filter(|(method, _)| method == SEND);
    asked.map(|(_, params)| params.as_list().unwrap()[0].clone()).collect()
}

fn properties(world: &World, name: &str) -> String {
    let found = world.events.iter().find(|(event, _)| event == name);
    found.map(|(_, properties)| portico_json::to_text(properties)).unwrap_or_default()
}

#[test]
fn spec_9_10_a_chain_that_cannot_swap_says_so_and_offers_those_that_can() {
    let mainnet = options().replacen("31338", "10", 2).replacen("31338", "10", 1);
    let hosted = mainnet.replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&hosted, vec![alpha()], Store::default());
    world.server.answers("/v1/convert/tokens", 404, r#"{"status":"FAILED","reasons":[{"description":"No"}]}"#);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!((form(&world).offer, form(&world).networks), (Offer::Unsupported, vec!["eip155:10".into()]));
    assert_eq!(world.snapshot().swap_tokens, None);
    act(&mut world, Swap::NetworksAsked);
    assert_eq!(view(&world), View::Networks);
    assert!(world.event_names().contains(&"CLICK_SELECT_NETWORK_TO_SWAP"));
}

#[test]
fn a_list_that_cannot_be_had_can_be_asked_for_again_and_one_that_was_had_is_kept() {
    let mut world = market(alpha());
    world.server.answers("/v1/convert/tokens", 503, "");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!(form(&world).offer, Offer::Unavailable);
    for nonsense in ["", "null", "[]", r#"{"tokens":[]}"#, r#"{"tokens":[7,{}]}"#] {
        world.server.answers("/v1/convert/tokens", 200, nonsense);
        act(&mut world, Swap::RetryAsked);
        assert_eq!(form(&world).offer, Offer::Unavailable, "{nonsense}");
    }
    world.server.answers("/v1/convert/tokens", 200, &format!(r#"{{"tokens":[{}]}}"#, token("ETH", COIN, 18)));
    act(&mut world, Swap::RetryAsked);
    assert_eq!((form(&world).offer, form(&world).source_token.unwrap().symbol.as_str()), (Offer::Ready, "ETH"));
    let lists = world.server.count("/v1/convert/tokens");
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!((form(&world).offer, world.server.count("/v1/convert/tokens")), (Offer::Ready, lists));
}

#[test]
fn without_a_server_no_chain_can_swap_and_nothing_is_asked() {
    let mut world = World::new(vec![alpha()]);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!((form(&world).offer, world.server.heard.len()), (Offer::Unsupported, 0));
}

#[test]
fn spec_6_4_a_host_that_switched_swaps_off_has_no_swap_view() {
    let off = options().replacen('{', r#"{"features":{"swaps":false},"#, 1);
    let mut world = World::with(&off, vec![alpha()], Store::default());
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!(view(&world), View::Account);
}

#[test]
fn spec_2_2_a_host_opens_the_view_with_arguments() {
    let by = |arguments: &str| {
        let mut world = market(alpha());
        quotes(&mut world, USDC, COIN, 1_500_000, ETHER / 2_000);
        let arguments = parse(arguments).unwrap();
        let (view, namespace) = (Some("Swap".into()), None);
        world.modal(Modal::OpenAsked { view, namespace, uri: None, arguments, ticket: Some(9) });
        assert!(world.answer(9).unwrap().contains("resolved"));
        world
    };
    for arguments in [
        r#"{"amount":"1.5","fromToken":"usdc","toToken":"ETH"}"#,
        r#"{"amount":1.5,"fromToken":"USDC","toToken":"eth"}"#,
        &format!(r#"{{"amount":" 1.5 ","fromToken":"{}","toToken":"{COIN}"}}"#, id(USDC)),
    ] {
        let world = by(arguments);
        let swap = form(&world);
        assert_eq!(swap.source_token.unwrap().symbol, "USDC", "{arguments}");
        assert_eq!((swap.to_token.unwrap().symbol.as_str(), swap.source_token_amount.as_str()), ("ETH", "1.5"));
        assert_eq!(asked(&world), 1);
    }
    for nonsense in ["null", "7", "[]", r#"{"amount":{},"fromToken":"","toToken":" "}"#] {
        let swap = form(&by(nonsense));
        assert_eq!((swap.source_token.unwrap().symbol.as_str(), swap.to_token), ("ETH", None), "{nonsense}");
    }
    // To be received what would be paid without a word: then nothing is to be paid yet, and no amount is of it.
    let swap = form(&by(r#"{"toToken":"ETH","amount":"100"}"#));
    assert_eq!((swap.source_token, swap.source_token_amount.as_str()), (None, ""));
}

#[test]
fn a_quote_is_asked_for_when_the_typing_rests_and_once() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    for text in ["1", "1.", "1.0"] {
        act(&mut world, Swap::AmountTyped { text: text.into() });
        world.advance(400);
        assert_eq!((asked(&world), form(&world).loading), (0, true));
    }
    world.advance(100);
    assert_eq!((asked(&world), form(&world).loading), (1, false));
    let quote = form(&world).quote.unwrap();
    assert_eq!((quote.to_token_amount.as_str(), quote.rate.as_deref()), ("3000", Some("3000")));
    assert_eq!((quote.minimum_received.as_str(), quote.slippage), ("2970", 1));
    assert_eq!((quote.provider_fee.as_deref(), quote.price_impact.as_deref()), (Some("0.3"), Some("0.12")));
    let url = &world.server.heard.iter().find(|(request, _)| request.contains(QUOTES)).unwrap().0;
    assert!(url.contains(&format!("userAddress={}&from={}&to={}", id(ADDRESS), id(COIN), id(USDC))), "{url}");
}

#[test]
fn a_quote_stays_fresh_by_one_request_each_time_while_it_is_looked_at() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    typed(&mut world, "1");
    let (heard, read) = (world.server.heard.len(), world.node.bodies.len());
    world.advance(14_999);
    assert_eq!(asked(&world), 1);
    quotes(&mut world, COIN, USDC, ETHER, 3_001_000_000);
    world.advance(1);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "3001");
    assert_eq!((world.server.heard.len(), world.node.bodies.len()), (heard + 1, read));
    // Nobody looks: nobody is asked. Back again, what grew old is asked for at once.
    act(&mut world, Swap::SelectAsked { target: Target::ToToken });
    world.advance(60_000);
    assert_eq!(asked(&world), 2);
    world.modal(Modal::BackAsked);
    assert_eq!(asked(&world), 3);
    world.modal(Modal::CloseAsked);
    world.advance(600_000);
    assert_eq!(asked(&world), 3);
}

#[test]
fn a_late_answer_to_what_stood_there_before_is_dropped() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    quotes(&mut world, COIN, USDC, 2 * ETHER, 5_990_000_000);
    world.server.late = 5_000;
    typed(&mut world, "1");
    world.server.late = 1_000;
    typed(&mut world, "2");
    world.advance(1_000);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "5990");
    world.advance(4_000);
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "5990");
    typed(&mut world, "abc");
    assert_eq!((form(&world).quote, form(&world).loading), (None, false));
}

#[test]
fn a_pair_that_nobody_swaps_and_a_server_that_is_silent_are_told_apart() {
    let mut world = opened(alpha());
    for (status, body, fault) in [
        (404, r#"{"status":"FAILED","reasons":[{"description":"No route"}]}"#, QuoteFault::NoRoute),
        (502, "", QuoteFault::Unavailable),
        (200, r#"{"quotes":[]}"#, QuoteFault::Unavailable),
        (200, "nonsense", QuoteFault::Unavailable),
    ] {
        world.server.answers(QUOTES, status, body);
        typed(&mut world, "1");
        assert_eq!(form(&world).quote_fault, Some(fault), "{status} {body}");
        act(&mut world, Swap::ReviewAsked);
        assert_eq!(view(&world), View::Swap);
    }
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    act(&mut world, Swap::RetryAsked);
    assert_eq!((form(&world).quote_fault, form(&world).ready), (None, true));
    // Once it cannot be had anew, it stands until it is over.
    world.server.answers(&format!("amount={ETHER}&userAddress"), 503, "");
    world.advance(15_000);
    assert!(form(&world).quote.is_some());
    world.advance(60_000);
    assert_eq!((form(&world).quote, form(&world).quote_fault), (None, Some(QuoteFault::Unavailable)));
}

#[test]
fn spec_5_11_every_fault_of_an_amount_has_a_word_and_gas_is_kept_in_mind() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, 10_000 * ETHER, 3_000_000_000);
    for (text, fault) in [
        ("", None),
        ("abc", Some(AmountFault::NotANumber)),
        ("-1", Some(AmountFault::Signed)),
        ("1e3", Some(AmountFault::Exponent)),
        ("1,000", Some(AmountFault::Ambiguous)),
        ("0", Some(AmountFault::Zero)),
        ("0.0000000000000000001", Some(AmountFault::TooPrecise)),
        ("10001", Some(AmountFault::AboveBalance)),
        (&"9".repeat(80), Some(AmountFault::AboveBalance)),
        ("10000", Some(AmountFault::InsufficientGas)),
    ] {
        typed(&mut world, text);
        assert_eq!((form(&world).amount_fault, form(&world).ready), (fault, false), "{text}");
    }
    typed(&mut world, "");
    act(&mut world, Swap::ReviewAsked);
    assert_eq!(form(&world).amount_fault, Some(AmountFault::Missing));
    // A token is paid for in coins, of which there are none.
    act(&mut world, Swap::FlipAsked);
    quotes(&mut world, USDC, COIN, 1_000_000, ETHER / 3_000);
    typed(&mut world, "1");
    assert_eq!((form(&world).amount_fault, form(&world).ready), (None, true));
    world.node.balances.clear();
    world.dispatch(Event::Account(portico_core::account::Event::RefreshAsked { ticket: None }));
    assert_eq!((form(&world).amount_fault, form(&world).ready), (Some(AmountFault::InsufficientGas), false));
    typed(&mut world, "5000.000001");
    assert_eq!(form(&world).amount_fault, Some(AmountFault::AboveBalance));
}

#[test]
fn max_keeps_the_gas_back_from_coins_and_takes_all_of_a_token() {
    let mut world = opened(alpha());
    act(&mut world, Swap::MaxAsked);
    let amount = form(&world).source_token_amount;
    // 350,000 gas at 1 gwei, with a margin for each of the two.
    assert_eq!(amount, "9999.999496");
    quotes(&mut world, COIN, USDC, 10_000 * ETHER - 504_000 * 1_000_000_000, 3_000_000_000);
    act(&mut world, Swap::MaxAsked);
    assert_eq!((form(&world).amount_fault, form(&world).ready), (None, true));
    act(&mut world, Swap::FlipAsked);
    act(&mut world, Swap::MaxAsked);
    assert_eq!(form(&world).source_token_amount, "5000");
}

#[test]
fn a_token_whose_contract_says_other_decimals_cannot_be_swapped() {
    let mut world = opened(alpha());
    world.node.calls.insert((DAI.into(), "0x313ce567".into()), word(6));
    quotes(&mut world, COIN, DAI, ETHER, 3_000 * ETHER);
    choose(&mut world, Target::ToToken, DAI);
    typed(&mut world, "1");
    assert_eq!((form(&world).liar.as_deref(), form(&world).ready), (Some("DAI"), false));
    choose(&mut world, Target::ToToken, USDC);
    assert_eq!(form(&world).liar, None);
}

#[test]
fn the_list_is_searched_what_is_held_comes_first_and_what_is_on_no_list_last() {
    let mut world = market(alpha());
    let held = |symbol: &str, address: &str, numeric: &str| {
        format!(
            r#"{{"name":"{symbol}","symbol":"{symbol}","chainId":"eip155:31337","address":"{}","price":1,"quantity":{{"decimals":"6","numeric":"{numeric}"}},"iconUrl":""}}"#,
            id(address)
        )
    };
    let balances = [held("USDC", USDC, "5000"), held("ODD", ODD, "9000"), held("DAI", DAI, "0")].join(",");
    world.server.answers("/balance", 200, &format!(r#"{{"balances":[{balances}]}}"#));
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
    assert_eq!((items[0].shown.as_deref(), items[0].value.as_deref()), (Some("5000.0000"), Some("5000.00")));
    assert_eq!(items[3].unlisted.as_deref(), Some("0x00…0000dd"));
    for (search, found) in [("us", vec!["USDC"]), (USDC, vec!["USDC"]), (" dai ", vec!["DAI"]), ("nobody", vec![])] {
        act(&mut world, Swap::SearchTyped { text: search.into() });
        assert_eq!(symbols(&world), found, "{search}");
    }
    act(&mut world, Swap::TokenChosen { address: "0x12".into() });
    assert_eq!(view(&world), View::SwapSelectToken);
    act(&mut world, Swap::TokenChosen { address: ODD.into() });
    assert_eq!((view(&world), form(&world).source_token.unwrap().symbol.as_str()), (View::Swap, "ODD"));
    // What is on no list is not received.
    act(&mut world, Swap::SelectAsked { target: Target::ToToken });
    assert!(!symbols(&world).contains(&"ODD".into()));
    assert!(world.event_names().contains(&"CLICK_SELECT_TOKEN_TO_SWAP"));
}

#[test]
fn a_long_list_is_told_page_by_page() {
    let mut world = market(alpha());
    let tokens: Vec<String> =
        (1..=100).map(|number| token(&format!("T{number}"), &format!("0x{number:040x}"), 18)).collect();
    world.server.answers("/v1/convert/tokens", 200, &format!(r#"{{"tokens":[{}]}}"#, tokens.join(",")));
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
fn choosing_the_token_of_the_other_side_turns_the_pair_round() {
    let mut world = opened(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    quotes(&mut world, USDC, COIN, 3_000_000_000, ETHER - ETHER / 100);
    typed(&mut world, "1");
    choose(&mut world, Target::ToToken, COIN);
    let swap = form(&world);
    assert_eq!((swap.source_token.unwrap().symbol.as_str(), swap.to_token.unwrap().symbol.as_str()), ("USDC", "ETH"));
    choose(&mut world, Target::ToToken, USDC);
    typed(&mut world, "1");
    act(&mut world, Swap::FlipAsked);
    assert_eq!(form(&world).source_token_amount, "3000");
    assert_eq!(form(&world).quote.unwrap().to_token_amount, "0.99");
}

#[test]
fn a_refused_swap_shows_and_can_be_tried_again() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, snack(&world)), (Phase::Refused, Some(Message::TransactionDeclined)));
    assert_eq!(view(&world), View::SwapPreview);
    assert!(properties(&world, "SWAP_ERROR").contains(r#""message":"User rejected the request.""#));
    world.wallet().behaviours.clear();
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((view(&world), sent(&world).len()), (View::Account, 2));
}

#[test]
fn a_wallet_that_fails_or_talks_nonsense_is_told_apart() {
    for (behaviour, message) in [
        (Behaviour::Nonsense(parse("{}").unwrap()), Message::SomethingWentWrong),
        (Behaviour::Throw(parse(r#"{"code":-32003,"message":"insufficient funds"}"#).unwrap()), Message::SwapFailed),
        (Behaviour::Throw(parse(r#"{"code":8000,"message":"expired"}"#).unwrap()), Message::RequestExpired),
    ] {
        let mut world = reviewed(alpha().when(SEND, behaviour));
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, snack(&world)), (Phase::Failed, Some(message)));
    }
}

#[test]
fn spec_1_4_a_swap_of_coins_is_built_checked_signed_and_followed_to_its_receipt() {
    let mut world = reviewed(alpha());
    assert_eq!((view(&world), form(&world).quote.unwrap().approval_needed), (View::SwapPreview, false));
    act(&mut world, Swap::ConfirmAsked);
    let transaction = &sent(&world)[0];
    for (name, value) in [
        ("chainId", "0x7a69"),
        ("from", ADDRESS),
        ("to", ROUTER),
        ("value", "0xde0b6b3a7640000"),
        ("data", "0x38ed173900"),
    ] {
        assert_eq!(transaction.get(name).as_str(), Some(value), "{name}");
    }
    let (_, body) = world.server.heard.iter().find(|(request, _)| request.contains(BUILD)).unwrap();
    assert!(body.as_ref().unwrap().contains(r#""quoteId":"q3000000000","toAmountMin":"2970000000""#));
    assert_eq!((view(&world), snack(&world)), (View::Account, Some(Message::TransactionStarted)));
    let pending = form(&world).pending;
    assert_eq!((pending[0].amount.as_str(), pending[0].to_amount.as_str()), ("1.000", "3000.000"));
    assert_eq!(pending[0].url.as_deref(), Some(format!("https://scan-31337.example/tx/{}", hash("ab")).as_str()));
    assert!(!world.event_names().contains(&"SWAP_SUCCESS"));
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert_eq!((form(&world).pending.len(), snack(&world)), (0, Some(Message::SwapDone)));
    for (name, told) in [
        ("OPEN_SWAP", r#""network":"eip155:31337","isSmartAccount":false"#),
        ("INITIATE_SWAP", r#""swapFromToken":"ETH","swapToToken":"USDC","swapFromAmount":"1","swapToAmount":"3000""#),
        ("SWAP_SUCCESS", r#""swapFromToken":"ETH","swapToToken":"USDC","swapFromAmount":"1","swapToAmount":"3000""#),
        ("CLICK_CONVERT", ""),
    ] {
        assert!(properties(&world, name).contains(told) && world.event_names().contains(&name), "{name}");
    }
}

#[test]
fn a_swap_that_reverts_is_replaced_or_never_mined_is_told() {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.node.receipts.insert(hash("ab"), false);
    world.advance(4_100);
    assert_eq!(snack(&world), Some(Message::SwapFailed));
    assert!(properties(&world, "SWAP_ERROR").contains("reverted"));
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    world.advance(190_000);
    assert!(form(&world).pending.is_empty() && !world.event_names().contains(&"SWAP_SUCCESS"));
}

#[test]
fn a_transaction_that_is_not_what_was_quoted_never_reaches_the_wallet() {
    let lies: [(&str, u128, u128, u128); 5] = [
        (ADDRESS, ETHER, ETHER, 2_970_000_000),
        (USDC, ETHER, ETHER, 2_970_000_000),
        (ROUTER, ETHER, ETHER + 1, 2_970_000_000),
        (ROUTER, 2 * ETHER, ETHER, 2_970_000_000),
        (ROUTER, ETHER, ETHER, 2_969_999_999),
    ];
    for (to, amount, value, minimum) in lies {
        let mut world = reviewed(alpha());
        builds(&mut world, to, amount, value, minimum);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::Mismatch)), "{to} {value}");
        assert!(sent(&world).is_empty());
    }
    for (status, body) in [(200, "null"), (200, "[]"), (502, ""), (400, "")] {
        let mut world = reviewed(alpha());
        world.server.answers(BUILD, status, body);
        act(&mut world, Swap::ConfirmAsked);
        assert_eq!(form(&world).phase, Phase::Failed, "{status} {body}");
        assert!(sent(&world).is_empty() && world.event_names().contains(&"SWAP_ERROR"));
    }
}

#[test]
fn a_token_is_approved_for_exactly_what_is_paid_and_then_swapped() {
    let mut world = reviewed_token(alpha());
    assert!(form(&world).quote.unwrap().approval_needed);
    signs(&mut world, "aa");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::ApprovalPending);
    let approval = &sent(&world)[0];
    assert_eq!((approval.get("to").as_str(), approval.get("value").as_str()), (Some(USDC), Some("0x0")));
    let expected = format!("0x095ea7b3{:0>64}{:064x}", &ROUTER[2..], 1_000_000_000u64);
    assert_eq!(approval.get("data").as_str(), Some(expected.as_str()));
    assert!(form(&world).pending.is_empty(), "an approval is no swap");
    signs(&mut world, "bb");
    allows(&mut world, USDC, 1_000_000_000);
    world.node.receipts.insert(hash("aa"), true);
    world.advance(4_100);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::Account));
    assert_eq!(
        (sent(&world)[1].get("to").as_str(), sent(&world)[1].get("value").as_str()),
        (Some(ROUTER), Some("0x0"))
    );
    assert_eq!(form(&world).pending[0].hash, hash("bb"));
}

#[test]
fn an_approval_that_is_refused_reverts_or_is_for_less_swaps_nothing() {
    let mut world = reviewed_token(alpha().when(SEND, Behaviour::Refuse));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!(form(&world).phase, Phase::Refused);
    assert!(world.event_names().contains(&"SWAP_APPROVAL_ERROR") && !world.event_names().contains(&"SWAP_ERROR"));
    for (receipt, allowed, fault) in [
        (Some(false), 1_000_000_000, Fault::ApprovalReverted),
        (Some(true), 999_999_999, Fault::ApprovedTooLittle),
        (None, 0, Fault::ApprovalLate),
    ] {
        let mut world = reviewed_token(alpha());
        act(&mut world, Swap::ConfirmAsked);
        allows(&mut world, USDC, allowed);
        if let Some(well) = receipt {
            world.node.receipts.insert(hash("ab"), well);
        }
        world.advance(190_000);
        assert_eq!((form(&world).phase, form(&world).fault, sent(&world).len()), (Phase::Failed, Some(fault), 1));
        assert!(world.event_names().contains(&"SWAP_APPROVAL_ERROR"));
    }
}

#[test]
fn a_quote_that_expires_while_the_wallet_asks_is_asked_for_anew() {
    let approved = |second: u128| {
        let mut world = reviewed_token(alpha());
        quotes(&mut world, USDC, COIN, 1_000_000_000, ETHER / 3);
        world.advance(15_000);
        act(&mut world, Swap::ConfirmAsked);
        allows(&mut world, USDC, 1_000_000_000);
        world.advance(60_000);
        let before = asked(&world);
        quotes(&mut world, USDC, COIN, 1_000_000_000, second);
        signs(&mut world, "bb");
        world.node.receipts.insert(hash("ab"), true);
        world.advance(4_100);
        assert_eq!(asked(&world), before + 1);
        world
    };
    // A little worse, and still more than what was promised: that stays the promise.
    let world = approved(ETHER / 3 - ETHER / 1_000);
    assert_eq!(sent(&world).len(), 2);
    let (_, body) = world.server.heard.iter().find(|(request, _)| request.contains(BUILD)).unwrap();
    assert!(body.as_ref().unwrap().contains(&format!(r#""toAmountMin":"{}""#, ETHER / 3 - ETHER / 300)));
    // Worse than that: the visitor is asked again, and a press that was meant for the old price is no yes.
    let mut world = approved(ETHER / 4);
    builds(&mut world, ROUTER, 1_000_000_000, 0, ETHER / 4 - ETHER / 400);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, sent(&world).len()), (Phase::Outdated, 1));
    act(&mut world, Swap::PriceAccepted);
    assert_eq!(form(&world).quote.unwrap().minimum_received, "0.2475");
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((sent(&world).len(), view(&world)), (2, View::Account));
}

#[test]
fn a_price_that_falls_below_the_promise_in_the_preview_asks_again() {
    let mut world = reviewed(alpha());
    quotes(&mut world, COIN, USDC, ETHER, 2_990_000_000);
    world.advance(15_000);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().minimum_received.as_str()), (Phase::Editing, "2970"));
    quotes(&mut world, COIN, USDC, ETHER, 2_900_000_000);
    world.advance(15_000);
    assert_eq!((form(&world).phase, form(&world).quote.unwrap().minimum_received.as_str()), (Phase::Outdated, "2871"));
}

#[test]
fn a_server_that_does_not_build_the_quote_any_more_is_asked_for_another_once() {
    let mut world = reviewed(alpha());
    world.server.answers(BUILD, 410, "");
    let before = asked(&world);
    act(&mut world, Swap::ConfirmAsked);
    assert_eq!((form(&world).phase, form(&world).fault), (Phase::Failed, Some(Fault::NotBuilt)));
    assert_eq!((asked(&world), world.server.count(BUILD)), (before + 1, 2));
}

#[test]
fn what_is_shown_while_the_wallet_asks_cannot_be_changed_and_no_quote_is_asked_for() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Silent));
    act(&mut world, Swap::ConfirmAsked);
    let before = asked(&world);
    for event in [
        Swap::AmountTyped { text: "5".into() },
        Swap::MaxAsked,
        Swap::FlipAsked,
        Swap::ConfirmAsked,
        Swap::ReviewAsked,
        Swap::TokenChosen { address: DAI.into() },
    ] {
        act(&mut world, event);
    }
    world.advance(60_000);
    assert_eq!((form(&world).source_token_amount.as_str(), sent(&world).len(), asked(&world)), ("1", 1, before));
    assert!(form(&world).slow && form(&world).phase == Phase::Confirming);
    world.modal(Modal::BackAsked);
    assert_eq!(
        (view(&world), form(&world).phase, snack(&world)),
        (View::Swap, Phase::Editing, Some(Message::MayStillSend))
    );
}

#[test]
fn a_swap_that_is_on_its_way_is_followed_past_a_reload() {
    let mut world = reviewed(alpha());
    act(&mut world, Swap::ConfirmAsked);
    let before = form(&world).pending;
    world.reload();
    assert_eq!(form(&world).pending, before);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
    world.reload();
    assert!(form(&world).pending.is_empty());
}

#[test]
fn stored_swaps_are_hostile_and_old_ones_are_not_looked_for() {
    let good = r#"{"hash":"HASH","chain":"eip155:31337","address":"0x1","amount":"1","symbol":"A","toAmount":"2","toSymbol":"B","smartAccount":false,"since":1699999999000}"#
        .replace("HASH", &hash("cd"));
    let stored = |text: &str| {
        let mut store = Store::default();
        let area = portico_core::StorageArea::Local;
        store.write(area, "@portico/version", "1");
        store.write(area, "@portico/pending_swaps", text);
        let world = World::with(&options(), vec![alpha()], store);
        world.node.bodies.iter().any(|body| body.contains(&hash("cd")))
    };
    assert!(stored(&format!("[7,null,{good}]")));
    for (part, other) in [
        ("eip155:31337", "eip155:999"),
        ("eip155:31337", "nonsense"),
        ("1699999999000", "1600000000000"),
        ("1699999999000", "1800000000000"),
        (r#""amount":"1""#, r#""amount":"-1""#),
        (r#""toAmount":"2""#, r#""toAmount":2"#),
        (r#""smartAccount":false"#, r#""smartAccount":0"#),
        ("cd", "xy"),
    ] {
        assert!(!stored(&format!("[{}]", good.replacen(part, other, 1))), "{other}");
    }
    for nonsense in ["", "{", "{}", "7", "[]", "[[]]"] {
        assert!(!stored(nonsense), "{nonsense}");
    }
}

#[test]
fn a_swap_that_is_signed_after_the_visitor_left_is_still_followed() {
    let mut world = reviewed(alpha().when(SEND, Behaviour::Late(30_000)));
    act(&mut world, Swap::ConfirmAsked);
    world.modal(Modal::CloseAsked);
    world.advance(30_000);
    assert_eq!(form(&world).pending.len(), 1);
    world.node.receipts.insert(hash("ab"), true);
    world.advance(4_100);
    assert!(form(&world).pending.is_empty() && world.event_names().contains(&"SWAP_SUCCESS"));
}

#[test]
fn a_chain_switched_under_an_open_form_begins_anew_with_a_word() {
    let mut world = reviewed(alpha());
    let asked_before = world.server.count("/v1/convert/tokens");
    world.wallet_switches(31338);
    assert_eq!((view(&world), snack(&world)), (View::Swap, Some(Message::SwapReset)));
    let swap = form(&world);
    assert_eq!((swap.source_token_amount.as_str(), swap.quote, swap.to_token), ("", None, None));
    assert_eq!(world.server.count("/v1/convert/tokens"), asked_before + 1);
    // A quote of the other chain that was under way is not one of this.
    world.advance(60_000);
    assert!(sent(&world).is_empty());
}

#[test]
fn a_network_that_is_chosen_from_the_form_leads_back_to_it() {
    let mut world = market(alpha());
    world.server.answers("chainId=eip155:31337", 404, "");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!(form(&world).offer, Offer::Unsupported);
    act(&mut world, Swap::NetworksAsked);
    let tokens = format!(r#"{{"tokens":[{}]}}"#, token("ETH", COIN, 18).replace("31337", "31338"));
    world.server.answers("chainId=eip155:31338", 200, &tokens);
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!((view(&world), form(&world).offer), (View::Swap, Offer::Ready));
}

#[test]
fn another_account_of_the_wallet_begins_anew() {
    let mut world = reviewed(alpha());
    world.wallet_shows(&["0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    assert_eq!((form(&world).source_token_amount.as_str(), view(&world)), ("", View::Swap));
    act(&mut world, Swap::ConfirmAsked);
    assert!(sent(&world).is_empty());
}
