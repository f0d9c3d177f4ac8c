//! What the page draws.

use crate::frame::Frame;
use crate::network::NetworkView;
use crate::said::Said;
use crate::settings::SettingsView;
use portico_api::frame::FrameTheme;
use portico_json::{Json, Value, to_text};

/// Everything that the page draws.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameSnapshot")]
pub struct Snapshot {
    /// "dark" or "light".
    pub theme: String,
    /// Theme variables of the host, untrusted: the page takes colours, lengths and fonts alone.
    pub variables: Value,
    pub host: HostView,
    /// Request that waits for the visitor.
    pub approval: Option<ApprovalView>,
    /// Settings of the wallet, while they are shown.
    pub settings: Option<SettingsView>,
}

/// The host page.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct HostView {
    /// Origin to which the browser delivers the answers.
    pub origin: String,
    /// Name that the host gives itself.
    pub name: Option<String>,
}

/// Request that waits for the visitor.
#[derive(Clone, Debug, Json, PartialEq)]
pub struct ApprovalView {
    /// Number of the approval.
    pub number: u32,
    /// Revision of its content: it grows with each change.
    pub revision: u32,
    pub stage: Stage,
    /// Whether Approve takes a click now.
    pub armed: bool,
    /// Whether Approve never takes a click: a flag says why.
    pub blocked: bool,
    /// Whether Block takes a click now; absent if the page cannot be blocked here.
    pub block: Option<bool>,
    /// How the visitor confirms what was approved, at another place; absent before.
    pub confirm: Option<Confirm>,
    /// Sentence about a passkey or a password that did not prove it.
    pub fault: Option<String>,
    pub action: Action,
    /// Account that signs.
    pub account: String,
    pub network: NetworkView,
    pub rows: Vec<Row>,
    /// Text that is signed.
    pub text: Option<String>,
    /// Maximum network fee.
    pub fee: Option<Said>,
    /// What a simulation expects to leave the account, to come, and to be permitted; absent if nothing was simulated.
    pub expected: Option<Vec<Row>>,
    pub flags: Vec<Flag>,
    /// Whether the visitor confirms in a window of the wallet's own origin: it is open once `confirm` is there.
    pub window: bool,
}

/// Progress of a request.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalStage")]
pub enum Stage {
    /// The chain is asked for what is missing.
    Preparing,
    /// The visitor decides.
    Ready,
    /// The worker signs.
    Signing,
    /// The signed transaction is on its way.
    Sending,
}

/// Second confirmation.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalConfirm")]
pub enum Confirm {
    /// A click, upon which the passkey may be asked for.
    Click,
    Password,
}

/// What happens if the visitor approves.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalAction")]
pub enum Action {
    SignMessage,
    /// A sign-in text (EIP-4361).
    SignIn,
    SignTypedData,
    /// Typed data that lets a spender take tokens (EIP-2612, Permit2).
    Permit,
    /// Transfer of the native coin.
    Send,
    SendToken,
    /// Transfer of items of ERC-721 or ERC-1155.
    SendItem,
    ApproveToken,
    /// Approval of all items of a collection.
    ApproveItems,
    /// End of an approval.
    Revoke,
    CallContract,
    /// Exchange of tokens by a known contract.
    Swap,
    DeployContract,
    /// Transactions of Solana that do several things, or one without an action of its own.
    SignTransaction,
}

/// Line of an approval.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "ApprovalRow")]
pub struct Row {
    pub label: RowLabel,
    pub text: Said,
}

impl Row {
    pub fn new(label: RowLabel, text: impl Into<Said>) -> Row {
        Row { label, text: text.into() }
    }
}

/// Meaning of a line.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalLabel")]
pub enum RowLabel {
    /// Token or items that somebody may take afterwards.
    Allows,
    Amount,
    /// Amount of a token, or number of an item: the call does not say which.
    AmountOrItem,
    Application,
    /// Tokens or items that come.
    Comes,
    /// Token account that ends.
    Closes,
    Contract,
    /// Owner for whom a token account is made.
    Creates,
    DataSize,
    Domain,
    Expires,
    From,
    Item,
    /// Minimum that a swap buys.
    Least,
    /// Tokens or items that leave.
    Leaves,
    Memo,
    /// Whom a token account or mint obeys afterwards.
    NewAuthority,
    Nonce,
    Operator,
    /// Known receiver that the present one could be mistaken for.
    PaidBefore,
    /// Amount that a swap pays.
    Pays,
    /// Maximum that a swap for an exact amount pays.
    PaysMost,
    /// Program that is not explained here.
    Program,
    /// Name of a known contract.
    Provider,
    Selector,
    Spender,
    Statement,
    To,
    Token,
    /// Token account of Solana that changes, or receives.
    TokenAccount,
    /// Place of a transaction among several.
    Transaction,
    Uri,
}

