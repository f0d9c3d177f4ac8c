//! Calls to an ERC-20 contract (EIP-20), and its responses. Contracts are untrusted: a response is a number or text at most.

use portico_json::Value;
use portico_terms::Amount;
use portico_terms::rpc::RpcError;

/// Method selectors: the first four bytes of each signature's hash.
const TRANSFER: &str = "0xa9059cbb";
const APPROVE: &str = "0x095ea7b3";
const ALLOWANCE: &str = "0xdd62ed3e";
const BALANCE_OF: &str = "0x70a08231";
const DECIMALS: &str = "0x313ce567";
const SYMBOL: &str = "0x95d89b41";

/// Number of hex digits of a word (32 bytes).
const WORD: usize = 64;

/// Maximum length of a symbol. Views cut earlier; this avoids parsing a huge response.
const LONGEST_SYMBOL: usize = 64;

/// `transfer(to, amount)`. The address has been checked; its `0x` is optional.
pub fn transfer(to: &str, amount: Amount) -> String {
    [TRANSFER, &address_word(to), &number_word(amount)].concat()
}

/// Amount that this calldata transfers to an address; `None` if it is another call.
pub fn transferred(data: &str, to: &str) -> Option<Amount> {
    let data = data.to_ascii_lowercase();
    let amount = data.strip_prefix(TRANSFER)?.strip_prefix(address_word(to).as_str())?;
    (amount.len() == 64).then(|| Amount::from_hex(&["0x", amount].concat()).ok())?
}

/// `approve(spender, amount)`
pub fn approve(spender: &str, amount: Amount) -> String {
    [APPROVE, &address_word(spender), &number_word(amount)].concat()
}

/// `allowance(owner, spender)`
pub fn allowance(owner: &str, spender: &str) -> String {
    [ALLOWANCE, &address_word(owner), &address_word(spender)].concat()
}

/// `balanceOf(owner)`
pub fn balance_of(owner: &str) -> String {
    [BALANCE_OF, &address_word(owner)].concat()
}

/// `decimals()`
pub fn decimals() -> String {
    DECIMALS.into()
}

/// `symbol()`
pub fn symbol() -> String {
    SYMBOL.into()
}

/// Parameters of an `eth_call` to a contract.
pub fn params(contract: &str, data: String) -> Vec<Value> {
    vec![Value::Object(vec![("to".into(), contract.into()), ("data".into(), Value::Text(data))]), "latest".into()]
}

fn padded(digits: &str) -> String {
    let mut out = "0".repeat(WORD.saturating_sub(digits.len()));
    out.push_str(digits);
    out
}

/// An address as a call argument; as a topic of a log it has `0x` before it.
pub fn address_word(address: &str) -> String {
    padded(&address.strip_prefix("0x").unwrap_or(address).to_ascii_lowercase())
}

/// A number as a call argument.
pub fn number_word(amount: Amount) -> String {
    padded(&amount.to_hex()[2..])
}

/// Hex digits of a response; `None` if it is not hex.
fn digits(answer: &Value) -> Option<&str> {
    let digits = answer.as_str()?.strip_prefix("0x")?;
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(digits)
}

/// Number in a contract's response. An address without a contract returns empty data, which is not zero.
pub fn number(answer: &Result<Value, RpcError>) -> Option<Amount> {
    let word = digits(answer.as_ref().ok()?)?.get(..WORD)?;
    Amount::from_hex(&["0x", word].concat()).ok()
}

/// Decimals in a contract's response.
pub fn decimals_of(answer: &Result<Value, RpcError>) -> Option<u8> {
    number(answer)?.to_string().parse().ok()
}

/// Symbol in a contract's response: a text, or 32 bytes for old contracts.
pub fn symbol_of(answer: &Result<Value, RpcError>) -> Option<String> {
    let digits = digits(answer.as_ref().ok()?)?;
    let text = if digits.len() == WORD {
        digits.trim_end_matches("00")
    } else {
        let length: usize = number_at(digits, WORD)?.to_string().parse().ok()?;
        digits.get(WORD * 2..)?.get(..length.min(LONGEST_SYMBOL) * 2)?
    };
    let bytes = (0..text.len() / 2).map(|index| u8::from_str_radix(&text[index * 2..index * 2 + 2], 16));
    let text = String::from_utf8(bytes.collect::<Result<_, _>>().ok()?).ok()?;
    Some(crate::shown::clean(&text)).filter(|text| !text.is_empty())
}

