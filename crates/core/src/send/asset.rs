//! Coin or token to send. A token list may be wrong, so decimals and balance come from the token's contract.

use super::{Reason, Send};
use crate::cx::Cx;
use crate::facts::Facts;
use crate::pay::erc20;
use crate::pay::standing::{Mark, is_misnamed};
use crate::pay::tokens::{BalanceState, Holding, Purse, contract_of, matches, worth};
use crate::rpc::{DISAGREED, UNPROVEN};
use crate::shown::is_bait;
use crate::wallet::eip155;
use portico_json::{Json, Value};
use portico_terms::address::{is_evm, to_checksum};
use portico_terms::rpc::RpcError;
use portico_terms::{Amount, ChainId, Price};

/// Placeholder address of the chain's own coin in hosts' calls and lists.
const COIN: &str = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee";

/// Reads from a token's contract.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Question {
    /// Balance of the account.
    Balance,
    /// Decimals of the token.
    Decimals,
    /// Symbol of the token.
    Symbol,
}

/// Progress of the reads from a token's contract.
#[derive(Clone, Copy, Debug, Default, Eq, Json, PartialEq)]
#[json(name = "SendTokenState")]
pub enum TokenState {
    /// The reads are in flight.
    #[default]
    Reading,
    /// Decimals and balance are known.
    Ready,
    /// Decimals or balance are missing: the token cannot be sent.
    Unreadable,
    /// Two nodes report different decimals or symbols: the token cannot be sent.
    Disputed,
}

/// The selected token.
#[derive(Clone, Debug)]
pub struct Asset {
    /// Address with its checksum.
    pub contract: String,
    pub name: String,
    pub symbol: String,
    pub icon: Option<String>,
    pub price: Option<Price>,
    /// Decimals from the list.
    listed: Option<u8>,
    /// Symbol as the contract says, where the list has another one.
    pub own_symbol: Option<String>,
    /// Whether the symbol, of the list or of the contract, belongs to another token or imitates one.
    pub misnamed: bool,
    pub decimals: Option<u8>,
    pub balance: Option<Amount>,
    pub state: TokenState,
    /// State if decimals or symbol are in doubt.
    doubt: Option<TokenState>,
    missing: u8,
    /// Number of the selection; responses to an older one are ignored.
    pub number: u32,
}

impl Asset {
    /// A token of the list, or an unlisted one of which only the address is known.
    pub fn new(contract: &str, purse: &Purse, number: u32) -> Asset {
        let contract = to_checksum(contract);
        let known = purse.token(&contract);
        let text = |text: Option<&String>| text.cloned().unwrap_or_default();
        Asset {
            name: text(known.map(|known| &known.name)),
            symbol: text(known.map(|known| &known.symbol)),
            icon: known.and_then(|known| known.icon.clone()),
            price: known.and_then(|known| known.price),
            listed: known.map(|known| known.decimals),
            contract,
            own_symbol: None,
            misnamed: known.is_some_and(|known| matches!(known.mark, Some(Mark::Lookalike | Mark::Both))),
            decimals: None,
            balance: None,
            state: TokenState::Reading,
            doubt: None,
            missing: 0,
            number,
        }
    }

    /// Requests decimals, balance and symbol from the contract.
    pub fn read(&mut self, cx: &mut Cx) {
        let (Some(network), Some(account)) = (&cx.facts.active_network, &cx.facts.account) else { return };
        let chain = network.caip_network_id.clone();
        let questions = [
            (Question::Balance, erc20::balance_of(&account.address)),
            (Question::Decimals, erc20::decimals()),
            (Question::Symbol, erc20::symbol()),
        ];
        (self.state, self.doubt) = (TokenState::Reading, None);
        self.missing = questions.len() as u8;
        for (question, data) in questions {
            let (params, reason) = (erc20::params(&self.contract, data), Reason::Token(self.number, question));
            match question {
                // The decimals decide how many units an amount has, the symbol says of what.
                Question::Decimals | Question::Symbol => cx.call_agreed(&chain, eip155::CALL, params, reason),
                _ => cx.call(&chain, eip155::CALL, params, reason),
            }
        }
    }

