//! Effects and outcomes: everything through which the machine reaches the host page, the worker and the server.

use crate::proof::Proof;
use crate::site::SiteDeed;
use portico_api::frame::Envelope;
use portico_api::wallet::PasskeyHint;
use portico_json::{Json, Value};
use portico_terms::ChainId;

/// Order to the page or its worker. It is answered exactly once, by its id.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameEffect")]
pub struct Effect {
    /// Unique during the life of the machine.
    pub id: u32,
    pub operation: Operation,
}

/// Content of an effect. The page performs `PostMessage` and `SendRpc`, the worker the others.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameOperation")]
pub enum Operation {
    /// Post a message through the port. Answered by `Done`.
    PostMessage { message: Envelope },
    /// Send a request to the vault with a proof by the device's key. Answered by `Answered` with the response's body, or `Failed`.
    Ask {
        /// Path of the request: "/wallet/v1/login/email".
        path: String,
        /// Body as JSON.
        body: Value,
        /// Whether the request is one of the session.
        session: bool,
    },
    /// Check the code of a login, keep the session, and make or open the wallet. Answered by `Answered` with `{user, addresses}`
    /// ([`crate::account::Account`]), with `{locked: true}` where a passkey or a kit has to open it, or `Failed`.
    FinishLogin {
        /// Id of the login.
        transaction: String,
        /// Code that the visitor typed.
        code: String,
    },
    /// Finish a login at another service, keep the session, and make or open the wallet. Answered like `FinishLogin`.
    FinishSocial {
        /// Id of the login; `null` for the one that an earlier page of this browser began.
        transaction: Option<String>,
        /// Service: "google".
        provider: String,
        /// One-time code with which the visitor came back.
        code: String,
    },
    /// Log in by a host's own token, keep the session, and make or open the wallet. Answered like `FinishLogin`.
    LogInByJwt {
        /// Project of the host page.
        project: String,
        /// Origin of the host page.
        host: String,
        /// Token that the page handed over.
        token: String,
    },
    /// Wait some seconds for the visitor's signature of a login by Farcaster, and then finish it like `FinishLogin`. Answered by `Answered`
    /// with `null` while there is none.
    FinishFarcaster {
        /// Id of the login.
        transaction: String,
    },
    /// Sign exactly this; unlock the wallet first if it is locked. Answered by `Answered` with the signature or the signed transaction as
    /// hex text, of Solana as its order says, or `Failed`. In strict mode the keys are locked before and after. What was decided in a window, the worker
    /// compares with the hash of what the window showed.
    Sign { order: SigningOrder, proof: Proof },
    /// Open a window of the wallet's own origin that shows the approval, and close it when the approval no longer needs it. Answered by `Done`
    /// once it is closed, or by `Failed` with a sentence if the browser opens none.
    OpenWindow {
        /// Number of the approval.
        approval: u32,
        /// What the visitor decides about.
        order: SigningOrder,
    },
    /// Read whether the visitor wants to prove each signature on this device. Answered by `Answered` with a boolean, or `Failed`.
    ReadStrict,
    /// Set it, after the same proof. Answered by `Done` or `Failed`.
    SetStrict { strict: bool, proof: Proof },
    /// Read the receivers that an account paid from this browser. Answered by `Answered` with a list of `KeepPaid`'s texts, or `Failed`.
    ReadPaid {
        /// Account that pays.
        address: String,
    },
    /// Remember that an account paid a receiver, or let a spender take tokens. Answered by `Done` or `Failed`.
    KeepPaid {
        /// Account that pays.
        address: String,
        /// Number of the chain and receiver: "1:0x…"; on Solana the CAIP-2 id and base58: "solana:…:…". Of a spender "spender:1:0x…".
        paid: String,
    },
    /// Read how a visitor treats a host page. Answered by `Answered` with `{blocked, declines}`, whose times are epoch
    /// milliseconds, the latest last, or by `Failed`.
    ReadSite {
        /// Id of the visitor and origin of the page: "AA https://shop.example.org".
        site: String,
    },
    /// Store what the visitor did, with the present time. Answered by `Done` or `Failed`.
    KeepSite {
        /// The same name.
        site: String,
        deed: SiteDeed,
    },
    /// End the session, here and at the server, and lock the wallet. Answered by `Done` or `Failed`.
    EndSession,
    /// Read the words and the private keys for the page, which shows them. Answered by `Done` or `Failed`.
    Export {
        /// Whether the page holds the password of the wallet, which opens it alone. The worker knows whether it has to.
        password: bool,
    },
    /// Make a recovery kit, whose code the page shows. Answered by `Done` or `Failed`.
    MakeKit,
    /// Set the password that the page holds. Answered by `Done` or `Failed`.
    SetPassword,
    /// Make a passkey that opens the wallet. Answered by `Done` or `Failed`.
    AddPasskey {
        /// Name by which the browser lists it.
        label: String,
        /// Ids of the wallet's passkeys: the authenticator of one makes no second one.
        known: Vec<String>,
    },
    /// Add a login at a service to the wallet: its page is opened in a window of the frame. Answered by `Done`, `Answered` or `Failed`.
    AddLogin {
        /// Service: "google".
        provider: String,
    },
    /// Put the recovery slot back. Answered by `Done` or `Failed`.
    RestoreRecovery,
    /// Sign a challenge by one of these passkeys. Answered by `Answered` with a `PasskeyProof`, or `Failed`.
    SignByPasskey {
        /// 32 bytes.
        challenge: String,
        passkeys: Vec<PasskeyHint>,
    },
    /// Open the locked wallet of a login by the code of a kit. Answered by `Answered` with `{user, addresses}`, or `Failed`.
    OpenByKit { code: String },
    /// The same by one of these passkeys.
    OpenByPasskey { passkeys: Vec<PasskeyHint> },
    /// The same by the password that the page holds.
    OpenByPassword,
    /// Log in by a passkey without an address, and open the wallet by it. Answered by `Answered` with `{user, addresses}`, or `Failed`.
    LogInByPasskey {
        /// Project of the host page.
        project: String,
        /// Origin of the host page.
        host: String,
    },
    /// Make a passkey, and a wallet that it logs in to and opens, for a visitor without one. Answered by `Answered` with `{user, addresses}`, or
    /// `Failed`.
    CreateByPasskey {
        /// Project of the host page.
        project: String,
        /// Origin of the host page.
        host: String,
    },
    /// Forget the words, keys and codes that the page shows. Answered by `Done`.
    Conceal,
    /// Send calls to a chain in one batch, through the server's proxy. Answered by `Answered` with the list of the JSON-RPC responses in
    /// the order of the calls, or `Failed`.
    SendRpc {
        /// Chain of all calls.
        chain: ChainId,
        calls: Vec<RpcCall>,
    },
}

