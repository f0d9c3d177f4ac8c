//! Routes of the API, and the selection of their items.

use std::collections::HashMap;

use alloy_primitives::{Address, U256};
use axum::extract::{Path, Query as UrlQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio::sync::MutexGuard;

use crate::index::{Index, TokenKind, Transfer};
use crate::page::{self, Invalid, Query, after, before, fields};
use crate::token::{self, Balance, Token};
use crate::transfer::Standard;
use crate::{ChainError, Explorer, render};

pub(crate) fn router(explorer: Explorer) -> Router {
    let of_account = Router::new()
        .route("/transactions", get(transactions))
        .route("/internal-transactions", get(internal_transactions))
        .route("/token-transfers", get(token_transfers))
        .route("/token-balances", get(token_balances))
        .route("/tokens", get(tokens))
        .route("/nft", get(nft));
    Router::new().nest("/api/v2/addresses/{address}", of_account).with_state(explorer)
}

type Answer = Result<Json<Value>, Refusal>;

/// Reason for an error response.
enum Refusal {
    Invalid,
    Chain(ChainError),
}

impl From<Invalid> for Refusal {
    fn from(_: Invalid) -> Self {
        Self::Invalid
    }
}

impl From<ChainError> for Refusal {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let (status, message) = match self {
            Self::Invalid => (StatusCode::UNPROCESSABLE_ENTITY, "Invalid parameter(s)".to_owned()),
            Self::Chain(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        };
        (status, Json(json!({ "message": message }))).into_response()
    }
}

async fn transactions(
    State(explorer): State<Explorer>,
    Path(account): Path<String>,
    UrlQuery(query): UrlQuery<Query>,
) -> Answer {
    let wanted = Wanted::read(&account, &query, ["block_number", "index"])?;
    let (index, height) = caught_up(&explorer).await?;
    let newest = index.transactions.iter().rev().filter(|one| one.touches(wanted.account));
    let found = newest.filter(|one| wanted.holds([one.block, one.index], one.transaction.from, one.transaction.to));
    let left: Vec<_> = found.take(page::PAGE + 1).collect();
    let (shown, next) = page::page(&left, wanted.before, |last| {
        fields(json!({
            "block_number": last.block, "index": last.index, "hash": last.transaction.hash,
            "value": render::decimal(last.transaction.value),
            "fee": render::decimal(last.receipt.gas_used * last.receipt.effective_gas_price)
        }))
    });
    let items: Vec<_> = shown.iter().map(|one| render::transaction(one, height)).collect();
    Ok(page_response(items, next))
}

async fn internal_transactions(
    State(explorer): State<Explorer>,
    Path(account): Path<String>,
    UrlQuery(query): UrlQuery<Query>,
) -> Answer {
    let wanted = Wanted::read(&account, &query, ["block_number", "index"])?;
    let (index, _) = caught_up(&explorer).await?;
    let newest = index.calls.iter().rev().filter(|one| one.touches(wanted.account));
    let found = newest.filter(|one| {
        let action = &one.trace.action;
        wanted.holds([one.block, one.index], action.from.unwrap_or_default(), action.to)
    });
    let left: Vec<_> = found.take(page::PAGE + 1).collect();
    let (shown, next) = page::page(&left, wanted.before, |last| {
        let transaction = last.trace.transaction_position;
        fields(json!({ "block_number": last.block, "index": last.index, "transaction_index": transaction }))
    });
    let items: Vec<_> = shown.iter().map(|one| render::call(one)).collect();
    Ok(page_response(items, next))
}

async fn token_transfers(
    State(explorer): State<Explorer>,
    Path(account): Path<String>,
    UrlQuery(query): UrlQuery<Query>,
) -> Answer {
    let wanted = Wanted::read(&account, &query, ["block_number", "index", "index_in_batch"])?;
    let standards = standards(&query)?;
    let token = query.get("token").map(|text| parse(text)).transpose()?;
    let (index, _) = caught_up(&explorer).await?;
    let mut found: Vec<&Transfer> = index
        .transfers
        .iter()
        .filter(|one| one.touches(wanted.account) && standards.contains(&one.tokens.standard))
        .filter(|one| token.is_none_or(|token| one.tokens.token == token))
        .filter(|one| wanted.holds(key(one), one.tokens.from, Some(one.tokens.to)))
        .collect();
    found.sort_by_key(|one| std::cmp::Reverse(key(one)));
    let left: Vec<_> = found.into_iter().take(page::PAGE + 1).collect();
    let (shown, next) = page::page(&left, wanted.before, |last| {
        let [block, log, place] = key(last);
        fields(json!({ "block_number": block, "index": log, "index_in_batch": place }))
    });
    let held: Vec<_> = shown.iter().map(|one| held(one)).collect();
    let (described, metadata) = describe(&explorer, &held).await?;
    let items = shown.iter().zip(metadata).filter_map(|(one, metadata)| {
        let token = described.get(&one.tokens.token)?;
        Some(render::transfer(one, rated(&explorer, token), token.decimals, metadata))
    });
    Ok(page_response(items.collect(), next))
}

/// Request for a list in order from the newest item; an item's position has `N` keys.
struct Wanted<const N: usize> {
    account: Address,
    direction: Direction,
    before: u64,
    after: Option<[u64; N]>,
}

impl<const N: usize> Wanted<N> {
    fn read(account: &str, query: &Query, names: [&str; N]) -> Result<Self, Invalid> {
        let (direction, before) = (Direction::of(query)?, before(query)?);
        Ok(Self { account: parse(account)?, direction, before, after: after(query, names)? })
    }

    fn holds(&self, place: [u64; N], from: Address, to: Option<Address>) -> bool {
        self.direction.holds(self.account, from, to) && self.after.is_none_or(|after| place < after)
    }
}

/// Updates the index; returns it with the height of the chain.
pub(crate) async fn caught_up(explorer: &Explorer) -> Result<(MutexGuard<'_, Index>, u64), ChainError> {
    let inner = &explorer.0;
    let mut index = inner.index.lock().await;
    let height = index.catch_up(&inner.chain).await?;
    Ok((index, height))
}

fn page_response(items: Vec<Value>, next: Value) -> Json<Value> {
    Json(json!({ "items": items, "next_page_params": next }))
}

fn key(transfer: &Transfer) -> [u64; 3] {
    [transfer.block, transfer.log_index, transfer.index_in_batch]
}

pub(crate) fn held(transfer: &Transfer) -> TokenKind {
    TokenKind { token: transfer.tokens.token, standard: transfer.tokens.standard, id: transfer.tokens.id }
}

async fn token_balances(State(explorer): State<Explorer>, Path(account): Path<String>) -> Answer {
    let rows = summed(balances(&explorer, parse(&account)?).await?);
    Ok(Json(Value::from(balance_rows(&explorer, &rows).await?)))
}

async fn tokens(
    State(explorer): State<Explorer>,
    Path(account): Path<String>,
    UrlQuery(query): UrlQuery<Query>,
) -> Answer {
    let (account, standards, before) = (parse(&account)?, standards(&query)?, before(&query)?);
    let after = after(&query, ["id"])?;
    let rows = summed(balances(&explorer, account).await?);
    let wanted = (1..)
        .zip(rows)
        .filter(|(id, row)| standards.contains(&row.held.standard) && after.is_none_or(|[after]| *id > after));
    let left: Vec<(u64, Balance)> = wanted.collect();
    let (shown, next) = page::page(&left, before, |(id, row)| {
        fields(json!({ "id": id, "value": render::decimal(row.value), "fiat_value": null }))
    });
    let rows: Vec<_> = shown.iter().map(|(_, row)| row.clone()).collect();
    Ok(page_response(balance_rows(&explorer, &rows).await?, next))
}

async fn nft(
    State(explorer): State<Explorer>,
    Path(account): Path<String>,
    UrlQuery(query): UrlQuery<Query>,
) -> Answer {
    let (account, standards, before) = (parse(&account)?, standards(&query)?, before(&query)?);
    let after = match (query.get("token_contract_address_hash"), query.get("token_id")) {
        (None, None) => None,
        (Some(token), Some(id)) => Some((parse(token)?, id.parse::<U256>().map_err(|_| Invalid)?)),
        _ => return Err(Refusal::Invalid),
    };
    let mut all: Vec<_> = balances(&explorer, account).await?;
    all.retain(|one| one.held.id.is_some() && standards.contains(&one.held.standard));
    let key = |one: &Balance| (one.held.token, one.held.id.unwrap_or_default());
    all.sort_by_key(key);
    all.retain(|one| after.is_none_or(|after| key(one) > after));
    let (shown, next) = page::page(&all, before, |last| {
        let (token, id) = key(last);
        fields(json!({
            "token_contract_address_hash": render::hash(token), "token_id": render::decimal(id),
            "token_type": last.held.standard.name()
        }))
    });
    let held: Vec<_> = shown.iter().map(|one| one.held).collect();
    let (described, metadata) = describe(&explorer, &held).await?;
    let items = shown.iter().zip(metadata).filter_map(|(one, metadata)| {
        let token = rated(&explorer, described.get(&one.held.token)?);
        let mut item = fields(render::instance(one.held.id?, metadata));
        item.extend(fields(json!({
            "token": token, "token_type": one.held.standard.name(), "value": render::decimal(one.value),
            "holder_address_hash": render::hash(account), "owner": render::account(account),
            "is_unique": one.held.standard == Standard::Erc721
        })));
        Some(Value::Object(item))
    });
    Ok(page_response(items.collect(), next))
}

pub(crate) async fn balances(explorer: &Explorer, account: Address) -> Result<Vec<Balance>, ChainError> {
    let (index, _) = caught_up(explorer).await?;
    token::balances(&explorer.0.chain, &index, account).await
}

/// Sums the single tokens of an ERC-721 contract into one row with their number.
fn summed(balances: Vec<Balance>) -> Vec<Balance> {
    let mut rows: Vec<Balance> = Vec::new();
    for mut balance in balances {
        if balance.held.standard == Standard::Erc721 {
            balance.held.id = None;
            if let Some(row) = rows.iter_mut().find(|row| row.held == balance.held) {
                row.value += balance.value;
                continue;
            }
        }
        rows.push(balance);
    }
    rows
}

async fn balance_rows(explorer: &Explorer, rows: &[Balance]) -> Result<Vec<Value>, ChainError> {
    let held: Vec<_> = rows.iter().map(|row| row.held).collect();
    let (described, metadata) = describe(explorer, &held).await?;
    let row = |(row, metadata): (&Balance, Option<Value>)| {
        let token = rated(explorer, described.get(&row.held.token)?);
        Some(json!({
            "token": token, "value": render::decimal(row.value), "token_id": row.held.id.map(render::decimal),
            "token_instance": row.held.id.map(|id| render::instance(id, metadata))
        }))
    };
    Ok(rows.iter().zip(metadata).filter_map(row).collect())
}

pub(crate) type Described = (HashMap<Address, Token>, Vec<Option<Value>>);

pub(crate) async fn describe(explorer: &Explorer, held: &[TokenKind]) -> Result<Described, ChainError> {
    let inner = &explorer.0;
    let mut tokens = inner.tokens.lock().await;
    let metadata = tokens.metadata(&inner.chain, held).await?;
    let contracts = held.iter().map(|one| (one.token, one.standard));
    Ok((tokens.describe(&inner.chain, contracts).await?.clone(), metadata))
}

fn rated(explorer: &Explorer, token: &Token) -> Value {
    render::token(token, explorer.0.rates.get(&token.address), explorer.0.icons.get(&token.address))
}

pub(crate) fn parse(text: &str) -> Result<Address, Invalid> {
    // Addresses are accepted in any case, as in Blockscout.
    if text.len() == 42 && text.starts_with("0x") {
        text.to_lowercase().parse().map_err(|_| Invalid)
    } else {
        Err(Invalid)
    }
}

/// Reads `type=ERC-20,ERC-721`; all standards if absent.
fn standards(query: &Query) -> Result<Vec<Standard>, Invalid> {
    let all = [Standard::Erc20, Standard::Erc721, Standard::Erc1155];
    let Some(names) = query.get("type").filter(|names| !names.is_empty()) else {
        return Ok(all.to_vec());
    };
    let one = |name: &str| all.into_iter().find(|one| one.name() == name).ok_or(Invalid);
    names.split(',').map(one).collect()
}

/// Filter `filter=to` or `filter=from`.
enum Direction {
    In,
    Out,
    Both,
}

impl Direction {
    fn of(query: &Query) -> Result<Self, Invalid> {
        match query.get("filter").map(String::as_str) {
            None | Some("" | "to | from") => Ok(Self::Both),
            Some("to") => Ok(Self::In),
            Some("from") => Ok(Self::Out),
            Some(_) => Err(Invalid),
        }
    }

    fn holds(&self, account: Address, from: Address, to: Option<Address>) -> bool {
        match self {
            Self::In => to == Some(account),
            Self::Out => from == account,
            Self::Both => true,
        }
    }
}
