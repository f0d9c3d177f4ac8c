//! HTML of the pages. Texts come from the chain, where anybody writes them: each is escaped where it is put into a page.

use std::fmt::{self, Display, Write as _};

use alloy_primitives::{Address, B256, U256};
use portico_terms::address::shorten;

use crate::render;
use crate::time::rfc3339;

/// Piece of HTML: [`Html::text`] escapes what it is made of, [`Html::own`] is for markup of our own.
#[derive(Clone, Default)]
pub(crate) struct Html(String);

impl Html {
    /// Text of a visitor or the chain.
    pub fn text(text: impl Display) -> Self {
        let mut out = String::new();
        for letter in text.to_string().chars() {
            match letter {
                '&' => out.push_str("&amp;"),
                '<' => out.push_str("&lt;"),
                '>' => out.push_str("&gt;"),
                '"' => out.push_str("&quot;"),
                '\'' => out.push_str("&#39;"),
                _ => out.push(letter),
            }
        }
        Self(out)
    }

    /// Markup of our own.
    pub const fn own(markup: String) -> Self {
        Self(markup)
    }

    pub fn joined(parts: impl IntoIterator<Item = Html>) -> Self {
        Self(parts.into_iter().map(|part| part.0).collect())
    }
}

impl Display for Html {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// Whole page of the explorer of a network.
pub(crate) fn page(network: &str, title: &str, lead: &Html, content: &Html) -> String {
    let (network, title) = (Html::text(network), Html::text(title));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title} | {network} explorer</title>\
         <link rel=\"stylesheet\" href=\"/style.css\"><script src=\"/copy.js\" defer></script></head><body>\
         <header><a href=\"/\">Explorer <small>{network}</small></a><form action=\"/search\" role=\"search\"><input type=\"search\" name=\"q\" required \
         autocomplete=\"off\" spellcheck=\"false\" aria-label=\"Search\" placeholder=\"Hash, address or block\">\
         <button>Search</button></form></header>\
         <main><h1>{title}</h1><p class=\"lead\">{lead}</p>{content}</main>\
         <footer>This explorer reads a test chain on this machine. Names and pictures come from the contracts.\
         </footer></body></html>"
    )
}

