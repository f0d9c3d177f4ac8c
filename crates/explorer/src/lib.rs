//! Explorer of one chain with the public Blockscout API v2: history and holdings of accounts, read from the chain's own blocks and logs.
//! For tests and the demo, with pages for people to which the widget's links lead: all data is held in memory, and only the chain is queried.

mod chain;
mod face;
mod html;
mod index;
mod method;
mod page;
mod render;
mod routes;
pub mod testing;
mod time;
mod token;
mod transfer;

use std::collections::HashMap;
use std::sync::Arc;

use alloy_primitives::Address;
use axum::Router;
use tokio::net::TcpListener;
use tokio::sync::Mutex;

use crate::chain::Chain;
pub use crate::chain::ChainError;
use crate::index::Index;
use crate::token::Tokens;

/// Explorer of one chain.
#[derive(Clone)]
pub struct Explorer(Arc<Inner>);

struct Inner {
    chain: Chain,
    network: String,
    index: Mutex<Index>,
    tokens: Mutex<Tokens>,
    rates: HashMap<Address, String>,
    icons: HashMap<Address, String>,
}

impl Explorer {
    /// Creates an explorer for the JSON-RPC endpoint `rpc_url` of the chain that its pages call `network`; `rates` are prices of tokens in
    /// dollars, `icons` URLs of their icons.
    #[must_use]
    pub fn new(rpc_url: &str, network: &str, rates: HashMap<Address, String>, icons: HashMap<Address, String>) -> Self {
        Self(Arc::new(Inner {
            chain: Chain::new(rpc_url),
            network: network.into(),
            index: Mutex::default(),
            tokens: Mutex::default(),
            rates,
            icons,
        }))
    }

    /// Returns the routes: pages, and the API below `/api/v2`.
    pub fn router(self) -> Router {
        routes::router(self.clone()).merge(face::router(self))
    }

    /// Serves the pages and the API on `listener` until the task is dropped.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        axum::serve(listener, self.router()).await
    }
}
