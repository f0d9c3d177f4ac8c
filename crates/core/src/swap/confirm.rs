//! From confirmation to signature: a fresh quote, the approval, and the transaction.

use super::calls::{self, Call};
use super::event::{Age, Trial};
use super::flight::{Deal, Kind};
use super::last::Last;
use super::simulation::Verdict;
use super::step::{Candidate, Step};
use super::tokens::Coin;
use super::{Fault, Reason, Swap, build, contracts, is_revert};
use crate::analytics::Name;
use crate::cx::Cx;
use crate::effect::{HttpMethod, Operation};
use crate::facts::Facts;
use crate::http::Request;
use crate::modal::View;
use crate::notice::{Message, Variant};
use crate::pay::tokens::Purse;
use crate::pay::{erc20, signing};
use crate::shown::clean_to;
use crate::signal::Signal;
use crate::storage::keys;
use crate::swap::Alarm;
use crate::wallet::eip155;
use portico_calldata::{Address, PREVIOUS_SETTLER, REGISTRY, SETTLER, hex};
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::RpcError;

/// HTTP status of a server's answer that the swap is impossible at any price.
pub(super) const IMPOSSIBLE: i64 = 422;

/// Maximum length of a server's error message.
const LONGEST_REASON: usize = 200;

impl Swap {
    pub(super) fn confirm(&mut self, purse: &Purse, cx: &mut Cx) {
        if self.step == Step::Outdated || self.promised.is_none() || self.is_unread() {
            return;
        }
        let view = self.view(purse, cx.facts);
        if view.amount_fault.is_some() || view.liar.is_some() {
            // The reviewed amount can no longer be paid.
            self.form.review_pressed = true;
            return cx.signal(Signal::SwapUnready);
        }
        let Some(quote) = view.quote else { return self.refresh(cx) };
        self.looked |= matches!(self.step, Step::Interrupted | Step::Unsure(_));
        if !self.looked && self.payments.left_open.concerns(cx) {
            return self.ask_again(Step::Interrupted, cx);
        }
        if self.pricing.quote().zip(self.promised).is_some_and(|(quote, promised)| promised.are_broken_by(quote)) {
            return self.ask_again(Step::Outdated, cx);
        }
        // An agreement to a loss is for one request to the wallet: a visitor who declined there is asked again.
        self.costly = self.step == Step::Costly || self.costly && self.step.asks_visitor();
        if !self.costly && quote.ruinous {
            return self.ask_again(Step::Costly, cx);
        }
        // Confirmed again, after the visitor was told that nothing could simulate the transaction.
        self.unproven = self.step == Step::Unproven;
        self.attempt += 1;
        self.requoted = false;
        self.payments.wait_is_over(Alarm::Slow, cx);
        // A lower price beside the wallet's question would lead to a second question, and both could be paid.
        self.pricing.ignore_next();
        cx.stop(Alarm::Quote);
        if let Some(deal) = self.deal(Kind::Swap, cx.facts) {
            cx.signal(Signal::Track(deal.tracked(Name::InitiateSwap)));
        }
        self.go_on(cx);
    }

    /// Next step of a confirmed swap: a fresh quote, the approval, or the transaction.
    pub(super) fn go_on(&mut self, cx: &mut Cx) {
        self.step = Step::Building { revokes_first: false };
        let (Some(question), Some(_)) = (self.question(cx.facts), self.promised) else {
            return self.fail(Fault::NotBuilt, None, cx);
        };
        let Some(quote) = self.pricing.quote().cloned().filter(|quote| !quote.is_over(cx.now)) else {
            self.ask_quote(cx);
            if !self.pricing.is_awaited() {
                self.fail(Fault::NotBuilt, None, cx);
            }
            return;
        };
        if !self.knows_allowance() {
            return self.ask_allowance(cx);
        }
        let first = self.permitted(&quote).is_zero();
        match self.needs_approval(&quote) {
            false => self.order(cx),
            true if first => self.permit(false, cx),
            true => {
                // Some tokens refuse a new approval over an older one; a trial call finds out without gas.
                let data = erc20::approve(quote.spender.as_deref().unwrap_or_default(), self.most(&quote));
                let mut params = erc20::params(&question.from.address, data);
                if let Some(Value::Object(call)) = params.first_mut() {
                    call.push(("from".into(), Value::Text(question.address)));
                }
                cx.call(&question.chain, eip155::CALL, params, Reason::ApprovalTried(self.attempt));
            }
        }
    }

    /// Requests the transaction from the server.
    fn order(&mut self, cx: &mut Cx) {
        if !self.ask_build(Trial::Confirmation, cx) {
            self.fail(Fault::NotBuilt, None, cx);
        }
    }