/// List of facts.
pub(crate) fn facts(rows: impl IntoIterator<Item = (&'static str, Html)>) -> Html {
    let mut out = String::from("<dl class=\"card\">");
    for (label, value) in rows {
        let _ = write!(out, "<div><dt>{label}</dt><dd>{value}</dd></div>");
    }
    Html(out + "</dl>")
}

/// Table under a heading; `none` stands for a table without rows. On a phone each row is drawn as a card, so each cell carries the name of
/// its column; the roles are written because browsers drop them from cells that are not drawn as a table.
pub(crate) fn table<const N: usize>(title: &str, heads: [&str; N], rows: &[[Html; N]], none: &str) -> Html {
    let mut out = format!("<h2>{}</h2><div class=\"card\">", Html::text(title));
    if rows.is_empty() {
        let _ = write!(out, "<p class=\"quiet\">{}</p></div>", Html::text(none));
        return Html(out);
    }
    out += "<div class=\"scroll\"><table role=\"table\"><thead role=\"rowgroup\"><tr role=\"row\">";
    for head in heads {
        let _ = write!(out, "<th scope=\"col\" role=\"columnheader\">{}</th>", Html::text(head));
    }
    out += "</tr></thead><tbody role=\"rowgroup\">";
    for row in rows {
        out += "<tr role=\"row\">";
        for (head, cell) in heads.iter().zip(row) {
            let _ = write!(out, "<td role=\"cell\" data-label=\"{}\"><span>{cell}</span></td>", Html::text(head));
        }
        out += "</tr>";
    }
    Html(out + "</tbody></table></div></div>")
}

pub(crate) fn link_to_transaction(hash: B256) -> Html {
    Html(format!("<a href=\"/tx/{hash}\" title=\"{hash}\"><code>{}</code></a>", shorten(&hash.to_string())))
}

pub(crate) fn link_to_account(account: Address) -> Html {
    let hash = render::hash(account);
    Html(format!("<a href=\"/address/{hash}\" title=\"{hash}\"><code>{}</code></a>", shorten(&hash)))
}

pub(crate) fn link_to_block(number: u64) -> Html {
    Html(format!("<a href=\"/block/{number}\">{number}</a>"))
}

/// Whole hash or address, with a button that copies it. Without the script there is no button.
pub(crate) fn whole(hash: impl Display) -> Html {
    let hash = Html::text(hash);
    Html(format!("<code>{}</code>{}", halves(&hash), copy(&hash)))
}

/// Hash that breaks in its middle where it has no room: two halves are compared with another hash more easily than a line and two letters.
fn halves(hash: &Html) -> String {
    let (first, second) = hash.0.split_at_checked(hash.0.len() / 2).unwrap_or((&hash.0, ""));
    format!("{first}<wbr>{second}")
}

/// Icons of the button, those of the widget.
const COPY: &str = "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"M7.5 7.5V5c0-.8.7-1.5 1.5-1.5h6c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 \
     1.5h-2.5M5 7.5h6c.8 0 1.5.7 1.5 1.5v6c0 .8-.7 1.5-1.5 1.5H5c-.8 0-1.5-.7-1.5-1.5V9c0-.8.7-1.5 1.5-1.5Z\"/></svg>";
const TICK: &str = "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"m4.5 10.5 3.7 3.7 7.3-8.4\"/></svg>";

fn copy(hash: &Html) -> Html {
    Html(format!(
        " <button class=\"copy\" data-copy=\"{hash}\" aria-label=\"Copy\" title=\"Copy\" hidden>{COPY}{TICK}</button>\
         <span class=\"unseen\" role=\"status\"></span>"
    ))
}

/// Whole address that leads to its page, with a button that copies it.
pub(crate) fn whole_account(account: Address) -> Html {
    let hash = Html::text(render::hash(account));
    Html(format!("<a href=\"/address/{hash}\"><code>{}</code></a>{}", halves(&hash), copy(&hash)))
}

/// Words in place of a name that is a link or markup.
pub(crate) const SUSPICIOUS: &str = "Suspicious name";

/// Whether a contract's name is a link or markup: it is bait, and no page shows it as the name of a token.
pub(crate) fn is_suspicious(name: &str) -> bool {
    let name = name.to_lowercase();
    let tag = |rest: &str| rest.starts_with(|next: char| next.is_ascii_lowercase() || "/!".contains(next));
    name.split('<').skip(1).any(tag) || ["://", "www.", "&lt", "&#"].iter().any(|sign| name.contains(sign))
}

/// Link to a token by its name; a suspicious one is only its title, and the shortened contract takes its place.
pub(crate) fn link_to_token(token: Address, name: &str) -> Html {
    let (hash, name, bait) = (render::hash(token), Html::text(name), is_suspicious(name));
    if bait {
        let short = shorten(&hash);
        let link = format!("<a href=\"/token/{hash}\" title=\"{name}\"><code>{short}</code></a>");
        return Html(format!("{link} <span class=\"bad\">{SUSPICIOUS}</span>"));
    }
    // A name may turn the direction of the text around it.
    Html(format!("<a href=\"/token/{hash}\"><bdi>{name}</bdi></a>"))
}

/// Time as `2025-06-01 00:00:00 UTC`.
pub(crate) fn time(seconds: u64) -> Html {
    let text = rfc3339(seconds);
    Html(format!("<time datetime=\"{text}\">{} UTC</time>", text.get(..19).unwrap_or(&text).replace('T', " ")))
}

/// Amount of the smallest unit as a decimal number, with all its digits.
fn units(amount: U256, decimals: usize) -> String {
    let digits = format!("{:0>width$}", amount.to_string(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match fraction.trim_end_matches('0') {
        "" => grouped(whole),
        fraction => format!("{}.{fraction}", grouped(whole)),
    }
}

/// Digits before the decimal point from which on an amount is told as a power of ten.
const MOST_WHOLE: usize = 16;
/// Decimals that are shown, as many as the chain's own coin has.
const MOST_DECIMALS: usize = 18;
/// Digits of an amount for which the narrowest screens have room.
const MOST_DIGITS: usize = 21;

/// Amount of the chain's own coin.
pub(crate) fn ether(amount: U256) -> Html {
    Html(format!("{} ETH", short_units(amount, MOST_DECIMALS)))
}

/// Amount as [`units`], in one line whatever a contract claims; where digits are left out, all of them are the title.
pub(crate) fn short_units(amount: U256, decimals: usize) -> Html {
    let all = units(amount, decimals);
    let (whole, fraction) = all.split_once('.').unwrap_or((&all, ""));
    let digits: String = whole.chars().filter(char::is_ascii_digit).collect();
    let most = MOST_DECIMALS.min(MOST_DIGITS.saturating_sub(digits.len()));
    let kept = fraction.get(..most).unwrap_or(fraction).trim_end_matches('0');
    let short = match kept {
        _ if digits.len() > MOST_WHOLE => {
            format!("{}.{} × 10<sup>{}</sup>", &digits[..1], &digits[1..5], digits.len() - 1)
        }
        _ if kept.len() == fraction.len() => return Html(format!("<span class=\"number\">{all}</span>")),
        "" if whole == "0" => format!("&lt;0.{}1", "0".repeat(MOST_DECIMALS - 1)),
        "" => whole.into(),
        kept => format!("{whole}.{kept}"),
    };
    Html(format!("<span class=\"number\" title=\"{all}\">{short}</span>"))
}

fn grouped(whole: &str) -> String {
    let mut out = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        assert_eq!(Html::text("<a href=\"x\" b='y'>&").to_string(), "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;");
        for name in ["<img src=x>", "a < b"] {
            let token = link_to_token(Address::repeat_byte(1), name).to_string();
            assert!(token.contains("&lt;") && !token.contains(name), "{token}");
        }
    }

    #[test]
    fn spec_2_12_an_address_and_a_hash_show_four_and_six_characters_and_keep_the_whole_as_their_title() {
        let account = link_to_account(Address::repeat_byte(0x11)).to_string();
        assert!(account.contains("<code>0x11…111111</code>"), "{account}");
        let hash = link_to_transaction(B256::repeat_byte(0x22)).to_string();
        assert!(hash.contains(&format!("title=\"0x{}\"><code>0x22…222222</code>", "22".repeat(32))), "{hash}");
    }

    #[test]
    fn each_cell_names_its_column_for_phones() {
        let rows = [[Html::text("USD Coin"), Html::text("3")]];
        let table = table("Tokens", ["Token", "Balance"], &rows, "No tokens.").to_string();
        assert!(table.contains("data-label=\"Token\"><span>USD Coin</span>"), "{table}");
        assert!(table.contains("data-label=\"Balance\"><span>3</span>"), "{table}");
    }

    #[test]
    fn an_amount_is_told_in_whole_coins() {
        for (amount, decimals, told) in [
            (0_u64, 18, "0"),
            (1, 18, "0.000000000000000001"),
            (1_000_000_000_000_000_000, 18, "1"),
            (1_234_567_890_000_000_000, 18, "1.23456789"),
            (12_345_600_000, 6, "12,345.6"),
            (3, 0, "3"),
            (1_000, 0, "1,000"),
        ] {
            assert_eq!(units(U256::from(amount), decimals), told);
        }
        assert_eq!(units(U256::from(7), 255), format!("0.{}7", "0".repeat(254)));
    }

    #[test]
    fn an_amount_of_hundreds_of_digits_fits_a_line_and_keeps_them_all_as_its_title() {
        let small = U256::from(7);
        for (amount, decimals, told) in [
            (U256::MAX, 0, "1.1579 × 10<sup>77</sup>"),
            (U256::MAX, 255, "&lt;0.000000000000000001"),
            (small, 19, "&lt;0.000000000000000001"),
            (U256::from(15_000_000_000_000_000_007_u64), 19, "1.5"),
            (U256::from(1_234_567_890_123_456_000_000_000_000_000_007_u128), 18, "1,234,567,890,123,456"),
            (U256::from(1_234_567_890_123_450_000_000_000_000_007_u128), 18, "1,234,567,890,123.45"),
        ] {
            let all = units(amount, decimals);
            assert_eq!(
                short_units(amount, decimals).to_string(),
                format!("<span class=\"number\" title=\"{all}\">{told}</span>")
            );
        }
        for (amount, decimals) in [(small, 18), (small, 0), (U256::from(1_234_567_890_123_456_u64), 0)] {
            let told = format!("<span class=\"number\">{}</span>", units(amount, decimals));
            assert_eq!(short_units(amount, decimals).to_string(), told);
        }
    }

    #[test]
    fn a_name_that_is_a_link_or_markup_is_marked_and_stands_nowhere_as_a_name() {
        for name in ["<img src=x onerror=alert(1)>", "</b>", "https://gift.example", "Visit WWW.gift.example", "&lt;b>"]
        {
            let link = link_to_token(Address::repeat_byte(1), name).to_string();
            let (title, rest) = link.split_once("\"><code>").unwrap();
            assert!(title.ends_with(&format!("title=\"{}", Html::text(name))), "{link}");
            assert_eq!(rest, "0x01…010101</code></a> <span class=\"bad\">Suspicious name</span>");
        }
        for name in ["USD Coin", "yearn.finance", "I <3 you", "A & B"] {
            assert!(!is_suspicious(name), "{name}");
        }
    }
}
