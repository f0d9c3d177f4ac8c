//! Token to send: what its mint says, the account's holding of it, and the list to choose from. A token list may be wrong, so decimals, rules
//! and balance come from the chain.

use super::{Reason, Solana, trial::Trouble};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::standing::Mark;
use crate::pay::tokens::{BalanceState, Holding as Listed, Purse, contract_of, matches, worth};
use crate::wallet::solana::{self, accounts_in, accounts_params, settings, tokens_in};
use portico_calldata::solana::{Holding, Key, Mint, Obstacle, TokenProgram, key};
use portico_json::{Json, Value};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, Price, address::shorten};

/// Most rows of the token list; a search narrows it.
const MOST_ROWS: usize = 100;

/// Progress of the reads about a token, or about the balance of the coin.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SolanaTokenState")]
pub enum TokenState {
    /// The reads are in flight.
    #[default]
    Reading,
    /// Mint and balance are known.
    Ready,
    /// The mint or the balance could not be read: the token cannot be sent.
    Unreadable,
}

/// The selected token.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Number of the selection; answers to an older one are ignored.
    pub number: u32,
    pub mint: Key,
    /// Address of the mint in base58.
    pub address: String,
    pub name: String,
    pub symbol: String,
    pub icon: Option<String>,
    pub price: Option<Price>,
    /// Decimals of the list.
    listed: Option<u8>,
    /// The mint, `None` while unknown.
    pub data: Option<Mint>,
    /// Token account with the highest balance that is not frozen, or else a frozen one. `None` inside if there is none.
    pub source: Option<Option<(Key, Holding)>>,
    pub state: TokenState,
}

impl Asset {
    /// A token of the list, or an unlisted one of which only the address is known. `None` if the text is no address.
    pub fn new(address: &str, purse: &Purse, number: u32) -> Option<Asset> {
        let listed = listed(address, purse);
        let text = |text: fn(&Listed) -> &String| listed.map(text).cloned();
        Some(Asset {
            number,
            mint: key(address)?,
            address: address.into(),
            name: text(|token| &token.name).unwrap_or_else(|| shorten(address)),
            symbol: text(|token| &token.symbol).unwrap_or_else(|| shorten(address)),
            icon: listed.and_then(|token| token.icon.clone()),
            price: listed.and_then(|token| token.price),
            listed: listed.map(|token| token.decimals),
            data: None,
            source: None,
            state: TokenState::Reading,
        })
    }

    /// Requests the mint, and the account's holdings.
    pub fn read(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        let chain = network.caip_network_id.clone();
        self.state = TokenState::Reading;
        let owner = account.address.as_str().into();
        let of = Value::Object(vec![("mint".into(), self.address.as_str().into())]);
        let mint = accounts_params(vec![self.address.clone()]);
        cx.call(&chain, solana::ACCOUNTS, mint, Reason::Mint(self.number));
        cx.call(&chain, solana::TOKENS, vec![owner, of, settings(&[])], Reason::Held(self.number));
    }

    /// Answer about the mint.
    pub fn on_mint(&mut self, answer: &Result<Value, RpcError>) {
        let accounts = answer.as_ref().ok().and_then(|answer| accounts_in(answer, 1));
        let account = accounts.and_then(|accounts| accounts.into_iter().next()?);
        self.data = account.and_then(|account| Mint::read(TokenProgram::named(&account.owner)?, &account.data));
        if self.listed.zip(self.data.as_ref()).is_some_and(|(listed, mint)| listed != mint.decimals) {
            // A price per token is meaningless while the decimals are disputed.
            self.price = None;
        }
        match self.data {
            None => self.state = TokenState::Unreadable,
            Some(_) => self.settle(),
        }
    }

    /// Answer about the account's holdings.
    pub fn on_held(&mut self, answer: &Result<Value, RpcError>, own: &Key) {
        let Some(told) = answer.as_ref().ok().and_then(tokens_in) else {
            self.state = TokenState::Unreadable;
            return;
        };
        let mine =
            told.into_iter().filter_map(|(address, account)| Some((key(address)?, Holding::read(&account.data)?)));
        // A node may tell an account of somebody else or of another token.
        let mine = mine.filter(|(_, holding)| holding.owner == *own && holding.mint == self.mint);
        self.source = Some(mine.max_by_key(|(_, holding)| (!holding.frozen, holding.amount)));
        self.settle();
    }