    /// Requests the transaction of a trial. Returns false if nothing was requested.
    pub(super) fn ask_build(&self, trial: Trial, cx: &mut Cx) -> bool {
        let promise = self.promised.zip(self.pricing.quote()).zip(self.question(cx.facts));
        let project = cx.facts.options.project_id.as_deref().unwrap_or_default();
        promise.is_some_and(|((promised, quote), question)| {
            let permitted = !self.needs_approval(quote);
            let body = build::order(&question, quote, promised, &self.slippage, project, permitted);
            let request = Request::new(HttpMethod::Post, "/v1/convert/build-transaction").body(body);
            cx.http(request, Reason::Built(trial, self.number_of(trial)))
        })
    }

    /// Result of the trial approval over an older allowance.
    pub(super) fn approval_tried(&mut self, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let refuses = match answer {
            // Old contracts return nothing on success.
            Ok(_) => erc20::number(answer).is_some_and(|number| number.is_zero()),
            Err(error) => is_revert(error),
        };
        self.permit(refuses, cx);
    }

    /// Requests the approval: alone, or in a batch with the swap if the wallet can. The swap is built first, because its effect after the
    /// approval is tried on the chain before anything is signed.
    fn permit(&mut self, revokes_first: bool, cx: &mut Cx) {
        self.step = Step::Building { revokes_first };
        self.order(cx);
    }

    /// Approval of exactly the amount that the swap may take, so that the spender can take no more later; zero for a revocation.
    pub(super) fn approval(&self, kind: Kind) -> Option<Call> {
        let quote = self.pricing.quote()?;
        let amount = if kind == Kind::Revocation { Amount::ZERO } else { self.most(quote) };
        let data = erc20::approve(quote.spender.as_ref()?, amount);
        Some(Call { to: self.form.from.as_ref()?.address.clone(), data, value: Amount::ZERO })
    }

    pub(super) fn built(&mut self, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let promise = self.promised.zip(self.pricing.quote()).zip(self.question(cx.facts));
        let Some(((promised, quote), question)) = promise else { return self.fail(Fault::NotBuilt, None, cx) };
        let answer = match answer {
            Ok(answer) => answer,
            // The swap is impossible at any price: the server's message says why.
            Err(error) if error.code == IMPOSSIBLE => return self.is_impossible(&error, cx),
            // The quote expired or the price moved: requests a new quote, once.
            Err(error) if (400..500).contains(&error.code) && !std::mem::replace(&mut self.requoted, true) => {
                return self.ask_quote(cx);
            }
            Err(_) => return self.fail(Fault::NotBuilt, None, cx),
        };
        let contracts = contracts::of(&question.chain, cx.facts);
        let built = cx.read(&answer);
        let checked = built.and_then(|built| build::check(built, &question, quote, promised, &contracts));
        let Some((swap, decoded)) = checked else {
            return self.fail(Fault::Mismatch, None, cx);
        };
        self.target = Some(swap.to.clone());
        if !self.needs_approval(quote) {
            return self.examine(Kind::Swap, vec![swap], decoded.settler, cx);
        }
        let revokes_first = self.step == Step::Building { revokes_first: true };
        let kind = match revokes_first {
            _ if self.batches(cx.facts) => Kind::Batch,
            true => Kind::Revocation,
            false => Kind::Approval,
        };
        let back = if revokes_first { self.approval(Kind::Revocation) } else { None };
        let calls: Vec<Call> = back.into_iter().chain(self.approval(Kind::Approval)).chain([swap]).collect();
        self.examine(kind, calls, decoded.settler, cx);
    }

    /// Ends the attempt with the server's reason.
    pub(super) fn is_impossible(&mut self, error: &RpcError, cx: &mut Cx) {
        let reason = RpcError::new(error.code, &clean_to(&error.message, LONGEST_REASON));
        self.fail(Fault::NotBuilt, Some(reason), cx);
    }

    /// Asks the chain what the calls would do, before the wallet is asked to sign them.
    fn examine(&mut self, kind: Kind, calls: Vec<Call>, settler: Option<Address>, cx: &mut Cx) {
        let Some(question) = self.question(cx.facts) else { return self.fail(Fault::NotBuilt, None, cx) };
        if settler.is_some() {
            let params = erc20::params(&hex::text(&REGISTRY), SETTLER.into());
            cx.call_proven(&question.chain, eip155::CALL, params, Reason::Settler(self.attempt, Age::Current));
        }
        self.step = Step::Checking(Candidate { kind, calls, settler, proven: self.unproven });
        if !self.unproven {
            self.simulate(Trial::Confirmation, cx);
        }
        self.examined(cx);
    }

