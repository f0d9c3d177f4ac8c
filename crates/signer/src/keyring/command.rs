use crate::refusal::{Reason, Refusal};
use portico_api::wallet::{NewWallet, Sealed, Slot, WalletRecord};
use portico_json::{Json, Map, Value};

/// Commands of the worker. Bytes are base64url without padding; `random` is as many bytes of `crypto.getRandomValues` as the command names,
/// fresh for each command.
#[derive(Json)]
#[json(name = "SignerCommand", tag = "type")]
#[expect(clippy::large_enum_variant, reason = "one command is there at a time, and a box costs bytes of the module")]
pub enum Command {
    /// Makes the key pair for the next release; the secret stays inside. Answered by `keyPair`.
    KeyPair {
        /// 32 random bytes.
        random: String,
    },
    /// Makes a wallet for the user of a release that has a recovery share, and unlocks it. Answered by `created`. No address may be shown
    /// before the server stored the wallet; if it refuses, the worker sends `lock`.
    Create {
        /// Shares, sealed to the key pair.
        release: Sealed,
        /// User and device.
        device: DeviceSecret,
        /// 184 random bytes.
        random: String,
    },
    /// Unlocks a stored wallet by the slot of this device; otherwise by the recovery slot, a kit's code, a passkey or a password, and then makes a slot for
    /// this device. Answered by `unlocked`.
    Unlock {
        /// Shares, sealed to the key pair.
        release: Sealed,
        /// Wallet as the server stores it.
        record: WalletRecord,
        /// User and device.
        device: DeviceSecret,
        /// Printed code that the visitor typed.
        kit: Option<String>,
        /// Output of the PRF of the visitor's passkey: 32 bytes.
        passkey: Option<String>,
        /// Export key of the visitor's password: 64 bytes.
        password: Option<String>,
        /// Whether only what the visitor has may open it, and neither the slot of this device nor the recovery slot: for a signature that the
        /// visitor proves to want.
        only: Option<bool>,
        /// Addresses of this user's wallet that this browser remembers: a record of another wallet is refused. Without them, a server that
        /// lies could put a wallet of its own in the place of the visitor's.
        known: Option<Map<String, String>>,
        /// 40 random bytes.
        random: String,
    },
    /// Signs a request that the visitor approved. Answered by `signed`.
    Sign {
        /// The request.
        request: SignRequest,
    },
    /// Makes a printed code and its slot, to be stored before the code is shown. Answered by `kit`.
    Kit {
        /// 56 random bytes.
        random: String,
    },
    /// Makes the slot of a passkey. Answered by `slot`.
    Passkey {
        /// Output of its PRF: 32 bytes.
        output: String,
        /// Hint of the slot: JSON of a `PasskeyHint`.
        hint: String,
        /// 40 random bytes.
        random: String,
    },
    /// Makes the slot of a password. Answered by `slot`.
    Password {
        /// Export key of OPAQUE: 64 bytes.
        key: String,
        /// 40 random bytes.
        random: String,
    },
    /// Makes a recovery slot in the place of one that was removed, for a release that has a recovery share. Answered by `slot`.
    Recovery {
        /// Shares, sealed to the key pair.
        release: Sealed,
        /// User and device.
        device: DeviceSecret,
        /// 40 random bytes.
        random: String,
    },
    /// Tells the 24 words of the unlocked wallet (BIP-39) and its private keys. Answered by `exported`.
    Export,
    /// Forgets all keys. Answered by `locked`.
    Lock,
}

/// Private key of an account, in the form that other wallets import.
#[derive(Json)]
pub struct PrivateKey {
    /// Word of the namespace: "eip155".
    pub namespace: String,
    /// Address of the account.
    pub address: String,
    /// Path from the words to the key: "m/44'/60'/0'/0/0".
    pub path: String,
    /// eip155: 32 bytes as hex. solana: secret and public key, 64 bytes in base58. bip122: wallet import format.
    pub key: String,
}

/// User and device for which a wallet is opened.
#[derive(Json)]
pub struct DeviceSecret {
    /// Id of the user: 16 bytes.
    pub user: String,
    /// Thumbprint of the device's key (RFC 7638): 32 bytes.
    pub thumbprint: String,
    /// Secret of the device: 32 bytes.
    pub secret: String,
}

/// Request to sign. The methods and their results:
///
/// | Method | `params` | `result` |
/// |---|---|---|
/// | `personal_sign` | `[message, address]` | the signature: 65 bytes as hex |
/// | `eth_signTypedData_v4` | `[address, typedData]`, the latter as JSON text or an object | the signature: 65 bytes as hex |
/// | `eth_sendTransaction`, `eth_signTransaction` | `[transaction]` with all of `from`, `nonce`, `gas`, and the fees | `{raw, hash}` |
/// | `solana_signMessage` | `{message, pubkey}`, in base58 | `{signature}` in base58 |
/// | `solana_signTransaction`, `solana_signAndSendTransaction` | `{transaction}` in base64 | `{signature, transaction}` |
/// | `solana_signAllTransactions` | `{transactions}` | `{transactions}` |
#[derive(Clone, Debug, Default, Json)]
pub struct SignRequest {
    /// Name of the method.
    pub method: String,
    /// Its parameters.
    pub params: Value,
    /// Chain that the visitor approved, as CAIP-2: a transaction for another one is refused.
    pub chain_id: Option<String>,
}

/// Answers to [`Command`]s.
#[derive(Json)]
#[json(name = "SignerAnswer", tag = "type")]
pub enum Answer {
    /// The key pair was made.
    KeyPair {
        /// Public key, for the `key` of requests that release shares.
        key: String,
    },
    /// A wallet was made and is unlocked.
    Created {
        /// Body of `/wallet/v1/wallet`.
        wallet: NewWallet,
    },
    /// The wallet is unlocked.
    Unlocked {
        /// Address of each namespace, by its word: "eip155", "solana", "bip122".
        addresses: Map<String, String>,
        /// New slot of this device, for `/wallet/v1/slot`; absent if the present one opened.
        device_slot: Option<Slot>,
    },
    /// The request was signed.
    Signed {
        /// Result by the method.
        result: Value,
    },
    /// The code and its slot were made.
    Kit {
        /// Slot, for `/wallet/v1/slot`.
        slot: Slot,
        /// Code to print: "0123-4567-…".
        code: String,
    },
    /// The slot was made.
    Slot {
        /// Slot, for `/wallet/v1/slot`.
        slot: Slot,
    },
    /// Words and keys of the wallet.
    Exported {
        /// 24 words, joined by spaces.
        words: String,
        /// Private key of each account.
        keys: Vec<PrivateKey>,
    },
    /// All keys are forgotten.
    Locked,
    /// The command was refused.
    Refused {
        /// Kind of the refusal.
        reason: Reason,
        /// Part that did not fit; may be empty.
        part: String,
    },
}

impl From<Refusal> for Answer {
    fn from(refusal: Refusal) -> Answer {
        Answer::Refused { reason: refusal.reason, part: refusal.part.into() }
    }
}
