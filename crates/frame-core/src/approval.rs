//! The request that needs the visitor's approval, and the ways in which it ends. No message of the host is one of them that signs.

use crate::completed::Completed;
use crate::decode::{self, Content};
use crate::effect::{Failure, FailureKind, Operation, SigningOrder};
use crate::frame::Frame;
use crate::message::{Request, coded, fault};
use crate::network::Networks;
use crate::paid::Paid;
use crate::proof::Ways;
use crate::reason::Reason;
use crate::said::Said;
use crate::site;
use crate::solana::Task;
use crate::token;
use crate::transaction::Draft;
use crate::view::{ApprovalView, Confirm, Flag, Row, Stage};
use portico_api::frame::{FrameFault, NetworkName};
use portico_api::wallet::{Empty, Me};
use portico_json::{Read, Value, parse};
use portico_terms::ChainId;

/// Text of a request that was withdrawn, by the host or the visitor (spec 8.37).
const ABORTED: &str = "Request was aborted";

/// EIP-1193: the visitor refused; nobody is logged in; the wallet's server cannot be reached.
const USER_REJECTED: i64 = 4001;
const UNAUTHORIZED: i64 = 4100;
const DISCONNECTED: i64 = 4900;

/// Time in milliseconds that the content has to stand still before Approve takes a click: against overlays and hasty clicks.
const STILL: u64 = 1_000;

/// Readiness of a button that decides.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Arm {
    /// The present content is not on the screen, or is covered.
    Unseen,
    /// The content stands still since a while; the button takes a click from this time on.
    Waiting(u64),
    Armed,
}

/// Refusal of a request by the visitor.
pub fn aborted() -> FrameFault {
    coded(USER_REJECTED, ABORTED)
}

impl Arm {
    /// Readiness once the content is seen, moved or covered.
    pub fn anew(seen: bool, now: u64) -> Arm {
        if seen { Arm::Waiting(now + STILL) } else { Arm::Unseen }
    }

    /// Readiness at a time.
    fn at(self, now: u64) -> Arm {
        match self {
            Arm::Waiting(due) if now >= due => Arm::Armed,
            arm => arm,
        }
    }

    /// Time from which the button takes a click.
    pub fn due(self) -> Option<u64> {
        match self {
            Arm::Waiting(due) => Some(due),
            Arm::Unseen | Arm::Armed => None,
        }
    }
}

/// Request that needs the visitor's approval.
#[derive(Debug)]
pub struct Approval {
    pub number: u32,
    pub request: Request,
    pub chain: ChainId,
    /// Account that signs.
    pub address: String,
    pub stage: Stage,
    pub content: Content,
    /// Maximum network fee for display.
    pub fee: Option<Said>,
    /// Order that is signed if the visitor approves; absent while it is prepared.
    pub order: Option<SigningOrder>,
    /// Use of a signature of the Solana account.
    pub solana: Option<Task>,
    /// The transaction as the host asked for it.
    pub draft: Option<Draft>,
    /// The transaction as it will be signed, while names of its tokens are read.
    pub completed: Option<Completed>,
    /// Whether the chain told all that is shown, or need not tell anything.
    pub answered: bool,
    /// Receivers that the account paid before; absent until the worker has told them.
    pub paid: Option<Paid>,
    /// Whether the visitor wants to prove each signature; absent until the worker has told it.
    pub strict: Option<bool>,
    /// Ways to prove it; absent until the vault has told them, or could not.
    pub ways: Option<Ways>,
    /// The visitor approved, and confirms at another place: whether by the password.
    pub confirming: Option<bool>,
    /// Whether the browser tells what covers the frame.
    pub sees_covers: bool,
    /// Readiness of the button that blocks the page; absent if there is none.
    pub block: Option<Arm>,
    /// Sentence about a proof that failed.
    pub fault: Option<String>,
    /// Freeze of the wallet, because of which nothing can be signed.
    frozen: Option<Flag>,
    revision: u32,
    painted: bool,
    covered: bool,
    arm: Arm,
}

