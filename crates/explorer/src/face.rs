//! Pages of the explorer for people: a transaction, an account, a token, and the transactions of the whole chain or of one block. Wallets and
//! pages link to them by `/tx/…`, `/address/…` and `/token/…`, as to other explorers.

use alloy_primitives::{Address, B256, U256};
use axum::extract::{Path, Query as UrlQuery, State};
use axum::http::{StatusCode, header};
use axum::middleware::map_response_with_state;
use axum::response::{Html as Page, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use portico_terms::address::shorten;
use serde_json::{Value, json};

use crate::html::{
    Html, SUSPICIOUS, ether, facts, is_suspicious, link_to_account, link_to_block, link_to_token, link_to_transaction,
    page, short_units, table, time, whole, whole_account,
};
use crate::index::{Mined, TokenKind, Transfer};
use crate::method::{self, Action};
use crate::page::Query;
use crate::routes::{balances, caught_up, describe, held, parse};
use crate::token::{Balance, Token};
use crate::transfer::Standard;
use crate::{ChainError, Explorer, render};

/// Number of rows of a list.
const ROWS: usize = 25;
/// Policy of each page: only our own script runs, and no file comes from elsewhere. Pictures are those that tokens carry in themselves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

pub(crate) fn router(explorer: Explorer) -> Router {
    Router::new()
        .route("/", get(latest))
        .route("/tx/{hash}", get(transaction))
        .route("/address/{address}", get(account))
        .route("/token/{address}", get(token))
        .route("/block/{number}", get(block))
        .route("/search", get(search))
        .route("/copy.js", get(async || ([(header::CONTENT_TYPE, "text/javascript")], include_str!("copy.js"))))
        .route("/style.css", get(async || ([(header::CONTENT_TYPE, "text/css")], include_str!("style.css"))))
        .fallback(async || Missing::Unknown.into_response())
        .layer(map_response_with_state(explorer.clone(), framed))
        .with_state(explorer)
}

/// Reason for a page that says what is wrong.
enum Missing {
    Unknown,
    Chain(ChainError),
}

impl From<ChainError> for Missing {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl IntoResponse for Missing {
    fn into_response(self) -> Response {
        let (status, title, lead) = match self {
            Self::Unknown => (
                StatusCode::NOT_FOUND,
                "Not found",
                Html::text(
                    "No such transaction, address, token or block on this chain. Check for missing characters, or search above.",
                ),
            ),
            Self::Chain(error) => (StatusCode::BAD_GATEWAY, "Couldn't read the chain", Html::text(error)),
        };
        (status, shown(title, &lead, &Html::default())).into_response()
    }
}

type Answer = Result<Response, Missing>;

/// Page of a response, before [`framed`] puts the header and the footer around it.
#[derive(Clone)]
struct Sheet {
    title: String,
    lead: Html,
    content: Html,
}

fn shown(title: &str, lead: &Html, content: &Html) -> Response {
    let sheet = Sheet { title: title.into(), lead: lead.clone(), content: content.clone() };
    Extension(sheet).into_response()
}

/// Writes the page of a response. The header tells the network, also on the page of an error, which knows no explorer.
async fn framed(State(explorer): State<Explorer>, mut response: Response) -> Response {
    let Some(Sheet { title, lead, content }) = response.extensions_mut().remove::<Sheet>() else { return response };
    let headers = [(header::CONTENT_SECURITY_POLICY, POLICY), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")];
    let page = page(&explorer.0.network, &title, &lead, &content);
    (response.status(), headers, Page(page)).into_response()
}

async fn latest(State(explorer): State<Explorer>) -> Answer {
    let (index, height) = caught_up(&explorer).await?;
    let rows: Vec<_> = index.transactions.iter().rev().take(ROWS).map(row_of).collect();
    let lead = Html::text(format!("{} blocks, {} transactions", height + 1, index.transactions.len()));
    Ok(shown("Latest transactions", &lead, &transactions_of(&rows)))
}

async fn block(State(explorer): State<Explorer>, Path(number): Path<String>) -> Answer {
    let number: u64 = number.parse().map_err(|_| Missing::Unknown)?;
    let (index, height) = caught_up(&explorer).await?;
    if number > height {
        return Err(Missing::Unknown);
    }
    let rows: Vec<_> = index.transactions.iter().filter(|one| one.block == number).map(row_of).collect();
    Ok(shown(&format!("Block {number}"), &Html::text(age(height - number)), &transactions_of(&rows)))
}

/// Leads to the page of a hash, an address, a token or a block number.
async fn search(State(explorer): State<Explorer>, UrlQuery(query): UrlQuery<Query>) -> Answer {
    let wanted = query.get("q").map(|text| text.trim()).unwrap_or_default();
    let page = if let Ok(account) = parse(wanted) {
        let (index, _) = caught_up(&explorer).await?;
        let token = index.transfers.iter().any(|one| one.tokens.token == account);
        format!("/{}/{}", if token { "token" } else { "address" }, render::hash(account))
    } else if let Ok(hash) = wanted.parse::<B256>() {
        format!("/tx/{hash}")
    } else {
        let number: u64 = wanted.replace(',', "").parse().map_err(|_| Missing::Unknown)?;
        format!("/block/{number}")
    };
    Ok(Redirect::to(&page).into_response())
}

async fn transaction(State(explorer): State<Explorer>, Path(hash): Path<String>) -> Answer {
    let hash: B256 = hash.parse().map_err(|_| Missing::Unknown)?;
    let (index, height) = caught_up(&explorer).await?;
    let found = index.transactions.iter().find(|one| one.transaction.hash == hash).cloned();
    let moved: Vec<_> = index.transfers.iter().filter(|one| one.transaction == hash).cloned().collect();
    drop(index);
    let mined = found.ok_or(Missing::Unknown)?;
    let (action, succeeded) = (whole_action(&mined), has_succeeded(&mined));
    let Mined { block, timestamp, transaction, receipt, .. } = mined;
    let status = match succeeded {
        true => Html::own("<span class=\"good\">Confirmed</span>".into()),
        false => Html::own("<span class=\"bad\">Failed</span>".into()),
    };
    let to = match (transaction.to, receipt.contract_address) {
        (Some(to), _) => whole_account(to),
        (None, Some(made)) => Html::joined([Html::text("New contract "), whole_account(made)]),
        (None, None) => Html::text("New contract"),
    };
    let rows = [
        ("Status", status),
        (
            "Block",
            Html::joined([link_to_block(block), Html::text(format!(" ({})", age(height.saturating_sub(block))))]),
        ),
        ("Time", time(timestamp)),
        ("Action", action),
        ("From", whole_account(transaction.from)),
        ("To", to),
        ("Value", ether(transaction.value)),
        ("Network fee", ether(receipt.gas_used * receipt.effective_gas_price)),
        ("Nonce", Html::text(transaction.nonce)),
    ];
    let content = Html::joined([facts(rows), transfers_of(&explorer, &moved).await?]);
    Ok(shown("Transaction", &whole(hash), &content))
}

async fn account(State(explorer): State<Explorer>, Path(address): Path<String>) -> Answer {
    let account = parse(&address).map_err(|_| Missing::Unknown)?;
    let question = ("eth_getBalance", json!([account, "latest"]));
    let answer = explorer.0.chain.ask(&[question]).await?.remove(0);
    let balance: U256 = answer.as_ref().and_then(Value::as_str).and_then(|text| text.parse().ok()).unwrap_or_default();
    let (rows, moved) = {
        let (index, _) = caught_up(&explorer).await?;
        let own = index.transactions.iter().rev().filter(|one| one.touches(account)).take(ROWS);
        let moved = index.transfers.iter().rev().filter(|one| one.touches(account)).take(ROWS);
        (own.map(row_of).collect::<Vec<_>>(), moved.cloned().collect::<Vec<_>>())
    };
    let held = balances(&explorer, account).await?;
    let content = Html::joined([
        facts([("Balance", ether(balance))]),
        holdings(&explorer, &held).await?,
        transactions_of(&rows),
        transfers_of(&explorer, &moved).await?,
    ]);
    Ok(shown("Address", &whole(render::hash(account)), &content))
}

async fn token(State(explorer): State<Explorer>, Path(address): Path<String>) -> Answer {
    let address = parse(&address).map_err(|_| Missing::Unknown)?;
    let moved: Vec<Transfer> = {
        let (index, _) = caught_up(&explorer).await?;
        index.transfers.iter().rev().filter(|one| one.tokens.token == address).take(ROWS).cloned().collect()
    };
    let newest = moved.first().ok_or(Missing::Unknown)?;
    let (tokens, _) = describe(&explorer, &[TokenKind { id: None, ..held(newest) }]).await?;
    let token = tokens.get(&address).ok_or(Missing::Unknown)?;
    let mut rows = vec![("Contract", whole_account(address)), ("Standard", Html::text(token.standard.name()))];
    let name = name_of(token);
    let bait = is_suspicious(&name);
    if bait {
        rows.push(("Name", Html::text(&name)));
    }
    rows.extend(token.symbol.as_ref().map(|symbol| ("Symbol", Html::text(symbol))));
    rows.extend(token.decimals.map(|decimals| ("Decimals", Html::text(decimals))));
    rows.extend(token.total_supply.map(|supply| ("Supply", short_units(supply, decimals_of(token)))));
    let content = Html::joined([facts(rows), transfers_of(&explorer, &moved).await?]);
    Ok(shown(if bait { SUSPICIOUS } else { &name }, &Html::default(), &content))
}

/// How many blocks ago.
fn age(blocks: u64) -> String {
    match blocks {
        0 => "latest".into(),
        1 => "1 block ago".into(),
        _ => format!("{blocks} blocks ago"),
    }
}

type Row = [Html; 6];

/// Row of a transaction.
fn row_of(mined: &Mined) -> Row {
    let Mined { transaction, timestamp, receipt, .. } = mined;
    let to = transaction.to.or(receipt.contract_address).unwrap_or_default();
    let (action, value) = (named(mined), ether(transaction.value));
    let (from, to) = (link_to_account(transaction.from), link_to_account(to));
    [link_to_transaction(transaction.hash), action, from, to, time(*timestamp), value]
}

fn action_of(Mined { transaction, .. }: &Mined) -> Action {
    if transaction.to.is_some() { method::action(&transaction.input) } else { Action::Deed("New contract".into()) }
}

/// Action in a row: its words or its function, an unknown selector as a title, and a mark if it failed.
fn named(mined: &Mined) -> Html {
    let action = match action_of(mined) {
        Action::Deed(words) => Html::text(words),
        Action::Call(function) => code(function),
        Action::Unknown(selector) => {
            Html::own(format!("<span title=\"{}\">Contract call</span>", Html::text(selector)))
        }
    };
    let failed = if has_succeeded(mined) { "" } else { " <span class=\"bad\">Failed</span>" };
    Html::joined([action, Html::own(failed.into())])
}

/// Action on the page of its transaction, which has room for the selector.
fn whole_action(mined: &Mined) -> Html {
    match action_of(mined) {
        Action::Deed(words) => Html::text(words),
        Action::Call(function) => code(function),
        Action::Unknown(selector) => Html::joined([Html::text("Contract call "), code(&selector)]),
    }
}

fn code(text: &str) -> Html {
    Html::own(format!("<code>{}</code>", Html::text(text)))
}

fn has_succeeded(mined: &Mined) -> bool {
    mined.receipt.status == U256::from(1)
}

fn transactions_of(rows: &[Row]) -> Html {
    table("Transactions", ["Hash", "Action", "From", "To", "Time", "Value"], rows, "No transactions yet.")
}

async fn transfers_of(explorer: &Explorer, moved: &[Transfer]) -> Result<Html, ChainError> {
    let kinds: Vec<_> = moved.iter().map(held).collect();
    let (tokens, metadata) = describe(explorer, &kinds).await?;
    let row = |(one, metadata): (&Transfer, &Option<Value>)| {
        let token = tokens.get(&one.tokens.token)?;
        let held = held(one);
        Some([
            link_to_transaction(one.transaction),
            end(one.tokens.from, "Minted"),
            end(one.tokens.to, "Burned"),
            link_to_token(one.tokens.token, &name_of(token)),
            amount_of(token, held, one.tokens.value, metadata.as_ref()),
        ])
    };
    let rows: Vec<_> = moved.iter().zip(&metadata).filter_map(row).collect();
    Ok(table("Token transfers", ["Hash", "From", "To", "Token", "Amount"], &rows, "No token transfers."))
}

fn end(account: Address, nobody: &str) -> Html {
    if account.is_zero() { Html::text(nobody) } else { link_to_account(account) }
}

/// Tokens and NFTs of an account.
async fn holdings(explorer: &Explorer, held: &[Balance]) -> Result<Html, ChainError> {
    let kinds: Vec<_> = held.iter().map(|one| one.held).collect();
    let (tokens, metadata) = describe(explorer, &kinds).await?;
    let (mut rows, mut pieces) = (Vec::new(), Vec::new());
    for (one, metadata) in held.iter().zip(&metadata) {
        let Some(token) = tokens.get(&one.held.token) else { continue };
        let amount = amount_of(token, one.held, one.value, metadata.as_ref());
        match one.held.id {
            None => rows.push([link_to_token(one.held.token, &name_of(token)), amount]),
            Some(_) => pieces.push(piece(metadata.as_ref(), &amount)),
        }
    }
    let tokens = table("Tokens", ["Token", "Balance"], &rows, "No tokens.");
    let list = Html::own(format!("<h2>NFTs</h2><ul class=\"pieces\">{}</ul>", Html::joined(pieces.clone())));
    Ok(Html::joined([tokens, if pieces.is_empty() { Html::default() } else { list }]))
}

/// NFT with the picture that its metadata carries.
fn piece(metadata: Option<&Value>, label: &Html) -> Html {
    let image = metadata.and_then(|found| found["image"].as_str()).filter(|uri| is_pixels(uri));
    let image = image.map(|uri| format!("<img src=\"{}\" alt=\"\">", Html::text(uri))).unwrap_or_default();
    Html::own(format!("<li>{image}{label}</li>"))
}

/// Whether it is a `data:` URL of pixels, in which nothing runs.
fn is_pixels(uri: &str) -> bool {
    let kind = uri.strip_prefix("data:image/").and_then(|rest| rest.split_once(";base64,")).map(|(kind, _)| kind);
    kind.is_some_and(|kind| ["gif", "jpeg", "png", "webp"].contains(&kind))
}

fn name_of(token: &Token) -> String {
    token.name.clone().or_else(|| token.symbol.clone()).unwrap_or_else(|| shorten(&render::hash(token.address)))
}

fn decimals_of(token: &Token) -> usize {
    token.decimals.map_or(0, |decimals| decimals.saturating_to::<u8>().into())
}

/// Amount of a token, or name and number of an NFT.
fn amount_of(token: &Token, held: TokenKind, value: U256, metadata: Option<&Value>) -> Html {
    let symbol = token.symbol.as_deref().unwrap_or_default();
    let Some(id) = held.id else {
        let symbol = if is_suspicious(symbol) { String::new() } else { format!(" {symbol}") };
        return Html::joined([short_units(value, decimals_of(token)), Html::text(symbol)]);
    };
    let name = metadata.and_then(|found| found["name"].as_str()).unwrap_or(symbol);
    Html::text(if held.standard == Standard::Erc721 {
        format!("{name} #{id}")
    } else {
        format!("{value} × {name} #{id}")
    })
}
