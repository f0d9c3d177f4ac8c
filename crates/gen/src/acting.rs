//! Snapshots of the activity of accounts on Solana and Bitcoin, and of the details of its transactions.

use crate::snapshots::Cases;
use portico_api::account::{
    Balances, FungibleInfo, History, Transaction, TransactionMetadata, Transfer, TransferQuantity,
};
use portico_api::project::ProjectConfig;
use portico_core::account::{Event as Account, Tab};
use portico_core::activity::Event as Activity;
use portico_core::detail::Event as Detail;
use portico_core::modal::{Event as Modal, View};
use portico_core::notice::Event as Notice;
use portico_core::{Event, Snapshot};
use portico_json::to_text;
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN, BITCOIN_ADDRESS, SOLANA, ScriptedWallet, Store, World, every_namespace};

const KEY: &str = "7VHUFJHWu2CuExkJcJrzhQPJ2oygupTWkL2A2For4BmE";
const FRIEND: &str = "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin";
const USDC: &str = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SHOP: &str = "3P14159f73E4gFr7JterCCQh9QjiTjiZrG";
const PAYEE: &str = "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0";

/// Transaction: kind, time, status, other party, and of each transfer the direction, the amount, the symbol and the token's address.
type Deed = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str, &'static str, &'static str)],
);

const ON_SOLANA: [Deed; 6] = [
    ("receive", "2026-11-21T10:12:00Z", "confirmed", FRIEND, &[("in", "250.5", "USDC", USDC)]),
    // The recipient has no account of the token yet: its deposit is paid, too.
    (
        "send",
        "2026-11-20T16:40:00Z",
        "confirmed",
        "DY5SwVmkzkMdiJ7u5jDPzKhVwkmN4wGXH8sQ1WkXW4vN",
        &[("out", "40.5", "USDC", USDC), ("out", "0.00203928", "SOL", "")],
    ),
    ("trade", "2026-11-18T08:05:00Z", "confirmed", "", &[("out", "2", "SOL", ""), ("in", "301.122", "USDC", USDC)]),
    ("send", "2026-11-03T19:20:00Z", "failed", FRIEND, &[]),
    ("execute", "2026-10-11T11:00:00Z", "confirmed", "", &[]),
    ("receive", "2025-12-30T21:30:00Z", "confirmed", FRIEND, &[("in", "0.0004", "SOL", "")]),
];

const ON_BITCOIN: [Deed; 5] = [
    ("send", "2026-11-21T10:12:00Z", "pending", PAYEE, &[("out", "0.0125", "BTC", "")]),
    ("receive", "2026-11-19T09:30:00Z", "confirmed", SHOP, &[("in", "0.00150021", "BTC", "")]),
    ("send", "2026-11-02T06:20:00Z", "confirmed", BITCOIN_ADDRESS, &[("self", "0.25", "BTC", "")]),
    ("mint", "2026-10-28T11:45:00Z", "confirmed", "", &[("in", "3.125", "BTC", "")]),
    ("receive", "2025-12-31T12:00:00Z", "confirmed", SHOP, &[("in", "0.5", "BTC", "")]),
];

/// Chain on which an account acts.
struct Acting {
    namespace: Namespace,
    chain: &'static str,
    own: &'static str,
    deeds: &'static [Deed],
    fee: &'static str,
}

const SOLANA_ACCOUNT: Acting =
    Acting { namespace: Namespace::Solana, chain: SOLANA, own: KEY, deeds: &ON_SOLANA, fee: "0.000005" };

const BITCOIN_ACCOUNT: Acting = Acting {
    namespace: Namespace::Bip122,
    chain: BITCOIN,
    own: BITCOIN_ADDRESS,
    deeds: &ON_BITCOIN,
    fee: "0.00000423",
};

impl Acting {
    /// Id of the transaction with this number.
    fn id(&self, number: usize) -> String {
        match self.namespace {
            Namespace::Solana => format!(
                "{}{}",
                "5h6xBEauJ3PK6SWCZ1PGjBvj8vDdWG3KpwATGy1ARAXFSDwt8GFXM7W5Ncn16wmqokgpiKRLuS83KUxyZyv2sUY",
                number + 1
            ),
            _ => format!("{:064x}", 0xf4184fc596403b9d_u64.wrapping_mul(number as u64 + 1)),
        }
    }

