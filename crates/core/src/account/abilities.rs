//! What the wallet of an account can do (EIP-5792): asked once for each account and connection; a wallet that fails to say can do nothing
//! (spec 7.6).

use portico_json::Value;
use portico_terms::Amount;

/// See the module.
#[derive(Debug, Default)]
pub struct Abilities {
    address: String,
    /// The connection through which the wallet is asked.
    pub handle: String,
    told: bool,
    /// The numbers of the chains on which it tells what it holds (EIP-7811).
    assets: Vec<Amount>,
    /// The numbers of those on which several calls are done together or not at all.
    batches: Vec<Amount>,
}

impl Abilities {
    /// Of this account, through this connection: nothing is known yet.
    pub fn of(address: &str, handle: &str) -> Abilities {
        Abilities { address: address.into(), handle: handle.into(), ..Abilities::default() }
    }

    /// Whether it was asked for this account, through this connection.
    pub fn are_of(&self, address: &str, handle: &str) -> bool {
        self.address == address && self.handle == handle
    }

    /// Whether the wallet said something, or had its time to.
    pub fn are_told(&self) -> bool {
        self.told
    }

    /// What the wallet said, by chain: hostile until parsed. Anything but the words of the EIPs is no ability.
    pub fn take(&mut self, answer: &Value) {
        self.told = true;
        for (chain, abilities) in answer.as_object().unwrap_or_default() {
            let Ok(chain) = Amount::from_hex(chain) else { continue };
            if abilities.get("assetDiscovery").get("supported").as_bool() == Some(true) {
                self.assets.push(chain);
            }
            // "ready" would first make another account of this one, and ask for that. Before it was final, the EIP had another word.
            let atomic = abilities.get("atomic").get("status").as_str() == Some("supported")
                || abilities.get("atomicBatch").get("supported").as_bool() == Some(true);
            if atomic {
                self.batches.push(chain);
            }
        }
    }

    /// It does not say what it holds, whatever it said that it can: it is not asked again.
    pub fn give_up(&mut self) {
        self.told = true;
        self.assets.clear();
    }

    /// Whether it tells what it holds on a chain.
    pub fn has_assets(&self, chain: Amount) -> bool {
        holds(&self.assets, chain)
    }

    /// Whether it does several calls on a chain together or not at all.
    pub fn has_batches(&self, chain: Amount) -> bool {
        holds(&self.batches, chain)
    }
}

/// EIP-5792: what stands under 0x0 is true of every chain.
fn holds(chains: &[Amount], chain: Amount) -> bool {
    chains.iter().any(|known| *known == chain || known.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn told(text: &str) -> Abilities {
        let mut abilities = Abilities::of("0x1", "handle");
        abilities.take(&parse(text).unwrap());
        abilities
    }

    #[test]
    fn spec_7_6_abilities_stand_under_the_hex_id_of_their_chain_or_under_zero_for_all() {
        let one = told(r#"{"0x1":{"assetDiscovery":{"supported":true}},"0xa":{"atomic":{"status":"supported"}}}"#);
        assert!(one.has_assets(1_u64.into()) && !one.has_assets(10_u64.into()));
        assert!(one.has_batches(10_u64.into()) && !one.has_batches(1_u64.into()));
        let all = told(r#"{"0x0":{"assetDiscovery":{"supported":true},"atomicBatch":{"supported":true}}}"#);
        assert!(all.has_assets(7_u64.into()) && all.has_batches(7_u64.into()));
    }

    #[test]
    fn spec_7_6_what_is_no_word_of_the_eips_is_no_ability() {
        for text in [
            "null",
            "[]",
            r#"{"0x1":null}"#,
            r#"{"0x1":{"assetDiscovery":true,"atomic":"supported","atomicBatch":true}}"#,
            r#"{"0x1":{"assetDiscovery":{"supported":"true"},"atomic":{"status":"ready"},"atomicBatch":{"supported":1}}}"#,
            r#"{"0x1":{"atomic":{"status":"unsupported"}},"one":{"atomic":{"status":"supported"}}}"#,
        ] {
            let abilities = told(text);
            assert!(abilities.are_told());
            assert!(!abilities.has_assets(1_u64.into()) && !abilities.has_batches(1_u64.into()), "{text}");
        }
    }
}