/// Warning about a request.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
#[json(name = "ApprovalFlag")]
pub enum Flag {
    /// The visitor froze the wallet. It blocks.
    Frozen,
    /// The operator froze the wallet. It blocks.
    Held,
    /// The sign-in text names another site than the host page. It blocks.
    WrongDomain,
    /// The sign-in text names another account. It blocks.
    WrongAccount,
    /// The text begins like a sign-in and is none. It blocks.
    MalformedSignIn,
    /// The sign-in text names another page.
    WrongUri,
    /// Typed data of another chain block; a sign-in text of another chain warns.
    WrongChain,
    /// The bytes are no text.
    NotText,
    /// The spender may take any amount.
    UnlimitedApproval,
    /// The operator may take all items.
    ApprovesAll,
    /// The approval works without a transaction: whoever has the signature can use it.
    Permit,
    /// The call is none that is explained here.
    UnknownCall,
    /// The call is none that is explained here, and a simulation tells its effect.
    OnlySimulated,
    /// The contract pretends to be a known token.
    FakeToken,
    /// The account cannot pay amount and fee. It blocks.
    InsufficientFunds,
    /// The simulation permits more than the call says.
    AlsoPermits,
    /// What is bought goes to another account.
    OtherReceiver,
    /// This account paid nothing to the receiver on this chain before, as far as this browser knows.
    FirstSeen,
    /// This account let nobody of this address take tokens on this chain before, as far as this browser knows.
    FirstSpender,
    /// The receiver could be mistaken for one that the account paid.
    LookAlike,
    /// There is no contract at the address that is called.
    NoContract,
    /// Nothing could simulate the call.
    NotSimulated,
    /// The chain expects the transaction to fail.
    LikelyToFail,
    /// A node tried the call by `eth_call`, and it went through; its effects aren't known.
    OnlyTried,
    /// The amount is large, as the frame's own table or the balance says.
    Large,
    /// The host asks for a far higher fee than the network does.
    HighFee,
    /// Solana: a program that is not explained here is called.
    UnknownProgram,
    /// Solana: accounts are named by tables, and cannot be shown.
    HiddenAccounts,
    /// Solana: the transaction has no last moment.
    NeverExpires,
    /// Solana: the node does not know the transaction's block, so that it may be one for another network.
    OtherNetwork,
    /// Solana: the delegate may take tokens.
    Delegates,
    /// Solana: somebody else rules over tokens of the account afterwards.
    NewAuthority,
}

/// Theme of the page.
#[derive(Debug, Default)]
pub struct Theme {
    light: bool,
    variables: Value,
}

/// Largest theme variables that are kept, in bytes of JSON.
const LARGEST: usize = 4 * 1024;

impl Theme {
    pub fn take(&mut self, theme: FrameTheme) {
        match theme.theme_mode.as_deref() {
            Some("light") => self.light = true,
            Some("dark") => self.light = false,
            _ => {}
        }
        if let Some(variables) = theme.theme_variables
            && variables.as_object().is_some()
            && to_text(&variables).len() <= LARGEST
        {
            self.variables = variables;
        }
    }
}

/// Maximum length of a host's name.
const LONGEST_NAME: usize = 48;

impl Frame {
    pub(crate) fn snapshot(&self) -> Snapshot {
        let name = self.host_data.metadata.as_ref().and_then(|metadata| metadata.get("name").as_str());
        let name = name.map(|name| crate::decode::shown(name).chars().take(LONGEST_NAME).collect());
        Snapshot {
            theme: if self.theme.light { "light" } else { "dark" }.into(),
            variables: self.theme.variables.clone(),
            host: HostView { origin: self.boot.host.clone(), name },
            approval: self.approval.as_ref().map(|approval| approval.view(&self.networks)),
            settings: self.settings.as_ref().map(|settings| settings.view(self.now)),
        }
    }
}