impl Approval {
    /// EIP-155 number of the chain; 0 on other chains.
    pub fn number_of_chain(&self) -> u64 {
        self.chain.number().unwrap_or_default()
    }

    fn is_armed(&self) -> bool {
        self.stage == Stage::Ready && !self.is_blocked() && self.arm == Arm::Armed && self.knows_proof()
    }

    fn is_blocked(&self) -> bool {
        self.content.blocked || self.frozen.is_some()
    }

    /// Time from which Approve, or Block, takes a click.
    pub fn due(&self) -> Option<u64> {
        match (self.arm.due(), self.block.and_then(Arm::due)) {
            (Some(approve), Some(block)) => Some(approve.min(block)),
            (approve, block) => approve.or(block),
        }
    }

    fn rearm(&mut self, now: u64) {
        self.arm = Arm::anew(self.painted && !self.covered, now);
    }

    /// Records that the content changed: the visitor has to see the new one first.
    pub fn changed(&mut self) {
        self.revision += 1;
        self.painted = false;
        self.arm = Arm::Unseen;
    }

    pub fn view(&self, networks: &Networks) -> ApprovalView {
        let row = |row: &Row| Row { label: row.label, text: networks.with_coin(row.text.clone(), &self.chain) };
        let rows = |rows: &Vec<Row>| rows.iter().map(row).collect();
        ApprovalView {
            number: self.number,
            revision: self.revision,
            stage: self.stage,
            armed: self.is_armed(),
            blocked: self.is_blocked(),
            block: self.block.map(|arm| arm == Arm::Armed),
            confirm: self.confirming.map(|password| if password { Confirm::Password } else { Confirm::Click }),
            window: self.needs_window(),
            fault: self.fault.clone(),
            action: self.content.action,
            account: self.address.clone(),
            network: networks.view(&self.chain),
            rows: rows(&self.content.rows),
            text: self.content.text.clone(),
            fee: self.fee.clone().map(|fee| networks.with_coin(fee, &self.chain)),
            expected: self.content.expected.as_ref().map(rows),
            flags: self.frozen.map_or_else(|| self.content.flags.clone(), |flag| vec![flag]),
        }
    }
}

impl Frame {
    /// Opens the approval of a request whose content is complete, up to the names of its tokens.
    pub(crate) fn open_approval(
        &mut self,
        request: Request,
        chain: ChainId,
        address: String,
        content: Content,
        order: SigningOrder,
    ) {
        let tokens = content.unnamed.clone();
        let number = self.show_approval(request, chain.clone(), address, content, tokens.is_empty());
        if let Some(approval) = &mut self.approval {
            approval.order = Some(order);
        }
        if !tokens.is_empty() {
            let calls = token::questions(&tokens);
            self.order(Operation::SendRpc { chain, calls }, Reason::Named { approval: number });
        }
    }

    /// The tokens of typed data told what they are; without that they are shown all the same.
    pub(crate) fn named(&mut self, number: u32, answer: Result<Value, Failure>) {
        let Some(approval) = self.approval_of(number) else { return };
        let chain = approval.number_of_chain();
        if let (Some(SigningOrder::TypedData { data, .. }), Ok(list)) = (&approval.order, answer) {
            let named = token::told(&approval.content.unnamed, chain, list.as_list().unwrap_or_default());
            let data = parse(data).unwrap_or_default();
            if let Some(content) = named.and_then(|named| decode::typed(&data, chain, &named)) {
                approval.content = content;
            }
        }
        approval.answered = true;
        self.complete(number);
    }

