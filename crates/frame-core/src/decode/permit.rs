//! Typed data that let a spender take tokens: EIP-2612, its older form of DAI, and Permit2.

use super::call::{symbol, token_amount};
use super::typed::number_of;
use super::{Content, address_text, is_unlimited, time_text};
use crate::paid::Party;
use crate::said::{Phrase, Said};
use crate::text::holds;
use crate::token::Named;
use crate::view::{Action, Flag, RowLabel};
use portico_calldata::{Address, hex, symbol_of, token};
use portico_json::Value;
use portico_terms::Amount;

/// Maximum number of tokens of a permit that are asked what they are.
const MOST_UNNAMED: usize = 20;

/// Explains a permit; `None` for other typed data. `named` is what the chain says of tokens.
pub fn explain(primary: &str, domain: &Value, message: &Value, chain: u64, named: &Named) -> Option<Content> {
    let contract = domain.get("verifyingContract").as_str()?;
    let of_permit2 = hex::address(contract) == Some(token::PERMIT2);
    let mut content = Content::new(Action::Permit);
    content.flag(Flag::Permit);
    let spender = hex::address(message.get("spender").as_str()?)?;
    content.row(RowLabel::Spender, address_text(&spender));
    let read = match primary {
        "Permit" => token_permit(&mut content, hex::address(contract)?, message, chain, named),
        "PermitSingle" | "PermitBatch" if of_permit2 => each(message.get("details"), |details| {
            let number = number_of(details.get("amount"))?;
            amount(&mut content, address_of(details.get("token"))?, number, chain, named);
            content.row(RowLabel::Expires, time_text(number_of(details.get("expiration"))?));
            Some(())
        }),
        _ if of_permit2 && holds(primary, "TransferFrom") => {
            each(message.get("permitted"), |permitted| {
                let number = number_of(permitted.get("amount"))?;
                amount(&mut content, address_of(permitted.get("token"))?, number, chain, named);
                Some(())
            })?;
            content.row(RowLabel::Expires, time_text(number_of(message.get("deadline"))?));
            Some(())
        }
        _ => None,
    };
    read?;
    if content.action == Action::Permit {
        content.parties.push(Party::of(&spender, true, true, content.rows.len()));
    }
    Some(content)
}

fn each(value: &Value, mut act: impl FnMut(&Value) -> Option<()>) -> Option<()> {
    match value {
        Value::List(items) => items.iter().try_for_each(act),
        one => act(one),
    }
}

fn address_of(value: &Value) -> Option<Address> {
    hex::address(value.as_str()?)
}

fn token_permit(content: &mut Content, token: Address, message: &Value, chain: u64, named: &Named) -> Option<()> {
    match message.get("allowed").as_bool() {
        Some(true) => {
            amount(content, token, Amount::from_be_bytes([0xff; 32]), chain, named);
            content.row(RowLabel::Expires, expiry_text(number_of(message.get("expiry"))?));
        }
        Some(false) => {
            content.action = Action::Revoke;
            content.row(RowLabel::Token, token_text(&token, chain));
        }
        None => {
            amount(content, token, number_of(message.get("value"))?, chain, named);
            content.row(RowLabel::Expires, time_text(number_of(message.get("deadline"))?));
        }
    }
    Some(())
}

/// DAI's permits never end if their expiry is 0.
fn expiry_text(seconds: Amount) -> Said {
    if seconds.is_zero() { Said::new(Phrase::Never, &[]) } else { time_text(seconds) }
}

/// Adds a token and its amount. Tokens without an entry in the table are asked what they are.
fn amount(content: &mut Content, token: Address, amount: Amount, chain: u64, named: &Named) {
    content.row(RowLabel::Token, token_text(&token, chain));
    let unnamed = &mut content.unnamed;
    if symbol_of(chain, &token).is_none() && !unnamed.contains(&token) && unnamed.len() < MOST_UNNAMED {
        unnamed.push(token);
    }
    if !is_unlimited(amount) {
        return token_amount(content, amount, token, chain, named);
    }
    content.weigh(amount, &token, chain);
    content.flag(Flag::UnlimitedApproval);
    symbol(content, token, chain, named);
}

fn token_text(token: &Address, chain: u64) -> String {
    let address = address_text(token);
    symbol_of(chain, token).map_or(address.clone(), |symbol| [symbol, " ", &address].concat())
}
