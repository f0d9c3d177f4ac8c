//! ReCap of a sign-in (ERC-5573): further rights that its signature grants, `request/<method>` on chains, per namespace.

use crate::encoding::base64::{Spelling, decode, encode};
use portico_json::{parse, write_text};

pub(crate) const URN: &str = "urn:recap:";
const ABILITY: &str = "request/";
/// Largest resource that is parsed, in bytes.
const LONGEST: usize = 16_384;

/// Methods and chains authorised in one namespace.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Recap {
    /// CAIP-2 namespace, for instance `eip155`.
    pub namespace: String,
    /// Methods without `request/`, sorted, without duplicates.
    pub methods: Vec<String>,
    /// CAIP-2 chains.
    pub chains: Vec<String>,
}

impl Recap {
    /// Authorises methods on chains.
    pub fn new(namespace: &str, methods: &[String], chains: &[String]) -> Recap {
        let mut sorted: Vec<String> = Vec::new();
        for method in methods {
            if let Err(place) = sorted.binary_search(method) {
                sorted.insert(place, method.clone());
            }
        }
        Recap { namespace: namespace.into(), methods: sorted, chains: chains.to_vec() }
    }

    /// Encodes the ReCap as the last resource of a message.
    pub fn resource(&self) -> String {
        let mut text = String::from("{\"att\":{");
        write_text(&self.namespace, &mut text);
        text.push_str(":{");
        for (index, method) in self.methods.iter().enumerate() {
            if index > 0 {
                text.push(',');
            }
            write_text(&[ABILITY, method].concat(), &mut text);
            text.push_str(":[{\"chains\":[");
            for (index, chain) in self.chains.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_text(chain, &mut text);
            }
            text.push_str("]}]");
        }
        text.push_str("}}}");
        [URN, &encode(text.as_bytes(), Spelling::Bare)].concat()
    }

    /// Reads the rights in a namespace from the last resource, in either alphabet of base64 and with any padding.
    pub fn read(resources: &[String], namespace: &str) -> Option<Recap> {
        let text = resources.last()?.strip_prefix(URN).filter(|text| text.len() <= LONGEST)?.trim_end_matches('=');
        let bytes = decode(text, Spelling::Bare).or_else(|| decode(text, Spelling::Url))?;
        let value = parse(std::str::from_utf8(&bytes).ok()?).ok()?;
        let (mut methods, mut chains) = (Vec::new(), Vec::new());
        for (ability, limits) in value.get("att").get(namespace).as_object()? {
            let Some(method) = ability.strip_prefix(ABILITY) else { continue };
            methods.push(method.into());
            let limits = limits.as_list().unwrap_or_default().iter();
            for chain in limits.flat_map(|limit| limit.get("chains").as_list().unwrap_or_default()) {
                let chain = chain.as_str()?.to_string();
                if !chains.contains(&chain) {
                    chains.push(chain);
                }
            }
        }
        (!methods.is_empty()).then(|| Recap::new(namespace, &methods, &chains))
    }

    /// Statement of a message with this ReCap: the dapp's own, then the authorised actions.
    pub fn statement(&self, statement: Option<&str>) -> String {
        let mut text = String::new();
        if let Some(statement) = statement.filter(|statement| !statement.is_empty()) {
            text.push_str(statement);
            text.push(' ');
        }
        text.push_str(
            "I further authorize the stated URI to perform the following actions on my behalf: (1) 'request': ",
        );
        for (index, method) in self.methods.iter().enumerate() {
            if index > 0 {
                text.push_str(", ");
            }
            text.push('\'');
            text.push_str(method);
            text.push('\'');
        }
        text.push_str(" for '");
        text.push_str(&self.namespace);
        text.push_str("'.");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|text| String::from(*text)).collect()
    }

    #[test]
    fn a_recap_lists_its_methods_sorted_and_comes_back_as_it_was() {
        let recap = Recap::new("eip155", &texts(&["personal_sign", "eth_sign"]), &texts(&["eip155:1", "eip155:10"]));
        let resource = recap.resource();
        // {"att":{"eip155":{"request/eth_sign":[{"chains":["eip155:1","eip155:10"]}],"request/personal_sign":[…]}}}
        assert!(
            resource.starts_with(
                "urn:recap:eyJhdHQiOnsiZWlwMTU1Ijp7InJlcXVlc3QvZXRoX3NpZ24iOlt7ImNoYWlucyI6WyJlaXAxNTU6MSIs"
            )
        );
        assert!(!resource.contains('='));
        assert_eq!(Recap::read(&[resource], "eip155"), Some(recap));
    }

    #[test]
    fn the_statement_names_the_actions_after_the_statement_of_the_dapp() {
        let recap = Recap::new("eip155", &texts(&["personal_sign", "eth_sign"]), &texts(&["eip155:1"]));
        let actions = "I further authorize the stated URI to perform the following actions on my behalf: \
            (1) 'request': 'eth_sign', 'personal_sign' for 'eip155'.";
        assert_eq!(recap.statement(None), actions);
        assert_eq!(recap.statement(Some("Hello.")), ["Hello. ", actions].concat());
    }

    #[test]
    fn what_is_no_recap_authorises_nothing() {
        for resource in [
            "",
            "urn:recap:",
            "urn:recap:!!",
            "urn:recap:e30",
            "https://a.example",
            "urn:recap:eyJhdHQiOnsiZWlwMTU1Ijp7fX19",
        ] {
            assert_eq!(Recap::read(&texts(&[resource]), "eip155"), None, "{resource}");
        }
        assert_eq!(Recap::read(&[], "eip155"), None);
        let recap = Recap::new("eip155", &texts(&["eth_sign"]), &texts(&["eip155:1"]));
        // Only the last resource counts, and only its own namespace.
        assert_eq!(Recap::read(&[recap.resource(), "https://a.example".into()], "eip155"), None);
        assert_eq!(Recap::read(&[recap.resource()], "solana"), None);
    }
}
