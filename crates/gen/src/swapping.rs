//! Snapshots of swaps: the form, the list of tokens and the preview, with quotes from a host's server.

use crate::snapshots::Cases;
use portico_api::account::{Balance, Balances, Quantity};
use portico_api::price::{Fungible, Prices};
use portico_api::swap::{BuiltSwap, SwapQuote, SwapQuotes, SwapStep, SwapToken, SwapTokens, SwapTransaction};
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::swap::{Event as Swap, Target};
use portico_core::{Event, Snapshot};
use portico_json::{Value, parse};
use portico_testkit::exchange::{ROUTER, hosted, swap_call};
use portico_testkit::{Behaviour, Contract, ScriptedWallet, Store, World, network, options};

pub const ADDRESS: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
pub const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";
pub const USDC: &str = "0x00000000000000000000000000000000000000c0";
const DAI: &str = "0x00000000000000000000000000000000000000da";
pub const SEND: &str = "eth_sendTransaction";
pub const ETHER: u128 = 1_000_000_000_000_000_000;

const TOKENS: [(&str, &str, &str, u32); 7] = [
    ("Ether", "ETH", COIN, 18),
    ("Wrapped Ether", "WETH", "0x00000000000000000000000000000000000000e0", 18),
    ("USD Coin", "USDC", USDC, 6),
    ("Dai Stablecoin", "DAI", DAI, 18),
    ("Wrapped Bitcoin", "WBTC", "0x00000000000000000000000000000000000000b0", 8),
    ("A Token With A Rather Long Name", "LONGTOKEN", "0x00000000000000000000000000000000000000f0", 18),
    ("عملة", "قنديل", "0x00000000000000000000000000000000000000f1", 18),
];

pub fn id(address: &str) -> String {
    format!("eip155:31337:{address}")
}

pub fn list() -> SwapTokens {
    let token = |(name, symbol, address, decimals): (&str, &str, &str, u32)| SwapToken {
        name: name.into(),
        symbol: symbol.into(),
        address: id(address),
        decimals,
        ..SwapToken::default()
    };
    SwapTokens { tokens: TOKENS.map(token).into(), provider: "onchain".into(), exact_out: Some(true) }
}

fn held() -> Balances {
    let token = |symbol: &str, address: Option<&str>, price: f64, decimals: &str, amount: &str| Balance {
        name: symbol.into(),
        symbol: symbol.into(),
        chain_id: "eip155:31337".into(),
        address: address.map(id),
        price: price.into(),
        quantity: Quantity { decimals: decimals.into(), numeric: amount.into() },
        ..Balance::default()
    };
    let balances = vec![
        token("ETH", None, 3120.5, "18", "10000"),
        token("USDC", Some(USDC), 1.0, "6", "5250.5"),
        token("FREE-AIRDROP", Some("0x00000000000000000000000000000000000000dd"), 0.0, "18", "1000000"),
    ];
    Balances { balances, ..Balances::default() }
}

fn prices() -> Prices {
    let price =
        |(address, price): (&str, f64)| Fungible { address: id(address), price: price.into(), ..Fungible::default() };
    Prices { fungibles: [(COIN, 3120.5), (USDC, 1.0)].map(price).into(), ..Prices::default() }
}

