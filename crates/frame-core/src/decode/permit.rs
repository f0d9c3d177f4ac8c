//! Typed data that let a spender take tokens: EIP-2612, its older form of DAI, and Permit2.

use super::typed::number_of;
use super::{Content, address_text, is_unlimited, shown, time_text};
use crate::paid::Party;
use crate::said::{Phrase, Said};
use crate::text::holds;
use crate::view::{Action, Flag, RowLabel};
use portico_calldata::{hex, symbol_of, token};
use portico_json::Value;
use portico_terms::Amount;
use portico_terms::address::to_checksum;

/// Explains a permit; `None` for other typed data.
pub fn explain(primary: &str, domain: &Value, message: &Value, chain: u64) -> Option<Content> {
    let contract = domain.get("verifyingContract").as_str()?;
    let of_permit2 = hex::address(contract) == Some(token::PERMIT2);
    let mut content = Content::new(Action::Permit);
    content.flag(Flag::Permit);
    let spender = hex::address(message.get("spender").as_str()?)?;
    content.row(RowLabel::Spender, address_text(&spender));
    let read = match primary {
        "Permit" => token_permit(&mut content, contract, message, chain),
        "PermitSingle" | "PermitBatch" if of_permit2 => each(message.get("details"), |details| {
            amount(&mut content, details.get("token"), details.get("amount"), chain)?;
            content.row(RowLabel::Expires, time_text(number_of(details.get("expiration"))?));
            Some(())
        }),
        _ if of_permit2 && holds(primary, "TransferFrom") => {
            each(message.get("permitted"), |permitted| {
                amount(&mut content, permitted.get("token"), permitted.get("amount"), chain)
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

fn token_permit(content: &mut Content, contract: &str, message: &Value, chain: u64) -> Option<()> {
    let token = Value::Text(contract.into());
    match message.get("allowed").as_bool() {
        Some(true) => {
            content.row(RowLabel::Token, token_text(&token, chain)?);
            content.flag(Flag::UnlimitedApproval);
            content.weigh(Amount::from_be_bytes([0xff; 32]), &hex::address(contract)?, chain);
            content.row(RowLabel::Expires, expiry_text(number_of(message.get("expiry"))?));
        }
        Some(false) => {
            content.action = Action::Revoke;
            content.row(RowLabel::Token, token_text(&token, chain)?);
        }
        None => {
            amount(content, &token, message.get("value"), chain)?;
            content.row(RowLabel::Expires, time_text(number_of(message.get("deadline"))?));
        }
    }
    Some(())
}

/// DAI's permits never end if their expiry is 0.
fn expiry_text(seconds: Amount) -> Said {
    if seconds.is_zero() { Said::new(Phrase::Never, &[]) } else { time_text(seconds) }
}

/// Adds a token and its amount in the smallest unit: what the decimals are, only the chain could tell.
fn amount(content: &mut Content, token: &Value, value: &Value, chain: u64) -> Option<()> {
    let number = number_of(value)?;
    content.row(RowLabel::Token, token_text(token, chain)?);
    content.weigh(number, &hex::address(token.as_str()?)?, chain);
    if is_unlimited(number) {
        content.flag(Flag::UnlimitedApproval);
    } else {
        content.row(RowLabel::AmountOrItem, Said::new(Phrase::Number, &[&number.to_digits()]));
    }
    Some(())
}

fn token_text(value: &Value, chain: u64) -> Option<String> {
    let text = value.as_str()?;
    let symbol = symbol_of(chain, &hex::address(text)?);
    let address = shown(&to_checksum(text));
    Some(symbol.map_or(address.clone(), |symbol| [symbol, " ", &address].concat()))
}
