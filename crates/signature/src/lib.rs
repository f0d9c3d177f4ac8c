//! Whether the key of an account signed a text, for the namespaces whose signatures need no chain: Bitcoin and Polkadot. Pure functions.

mod bitcoin;
mod polkadot;

use portico_terms::{ChainId, Namespace};

/// Error for a text that an account did not sign, or whose account cannot be verified.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// The CAIP-2 reference is no network of the namespace.
    #[error("Use a valid chain in the message")]
    Network,
    /// No address, or one with a wrong checksum or in another spelling than the usual one.
    #[error("Use an address of the message's namespace")]
    Address,
    /// The address is of another network than the message.
    #[error("Use an address of the message's network")]
    OtherNetwork,
    /// The address is of a script.
    #[error("Script accounts can't sign in. Use a single-key address.")]
    Script,
    /// The signature is not spelt as one.
    #[error("Use {0} as signature")]
    Form(&'static str),
    /// The key of the account did not sign this text.
    #[error("The signature isn't from this account. Sign again.")]
    Forged,
}

impl Refusal {
    /// Returns the field of the sign-in that is at fault.
    pub fn field(self) -> &'static str {
        match self {
            Refusal::Network => "chainId",
            Refusal::Address | Refusal::OtherNetwork | Refusal::Script => "address",
            Refusal::Form(_) | Refusal::Forged => "signature",
        }
    }
}

/// Checks that the key of an address signed a text.
///
/// Bitcoin: "Bitcoin Signed Message" (BIP-137) or BIP-322 (simple and full), in base64 or hex. Polkadot: `0x` and hex of sr25519, ed25519 or ecdsa, over
/// the text alone or between `<Bytes>` and `</Bytes>`. Chains of other namespaces are refused as [`Refusal::Network`].
pub fn check(chain: &ChainId, address: &str, text: &str, signature: &str) -> Result<(), Refusal> {
    match chain.namespace() {
        Namespace::Bip122 => bitcoin::check(chain.reference(), address, text, signature),
        Namespace::Polkadot => polkadot::check(chain.reference(), address, text, signature),
        Namespace::Eip155 | Namespace::Solana => Err(Refusal::Network),
    }
}
