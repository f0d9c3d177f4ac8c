//! What an account did and holds, read from a chain's own blocks and logs and told as the public Blockscout API v2
//! tells it. For the tests and the demo: everything is kept in memory, and nothing is fetched but the chain.

mod chain;
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

/// An explorer of one chain.
#[derive(Clone)]
pub struct Explorer(Arc<Inner>);

struct Inner {
    chain: Chain,
    index: Mutex<Index>,
    tokens: Mutex<Tokens>,
    rates: HashMap<Address, String>,
}

impl Explorer {
    /// An explorer over the JSON-RPC at `rpc_url`; `rates` are prices of tokens in dollars.
    #[must_use]
    pub fn new(rpc_url: &str, rates: HashMap<Address, String>) -> Self {
        Self(Arc::new(Inner { chain: Chain::new(rpc_url), index: Mutex::default(), tokens: Mutex::default(), rates }))
    }

    /// The routes below `/api/v2`.
    pub fn router(self) -> Router {
        routes::router(self)
    }

    /// Answers on `listener` until the task is dropped.
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn serve(self, listener: TcpListener) -> std::io::Result<()> {
        axum::serve(listener, self.router()).await
    }
}
