//! World shared by the scenarios of swaps, and the scenarios of the form: networks with swaps, tokens, and arguments of the host.

use portico_api::account::{Balance, Balances, Quantity};
use portico_api::swap::{BuiltSwap, SwapQuote, SwapQuotes, SwapStep, SwapToken, SwapTokens, SwapTransaction};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::network::Event as Network;
use portico_core::swap::{Event as Swap, Offer, Target, View as Form};
use portico_json::{Value, parse};
use portico_testkit::exchange::{self, hosted, swap_call};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

pub(super) const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub(super) const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
pub(super) const USDC: &str = "0x00000000000000000000000000000000000000c0";
pub(super) const DAI: &str = "0x00000000000000000000000000000000000000da";
pub(super) const ODD: &str = "0x00000000000000000000000000000000000000dd";
pub(super) const ROUTER: &str = exchange::ROUTER;
pub(super) const SEND: &str = "eth_sendTransaction";
pub(super) const TOKENS: &str = "/v1/convert/tokens";
pub(super) const QUOTES: &str = "/v1/convert/quotes";
pub(super) const BUILD: &str = "/v1/convert/build-transaction";
pub(super) const ETHER: u128 = 1_000_000_000_000_000_000;

pub(super) fn id(address: &str) -> String {
    format!("eip155:31337:{address}")
}

pub(super) fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha")
}

/// Behaviour of a wallet that throws this error, as JSON.
pub(super) fn throws(error: &str) -> Behaviour {
    Behaviour::Throw(parse(error).unwrap())
}

pub(super) fn token(symbol: &str, address: &str, decimals: u32) -> SwapToken {
    SwapToken {
        name: format!("{symbol} Coin"),
        symbol: symbol.into(),
        address: id(address),
        decimals,
        logo_uri: format!("/v1/image/{symbol}"),
        eip2612: false,
    }
}

/// Makes the server list these tokens from now on.
pub(super) fn lists(world: &mut World, tokens: impl Into<Vec<SwapToken>>) {
    world
        .server
        .serves(TOKENS, &SwapTokens { tokens: tokens.into(), provider: "onchain".into(), exact_out: Some(true) });
}

/// Balance of a token with six decimals and a price of one dollar.
pub(super) fn held(symbol: &str, address: &str, numeric: &str) -> Balance {
    Balance {
        name: symbol.into(),
        symbol: symbol.into(),
        chain_id: "eip155:31337".into(),
        address: Some(id(address)),
        price: 1u64.into(),
        quantity: Quantity { decimals: "6".into(), numeric: numeric.into() },
        ..Balance::default()
    }
}

/// World of a host whose server offers swaps on the first chain.
pub(super) fn market(wallet: ScriptedWallet) -> World {
    market_of(&hosted(&options()), wallet)
}