    fn settle(&mut self) {
        if self.data.is_some() && self.source.is_some() && self.state == TokenState::Reading {
            self.state = TokenState::Ready;
        }
    }

    /// Balance in the smallest unit.
    pub fn balance(&self) -> Option<u64> {
        self.source.map(|source| source.map_or(0, |(_, holding)| holding.amount))
    }

    /// Rule that forbids to send it.
    pub fn trouble(&self) -> Option<Trouble> {
        match self.data.as_ref()?.obstacle {
            Some(Obstacle::Hook) => Some(Trouble::Hook),
            Some(Obstacle::NonTransferable) => Some(Trouble::NonTransferable),
            Some(Obstacle::Paused) => Some(Trouble::Paused),
            Some(Obstacle::Unknown) => Some(Trouble::UnknownRule),
            None => self.source??.1.frozen.then_some(Trouble::Frozen),
        }
    }
}

/// Listed token of a mint. Addresses differ in upper and lower case.
pub fn listed<'a>(address: &str, purse: &Purse<'a>) -> Option<&'a Listed> {
    purse.tokens.iter().find(|token| contract_of(token) == Some(address))
}

/// One row of the token list.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SolanaChoice")]
pub struct Choice {
    /// Address of the mint; `null` for the chain's own coin.
    pub address: Option<String>,
    /// "USD Coin"
    pub name: String,
    /// "USDC"
    pub symbol: String,
    /// Balance according to the list, with two decimals (spec 2.11).
    pub shown: String,
    /// Value of the balance in US dollars, with two decimals, if a price is known.
    pub value: Option<String>,
    pub icon_url: Option<String>,
    /// Reason to distrust its name and symbol.
    pub mark: Option<Mark>,
    /// Whether it is the selected token.
    pub chosen: bool,
}

/// The token list for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "SolanaTokensView")]
pub struct Choices {
    /// Search text.
    pub search: String,
    /// Loading state of the account's balances.
    pub state: BalanceState,
    /// Search results, the coin first, then the most valuable ones.
    pub tokens: Vec<Choice>,
    /// Whether there are more than the rows.
    pub more: bool,
}

impl Solana {
    /// Search results among the account's tokens. Those that nobody asked for are found by a search only.
    pub fn choices(&self, purse: &Purse, facts: &Facts) -> Choices {
        let search = self.search.trim().to_ascii_lowercase();
        let mut tokens = Vec::new();
        if let Some(network) = &facts.active_network {
            let currency = &network.native_currency;
            if matches(&currency.name, &currency.symbol, None, &search) {
                let coin = self.coin.map(Amount::from);
                let value = coin.and_then(|coin| worth(coin, currency.decimals, facts.price));
                tokens.push(Choice {
                    address: None,
                    name: currency.name.clone(),
                    symbol: currency.symbol.clone(),
                    shown: coin.map(|coin| coin.shown_balance(currency.decimals)).unwrap_or_default(),
                    value,
                    icon_url: network.assets.image_url.clone(),
                    mark: None,
                    chosen: self.asset.is_none(),
                });
            }
        }
        let held = purse.tokens.iter().filter(|token| !token.amount.is_zero() && (!token.hidden || !search.is_empty()));
        for token in held {
            let Some(address) = contract_of(token) else { continue };
            if matches(&token.name, &token.symbol, Some(address), &search) {
                tokens.push(Choice {
                    address: Some(address.into()),
                    name: token.name.clone(),
                    symbol: token.symbol.clone(),
                    shown: token.amount.shown_balance(token.decimals),
                    value: worth(token.amount, token.decimals, token.price),
                    icon_url: token.icon.clone(),
                    mark: token.mark,
                    chosen: self.asset.as_ref().is_some_and(|asset| asset.address == address),
                });
            }
        }
        let more = tokens.len() > MOST_ROWS;
        tokens.truncate(MOST_ROWS);
        Choices { search: self.search.clone(), state: purse.state, tokens, more }
    }
}