    /// Response of the contract.
    pub fn on_contract_read(&mut self, question: Question, answer: &Result<Value, RpcError>) {
        // A node that lies about the symbol a second time must not remove the warning that the contract has another one.
        match answer.as_ref().err().filter(|_| question != Question::Balance).map(|error| error.code) {
            Some(DISAGREED) => self.doubt = Some(TokenState::Disputed),
            Some(UNPROVEN) => self.doubt = self.doubt.or(Some(TokenState::Unreadable)),
            _ => {}
        }
        match question {
            Question::Balance => self.balance = erc20::number(answer),
            Question::Decimals => self.decimals = erc20::decimals_of(answer),
            Question::Symbol if !self.symbol.is_empty() => {
                let told = symbol_of(answer);
                self.own_symbol = told.filter(|told| !told.eq_ignore_ascii_case(&self.symbol));
            }
            Question::Symbol => {
                let symbol = symbol_of(answer).unwrap_or_else(|| portico_terms::address::shorten(&self.contract));
                self.name.clone_from(&symbol);
                self.symbol = symbol;
            }
        }
        self.missing = self.missing.saturating_sub(1);
        if self.missing == 0 {
            let told = self.decimals.is_some() && self.balance.is_some();
            self.state = self.doubt.unwrap_or(if told { TokenState::Ready } else { TokenState::Unreadable });
        }
    }

    /// Checks the symbols of list and contract against the tokens that people know.
    pub fn compare(&mut self, facts: &Facts) {
        let Some(network) = &facts.active_network else { return };
        let misnamed = |symbol: &String| is_misnamed(symbol, &self.contract, &network.caip_network_id, facts);
        // The mark of the list stays: it compares with the tokens beside this one, which the table does not have.
        self.misnamed |= misnamed(&self.symbol) || self.own_symbol.as_ref().is_some_and(misnamed);
    }

    /// Whether the list has other decimals than the contract.
    pub fn lies(&self) -> bool {
        self.listed.zip(self.decimals).is_some_and(|(listed, decimals)| listed != decimals)
    }
}

/// Balance of the asset to send, and of the coin that pays the fee.
#[derive(Clone, Copy, Debug, Default)]
pub struct Funds {
    /// Whether the coin itself is sent.
    pub native: bool,
    pub decimals: Option<u8>,
    pub balance: Option<Amount>,
    pub price: Option<Price>,
    /// Balance of the coin.
    pub coin: Option<Amount>,
}

impl Send {
    /// Balances for the selected asset.
    pub fn funds(&self, purse: &Purse, facts: &Facts) -> Funds {
        let decimals = facts.active_network.as_ref().map(|network| network.native_currency.decimals);
        match &self.asset {
            None => Funds { native: true, decimals, balance: purse.coin, price: facts.price, coin: purse.coin },
            Some(asset) => Funds {
                native: false,
                decimals: asset.decimals,
                balance: asset.balance,
                // A price per token is meaningless while the decimals are disputed.
                price: asset.price.filter(|_| !asset.lies()),
                coin: purse.coin,
            },
        }
    }
}

/// Contract address in a host's or list's text: CAIP-10 or the address alone; empty for the coin. `None` if it is no token of this chain.
pub fn contract_on(text: &str, chain: &ChainId) -> Option<String> {
    let chain = chain.to_string();
    let address = match text.rsplit_once(':') {
        Some((other, address)) => Some(address).filter(|_| other == chain)?,
        None => text,
    };
    match () {
        () if address.eq_ignore_ascii_case(COIN) || address == "native" => Some(String::new()),
        () if address.starts_with("0x") && is_evm(address) => Some(to_checksum(address)),
        () => None,
    }
}

/// One row of the token list.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "SendChoice")]
pub struct Choice {
    /// Address of the contract; `null` for the chain's own coin.
    pub address: Option<String>,
    /// "Ether"
    pub name: String,
    /// "ETH"
    pub symbol: String,
    /// Balance according to the list, with two decimals (spec 2.11).
    pub shown: String,
    /// Value of the balance in US dollars, with two decimals, if a price is known.
    pub value: Option<String>,
    pub icon_url: Option<String>,
    /// Reason to distrust its name and symbol. A suspicious name is empty.
    pub mark: Option<Mark>,
    /// Whether it stands behind the row of hidden tokens.
    pub hidden: bool,
    /// Whether it is the selected token.
    pub chosen: bool,
}

