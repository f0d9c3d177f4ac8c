//! Test double of everything around the core: virtual clock, scripted wallets, storage, HTTP and faults.
//!
//! Four minutes pass in a microsecond, and the same seed gives the same run.

mod bitcoin;
mod chain;
pub mod exchange;
mod fault;
mod frame;
mod host;
pub mod names;
mod node;
mod remote;
pub mod replay;
pub mod routers;
mod server;
mod site;
mod socket;
mod solana;
mod store;
mod wallet;
mod world;

pub use bitcoin::{BITCOIN_ADDRESS, BitcoinCoin, BitcoinNode, sign_bitcoin};
pub use chain::RealChain;
pub use fault::Faults;
pub use frame::ScriptedFrame;
pub use host::{every_namespace, network, options, with_login, with_relay};
pub use node::{Contract, Node};
pub use remote::ScriptedRemote;
pub use server::{Backend, Server};
pub use site::{ScriptedSite, with_sign_in};
pub use socket::Sockets;
pub use solana::{
    SolanaAccount, SolanaNode, is_plain, lighthouse, sign_solana, solana_address, with_assertions, with_calls,
};
pub use store::Store;
pub use wallet::{BITCOIN, Behaviour, Change, ORDINAL, POLKADOT, SOLANA, ScriptedWallet};
pub use world::{Tab, World};