/// World of a connected visitor whose host's server offers swaps, with the form open.
pub fn form(wallet: ScriptedWallet, prepare: impl FnOnce(&mut World)) -> World {
    let mut world = World::with(&hosted(&options()), vec![wallet], Store::default());
    world.node.calls.insert((USDC.into(), "0xdd62ed3e".into()), format!("0x{:064x}", 0));
    world.server.serves("/balance", &held());
    world.server.serves("/v1/convert/tokens", &list());
    world.server.serves("/v1/fungible/price", &prices());
    world.node.calls.insert((USDC.into(), "0x70a08231".into()), format!("0x{:064x}", 5_250_500_000u64));
    for (_, _, address, decimals) in TOKENS {
        world.node.calls.insert((address.into(), "0x313ce567".into()), format!("0x{decimals:064x}"));
    }
    prepare(&mut world);
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

pub fn alpha() -> ScriptedWallet {
    ScriptedWallet::named("Alpha Wallet")
}

pub fn act(world: &mut World, event: Swap) {
    world.dispatch(Event::Swap(event));
}

pub fn choose(world: &mut World, target: Target, address: &str) {
    act(world, Swap::SelectAsked { target });
    act(world, Swap::TokenChosen { address: address.into() });
}

pub fn quoted(world: &World, from: &str, to: &str, amount: u128, to_amount: u128, impact: &str) -> SwapQuote {
    SwapQuote {
        id: "1".into(),
        provider: "onchain".into(),
        from_amount: amount.to_string(),
        from_amount_max: None,
        from_account: id(from),
        to_amount: to_amount.to_string(),
        to_amount_min: (to_amount - to_amount / 100).to_string(),
        to_account: id(to),
        route: vec![SwapStep { name: "Uniswap V3 0.05%".into(), ..SwapStep::default() }],
        price_impact: Some(impact.into()),
        fee: Some("0.05".into()),
        spender: (from != COIN).then(|| id(ROUTER)),
        allowance: Some("0".into()),
        gas: "180000".into(),
        expiry: world.now / 1_000 + 600,
    }
}

/// Makes the server return this quote for its amount.
fn offers(world: &mut World, quote: SwapQuote) {
    let part = format!("amount={}&userAddress", quote.from_amount);
    world.server.serves(&part, &SwapQuotes { quotes: vec![quote] });
}

fn quotes(world: &mut World, from: &str, to: &str, amount: u128, to_amount: u128, impact: &str) {
    let quote = quoted(world, from, to, amount, to_amount, impact);
    let tx = SwapTransaction {
        from: id(ADDRESS),
        to: id(ROUTER),
        data: swap_call(ADDRESS, from, to, Some(amount), to_amount - to_amount / 100),
        amount: amount.to_string(),
        value: if from == COIN { amount } else { 0 }.to_string(),
        ..SwapTransaction::default()
    };
    let (to_amount_min, expiry) = (quote.to_amount_min.clone(), quote.expiry);
    let built = BuiltSwap { tx, to_amount_min, expiry, ..BuiltSwap::default() };
    world.server.serves("/v1/convert/build-transaction", &built);
    offers(world, quote);
}

/// World with the form for coins to USDC, with this amount typed and quoted.
fn typed(wallet: ScriptedWallet, text: &str, amount: u128, to_amount: u128, impact: &str) -> World {
    let mut world = form(wallet, |_| {});
    choose(&mut world, Target::ToToken, USDC);
    quotes(&mut world, COIN, USDC, amount, to_amount, impact);
    act(&mut world, Swap::AmountTyped { text: text.into() });
    world.advance(500);
    world
}

fn ready(wallet: ScriptedWallet) -> World {
    typed(wallet, "1.25", ETHER * 5 / 4, 3_899_218_407, "0.04")
}

/// World with the preview for USDC to coins, which needs an approval first.
pub fn token_preview(wallet: ScriptedWallet) -> World {
    let mut world = form(wallet, |_| {});
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::FlipAsked);
    quotes(&mut world, USDC, COIN, 1_000_000_000, 320_316_298_721_114_002, "0.31");
    act(&mut world, Swap::AmountTyped { text: "1000".into() });
    world.advance(500);
    act(&mut world, Swap::ReviewAsked);
    world
}