    /// Shows a request; its order is set by the caller. `answered` says that nothing of it is read from the chain. Returns its number.
    pub(crate) fn show_approval(
        &mut self,
        request: Request,
        chain: ChainId,
        address: String,
        content: Content,
        answered: bool,
    ) -> u32 {
        let number = self.next_approval();
        let (revision, painted, covered, arm) = (1, false, false, Arm::Unseen);
        // Whom the account paid, and let take tokens, before is read first: the warning has to be there with the button.
        let asks = !content.parties.is_empty();
        let stage = if answered && !asks { Stage::Ready } else { Stage::Preparing };
        let payer = address.clone();
        self.approval = Some(Approval {
            number,
            request,
            chain,
            address,
            stage,
            content,
            fee: None,
            order: None,
            solana: None,
            draft: None,
            completed: None,
            answered,
            paid: (!asks).then(Paid::default),
            strict: None,
            ways: None,
            confirming: None,
            sees_covers: self.boot.sees_covers,
            block: self.site.block(self.now),
            fault: None,
            frozen: None,
            revision,
            painted,
            covered,
            arm,
        });
        // The approval is drawn in the place of the settings.
        self.watch_settings(|guard| guard.painted = false);
        // Otherwise a frozen wallet would refuse only what the visitor approved already.
        self.ask("me", &Empty {}, true, Reason::FreezeRead { approval: number });
        self.read_strict(number);
        if asks {
            self.order(Operation::ReadPaid { address: payer }, Reason::PaidRead { approval: number });
        }
        number
    }

    /// Shows a request whose bytes are complete for the visitor to decide, once the chain and the worker told about it.
    pub(crate) fn complete(&mut self, number: u32) {
        let Some(approval) = self.approval_of(number).filter(|approval| approval.answered) else { return };
        let Some(paid) = &approval.paid else { return };
        approval.content.warn(paid, &approval.chain);
        approval.stage = Stage::Ready;
        approval.changed();
    }

    /// Remembers whom a signed request pays, and lets take tokens.
    pub(crate) fn keep_paid(&mut self, number: u32) {
        let Some(approval) = self.approval_of(number) else { return };
        let (address, entries) = (approval.address.clone(), approval.content.entries(&approval.chain));
        for paid in entries {
            self.order(Operation::KeepPaid { address: address.clone(), paid }, Reason::Posted);
        }
    }

    /// The account was read for an approval. A failure is told by the signature, which fails as well.
    pub(crate) fn freeze_read(&mut self, number: u32, answer: Result<Value, Failure>) {
        let me = answer.ok().and_then(|value| Me::read(&value).ok());
        let Some(approval) = self.approval_of(number) else { return };
        let wallet = me.as_ref().and_then(|me| me.wallet.as_ref());
        approval.ways = Some(wallet.map(Ways::of).unwrap_or_default());
        if let Some(me) = me.filter(|me| me.wallet.as_ref().is_some_and(|wallet| wallet.frozen)) {
            approval.frozen = Some(if me.held { Flag::Held } else { Flag::Frozen });
            approval.changed();
        }
    }

    /// A request that is shown by another name of its network has to be seen anew.
    pub(crate) fn networks_read(&mut self, names: Vec<NetworkName>) {
        if self.networks.take(names)
            && let Some(approval) = &mut self.approval
        {
            approval.changed();
        }
    }

    pub(crate) fn approval_of(&mut self, number: u32) -> Option<&mut Approval> {
        self.approval.as_mut().filter(|approval| approval.number == number)
    }

    pub(crate) fn approval_painted(&mut self, number: u32, revision: u32) {
        let now = self.now;
        // The page of the settings that is watched has no number.
        if number == 0 {
            return self.watch_settings(|guard| guard.painted = true);
        }
        if let Some(approval) = self.approval_of(number)
            && approval.revision == revision
            && !approval.painted
        {
            approval.painted = true;
            approval.rearm(now);
        }
    }

    pub(crate) fn approval_disturbed(&mut self) {
        if let Some(approval) = &mut self.approval {
            approval.rearm(self.now);
        }
        self.watch_settings(|_| {});
    }

