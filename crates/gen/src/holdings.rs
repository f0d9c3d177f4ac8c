//! Snapshots of the Account view's tabs: tokens, collectibles and activity, with data from a host's server.

use crate::snapshots::Cases;
use portico_api::account::{
    Application, Approval, Balance, Balances, FungibleInfo, History, Nft, NftFlags, NftInfo, Nfts, Quantity,
    Transaction, TransactionMetadata, Transfer, TransferQuantity,
};
use portico_api::identity::Identity;
use portico_api::project::{ProjectConfig, SwapConfig};
use portico_core::Event;
use portico_core::account::{Event as Account, Tab};
use portico_core::activity::Event as Activity;
use portico_core::detail::Event as Detail;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::send::Event as Send;
use portico_json::{Number, Value, to_text};
use portico_testkit::{Behaviour, ScriptedWallet, Store, World, options};

const RECEIVER: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/// World with an account in the given tab and these server responses for it.
pub fn served(tab: Tab, answers: &[(&str, u16, &str)], silent: bool) -> World {
    let options = options()
        .replacen('{', r#"{"endpoints":"https://host.example","ensChain":"eip155:31337","#, 1)
        .replacen(r#""testnet":true"#, r#""testnet":false"#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.server.serves("/balance", &Balances::default());
    for (part, status, body) in answers {
        world.server.answers(part, *status, body);
    }
    world.connect_first();
    world.server.silent = silent;
    world.open(None);
    world.dispatch(Event::Account(Account::TabChosen { tab }));
    world.dispatch(Event::Notice(Notice::SnackDismissed));
    world
}

const CHAIN: &str = "eip155:31337";

const TOKENS: [(&str, &str, &str, f64); 5] = [
    ("Ether", "ETH", "0", 3120.5),
    ("USD Coin", "USDC", "1250.004", 1.0),
    ("Wrapped Bitcoin", "WBTC", "0.02104", 64310.2),
    ("Dai Stablecoin", "DAI", "88.5", 1.0002),
    ("A Token With A Rather Long Name", "LONGTOKEN", "0.000004", 0.0),
];

/// Tokens that nobody asked for: one with a link in its name, one that imitates the coin, one without a price.
const BAIT: [(&str, &str, &str, f64); 3] = [
    ("visit site.com to claim", "CLAIM", "1000000", 0.0),
    ("Ether", "ETH", "25", 0.0),
    ("Nobody Asked For This", "NAFT", "4200", 0.0),
];

pub fn balances() -> String {
    balances_of(&TOKENS)
}

fn balances_of(tokens: &[(&str, &str, &str, f64)]) -> String {
    let token = |(index, (name, symbol, amount, price)): (usize, &(&str, &str, &str, f64))| Balance {
        name: (*name).into(),
        symbol: (*symbol).into(),
        chain_id: CHAIN.into(),
        address: (index > 0).then(|| format!("{CHAIN}:0x{index:040x}")),
        price: Number::from(*price),
        quantity: Quantity { decimals: "18".into(), numeric: (*amount).into() },
        ..Balance::default()
    };
    to_text(&Balances { balances: tokens.iter().enumerate().map(token).collect(), ..Balances::default() })
}

/// World with the tokens of an account that others sent bait to.
fn lured() -> World {
    let all: Vec<_> = TOKENS.into_iter().chain(BAIT).collect();
    served(Tab::Tokens, &[("/config", 200, &features()), ("/balance", 200, &balances_of(&all))], false)
}

/// Details of one row.
fn detail(tab: Tab, answers: &[(&str, u16, &str)], event: Detail) -> portico_core::Snapshot {
    let mut world = served(tab, answers, false);
    world.dispatch(Event::Detail(event));
    world.snapshot()
}

/// Project config of a server with on-ramp providers and with swaps on the active chain.
fn features() -> String {
    let swap = SwapConfig { chains: vec![CHAIN.into()], ..SwapConfig::default() };
    let features = vec!["swap".into(), "onramp".into()];
    to_text(&ProjectConfig { features, swap: Some(swap), ..ProjectConfig::default() })
}

/// Transfer within a transaction: direction, amount, token.
type Moved = (&'static str, &'static str, &'static str);

const DEEDS: [(&str, &str, &str, &[Moved]); 10] = [
    ("receive", "2026-11-19T09:30:00Z", "confirmed", &[("in", "1250.004", "USDC")]),
    ("trade", "2026-11-12T17:05:00Z", "confirmed", &[("out", "1.2", "ETH"), ("in", "3744.6", "USDC")]),
    ("send", "2026-11-02T08:00:00Z", "failed", &[("out", "0.25", "ETH")]),
    ("approve", "2026-10-28T11:45:00Z", "confirmed", &[]),
    ("mint", "2026-10-20T20:10:00Z", "confirmed", &[("in", "", "Lantern #12")]),
    ("deposit", "2026-10-02T06:20:00Z", "confirmed", &[("out", "500", "DAI")]),
    ("execute", "2026-02-14T14:00:00Z", "confirmed", &[]),
    ("burn", "2025-12-31T23:59:59Z", "confirmed", &[("out", "0.00001", "LONGTOKEN")]),
    ("withdraw", "2025-12-01T12:00:00Z", "pending", &[("in", "500", "DAI")]),
    ("receive", "2025-11-20T03:15:00Z", "confirmed", &[("in", "1000", "t.me/gift")]),
];

pub fn history(next: Option<&str>) -> String {
    let own = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    let moved = |(direction, amount, what): &Moved| {
        let nft = amount.is_empty();
        let name = Some(String::from(*what));
        Transfer {
            nft_info: nft.then(|| NftInfo { name: name.clone(), ..NftInfo::default() }),
            fungible_info: (!nft).then(|| FungibleInfo { symbol: name, ..FungibleInfo::default() }),
            direction: (*direction).into(),
            recipient: (*direction == "out").then(|| RECEIVER.into()),
            quantity: TransferQuantity { numeric: if nft { "2" } else { amount }.into() },
            ..Transfer::default()
        }
    };
    let deed = |(index, (kind, date, status, moves)): (usize, &(&str, &str, &str, &[Moved]))| {
        let (from, to) = if *kind == "receive" { (RECEIVER, own) } else { (own, RECEIVER) };
        let metadata = TransactionMetadata {
            operation_type: (*kind).into(),
            hash: format!("0x{index:064x}"),
            mined_at: (*date).into(),
            sent_from: from.into(),
            sent_to: to.into(),
            status: (*status).into(),
            application: (*kind == "trade").then(|| Application { name: "Uniswap".into(), ..Application::default() }),
            chain: Some(CHAIN.into()),
            fee: Some("0.000184023".into()),
            ..TransactionMetadata::default()
        };
        let approval = (*kind == "approve").then(|| Approval {
            spender: format!("0x{:040x}", 9),
            spender_name: Some("Uniswap".into()),
            amount: Some("1250000000".into()),
            symbol: Some("USDC".into()),
            decimals: Some(6),
        });
        Transaction { id: index.to_string(), metadata, transfers: Some(moves.iter().map(moved).collect()), approval }
    };
    let data = DEEDS.iter().enumerate().map(deed).collect();
    to_text(&History { data, next: next.map(Into::into), ..History::default() })
}

fn nfts() -> String {
    let names = ["Lantern #12", "A Collectible With A Rather Long Name", "Anvil Punk 7", "قنديل", "Ticket"];
    let nft = |(index, name): (usize, &str)| Nft {
        address: format!("{CHAIN}:0x{index:040x}"),
        token_id: index.to_string(),
        name: name.into(),
        collection: "Lanterns of the Harbour".into(),
        image_url: String::new(),
        amount: if index == 4 { "12" } else { "1" }.into(),
        flags: NftFlags::default(),
    };
    to_text(&Nfts { data: names.into_iter().enumerate().map(nft).collect(), ..Nfts::default() })
}

/// Sends this amount; the wallet answers with this transaction hash.
fn send(world: &mut World, amount: &str, hash: &str) {
    let answer = Behaviour::Nonsense(Value::Text(hash.into()));
    world.wallet().behaviours.insert("eth_sendTransaction".into(), answer);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    world.dispatch(Event::Send(Send::AmountTyped { text: amount.into() }));
    world.dispatch(Event::Send(Send::ReceiverTyped { text: RECEIVER.into() }));
    world.advance(500);
    world.dispatch(Event::Send(Send::ReviewAsked));
    world.dispatch(Event::Send(Send::ConfirmAsked));
    world.modal(Modal::BackAsked);
    world.dispatch(Event::Notice(Notice::SnackDismissed));
}

/// World with an account that has no coins, tokens or history.
fn poor() -> World {
    let options = options().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    world.node.balances.clear();
    world.server.serves("/balance", &Balances::default());
    world.server.answers("/config", 200, &features());
    world.connect_first();
    world.open(None);
    world
}

/// Returns the tabs of an account whose host has a server.
pub fn cases() -> Cases {
    let lost = served(Tab::Tokens, &[("/balance", 500, "")], false);
    let mut kept = served(Tab::Tokens, &[("/balance", 200, &balances())], false);
    kept.server.answers("/balance", 500, "");
    kept.dispatch(Event::Account(Account::TokensAsked));
    kept.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut more = served(Tab::Activity, &[("/history", 200, &history(Some("two")))], false);
    more.server.silent = true;
    more.dispatch(Event::Activity(Activity::MoreAsked { ticket: None }));
    let mut outdated = served(Tab::Activity, &[("/history", 200, &history(None))], false);
    outdated.server.answers("/history", 500, "");
    outdated.advance(31_000);
    outdated.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
    outdated.dispatch(Event::Notice(Notice::SnackDismissed));
    let mut pending = served(Tab::Activity, &[("/history", 200, &history(None))], false);
    send(&mut pending, "1.5", &format!("0x{}", "ab".repeat(32)));
    send(&mut pending, "0.25", &format!("0x{}", "cd".repeat(32)));
    let named = &to_text(&Identity { name: Some("alice.portico.eth".into()), ..Identity::default() });
    let receiving = |answers: &[(&str, u16, &str)]| {
        let mut world = served(Tab::Tokens, answers, false);
        world.modal(Modal::ViewAsked { view: View::WalletReceive });
        world.snapshot()
    };
    let mut ready = poor();
    ready.modal(Modal::ViewAsked { view: View::WalletReceive });
    let transactions = |answers: &[(&str, u16, &str)]| {
        let mut world = served(Tab::Tokens, answers, false);
        world.modal(Modal::ViewAsked { view: View::Transactions });
        world.dispatch(Event::Notice(Notice::SnackDismissed));
        world.snapshot()
    };
    let mut revealed = lured();
    revealed.dispatch(Event::Account(Account::HiddenAsked));
    let mut choosing = lured();
    choosing.modal(Modal::ViewAsked { view: View::WalletSend });
    choosing.modal(Modal::ViewAsked { view: View::WalletSendSelectToken });
    choosing.dispatch(Event::Send(Send::HiddenAsked));
    let token = |at: usize| Detail::TokenAsked { address: (at > 0).then(|| format!("{CHAIN}:0x{at:040x}")) };
    let mut suspicious = lured();
    suspicious.dispatch(Event::Detail(token(TOKENS.len())));
    let mut copied = lured();
    copied.dispatch(Event::Detail(token(1)));
    copied.dispatch(Event::Account(Account::TextCopyAsked { text: format!("0x{:040x}", 1) }));
    let shown = [("/config", 200, &*features()), ("/balance", 200, &*balances())];
    let past = [("/history", 200, &*history(None))];
    vec![
        ("Account.tokens.hidden", lured().snapshot()),
        ("Account.tokens.revealed", revealed.snapshot()),
        ("WalletSendSelectToken.hidden", choosing.snapshot()),
        ("TokenDetails.token", detail(Tab::Tokens, &shown, token(1))),
        ("TokenDetails.coin", detail(Tab::Tokens, &shown, token(0))),
        ("TokenDetails.suspicious", suspicious.snapshot()),
        ("TokenDetails.copied", copied.snapshot()),
        ("TokenDetails.gone", detail(Tab::Tokens, &shown, token(99))),
        (
            "NftDetails.nft",
            detail(Tab::Nfts, &[("/nfts", 200, &nfts())], Detail::NftAsked { id: format!("{CHAIN}:0x{:040x}/4", 4) }),
        ),
        ("TransactionDetails.trade", detail(Tab::Activity, &past, Detail::TransactionAsked { id: "1".into() })),
        ("TransactionDetails.approval", detail(Tab::Activity, &past, Detail::TransactionAsked { id: "3".into() })),
        ("TransactionDetails.nfts", detail(Tab::Activity, &past, Detail::TransactionAsked { id: "4".into() })),
        ("TransactionDetails.failed", detail(Tab::Activity, &past, Detail::TransactionAsked { id: "2".into() })),
        ("TransactionDetails.suspicious", detail(Tab::Activity, &past, Detail::TransactionAsked { id: "9".into() })),
        (
            "Account.features",
            served(Tab::Tokens, &[("/config", 200, &features()), ("/balance", 200, &balances())], false).snapshot(),
        ),
        ("Account.poor", poor().snapshot()),
        ("Account.tokens.loading", served(Tab::Tokens, &[], true).snapshot()),
        ("Account.tokens.ready", served(Tab::Tokens, &[("/balance", 200, &balances())], false).snapshot()),
        ("Account.tokens.error", lost.snapshot()),
        ("Account.tokens.outdated", kept.snapshot()),
        ("Account.tokens.empty", served(Tab::Tokens, &[], false).snapshot()),
        ("Account.nfts.loading", served(Tab::Nfts, &[], true).snapshot()),
        ("Account.nfts.ready", served(Tab::Nfts, &[("/nfts", 200, &nfts())], false).snapshot()),
        ("Account.nfts.error", served(Tab::Nfts, &[("/nfts", 500, "")], false).snapshot()),
        ("Account.nfts.empty", served(Tab::Nfts, &[("/nfts", 200, &to_text(&Nfts::default()))], false).snapshot()),
        ("Account.activity.loading", served(Tab::Activity, &[], true).snapshot()),
        ("Account.activity.ready", served(Tab::Activity, &[("/history", 200, &history(None))], false).snapshot()),
        ("Account.activity.more", more.snapshot()),
        ("Account.activity.outdated", outdated.snapshot()),
        ("Account.activity.pending", pending.snapshot()),
        ("Account.activity.error", served(Tab::Activity, &[("/history", 500, "")], false).snapshot()),
        (
            "Account.activity.unserved",
            served(
                Tab::Activity,
                &[("/history", 200, &to_text(&History { source: Some("rpc".into()), ..History::default() }))],
                false,
            )
            .snapshot(),
        ),
        (
            "Account.activity.empty",
            served(Tab::Activity, &[("/history", 200, &to_text(&History::default()))], false).snapshot(),
        ),
        (
            "Account.named",
            served(Tab::Tokens, &[("/identity/", 200, named), ("/balance", 200, &balances())], false).snapshot(),
        ),
        ("WalletReceive.ready", ready.snapshot()),
        ("WalletReceive.named", receiving(&[("/identity/", 200, named)])),
        ("Transactions.ready", transactions(&[("/history", 200, &history(None))])),
        ("Transactions.empty", transactions(&[("/history", 200, &to_text(&History::default()))])),
        ("Transactions.error", transactions(&[("/history", 500, "")])),
    ]
}