/// Wallet that reports support for atomic batches (EIP-5792) and answers `wallet_sendCalls` with this behaviour.
fn able(behaviour: Behaviour) -> ScriptedWallet {
    let told = parse(r#"{"0x7a69":{"atomic":{"status":"supported"}}}"#).unwrap_or_default();
    alpha().when("wallet_getCapabilities", Behaviour::Nonsense(told)).when("wallet_sendCalls", behaviour)
}

pub fn preview(behaviour: Behaviour) -> World {
    let mut world = ready(alpha().when(SEND, behaviour));
    act(&mut world, Swap::ReviewAsked);
    world
}

pub fn confirmed(mut world: World) -> Snapshot {
    act(&mut world, Swap::ConfirmAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Snapshot for a token with an older, smaller allowance that must be reset first: a new approval reverts.
fn revoking() -> Snapshot {
    let mut world = form(alpha().when(SEND, Behaviour::Silent), |_| {});
    let contract = Contract { decimals: Some(6), balance: Some(5_250_500_000), ..Contract::default() };
    world.node.tokens.insert(USDC.into(), contract);
    choose(&mut world, Target::ToToken, USDC);
    act(&mut world, Swap::FlipAsked);
    world.node.calls.insert((USDC.into(), "0xdd62ed3e".into()), format!("0x{:064x}", 250_000_000));
    quotes(&mut world, USDC, COIN, 1_000_000_000, 320_316_298_721_114_002, "0.31");
    act(&mut world, Swap::AmountTyped { text: "1000".into() });
    world.advance(500);
    act(&mut world, Swap::ReviewAsked);
    confirmed(world)
}

fn unsupported(offered: bool) -> Snapshot {
    let others = format!(r#""networks":[{},{},"#, network(137, "Polygon"), network(10, "Optimism"));
    let mut options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    if offered {
        options = options.replace(r#""networks":["#, &others).replacen('{', r#"{"defaultNetwork":"eip155:31337","#, 1);
    }
    let mut world = World::with(&options, vec![alpha()], Store::default());
    world.connect_first();
    world.open(None);
    world.modal(Modal::ViewAsked { view: View::Swap });
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world.snapshot()
}

/// Snapshot of the list of tokens for one side of the swap.
fn select(search: &str, prepare: impl FnOnce(&mut World)) -> Snapshot {
    let mut world = form(alpha(), prepare);
    act(&mut world, Swap::SelectAsked { target: Target::SourceToken });
    act(&mut world, Swap::SearchTyped { text: search.into() });
    world.snapshot()
}

/// Snapshot of the list with the row of hidden tokens open.
fn revealed() -> Snapshot {
    let mut world = form(alpha(), |_| {});
    act(&mut world, Swap::SelectAsked { target: Target::SourceToken });
    act(&mut world, Swap::HiddenAsked);
    world.snapshot()
}

fn forms() -> Cases {
    let mut picked = form(alpha(), |_| {});
    choose(&mut picked, Target::ToToken, USDC);
    let mut quoting = form(alpha(), |_| {});
    choose(&mut quoting, Target::ToToken, USDC);
    quoting.server.silent = true;
    act(&mut quoting, Swap::AmountTyped { text: "1.25".into() });
    quoting.advance(500);
    let mut no_route = form(alpha(), |_| {});
    choose(&mut no_route, Target::ToToken, USDC);
    act(&mut no_route, Swap::AmountTyped { text: "1.25".into() });
    no_route.advance(500);
    let mut no_quote = form(alpha(), |world| world.server.answers("/v1/convert/quotes", 502, ""));
    choose(&mut no_quote, Target::ToToken, USDC);
    act(&mut no_quote, Swap::AmountTyped { text: "1.25".into() });
    no_quote.advance(500);
    let mut fault = form(alpha(), |_| {});
    choose(&mut fault, Target::ToToken, USDC);
    act(&mut fault, Swap::AmountTyped { text: "1e3".into() });
    vec![
        ("Swap.empty", form(alpha(), |_| {}).snapshot()),
        ("Swap.picked", picked.snapshot()),
        ("Swap.quoting", quoting.snapshot()),
        ("Swap.ready", ready(alpha()).snapshot()),
        ("Swap.slippageHigh", tolerant("7.5")),
        ("Swap.slippageWrong", tolerant("75")),
        ("Swap.impactHigh", typed(alpha(), "400", 400 * ETHER, 1_181_021_000_000, "5.4").snapshot()),
        ("Swap.impactSevere", typed(alpha(), "9000", 9_000 * ETHER, 4_211_021_000_000, "85.01").snapshot()),
        // 1.25 coins at 3,120.50, for less than they are worth; the provider states no price impact.
        ("Swap.impactAbout", typed(alpha(), "1.25", ETHER * 5 / 4, 3_700_000_000, "").snapshot()),
        ("Swap.insufficient", typed(alpha(), "12500", 12_500 * ETHER, 38_992_184_070_000, "2.1").snapshot()),
        ("Swap.insufficientGas", typed(alpha(), "10000", 10_000 * ETHER, 30_992_184_070_000, "2.1").snapshot()),
        ("Swap.fault", fault.snapshot()),
        ("Swap.noRoute", no_route.snapshot()),
        ("Swap.noQuote", no_quote.snapshot()),
        ("Swap.loading", form(alpha(), |world| world.server.silent = true).snapshot()),
        ("Swap.unavailable", form(alpha(), |world| world.server.answers("/v1/convert/tokens", 503, "")).snapshot()),
        ("Swap.unsupported", unsupported(true)),
        ("Swap.unsupportedAll", unsupported(false)),
    ]
}

/// Form with this slippage tolerance, as typed.
fn tolerant(text: &str) -> Snapshot {
    let mut world = ready(alpha());
    act(&mut world, Swap::SlippageTyped { text: text.into() });
    world.snapshot()
}

/// Returns the form, the list and the preview in all states.
pub fn cases() -> Cases {
    let numbered = |number: u32| SwapToken {
        name: format!("Token {number}"),
        symbol: format!("T{number}"),
        address: id(&format!("0x{number:040x}")),
        decimals: 18,
        ..SwapToken::default()
    };
    let many = SwapTokens { tokens: (1..=2_000).map(numbered).collect(), ..SwapTokens::default() };
    let mut slow = preview(Behaviour::Silent);
    act(&mut slow, Swap::ConfirmAsked);
    slow.advance(8_000);
    let mut waiting = token_preview(alpha());
    act(&mut waiting, Swap::ConfirmAsked);
    waiting.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut building = preview(Behaviour::Right);
    building.server.silent = true;
    act(&mut building, Swap::ConfirmAsked);
    let mut outdated = preview(Behaviour::Right);
    quotes(&mut outdated, COIN, USDC, ETHER * 5 / 4, 3_712_004_113, "0.04");
    outdated.advance(15_000);
    outdated.advance(1_000);
    let mut testing = ready(alpha());
    testing.node.mute = Some("eth_simulateV1");
    act(&mut testing, Swap::ReviewAsked);
    let mut untested = ready(alpha());
    untested.node.simulation = Some(Value::Null);
    act(&mut untested, Swap::ReviewAsked);
    untested.advance(1_000);
    let mut mismatch = preview(Behaviour::Right);
    mismatch.server.answers("/v1/convert/build-transaction", 200, "{}");
    // Simulations: by no node, of a swap that fails, and of one that brings nothing.
    let simulated = |answer: &str| {
        let mut world = preview(Behaviour::Right);
        world.node.simulation = parse(answer).ok();
        act(&mut world, Swap::ConfirmAsked);
        world.advance(2_000);
        world.dispatch(Event::Notice(Notice::SnackDismissed));
        world.snapshot()
    };
    let failure =
        parse(r#"{"code":-32003,"message":"insufficient funds for gas * price + value"}"#).unwrap_or_default();
    let expiry = parse(r#"{"code":8000,"message":"The request has expired"}"#).unwrap_or_default();
    let unable = parse(r#"{"code":5740,"message":"The batch is too large"}"#).unwrap_or_default();
    let mut costly = typed(alpha(), "9000", 9_000 * ETHER, 4_211_021_000_000, "85.01");
    act(&mut costly, Swap::ReviewAsked);
    let severe = costly.snapshot();
    act(&mut costly, Swap::ConfirmAsked);
    let unread = costly.snapshot();
    costly.advance(1_000);
    let mut unvalued = form(alpha(), |world| world.server.answers("/v1/fungible/price", 503, ""));
    choose(&mut unvalued, Target::ToToken, DAI);
    quotes(&mut unvalued, COIN, DAI, ETHER, 3_000 * ETHER, "");
    let quote = quoted(&unvalued, COIN, DAI, ETHER, 3_000 * ETHER, "");
    offers(&mut unvalued, SwapQuote { price_impact: None, ..quote });
    act(&mut unvalued, Swap::AmountTyped { text: "1".into() });
    unvalued.advance(500);
    act(&mut unvalued, Swap::ReviewAsked);
    act(&mut unvalued, Swap::ConfirmAsked);
    unvalued.advance(1_000);
    let mut interrupted = preview(Behaviour::Silent);
    act(&mut interrupted, Swap::ConfirmAsked);
    interrupted.reload();
    interrupted.open(None);
    interrupted.modal(Modal::ViewAsked { view: View::Swap });
    choose(&mut interrupted, Target::ToToken, USDC);
    act(&mut interrupted, Swap::AmountTyped { text: "1.25".into() });
    interrupted.advance(500);
    act(&mut interrupted, Swap::ReviewAsked);
    act(&mut interrupted, Swap::ConfirmAsked);
    interrupted.advance(1_000);
    let mut all = forms();
    all.extend(vec![
        ("SwapSelectToken.list", select("", |_| {})),
        ("SwapSelectToken.revealed", revealed()),
        ("SwapSelectToken.found", select("us", |_| {})),
        ("SwapSelectToken.none", select("no such token", |_| {})),
        ("SwapSelectToken.long", select("", move |world| world.server.serves("/v1/convert/tokens", &many))),
        ("SwapPreview.ready", preview(Behaviour::Right).snapshot()),
        ("SwapPreview.testing", testing.snapshot()),
        ("SwapPreview.untested", untested.snapshot()),
        ("SwapPreview.approval", token_preview(alpha()).snapshot()),
        ("SwapPreview.revoking", revoking()),
        ("SwapPreview.approving", confirmed(token_preview(alpha().when(SEND, Behaviour::Silent)))),
        ("SwapPreview.approvalPending", waiting.snapshot()),
        ("SwapPreview.together", token_preview(able(Behaviour::Right)).snapshot()),
        ("SwapPreview.bothConfirming", confirmed(token_preview(able(Behaviour::Silent)))),
        ("SwapPreview.apart", confirmed(token_preview(able(Behaviour::Throw(unable)).when(SEND, Behaviour::Silent)))),
        ("SwapPreview.building", building.snapshot()),
        ("SwapPreview.confirming", confirmed(preview(Behaviour::Silent))),
        ("SwapPreview.slow", slow.snapshot()),
        ("SwapPreview.outdated", outdated.snapshot()),
        ("SwapPreview.refused", confirmed(preview(Behaviour::Refuse))),
        ("SwapPreview.failed", confirmed(preview(Behaviour::Throw(failure)))),
        ("SwapPreview.unsure", confirmed(preview(Behaviour::Throw(expiry)))),
        ("SwapPreview.interrupted", interrupted.snapshot()),
        ("SwapPreview.nonsense", confirmed(preview(Behaviour::Nonsense(Value::Null)))),
        ("SwapPreview.mismatch", confirmed(mismatch)),
        ("SwapPreview.severe", severe),
        ("SwapPreview.costly", costly.snapshot()),
        ("SwapPreview.unread", unread),
        ("SwapPreview.unvalued", unvalued.snapshot()),
        ("SwapPreview.unproven", simulated("null")),
        ("SwapPreview.fails", simulated(r#"[{"calls":[{"status":"0x0","logs":[]}]}]"#)),
        ("SwapPreview.takesMore", simulated(r#"[{"calls":[{"status":"0x1","logs":[]}]}]"#)),
    ]);
    all
}