    /// Asks the wallet once the chain has confirmed the candidate.
    fn examined(&mut self, cx: &mut Cx) {
        if let Step::Checking(Candidate { kind, calls, settler: None, proven: true, .. }) = &self.step {
            let (kind, mut calls) = (*kind, calls.clone());
            if !kind.swaps() {
                // The others are tried and built again once this one is mined.
                calls.truncate(1);
            }
            self.step = Step::Asking(kind);
            self.ask_wallet(kind, calls, cx);
        }
    }

    /// A Settler that 0x has registered.
    pub(super) fn on_settler(&mut self, age: Age, answer: &Result<Value, RpcError>, cx: &mut Cx) {
        let Step::Checking(candidate) = &mut self.step else { return };
        let Some(settler) = candidate.settler else { return };
        let word = answer.as_ref().ok().and_then(Value::as_str).and_then(hex::bytes);
        let told: Option<[u8; 32]> = word.and_then(|word| word.try_into().ok());
        match told {
            Some(word) if word[..12] == [0; 12] && word[12..] == settler => {
                candidate.settler = None;
                self.examined(cx);
            }
            // Without a current one 0x has paused its Settlers; the previous one is asked last.
            None => self.fail(Fault::Mismatch, None, cx),
            Some(_) if age == Age::Previous => self.fail(Fault::Mismatch, None, cx),
            Some(_) => {
                let (Some(question), attempt) = (self.question(cx.facts), self.attempt) else { return };
                let params = erc20::params(&hex::text(&REGISTRY), PREVIOUS_SETTLER.into());
                cx.call_proven(&question.chain, eip155::CALL, params, Reason::Settler(attempt, Age::Previous));
            }
        }
    }

    /// The chain said what the candidate would do.
    pub(super) fn judged(&mut self, verdict: Verdict, cx: &mut Cx) {
        match verdict {
            Verdict::AsShown => {
                if let Step::Checking(candidate) = &mut self.step {
                    candidate.proven = true;
                }
                self.examined(cx);
            }
            Verdict::Fails => self.fail(Fault::Fails, None, cx),
            Verdict::TakesMore => self.fail(Fault::TakesMore, None, cx),
            Verdict::Unproven => {
                self.unavailable();
                self.ask_again(Step::Unproven, cx);
                self.wake(cx);
            }
        }
    }

    fn ask_wallet(&mut self, kind: Kind, calls: Vec<Call>, cx: &mut Cx) {
        let (Some(account), Some(mut deal)) = (cx.facts.account.clone(), self.deal(kind, cx.facts)) else {
            return self.fail(Fault::NotBuilt, None, cx);
        };
        let number = Amount::from(deal.chain.number().unwrap_or_default());
        deal.target = calls.last().map(|call| call.to.clone());
        let (method, asked) = if kind == Kind::Batch {
            (eip155::SEND_CALLS, calls::order(number, &account.address, calls))
        } else {
            // A wallet on another chain must refuse rather than send there.
            let mut transaction = vec![
                ("chainId".into(), Value::Text(number.to_hex())),
                ("from".into(), Value::Text(account.address.clone())),
            ];
            transaction.extend(calls.into_iter().flat_map(Call::fields));
            (eip155::SEND_TRANSACTION, Value::Object(transaction))
        };
        let operation = Operation::RequestWallet {
            handle: account.handle.clone(),
            method: method.into(),
            params: Value::List(vec![asked]),
        };
        if kind.swaps() {
            self.payments.left_open.asked(self.attempt, keys::ASKED_TO_SWAP, cx);
        }
        self.payments.ask(operation, deal, Reason::Signed(self.attempt, kind), Alarm::Slow, cx);
    }

    /// The current swap as events and lists describe it.
    fn deal(&self, kind: Kind, facts: &Facts) -> Option<Deal> {
        let (question, quote) = (self.question(facts)?, self.pricing.quote()?);
        let amount = if kind == Kind::Approval { self.most(quote) } else { quote.amount };
        Some(Deal {
            kind,
            attempt: self.attempt,
            typed: quote.typed,
            amount: amount.to_units(question.from.decimals),
            to_amount: quote.to_amount.to_units(question.to.decimals),
            decimals: Some((question.from.decimals, question.to.decimals)),
            symbol: question.from.symbol,
            to_symbol: question.to.symbol,
            pair: (question.from.address, question.to.address),
            chain: question.chain,
            address: question.address,
            smart_account: facts.smart_account,
            target: None,
            least_nonce: self.readings.mined,
        })
    }

