//! Address and query parameters of the account routes.

use crate::config::Chain;
use crate::guard::project::Project;
use crate::price::Money;
use crate::rpc::is_bitcoin_address;
use crate::{AppState, Failure};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use portico_api::price::CURRENCIES;
use portico_terms::address::{is_evm, to_checksum};
use portico_terms::{AccountId, ChainId, Namespace};
use std::collections::HashMap;
use std::sync::Arc;

/// Parsed request for data of an account.
pub(super) struct AccountQuery {
    address: String,
    chain: Option<Arc<Chain>>,
    /// Currency of prices and values.
    pub(super) money: Money,
    /// Cursor of the previous page.
    pub(super) cursor: Option<String>,
    /// Whether to skip the cache.
    pub(super) force: bool,
    /// Whether the client sends its version, and therefore can read a balance response.
    pub(super) knows_shape: bool,
}

impl AccountQuery {
    /// Whether the query names a chain.
    pub(super) fn names_chain(&self) -> bool {
        self.chain.is_some()
    }

    /// The account on the named chain, or on each EVM chain that is served to the project.
    pub(super) fn accounts(&self, state: &AppState, project: &Project) -> Result<Vec<AccountId>, Failure> {
        let chains = match &self.chain {
            Some(chain) => {
                project.allow_chain(&chain.id)?;
                vec![chain.id.clone()]
            }
            None => evm_chains(state).filter(|chain| project.allow_chain(chain).is_ok()).collect(),
        };
        Ok(chains.into_iter().filter_map(|chain| AccountId::new(chain, &self.address).ok()).collect())
    }
}

impl AccountQuery {
    /// The account on the named chain, or on the first EVM chain that is served to the project.
    pub(super) fn account(&self, state: &AppState, project: &Project) -> Result<AccountId, Failure> {
        let account = self.accounts(state, project)?.into_iter().next();
        account
            .ok_or_else(|| Failure::parameter("chainId", "This server has no EVM chain. Add a chainId to the query."))
    }
}

fn evm_chains(state: &AppState) -> impl Iterator<Item = ChainId> + use<> {
    let chains: Vec<ChainId> = state.chains().iter().map(|chain| chain.id.clone()).collect();
    chains.into_iter().filter(|chain| chain.namespace() == Namespace::Eip155)
}

impl FromRequestParts<AppState> for AccountQuery {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<AccountQuery, Failure> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        let Path(address) = path.map_err(|_| Failure::parameter("address", "Send the address as UTF-8 text"))?;
        let query = Query::<HashMap<String, String>>::try_from_uri(&parts.uri);
        let Query(query) =
            query.map_err(|_| Failure::parameter("", "Send each parameter of the query once, as UTF-8 text"))?;
        let given = |name: &str| query.get(name).map(String::as_str).filter(|text| !text.is_empty());
        let chain = given("chainId").map(|text| chain(state, text)).transpose()?;
        let namespace = chain.as_ref().map_or(Namespace::Eip155, |chain| chain.id.namespace());
        let money = Money::read(given("currency").unwrap_or("usd"));
        Ok(AccountQuery {
            address: checked(namespace, chain.as_deref(), &address)?,
            chain,
            money: money.ok_or_else(|| {
                Failure::parameter("currency", format!("Use one of the currencies {}", CURRENCIES.join(", ")))
            })?,
            cursor: given("cursor").map(Into::into),
            force: given("forceUpdate").is_some_and(|text| text != "false") || given("cache") == Some("no-cache"),
            knows_shape: given("sv").is_some() || parts.headers.contains_key("x-sdk-version"),
        })
    }
}

fn chain(state: &AppState, text: &str) -> Result<Arc<Chain>, Failure> {
    let id: ChainId =
        text.parse().map_err(|_| Failure::parameter("chainId", "Use a CAIP-2 id as chainId, such as eip155:1"))?;
    let served = state.chain(&id).map(|served| served.config());
    // Asking again is of no use, as where no source is set up for a chain.
    let unserved = || format!("The chain {id} isn't served here. Operators add chains in [[chains]].");
    served.ok_or_else(|| Failure::new(StatusCode::NOT_IMPLEMENTED, "chainId", unserved()))
}

/// Address in its canonical form. An EVM address may lack its 0x (spec 5.2) and may have any case: wallets send addresses with
/// and without the checksum of EIP-55, and reading data of a mistyped address does no harm.
fn checked(namespace: Namespace, chain: Option<&Chain>, address: &str) -> Result<String, Failure> {
    if namespace == Namespace::Eip155 {
        let refusal = || Failure::parameter("address", "Use an EVM address, 0x and 40 hex digits");
        return if is_evm(address) { Ok(to_checksum(address)) } else { Err(refusal()) };
    }
    let account = chain.and_then(|chain| AccountId::new(chain.id.clone(), address).ok());
    if let Some(chain) = chain.filter(|chain| chain.id.namespace() == Namespace::Bip122) {
        is_bitcoin_address(&chain.id, address).map_err(|sentence| Failure::parameter("address", sentence))?;
    }
    let account = account.ok_or_else(|| {
        Failure::parameter("address", format!("Use an address of the namespace {}", namespace.word()))
    })?;
    Ok(account.address().into())
}