/// The token list for views.
#[derive(Clone, Debug, Default, Json, PartialEq)]
#[json(name = "SendTokensView")]
pub struct Choices {
    /// Search text.
    pub search: String,
    /// Loading state of the account's balances.
    pub state: BalanceState,
    /// Search results, the most valuable first.
    pub tokens: Vec<Choice>,
    /// Whether there are more.
    pub more: bool,
    /// Total number of results, without closed hidden ones.
    pub count: u32,
    /// Number of results behind the row of hidden tokens.
    pub hidden: u32,
    /// Whether that row is open.
    pub revealed: bool,
}

/// Number of rows sent at first and added at each end of the list; a short list keeps each keystroke of a search cheap.
pub const PAGE: usize = 40;

/// Search text and scroll position in the token list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    /// Search text.
    pub text: String,
    /// Number of rows sent beyond the first [`PAGE`].
    pub further: usize,
    /// Whether the row of hidden tokens is open.
    pub revealed: bool,
}

impl Send {
    /// Selection, search text and row count: the list changes with any of them.
    pub fn looked_for(&self) -> (String, usize) {
        let chosen = self.asset.as_ref().map_or("", |asset| asset.contract.as_str());
        let open = if self.search.revealed { "+" } else { " " };
        ([chosen, open, &self.search.text].concat(), self.search.further)
    }

    /// Search results among the account's tokens.
    pub fn choices(&self, purse: &Purse, facts: &Facts) -> Choices {
        let search = self.search.text.trim().to_ascii_lowercase();
        let told = PAGE + self.search.further;
        let mut tokens = Vec::new();
        if let Some(network) = &facts.active_network {
            let currency = &network.native_currency;
            if matches(&currency.name, &currency.symbol, None, &search) {
                let value = purse.coin.and_then(|coin| worth(coin, currency.decimals, facts.price));
                let shown = purse.coin.map(|coin| coin.shown_balance(currency.decimals));
                tokens.push(Choice {
                    address: None,
                    name: currency.name.clone(),
                    symbol: currency.symbol.clone(),
                    shown: shown.unwrap_or_default(),
                    value,
                    icon_url: network.assets.image_url.clone(),
                    mark: None,
                    hidden: false,
                    chosen: self.asset.is_none(),
                });
            }
        }
        let (mut count, mut hidden) = (tokens.len(), 0);
        let held = |hidden: bool| purse.tokens.iter().filter(move |it| !it.amount.is_zero() && it.hidden == hidden);
        for token in held(false).chain(held(true)) {
            let Some(contract) = contract_of(token) else { continue };
            if matches(&token.name, &token.symbol, Some(contract), &search) {
                hidden += u32::from(token.hidden);
                if token.hidden && !self.search.revealed {
                    continue;
                }
                count += 1;
                if count <= told {
                    tokens.push(self.choice(token, contract));
                }
            }
        }
        Choices {
            search: self.search.text.clone(),
            state: purse.state,
            tokens,
            more: count > told,
            count: count as u32,
            hidden,
            revealed: self.search.revealed,
        }
    }

    fn choice(&self, token: &Holding, contract: &str) -> Choice {
        Choice {
            address: Some(contract.into()),
            name: token.name.clone(),
            symbol: token.symbol.clone(),
            shown: token.amount.shown_balance(token.decimals),
            value: worth(token.amount, token.decimals, token.price),
            icon_url: token.icon.clone(),
            mark: token.mark,
            hidden: token.hidden,
            chosen: self.asset.as_ref().is_some_and(|asset| asset.contract.eq_ignore_ascii_case(contract)),
        }
    }
}

/// Symbol of a contract, unless it is a link or markup.
fn symbol_of(answer: &Result<Value, RpcError>) -> Option<String> {
    erc20::symbol_of(answer).filter(|symbol| !is_bait(symbol, false))
}
