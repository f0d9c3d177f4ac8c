//! What the visitor of a journey meant, read from the bytes that the wallet is asked to sign.

use super::super::support::exchange::{COIN, ETHER};
use super::{Asked, EXCHANGES, Ground, Journey, PAID, lower, padded};
use portico_calldata::{Call, DecodedSwap, Protocol, decode, hex};
use portico_terms::Amount;
use serde_json::Value;

impl Ground {
    /// Whether a request is what the visitor of the journey meant.
    pub(super) fn is_meant(&self, journey: Journey, asked: &Asked) -> bool {
        let Asked { call: asked, minimum } = asked;
        let accounts = &self.addresses().accounts;
        let value = Amount::from_hex(asked["value"].as_str().unwrap_or("0x0")).unwrap();
        let (to, data) = (lower(asked, "to"), lower(asked, "data"));
        let usdc = self.contract("usdc");
        match journey {
            Journey::SendToName => {
                let alice = accounts[1].to_string().to_lowercase();
                to == alice && value == Amount::from(ETHER as u64) && data == "0x"
            }
            Journey::SendToken => {
                let bob = accounts[2].to_string().to_lowercase();
                to == usdc && value.is_zero() && data == format!("0xa9059cbb{}{PAID:064x}", padded(&bob))
            }
            Journey::SwapToken => self.permits(asked).is_some(),
            // A server that denies the allowance is given the same once more.
            Journey::SwapApproved => self.permits(asked).is_some() || self.swaps(asked, &usdc, COIN, PAID, minimum),
            Journey::SwapTogether => {
                let calls = asked["calls"].as_array().map(Vec::as_slice).unwrap_or_default();
                let own =
                    lower(asked, "from") == accounts[0].to_string().to_lowercase() && asked["chainId"] == "0x7a69";
                match calls {
                    [approval, swap] if own => {
                        self.permits(approval) == Some(lower(swap, "to"))
                            && self.swaps(swap, &usdc, COIN, PAID, minimum)
                    }
                    _ => false,
                }
            }
            Journey::SwapCoin => self.swaps(asked, COIN, &usdc, ETHER as u64 / 2, minimum),
            Journey::RegisterName => {
                let text = hex::bytes(asked.as_str().unwrap_or_default()).and_then(|text| String::from_utf8(text).ok());
                let (own, page) = (accounts[0].to_string(), "host.example");
                let text = text.unwrap_or_default();
                // The server says under which name it registers others, and the form shows that.
                let words = text.lines().nth(3).unwrap_or_default();
                let name = words
                    .strip_prefix("Register the name dave.")
                    .and_then(|rest| rest.strip_suffix(&format!(" for {own}.")));
                let begins = format!(
                    "{page} wants you to sign in with your Ethereum account:\n{own}\n\n{words}\n\n\
                     URI: https://{page}\nVersion: 1\nChain ID: 31337\nNonce: porticoname"
                );
                name.is_some_and(|name| !name.contains(' ')) && text.starts_with(&begins) && text.lines().count() == 11
            }
        }
    }

    fn contract(&self, name: &str) -> String {
        self.addresses().contract(name).to_string().to_lowercase()
    }

    /// Contract of an exchange that a call lets take exactly the paid tokens; `None` if it is any other call.
    fn permits(&self, call: &Value) -> Option<String> {
        let plain = lower(call, "to") == self.contract("usdc") && matches!(lower(call, "value").as_str(), "0x" | "0x0");
        let permits = |spender: &String| lower(call, "data") == format!("0x095ea7b3{}{PAID:064x}", padded(spender));
        EXCHANGES.map(|name| self.contract(name)).into_iter().find(permits).filter(|_| plain)
    }

    /// Whether a call of one of the exchanges swaps this amount and pays the visitor at least the minimum in the preview.
    fn swaps(&self, call: &Value, from: &str, to: &str, amount: u64, minimum: &str) -> bool {
        let address = |text: &str| hex::address(&text.to_lowercase()).unwrap();
        let value = Amount::from_hex(call["value"].as_str().unwrap_or("0x0")).unwrap();
        let called = lower(call, "to");
        let protocols = [Protocol::UniswapV2, Protocol::SwapRouter02];
        let protocol = EXCHANGES.iter().zip(protocols).find(|(name, _)| self.contract(name) == called);
        let user = address(&self.addresses().accounts[0].to_string());
        let (Some((_, protocol)), Some(data)) = (protocol, hex::bytes(&lower(call, "data"))) else { return false };
        let call = Call { from: user, to: address(&called), value, data: &data };
        let Ok(shown) = Amount::from_units(minimum, if to == COIN { 18 } else { 6 }) else { return false };
        let sent = if from == COIN { Amount::from(amount) } else { Amount::ZERO };
        decode(protocol, Some(address(&self.contract("weth"))), &call).is_some_and(|swap| {
            let DecodedSwap { receiver, from: paid, to: bought, amount: told, least, .. } = swap;
            let tokens = paid == address(from) && bought == address(to);
            receiver == user
                && tokens
                && told == Amount::from(amount)
                && least >= shown
                && !shown.is_zero()
                && value == sent
        })
    }
}