    pub(crate) fn approval_covered(&mut self, covered: bool) {
        self.watch_settings(|guard| guard.covered = covered);
        if let Some(approval) = &mut self.approval
            && approval.covered != covered
        {
            approval.covered = covered;
            approval.rearm(self.now);
        }
    }

    pub(crate) fn clock_set_back(&mut self, now: u64) {
        if let Some(approval) = &mut self.approval {
            approval.rearm(now);
            approval.block = approval.block.map(|_| site::hasty(now));
        }
        self.now = now;
        self.watch_settings(|_| {});
    }

    pub(crate) fn approval_due(&mut self) {
        let now = self.now;
        let Some(approval) = &mut self.approval else { return };
        approval.arm = approval.arm.at(now);
        approval.block = approval.block.map(|arm| arm.at(now));
    }

    /// The visitor clicked Approve, or confirmed it, in the frame or in the open window: the only way to a signature.
    pub(crate) fn approved(&mut self, number: u32, revision: u32, in_window: bool) {
        let Some(approval) = self.approval_of(number) else { return };
        if approval.revision != revision || !approval.is_armed() || approval.is_elsewhere() != in_window {
            return;
        }
        let Some(order) = approval.order.clone() else { return };
        if let Some(proof) = approval.decide() {
            approval.stage = Stage::Signing;
            self.order(Operation::Sign { order, proof }, Reason::Signed { approval: number });
        } else if approval.needs_window() {
            self.order(Operation::OpenWindow { approval: number, order }, Reason::WindowEnded { approval: number });
        }
    }

    /// The visitor clicked Decline.
    pub(crate) fn cancelled(&mut self, number: u32) {
        if self.approval_of(number).is_some() {
            self.decline();
        }
    }

    /// Withdraws the request that waits. One that is already on its way to the chain cannot be withdrawn.
    pub(crate) fn withdraw(&mut self) {
        if let Some(waiting) = self.waiting.take() {
            self.reply(waiting.request, Err(aborted()));
        }
        if let Some(approval) = self.approval.take_if(|approval| approval.stage != Stage::Sending) {
            self.reply(approval.request, Err(aborted()));
        }
    }

    /// Ends an approval with an answer.
    pub(crate) fn settle(&mut self, number: u32, answer: Result<Value, FrameFault>) {
        if let Some(approval) = self.approval.take_if(|approval| approval.number == number) {
            self.reply(approval.request, answer);
        }
    }

    /// The worker signed, or could not. The signature of a withdrawn request is dropped.
    pub(crate) fn signed(&mut self, number: u32, answer: Result<Value, Failure>) {
        if self.approval_of(number).is_none() {
            return;
        }
        let value = match answer {
            Ok(value) => value,
            Err(Failure { kind: FailureKind::Unproved, message }) => {
                if let Some(approval) = self.approval_of(number) {
                    approval.unproved(message);
                }
                return;
            }
            // The code tells the modal what to say: it closes with the answer.
            Err(failure) => {
                let code = match failure.kind {
                    FailureKind::NoSession => Some(UNAUTHORIZED),
                    FailureKind::Unreachable => Some(DISCONNECTED),
                    _ => None,
                };
                let fault = FrameFault { code, ..self.failed(failure) };
                return self.settle(number, Err(fault));
            }
        };
        self.forgive();
        if self.approval_of(number).is_some_and(|approval| approval.solana.is_some()) {
            return self.solana_signed(number, &value);
        }
        let Some(bytes) = value.as_str().and_then(portico_calldata::hex::bytes) else {
            return self.settle(number, Err(fault(crate::message::DEFAULT)));
        };
        let Some(approval) = self.approval_of(number) else { return };
        if approval.draft.is_some() {
            return self.broadcast(number, &bytes);
        }
        self.keep_paid(number);
        self.settle(number, Ok(portico_calldata::hex::of(&bytes).into()));
    }
}