    fn history(&self, next: Option<&str>) -> String {
        let row = |(number, (kind, at, status, other, moves)): (usize, &Deed)| {
            let received = matches!(*kind, "receive" | "mint");
            let (from, to) = if received { (*other, self.own) } else { (self.own, *other) };
            let metadata = TransactionMetadata {
                operation_type: (*kind).into(),
                hash: self.id(number),
                mined_at: (*at).into(),
                sent_from: from.into(),
                sent_to: if to.is_empty() { self.own } else { to }.into(),
                status: (*status).into(),
                chain: Some(self.chain.into()),
                fee: Some(self.fee.into()),
                ..TransactionMetadata::default()
            };
            let transfer = |(direction, amount, symbol, address): &(&str, &str, &str, &str)| Transfer {
                fungible_info: Some(FungibleInfo {
                    symbol: Some((*symbol).into()),
                    address: Some(String::from(*address)).filter(|address| !address.is_empty()),
                    ..FungibleInfo::default()
                }),
                direction: (*direction).into(),
                recipient: (*direction == "out" && !other.is_empty()).then(|| (*other).into()),
                quantity: TransferQuantity { numeric: (*amount).into() },
                ..Transfer::default()
            };
            Transaction {
                id: self.id(number),
                metadata,
                transfers: Some(moves.iter().map(transfer).collect()),
                ..Transaction::default()
            }
        };
        let data = self.deeds.iter().enumerate().map(row).collect();
        to_text(&History { data, next: next.map(Into::into), source: Some("rpc".into()), ..History::default() })
    }

    /// World with the account's Activity tab and this response of the server.
    fn world(&self, status: u16, body: &str) -> World {
        let mut options = every_namespace().replacen('{', r#"{"endpoints":"https://host.example","#, 1);
        for (namespace, explorer) in [("solana", "https://solscan.io"), ("bip122", "https://mempool.space")] {
            let urls = format!(r#""rpcUrls":{{"default":{{"http":["https://{namespace}.example"]}}}}"#);
            let explored = format!(r#"{urls},"blockExplorers":{{"default":{{"name":"Scan","url":"{explorer}"}}}}"#);
            options = options.replace(&urls, &explored);
        }
        let wallet = ScriptedWallet::named("Alpha").of(self.namespace, self.own).through(ConnectorKind::Announced);
        let mut world = World::with(&options, vec![wallet], Store::default());
        world.server.serves("/config", &ProjectConfig { chains: vec![self.chain.into()], ..ProjectConfig::default() });
        world.server.serves("/balance", &Balances::default());
        world.server.answers("/history", status, body);
        world.open(None);
        world.choose("example.alpha");
        world.open(None);
        world.dispatch(Event::Account(Account::TabChosen { tab: Tab::Activity }));
        world.dispatch(Event::Notice(Notice::SnackDismissed));
        world
    }

    fn ready(&self) -> World {
        self.world(200, &self.history(None))
    }

    fn empty(&self) -> Snapshot {
        self.world(200, &to_text(&History { source: Some("rpc".into()), ..History::default() })).snapshot()
    }

    fn more(&self) -> Snapshot {
        let mut world = self.world(200, &self.history(Some("two")));
        world.server.silent = true;
        world.dispatch(Event::Activity(Activity::MoreAsked { ticket: None }));
        world.snapshot()
    }

    fn all(&self) -> Snapshot {
        let mut world = self.ready();
        world.modal(Modal::ViewAsked { view: View::Transactions });
        world.snapshot()
    }

    fn details(&self, number: usize) -> Snapshot {
        let mut world = self.ready();
        world.dispatch(Event::Detail(Detail::TransactionAsked { id: self.id(number) }));
        world.snapshot()
    }
}

/// Returns the activity of both accounts in all states that differ from those of an EVM account.
pub fn cases() -> Cases {
    let (solana, bitcoin) = (SOLANA_ACCOUNT, BITCOIN_ACCOUNT);
    vec![
        ("Account.activity.solana", solana.ready().snapshot()),
        ("Account.activity.solana.empty", solana.empty()),
        ("Account.activity.solana.error", solana.world(503, "").snapshot()),
        ("Transactions.solana", solana.all()),
        ("TransactionDetails.solana", solana.details(2)),
        ("TransactionDetails.solana.failed", solana.details(3)),
        ("Account.activity.bitcoin", bitcoin.ready().snapshot()),
        ("Account.activity.bitcoin.more", bitcoin.more()),
        ("Transactions.bitcoin", bitcoin.all()),
        ("TransactionDetails.bitcoin", bitcoin.details(0)),
    ]
}