    /// Checks the allowance: the visitor may have approved less in the wallet, or a revocation may have had no effect.
    pub(super) fn allowance(&mut self, kind: Kind, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let Some(quote) = self.pricing.quote() else { return self.fail(Fault::NotBuilt, None, cx) };
        let told = erc20::number(&answer);
        let fits = told.filter(|told| *told >= self.most(quote) || kind == Kind::Revocation && told.is_zero());
        match (fits, quote.spender.clone()) {
            (Some(amount), Some(spender)) => {
                self.allowed = Some((spender, amount));
                self.go_on(cx);
            }
            _ => self.fail(Fault::ApprovedTooLittle, None, cx),
        }
    }

    /// The wallet responded to a signing request for an approval, the swap or both.
    pub(super) fn signed(&mut self, kind: Kind, attempt: u32, answer: Result<Value, RpcError>, cx: &mut Cx) {
        let asked = self.payments.answered(|deal| deal.attempt == attempt && deal.kind == kind);
        let Some(deal) = asked else { return };
        // Whether this request is the one on the screen.
        let current = attempt == self.attempt && self.step == Step::Asking(kind);
        if current {
            self.payments.wait_is_over(Alarm::Slow, cx);
        }
        let hash = answer.and_then(|value| {
            let hash = match kind {
                Kind::Batch => calls::name_of(&value),
                _ => signing::hash_of(&value),
            };
            hash.map(String::from).ok_or_else(signing::without_hash)
        });
        let unable = kind == Kind::Batch && hash.as_ref().err().is_some_and(calls::is_unable);
        if unable {
            // No batch was sent.
            self.payments.left_open.settled(attempt, keys::ASKED_TO_SWAP, false, cx);
        } else if kind.swaps() {
            self.payments.is_told(attempt, &hash, keys::ASKED_TO_SWAP, cx);
        }
        match hash {
            Err(_) if current && unable => {
                // Goes on with separate requests.
                self.unable = cx.facts.account.as_ref().map(|account| account.handle.clone());
                self.go_on(cx);
            }
            Ok(hash) => self.started(deal, hash, current, cx),
            Err(error) => self.refused(&deal, error, current, cx),
        }
    }

    fn started(&mut self, deal: Deal, hash: String, current: bool, cx: &mut Cx) {
        let kind = deal.kind;
        let price = |coin: &Option<Coin>| coin.as_ref().and_then(|coin| self.told_price(coin, cx.facts));
        let prices = (price(&self.form.from), price(&self.form.to));
        let last = Last::new(&deal, &hash, prices, cx.now);
        self.follow(deal, hash, cx);
        if !kind.swaps() {
            if current {
                self.step = Step::ApprovalPending;
            }
            return;
        }
        if current {
            self.reset(cx);
            self.last = Some(last);
            cx.signal(Signal::SendStarted);
            cx.signal(Signal::SwapShown);
        } else {
            // No receipt shows, so a toast says it (spec 8.2).
            cx.say(Variant::Success, Message::TransactionStarted);
        }
    }

    fn refused(&mut self, deal: &Deal, error: RpcError, current: bool, cx: &mut Cx) {
        let name = if deal.kind.swaps() { Name::SwapError } else { Name::SwapApprovalError };
        cx.signal(Signal::Track(deal.tracked(name).with("message", error.message.as_str())));
        if !current {
            return;
        }
        let refused = signing::is_refusal(&error);
        let unsure = !refused && !signing::is_unsent(&error);
        // The preview says itself that the visitor refused, or that the wallet may have sent it.
        let told = unsure && cx.facts.view == Some(View::SwapPreview);
        if !refused && !told {
            cx.say(Variant::Error, signing::message_of(&error, Message::SwapFailed));
        }
        self.step = match () {
            () if refused => Step::Refused(error),
            () if unsure => Step::Unsure(error),
            () => Step::WalletFailed(error),
        };
        self.wake(cx);
    }

    /// Ends the attempt; nothing was swapped. `reason` is the server's.
    pub(super) fn fail(&mut self, fault: Fault, reason: Option<RpcError>, cx: &mut Cx) {
        if let Some(deal) = self.deal(Kind::Swap, cx.facts) {
            let approval = matches!(fault, Fault::ApprovedTooLittle | Fault::ApprovalReverted | Fault::ApprovalLate);
            let name = if approval { Name::SwapApprovalError } else { Name::SwapError };
            let message = portico_json::to_text(&fault);
            cx.signal(Signal::Track(deal.tracked(name).with("message", message.trim_matches('"'))));
        }
        // An earlier simulation does not hold any more.
        self.rehearsal.drop();
        self.step = Step::Failed(fault, reason);
        self.wake(cx);
    }

    /// The confirmation ended: refreshes the quote again.
    pub(super) fn wake(&mut self, cx: &mut Cx) {
        let rest = self.pricing.quote().map_or(0, |quote| quote.rest(cx.now));
        self.refresh_after(rest, cx);
    }
}
