//! The `Transfer` event of ERC-20 and ERC-721.

use super::loose;
use crate::activity::{Moved, MovedAsset};
use crate::config::Token;
use portico_json::Value;
use portico_terms::Amount;

/// Topic of `Transfer(address,address,uint256)`, the same in both standards.
pub(super) const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Transfer {
    from: String,
    to: String,
    /// Amount of a fungible token, or id of an NFT.
    value: Amount,
    by_piece: bool,
}

impl Transfer {
    /// Parses the topics and data of a log; `None` for any other event.
    pub(super) fn read(topics: &Value, data: &Value) -> Option<Transfer> {
        let topics = topics.as_list()?;
        topics.first()?.as_str().filter(|topic| topic.eq_ignore_ascii_case(TRANSFER))?;
        let account = |place: usize| loose::evm(&Value::Text(format!("0x{}", topics.get(place)?.as_str()?.get(26..)?)));
        let (value, by_piece) = match topics.get(3) {
            Some(id) => (loose::amount(id)?, true),
            None => (Amount::from_hex(data.as_str().filter(|data| data.len() == 66)?).ok()?, false),
        };
        Some(Transfer { from: account(1)?, to: account(2)?, value, by_piece })
    }

    /// Movement of `token`, the token of this transfer.
    pub(super) fn of(&self, token: &Token) -> Moved {
        let word = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let thing = if self.by_piece {
            MovedAsset::numbered(&token.name, self.value)
        } else {
            MovedAsset::Fungible {
                name: word(&token.name),
                symbol: word(&token.symbol),
                picture: token.picture.clone(),
                numeric: self.value.to_units(token.decimals),
                address: Some(token.address.clone()),
            }
        };
        Moved { from: self.from.clone(), to: self.to.clone(), thing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn read(topics: &[&str], data: &str) -> Option<Transfer> {
        let topics = topics.iter().map(|topic| format!("{topic:?}")).collect::<Vec<_>>().join(",");
        Transfer::read(&parse(&format!("[{topics}]")).unwrap(), &parse(&format!("{data:?}")).unwrap())
    }

    #[test]
    fn a_log_that_is_not_as_its_standard_says_moves_nothing() {
        let account = format!("0x{:064x}", 7);
        let word = format!("0x{:064x}", 5);
        for topics in [
            vec![],
            vec![TRANSFER],
            vec![TRANSFER, &account],
            vec![TRANSFER, &account, "0x"],
            vec![TRANSFER, "é", &account],
            vec![&word, &account, &account],
            vec![TRANSFER, &account, &account, "x"],
        ] {
            assert_eq!(read(&topics, &word), None, "{topics:?}");
        }
        for data in ["", "0x", "0x05", &format!("{word}00")] {
            assert_eq!(read(&[TRANSFER, &account, &account], data), None, "{data}");
        }
        assert_eq!(Transfer::read(&Value::Null, &Value::Null), None);
        assert!(read(&[TRANSFER, &account, &account], &word).is_some_and(|found| !found.by_piece));
        assert!(read(&[TRANSFER, &account, &account, &word], "0x").is_some_and(|found| found.by_piece));
    }
}
