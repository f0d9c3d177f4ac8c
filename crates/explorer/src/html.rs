//! HTML of the pages. Texts come from the chain, where anybody writes them: each is escaped where it is put into a page.

use std::fmt::{self, Display, Write as _};

use alloy_primitives::{Address, B256, U256};

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

/// Whole page.
pub(crate) fn page(title: &str, lead: &Html, content: &Html) -> String {
    let title = Html::text(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>{title} | Explorer</title>\
         <link rel=\"stylesheet\" href=\"/style.css\"><script src=\"/copy.js\" defer></script></head><body>\
         <header><a href=\"/\">Explorer</a><form action=\"/search\" role=\"search\"><input type=\"search\" name=\"q\" required \
         autocomplete=\"off\" spellcheck=\"false\" aria-label=\"Search\" placeholder=\"Transaction, address or block\">\
         <button>Search</button></form></header>\
         <main><h1>{title}</h1><p class=\"lead\">{lead}</p>{content}</main>\
         <footer>This explorer reads a test chain on this machine. Names and pictures are what contracts say of themselves.\
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
    Html(format!("<a href=\"/tx/{hash}\" title=\"{hash}\"><code>{}</code></a>", shortened(&hash.to_string())))
}

pub(crate) fn link_to_account(account: Address) -> Html {
    let hash = render::hash(account);
    Html(format!("<a href=\"/address/{hash}\" title=\"{hash}\"><code>{}</code></a>", shortened(&hash)))
}

pub(crate) fn link_to_block(number: u64) -> Html {
    Html(format!("<a href=\"/block/{number}\">{number}</a>"))
}

/// Whole hash or address, with a button that copies it. Without the script there is no button.
pub(crate) fn whole(hash: impl Display) -> Html {
    let hash = Html::text(hash);
    Html(format!("<code>{hash}</code>{}", copy(&hash)))
}

fn copy(hash: &Html) -> Html {
    Html(format!(" <button class=\"copy\" data-copy=\"{hash}\" hidden>Copy</button>"))
}

/// Whole address that leads to its page, with a button that copies it.
pub(crate) fn whole_account(account: Address) -> Html {
    let hash = Html::text(render::hash(account));
    Html(format!("<a href=\"/address/{hash}\"><code>{hash}</code></a>{}", copy(&hash)))
}

pub(crate) fn link_to_token(token: Address, name: &str) -> Html {
    // A name may turn the direction of the text around it.
    Html(format!("<a href=\"/token/{}\"><bdi>{}</bdi></a>", render::hash(token), Html::text(name)))
}

/// Time as `2025-06-01 00:00:00 UTC`.
pub(crate) fn time(seconds: u64) -> Html {
    let text = rfc3339(seconds);
    Html(format!("<time datetime=\"{text}\">{} UTC</time>", text.get(..19).unwrap_or(&text).replace('T', " ")))
}

/// The first four and the last six characters of a hexadecimal number, as the widget shortens addresses (spec 2.12).
pub(crate) fn shortened(hash: &str) -> String {
    let end = hash.len().saturating_sub(6);
    format!("{}…{}", hash.get(..4).unwrap_or(hash), hash.get(end..).unwrap_or_default())
}

/// Amount of the smallest unit as a decimal number, with all its digits.
pub(crate) fn units(amount: U256, decimals: usize) -> String {
    let digits = format!("{:0>width$}", amount.to_string(), width = decimals + 1);
    let (whole, fraction) = digits.split_at(digits.len() - decimals);
    match fraction.trim_end_matches('0') {
        "" => grouped(whole),
        fraction => format!("{}.{fraction}", grouped(whole)),
    }
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
        let token = link_to_token(Address::repeat_byte(1), "<img src=x>").to_string();
        assert!(token.contains("&lt;img") && !token.contains("<img"), "{token}");
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
}