/// JSON-RPC call.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameRpcCall")]
pub struct RpcCall {
    /// "eth_call"
    pub method: String,
    /// Array of parameters.
    pub params: Value,
}

impl RpcCall {
    pub fn new(method: &str, params: Vec<Value>) -> RpcCall {
        RpcCall { method: method.into(), params: Value::List(params) }
    }
}

/// Content that is signed: what the visitor was shown, and nothing else.
#[derive(Clone, Debug, Json, PartialEq)]
pub enum SigningOrder {
    /// Message of EIP-191, version 0x45 (`personal_sign`).
    Message {
        /// Account that signs.
        address: String,
        /// Bytes as hex text.
        message: String,
    },
    /// Typed data of EIP-712.
    TypedData {
        /// Account that signs.
        address: String,
        /// JSON text with `types`, `primaryType`, `domain` and `message`.
        data: String,
    },
    /// Transaction of EIP-1559, or of the form before it.
    Transaction {
        /// Account that signs.
        address: String,
        transaction: TransactionOrder,
    },
    /// Message of Solana. Answered with the signature in base58.
    SolanaMessage {
        /// Account that signs.
        address: String,
        /// Bytes in base58.
        message: String,
    },
    /// Transactions of Solana. Answered with the list of the signed ones.
    SolanaTransactions {
        /// Bytes of each in base64.
        transactions: Vec<String>,
    },
}

/// Fields of a transaction; numbers are JSON-RPC quantities.
#[derive(Clone, Debug, Default, Json, PartialEq)]
pub struct TransactionOrder {
    /// EIP-155 number of the chain.
    pub chain_id: String,
    pub nonce: String,
    /// Gas limit.
    pub gas: String,
    /// Receiver or contract; absent for a deployment.
    pub to: Option<String>,
    /// Amount of the native coin in its smallest unit.
    pub value: String,
    /// Calldata as hex text.
    pub data: String,
    /// Maximum price of one gas (EIP-1559).
    pub max_fee_per_gas: Option<String>,
    /// Priority fee of one gas (EIP-1559).
    pub max_priority_fee_per_gas: Option<String>,
    /// Price of one gas, on chains without a base fee.
    pub gas_price: Option<String>,
}

/// Answer to one effect.
#[derive(Clone, Debug, Json, PartialEq)]
#[json(name = "FrameOutcome")]
pub enum Outcome {
    /// Success without a value.
    Done,
    /// Response, untrusted until parsed.
    Answered { value: Value },
    /// The operation was refused, threw or timed out.
    Failed {
        kind: FailureKind,
        /// One sentence for the visitor: that of the server, if it sent one.
        message: String,
    },
}

/// Why an operation failed.
#[derive(Clone, Copy, Debug, Eq, Json, PartialEq)]
pub enum FailureKind {
    /// This browser has no session, or the session ended.
    NoSession,
    /// The server, or a node, refused.
    Refused,
    /// The visitor's proof is missing or wrong.
    Unproved,
    /// No response came.
    Unreachable,
    /// The browser lets the frame store nothing.
    NoStorage,
    /// The worker could not do it.
    Broken,
}

/// A failed outcome.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
}

impl Failure {
    /// Failure without words.
    pub(crate) fn broken() -> Failure {
        Failure { kind: FailureKind::Broken, message: String::new() }
    }
}

impl Outcome {
    pub(crate) fn into_result(self) -> Result<Value, Failure> {
        match self {
            Outcome::Done => Ok(Value::Null),
            Outcome::Answered { value } => Ok(value),
            Outcome::Failed { kind, message } => Err(Failure { kind, message }),
        }
    }
}
