//! Swaps on the exchanges of a real chain: what the visitor pays and receives is what the quote said.

use super::support::exchange::{COIN, ETHER, ExchangeSetup, place};
use super::{Whole, runtime, whole};
use portico_core::Event;
use portico_core::modal::{Event as Modal, View};
use portico_core::send::SentState;
use portico_core::swap::{Event as Swap, Fault, Phase, QuoteFault, Simulation, Target, View as Form};
use portico_explorer::testing::Addresses;
use portico_json::{Value, parse, to_text};
use portico_terms::Amount;
use portico_testkit::{RealChain, ScriptedWallet, World, options};

/// A visitor with the form of a swap open, and the chain on which it swaps.
struct Exchange {
    world: World,
    chain: RealChain,
    addresses: Addresses,
    user: String,
}

/// Changes that a finished swap made.
#[derive(Debug, Eq, PartialEq)]
struct Outcome {
    paid: Amount,
    received: Amount,
    /// Contracts that the wallet's transactions called, in order.
    called: Vec<String>,
}

fn exchange() -> Exchange {
    exchange_on(&[])
}

/// An exchange on a chain whose nodes lack these methods.
fn exchange_on(missing: &'static [&'static str]) -> Exchange {
    let runtime = runtime();
    let ExchangeSetup { anvil, server, user } = runtime.block_on(place());
    let (addresses, on) = (anvil.addresses.clone(), runtime.clone());
    let chain = RealChain::new(move |method, params| {
        let params = serde_json::from_str(&to_text(params)).unwrap();
        if method == "eth_sendTransaction" {
            // Returns after the transaction was mined.
            let receipt = on.block_on(anvil.request("eth_sendTransactionSync", params))?;
            return Some(receipt["transactionHash"].as_str()?.into());
        }
        if missing.contains(&method) {
            return None;
        }
        let result = on.block_on(anvil.request(method, params))?;
        Some(parse(&result.to_string()).unwrap())
    });
    let mut wallet = ScriptedWallet::named("Alpha Wallet");
    wallet.accounts = vec![user.clone()];
    wallet.sends_to = Some(chain.clone());
    let contract =
        |protocol: &str, name: &str| format!(r#"{{"protocol":"{protocol}","address":"{}"}}"#, addresses.contract(name));
    let contracts = [
        contract("wrapped-coin", "weth"),
        contract("uniswap-v2", "uniswapV2Router"),
        contract("uniswap-swap-router-02", "uniswapV3Router"),
    ];
    let named = format!(r#"{{"swapContracts":{{"eip155:31337":[{}]}},"#, contracts.join(","));
    let Whole { mut world, .. } = whole(runtime, server, wallet, &options().replacen('{', &named, 1));
    world.node.chain = Some(chain.clone());
    Exchange { world, chain, addresses, user }
}

fn number(word: &Value) -> Amount {
    Amount::from_hex(word.as_str().unwrap()).unwrap()
}

impl Exchange {
    /// Address of a token by its name in the chain; "coin" is the chain's own.
    fn address(&self, name: &str) -> String {
        if name == "coin" { COIN.into() } else { self.addresses.contract(name).to_string() }
    }

    fn balance(&self, name: &str) -> Amount {
        let (user, address) = (&self.user, self.address(name));
        let (method, params) = if name == "coin" {
            ("eth_getBalance", format!(r#"["{user}","latest"]"#))
        } else {
            let data = format!("0x70a08231{:0>64}", user[2..].to_lowercase());
            ("eth_call", format!(r#"[{{"to":"{address}","data":"{data}"}},"latest"]"#))
        };
        number(&self.read(method, &params))
    }

    fn form(&self) -> Form {
        self.world.snapshot().swap
    }

    fn act(&mut self, event: Swap) {
        self.world.dispatch(Event::Swap(event));
    }

    /// Opens the form, chooses both tokens and types the amount to pay.
    fn ask(&mut self, from: &str, to: &str, amount: &str) {
        self.open(from, to);
        self.act(Swap::AmountTyped { text: amount.into() });
        self.world.advance(500);
    }

    /// As [`Exchange::ask`], with the amount to receive.
    fn want(&mut self, from: &str, to: &str, amount: &str) {
        self.open(from, to);
        self.act(Swap::ToAmountTyped { text: amount.into() });
        self.world.advance(500);
    }

    fn open(&mut self, from: &str, to: &str) {
        self.world.open(None);
        self.world.modal(Modal::ViewAsked { view: View::Swap });
        for (target, name) in [(Target::SourceToken, from), (Target::ToToken, to)] {
            let address = self.address(name);
            self.act(Swap::SelectAsked { target });
            self.act(Swap::TokenChosen { address });
        }
    }

    /// Confirms the quote on the screen and waits until the swap is done.
    fn confirm(&mut self, from: &str, to: &str) -> Outcome {
        let (block, before) = (self.block(), (self.balance(from), self.balance(to)));
        self.world.wallet().requests.clear();
        self.act(Swap::ReviewAsked);
        self.act(Swap::ConfirmAsked);
        // Where no source has a price, nobody can tell what is lost, and the visitor is asked again; a coin that is wrapped loses nothing.
        if self.world.snapshot().swap.phase == Phase::Costly {
            assert!(![from, to].contains(&"coin") || ![from, to].contains(&"weth"), "{from} {to}");
            self.world.advance(1_000);
            self.act(Swap::ConfirmAsked);
        }
        // The chain mines at once; the receipt on the screen says that the swap is done.
        self.world.advance(500);
        let snapshot = self.world.snapshot();
        assert_eq!((snapshot.swap.pending.len(), snapshot.modal.view), (0, View::SwapConfirmed));
        assert_eq!(snapshot.swap.sent.map(|sent| sent.receipt.state), Some(SentState::Confirmed), "{from} {to}");
        let sent = self.world.wallet().requests.iter().filter(|(method, _)| method == "eth_sendTransaction");
        let to_contract =
            |(_, params): &(String, Value)| params.as_list().unwrap()[0].get("to").as_str().unwrap().to_lowercase();
        let called = sent.map(to_contract).collect();
        let fee = |name: &str| if name == "coin" { self.fees_since(block) } else { Amount::ZERO };
        let after = (self.balance(from), self.balance(to));
        Outcome {
            paid: before.0.minus(after.0).unwrap().minus(fee(from)).unwrap(),
            received: after.1.plus(fee(to)).unwrap().minus(before.1).unwrap(),
            called,
        }
    }

    fn read(&self, method: &str, params: &str) -> Value {
        self.chain.request(method, &parse(params).unwrap()).unwrap()
    }

    fn block(&self) -> u64 {
        number(&self.read("eth_blockNumber", "[]")).to_string().parse().unwrap()
    }

    /// Fees of all transactions after this block; the account sends all of them.
    fn fees_since(&self, block: u64) -> Amount {
        (block + 1..=self.block()).fold(Amount::ZERO, |sum, block| {
            let transactions = self.read("eth_getBlockByNumber", &format!(r#"["{block:#x}",false]"#));
            let hash = transactions.get("transactions").as_list().unwrap()[0].as_str().unwrap().to_owned();
            let receipt = self.read("eth_getTransactionReceipt", &format!(r#"["{hash}"]"#));
            let gas = number(receipt.get("gasUsed")).to_string().parse().unwrap();
            sum.plus(number(receipt.get("effectiveGasPrice")).times(gas).unwrap()).unwrap()
        })
    }

    fn contract(&self, name: &str) -> String {
        self.address(name).to_lowercase()
    }
}

fn units(text: &str, decimals: u8) -> Amount {
    Amount::from_units(text, decimals).unwrap()
}

#[test]
fn spec_1_4_a_visitor_swaps_a_token_from_the_quote_to_the_receipt() {
    let mut exchange = exchange();
    exchange.ask("usdc", "coin", "1000");
    let quote = exchange.form().quote.unwrap();
    assert!(quote.approval_needed, "{quote:?}");
    let done = exchange.confirm("usdc", "coin");
    assert_eq!((done.paid, done.received), (units("1000", 6), units(&quote.to_token_amount, 18)));
    // The approval for the router, then the swap by the router.
    assert_eq!(done.called, [exchange.contract("usdc"), exchange.contract("uniswapV2Router")]);
    assert!(exchange.world.event_names().contains(&"SWAP_SUCCESS"));
}

#[test]
fn dollars_become_other_dollars_over_ether_where_most_is_to_be_had() {
    let mut exchange = exchange();
    exchange.ask("usdc", "dai", "200");
    let quoted = units(&exchange.form().quote.unwrap().to_token_amount, 18);
    // The direct pool holds only ten of each token.
    assert!(quoted > units("190", 18), "{quoted}");
    assert_eq!(exchange.confirm("usdc", "dai").received, quoted);
}

#[test]
fn spec_9_7_a_visitor_types_what_to_receive_and_gets_exactly_that_for_what_was_quoted() {
    let decimals = |name: &str| if name == "usdc" { 6 } else { 18 };
    for (from, to, amount, router) in [
        // V2, over one pool and over two; V3 with coins, of which the rest comes back, and with a token; the wrapped coin.
        ("usdc", "coin", "0.25", "uniswapV2Router"),
        ("usdc", "dai", "200", "uniswapV2Router"),
        ("coin", "usdc", "1000", "uniswapV3Router"),
        ("coin", "dai", "100", "uniswapV2Router"),
        ("weth", "usdc", "500", "uniswapV3Router"),
        ("coin", "weth", "0.5", "weth"),
        ("weth", "coin", "0.25", "weth"),
    ] {
        // Each on a chain of its own: after other swaps another route may be the best one.
        let mut exchange = exchange();
        // The node estimates gas as of its latest block; in the one that filled the pool of V3, a swap there is cheaper than ever after.
        exchange.read("evm_mine", "[]");
        if from == "weth" {
            exchange.ask("coin", "weth", "1");
            exchange.confirm("coin", "weth");
        }
        exchange.want(from, to, amount);
        let quote = exchange.form().quote.unwrap();
        let (paid, most) = (quote.source_token_amount.unwrap(), quote.maximum_paid.unwrap());
        exchange.act(Swap::ReviewAsked);
        assert_eq!(exchange.form().simulation, Some(Simulation::Done), "{from} {to}");
        exchange.world.modal(Modal::BackAsked);
        let done = exchange.confirm(from, to);
        let places = decimals(from);
        assert_eq!(done.received, units(amount, decimals(to)), "{from} {to}");
        assert_eq!(done.paid, units(&paid, places), "{from} {to}");
        assert!(done.paid <= units(&most, places), "{from} {to}");
        assert_eq!(done.called.last(), Some(&exchange.contract(router)), "{from} {to}");
    }
}

#[test]
fn more_than_a_pool_has_and_a_token_that_keeps_a_part_of_each_transfer_cannot_be_bought_exactly() {
    let mut exchange = exchange();
    for (to, amount) in [("usdc", "600000"), ("taxed", "1"), ("ticket", "1")] {
        exchange.want("coin", to, amount);
        let form = exchange.form();
        assert_eq!((form.quote, form.quote_fault, form.ready), (None, Some(QuoteFault::NoRoute), false), "{to}");
    }
}

#[test]
fn ether_is_wrapped_and_unwrapped_one_for_one_without_an_approval() {
    let mut exchange = exchange();
    for (from, to) in [("coin", "weth"), ("weth", "coin")] {
        exchange.ask(from, to, "0.5");
        assert_eq!(exchange.form().quote.unwrap().to_token_amount, "0.5");
        let half = Amount::from(ETHER as u64 / 2);
        let called = vec![exchange.contract("weth")];
        assert_eq!(exchange.confirm(from, to), Outcome { paid: half, received: half, called }, "{from}");
    }
}

#[test]
fn a_token_without_a_pool_or_of_which_less_arrives_than_was_agreed_to_has_no_price() {
    let mut exchange = exchange();
    // The server simulates a swap before it quotes a price: a transfer of this token keeps a part.
    for to in ["ticket", "taxed"] {
        exchange.ask("coin", to, "1");
        let form = exchange.form();
        assert_eq!((form.quote, form.quote_fault, form.ready), (None, Some(QuoteFault::NoRoute), false), "{to}");
    }
    exchange.act(Swap::ReviewAsked);
    assert_eq!(exchange.world.snapshot().modal.view, View::Swap);
    assert!(exchange.world.wallet().requests.iter().all(|(method, _)| method != "eth_sendTransaction"));
}

#[test]
fn nodes_with_and_without_the_simulation_find_that_a_swap_moves_what_was_shown() {
    for missing in [&[][..], &["eth_simulateV1"]] {
        let mut exchange = exchange_on(missing);
        for (from, to) in [("usdc", "coin"), ("coin", "dai"), ("coin", "weth"), ("weth", "coin")] {
            exchange.ask(from, to, "0.5");
            let quote = exchange.form().quote.unwrap();
            exchange.act(Swap::ReviewAsked);
            assert_eq!(exchange.form().simulation, Some(Simulation::Done), "{from} {to} {missing:?}");
            // No node is asked to prove more before the wallet signs.
            exchange.world.modal(Modal::BackAsked);
            assert_eq!(
                exchange.confirm(from, to).received,
                units(&quote.to_token_amount, if to == "usdc" { 6 } else { 18 })
            );
        }
    }
}

#[test]
fn a_node_without_the_simulation_says_that_a_swap_would_fail() {
    let mut exchange = exchange_on(&["eth_simulateV1"]);
    exchange.ask("usdc", "coin", "1000");
    // The tokens leave in another tab, after the balance was read.
    let (user, usdc, all) = (exchange.user.clone(), exchange.address("usdc"), exchange.balance("usdc"));
    let data = format!("0xa9059cbb{:0>64}{:0>64}", "dead", &all.to_hex()[2..]);
    exchange.read("eth_sendTransaction", &format!(r#"[{{"from":"{user}","to":"{usdc}","data":"{data}"}}]"#));
    exchange.act(Swap::ReviewAsked);
    assert_eq!(exchange.form().fault, Some(Fault::Fails));
    assert!(exchange.world.wallet().requests.iter().all(|(method, _)| method != "eth_sendTransaction"));
}