fn number_at(digits: &str, at: usize) -> Option<Amount> {
    Amount::from_hex(&["0x", digits.get(at..at + WORD)?].concat()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    const TWO: &str = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

    fn text(text: &str) -> Result<Value, RpcError> {
        Ok(Value::Text(text.into()))
    }

    #[test]
    fn a_contract_that_answers_anything_but_a_word_has_said_nothing() {
        let short = format!("0x{}", "0".repeat(63));
        let strange = format!("0x{}", "g".repeat(64));
        for answer in ["", "0x", "0x0", "12", "0x12", &short, &strange] {
            assert_eq!(number(&text(answer)), None, "{answer}");
            assert_eq!(decimals_of(&text(answer)), None, "{answer}");
            assert_eq!(symbol_of(&text(answer)), None, "{answer}");
        }
        for answer in [Ok(Value::Null), Ok(Value::Bool(true)), Err(RpcError::nonsense("reverted"))] {
            assert_eq!(number(&answer), None);
            assert_eq!(symbol_of(&answer), None);
        }
        let many = format!("0x{:064x}", 256);
        assert_eq!((number(&text(&many)), decimals_of(&text(&many))), (Some(Amount::from(256u32)), None));
    }

    #[test]
    fn a_number_is_the_first_word_of_an_answer() {
        let answer = format!("0x{:064x}{:064x}", 6, 7);
        assert_eq!((number(&text(&answer)), decimals_of(&text(&answer))), (Some(Amount::from(6u32)), Some(6)));
    }

    #[test]
    fn a_symbol_is_a_text_or_32_bytes_and_never_longer_than_a_line() {
        let dynamic = |length: usize, bytes: &str| text(&format!("0x{:064x}{length:064x}{bytes:0<64}", 32));
        assert_eq!(symbol_of(&dynamic(4, "55534443")).as_deref(), Some("USDC"));
        assert_eq!(symbol_of(&text(&format!("0x{:0<64}", "4d4b52"))).as_deref(), Some("MKR"));
        // Bytes that are no text, a length without data, and an empty text.
        assert_eq!(symbol_of(&dynamic(2, "ffff")), None);
        assert_eq!(symbol_of(&text(&format!("0x{:064x}{}", 32, "f".repeat(64)))), None);
        assert_eq!(symbol_of(&dynamic(0, "")), None);
        let long = text(&format!("0x{:064x}{:064x}{}", 32, 5_000, "41".repeat(5_000)));
        assert_eq!(symbol_of(&long).map(|symbol| symbol.len()), Some(48));
    }

    #[test]
    fn calls_carry_their_selector_and_padded_words() {
        let one = "000000000000000000000000f39fd6e51aad88f6f4ce6ab8827279cfffb92266";
        let two = "00000000000000000000000070997970c51812dc3a010c7d01b50e0d17dc79c8";
        let amount = Amount::from(1_500_000u32);
        let word = format!("{:064x}", 1_500_000);
        assert_eq!(transfer(TWO, amount), format!("0xa9059cbb{two}{word}"));
        assert_eq!(transfer(&TWO[2..], amount), transfer(TWO, amount));
        assert_eq!(approve(TWO, Amount::ZERO), format!("0x095ea7b3{two}{:064x}", 0));
        assert_eq!(allowance(ONE, TWO), format!("0xdd62ed3e{one}{two}"));
        assert_eq!(balance_of(ONE), format!("0x70a08231{one}"));
        assert_eq!((decimals(), symbol()), ("0x313ce567".into(), "0x95d89b41".into()));
    }

    proptest! {
        #[test]
        fn the_amount_of_a_transfer_is_what_a_contract_reads(digits in "[0-9a-f]{1,64}") {
            let amount = Amount::from_hex(&format!("0x{digits}")).unwrap();
            let data = transfer(TWO, amount);
            prop_assert_eq!(data.len(), 2 + 8 + 64 + 64);
            prop_assert_eq!(number(&text(&format!("0x{}", &data[74..]))), Some(amount));
        }

        #[test]
        fn no_answer_makes_it_panic(answer in "(0x)?[0-9a-f]{0,300}", noise in ".{0,40}") {
            for answer in [answer, noise] {
                let _ = (number(&text(&answer)), decimals_of(&text(&answer)), symbol_of(&text(&answer)));
            }
        }
    }
}