/// As [`market`], with these options of the host.
pub(super) fn market_of(options: &str, wallet: ScriptedWallet) -> World {
    let mut world = World::with(options, vec![wallet], Store::default());
    allows(&mut world, USDC, 0);
    lists(&mut world, [token("ETH", COIN, 18), token("USDC", USDC, 6), token("DAI", DAI, 18)]);
    world.server.serves("/balance", &Balances::default());
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

/// Quote of the server for this amount.
pub(super) fn quoted(world: &World, from: &str, to: &str, amount: u128, to_amount: u128) -> SwapQuote {
    SwapQuote {
        id: format!("q{to_amount}"),
        provider: "onchain".into(),
        from_amount: amount.to_string(),
        from_amount_max: None,
        from_account: id(from),
        to_amount: to_amount.to_string(),
        to_amount_min: (to_amount - to_amount / 100).to_string(),
        to_account: id(to),
        route: vec![SwapStep { name: "Uniswap V3".into(), ..SwapStep::default() }],
        price_impact: Some("0.12".into()),
        fee: Some("0.3".into()),
        spender: (from != COIN).then(|| id(ROUTER)),
        allowance: Some("0".into()),
        gas: "180000".into(),
        expiry: world.now / 1_000 + 60,
    }
}

/// Makes the server return this quote for its amount from now on.
pub(super) fn offers(world: &mut World, quote: SwapQuote) {
    let part = format!("amount={}&userAddress", quote.from_amount);
    world.server.serves(&part, &SwapQuotes { quotes: vec![quote] });
}

/// Makes the server return a quote of these amounts from now on.
pub(super) fn quotes(world: &mut World, from: &str, to: &str, amount: u128, to_amount: u128) {
    offers(world, quoted(world, from, to, amount, to_amount));
}

/// Makes the server build this transaction from now on: of coins to USDC where a value is sent along, else back.
pub(super) fn builds(world: &mut World, to: &str, amount: u128, value: u128, minimum: u128) {
    builds_call(world, to, &swaps(amount, value, minimum), amount, value, minimum);
}

/// Calldata of [`builds`].
pub(super) fn swaps(amount: u128, value: u128, minimum: u128) -> String {
    let (from, to) = if value > 0 { (COIN, USDC) } else { (USDC, COIN) };
    swap_call(ADDRESS, from, to, Some(amount), minimum)
}

/// Makes the server build a transaction with this calldata from now on.
pub(super) fn builds_call(world: &mut World, to: &str, data: &str, amount: u128, value: u128, minimum: u128) {
    let tx = SwapTransaction {
        from: id(ADDRESS),
        to: id(to),
        data: data.into(),
        amount: amount.to_string(),
        value: value.to_string(),
        ..SwapTransaction::default()
    };
    let expiry = world.now / 1_000 + 600;
    let built = BuiltSwap { tx, to_amount_min: minimum.to_string(), expiry, ..BuiltSwap::default() };
    world.server.serves(BUILD, &built);
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

/// World with the form open for coins to USDC.
pub(super) fn opened(wallet: ScriptedWallet) -> World {
    opened_in(market(wallet))
}

/// As [`opened`], in this world.
pub(super) fn opened_in(mut world: World) -> World {
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut world, Target::ToToken, USDC);
    world
}

/// World with the preview for one coin to 3,000 USDC.
pub(super) fn reviewed(wallet: ScriptedWallet) -> World {
    let mut world = opened(wallet);
    quotes(&mut world, COIN, USDC, ETHER, 3_000_000_000);
    builds(&mut world, ROUTER, ETHER, ETHER, 2_970_000_000);
    typed(&mut world, "1");
    act(&mut world, Swap::ReviewAsked);
    world
}

/// World with the preview for 1,000 USDC to a third of a coin.
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

pub(super) fn asked(world: &World) -> usize {
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

pub(super) fn properties(world: &World, name: &str) -> String {
    let found = world.events.iter().find(|(event, _)| event == name);
    found.map(|(_, properties)| portico_json::to_text(properties)).unwrap_or_default()
}

#[test]
fn spec_9_10_a_chain_that_cannot_swap_says_so_and_offers_those_that_can() {
    let mainnet = options().replacen("31338", "10", 2).replacen("31338", "10", 1);
    let mut world = World::with(&hosted(&mainnet), vec![alpha()], Store::default());
    world.server.answers(TOKENS, 404, r#"{"status":"FAILED","reasons":[{"description":"No"}]}"#);
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
    // The token to receive is the default token to pay: the paid token is then left open, and the amount is dropped.
    let swap = form(&by(r#"{"toToken":"ETH","amount":"100"}"#));
    assert_eq!((swap.source_token, swap.source_token_amount.as_str()), (None, ""));
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
fn a_network_that_is_chosen_from_the_form_leads_back_to_it() {
    let mut world = market(alpha());
    world.server.answers("chainId=eip155:31337", 404, "");
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    assert_eq!(form(&world).offer, Offer::Unsupported);
    act(&mut world, Swap::NetworksAsked);
    let coin = SwapToken { address: format!("eip155:31338:{COIN}"), ..token("ETH", COIN, 18) };
    world.server.serves("chainId=eip155:31338", &SwapTokens { tokens: vec![coin], ..SwapTokens::default() });
    world.dispatch(Event::Network(Network::NetworkChosen { chain: "eip155:31338".into() }));
    assert_eq!((view(&world), form(&world).offer), (View::Swap, Offer::Ready));
}
