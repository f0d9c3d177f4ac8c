//! Texts of the mails, in plain text and HTML. No picture, no script, nothing from elsewhere; the colours fit dark mail clients.

mod words;

use super::{Letter, Matter, Notice};
use crate::html::Html;
use crate::language::Language;
use portico_api::wallet::Deed;
use words::{AR, EN, Words};

/// A written mail.
pub(super) struct Written {
    pub(super) subject: String,
    pub(super) text: String,
    pub(super) html: String,
}

/// One part of a mail.
enum Part<'a> {
    Line(String),
    /// Label and value.
    Row(&'static str, String),
    /// The code, or the link with the words of its button.
    Code(&'a str),
    Link(&'static str, &'a str),
}

pub(super) fn write(letter: &Letter) -> Written {
    let language = Language::of(&letter.language);
    let words = match language {
        Language::English => &EN,
        Language::Arabic => &AR,
    };
    let (subject, parts) = parts(letter, language, words);
    Written { text: plain(&parts), html: html(language, subject, &parts), subject: subject.into() }
}

fn parts<'a>(letter: &'a Letter, language: Language, words: &Words) -> (&'static str, Vec<Part<'a>>) {
    let line = |text: &str| Part::Line(text.into());
    let rows = |host: &str, browser: &str, place: &str| {
        let rows = [
            (words.site, host.to_owned()),
            (words.browser, language.browser(browser)),
            (words.time, language.time(letter.at)),
            (words.address, place.to_owned()),
        ];
        rows.into_iter().filter(|(_, value)| !value.is_empty()).map(|(label, value)| Part::Row(label, value))
    };
    // A change that its link cancels.
    let undoable = |change: &str, cancel: &str, link: &'a str| {
        let link = Part::Link(words.cancel, link);
        vec![line(change), line(cancel), link, line(words.cancel_ends), line(words.contact_too)]
    };
    match &letter.matter {
        Matter::Approval { link, host, browser, place } => {
            let mut parts = vec![line(words.asks)];
            parts.extend(rows(host, browser, place));
            parts.extend([Part::Link(words.review, link), line(words.link_ends), line(words.not_you)]);
            (words.approval, parts)
        }
        Matter::Code { code, host } => (
            words.code,
            vec![
                Part::Line(words.enter.replace("{0}", host)),
                Part::Code(code),
                line(words.once),
                Part::Line(words.never.replace("{0}", host)),
            ],
        ),
        Matter::Change { code } => {
            (words.change, vec![line(words.enter_change), Part::Code(code), line(words.once), line(words.keep)])
        }
        Matter::Add { code } => {
            (words.add, vec![line(words.enter_add), Part::Code(code), line(words.once), line(words.keep)])
        }
        Matter::Added { link } => (words.notice, undoable(words.email_added, words.cancel_added, link)),
        Matter::Removed { link } => (words.notice, undoable(words.email_removed, words.cancel_it, link)),
        Matter::Changed { link } => (words.changed, undoable(words.no_longer, words.cancel_it, link)),
        Matter::Arrived { host, browser, place } => {
            let mut parts = vec![line(words.arrived)];
            parts.extend(rows(host, browser, place));
            parts.extend([line(words.not_you_arrived), line(words.contact_too)]);
            (words.arrival, parts)
        }
        Matter::Confirm { deed, link, host, browser, place } => {
            let asks = if *deed == Deed::Export { words.asks_export } else { words.asks_change };
            let mut parts = vec![line(asks)];
            parts.extend(rows(host, browser, place));
            let link = Part::Link(words.review_request, link);
            parts.extend([link, line(words.link_ends), line(words.not_you_request)]);
            (words.confirm, parts)
        }
        Matter::Notice(notice) => {
            let done = match notice {
                Notice::Exported => words.exported,
                Notice::RecoveryRemoved => words.recovery_removed,
                Notice::RecoveryAdded => words.recovery_added,
                Notice::PasskeyAdded => words.passkey_added,
                Notice::KitAdded => words.kit_added,
                Notice::PasswordSet => words.password_set,
                Notice::WayRemoved => words.way_removed,
                Notice::DeviceRemoved => words.device_removed,
                Notice::LoginAdded => words.login_added,
                Notice::EmailAdded => words.email_added,
                Notice::LoginRemoved => words.login_removed,
                Notice::Unfrozen => words.unfrozen,
            };
            (words.notice, vec![line(done), line(words.contact)])
        }
    }
}

fn plain(parts: &[Part<'_>]) -> String {
    let mut text = String::new();
    let mut after_row = false;
    for part in parts {
        if after_row && matches!(part, Part::Line(_)) {
            text.push('\n');
        }
        after_row = matches!(part, Part::Row(..));
        text += &match part {
            Part::Line(line) => format!("{line}\n\n"),
            Part::Row(label, value) => format!("{label}: {value}\n"),
            Part::Code(code) => format!("    {code}\n\n"),
            Part::Link(label, link) => format!("\n{label}:\n{link}\n\n"),
        };
    }
    text
}

fn html(language: Language, subject: &'static str, parts: &[Part<'_>]) -> String {
    let mut html = Html::default();
    html.raw("<!doctype html>\n<html lang=\"").raw(language.tag()).raw("\" dir=\"").raw(language.direction());
    html.raw("\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.raw("<meta name=\"supported-color-schemes\" content=\"light dark\">\n<title>").raw(subject);
    html.raw("</title>\n</head>\n<body style=\"margin:0 auto;padding:24px;max-width:480px;font:16px/1.5 system-ui,sans-serif\">\n");
    html.raw("<h1 style=\"font-size:20px\">").raw(subject).raw("</h1>\n");
    for part in parts {
        match part {
            Part::Line(line) => html.raw("<p>").text(line).raw("</p>\n"),
            Part::Row(label, value) => {
                // Addresses are written from left to right in every language; dates and names in it are not.
                let own = if value.is_ascii() { " dir=\"ltr\"" } else { "" };
                html.raw("<p style=\"margin:4px 0\">").raw(label).raw(": <strong").raw(own).raw(">").text(value);
                html.raw("</strong></p>\n")
            }
            Part::Code(code) => {
                html.raw("<p style=\"font:700 32px/1.2 ui-monospace,monospace;letter-spacing:6px\"><bdi dir=\"ltr\">");
                html.text(code).raw("</bdi></p>\n")
            }
            Part::Link(label, link) => {
                html.raw("<p style=\"margin:24px 0\"><a href=\"").text(link).raw("\" style=\"display:inline-block;");
                html.raw("padding:12px 20px;border-radius:8px;background:#0b57d0;color:#ffffff;");
                html.raw("text-decoration:none;font-weight:600\">").raw(label).raw("</a></p>\n")
            }
        };
    }
    html.raw("</body>\n</html>\n");
    html.into_text()
}

#[cfg(test)]
mod tests {
    use super::super::Address;
    use super::*;
    use zeroize::Zeroizing;

    fn letter(language: &str, matter: Matter) -> Written {
        let to = Address::parse("ada@example.org").unwrap();
        write(&Letter { to, language: language.into(), matter, at: 0, visitor: None })
    }

    fn approval() -> Matter {
        Matter::Approval {
            link: "https://wallet.example/approve?t=AA".into(),
            host: "https://shop.example".into(),
            browser: "<b>\"Firefox\"".into(),
            place: "203.0.113.x".into(),
        }
    }

    #[test]
    fn a_mail_has_a_link_or_a_code_and_never_both() {
        let approval = letter("en", approval());
        assert!(
            approval.text.contains("\nReview this login:\nhttps://wallet.example/approve?t=AA\n"),
            "{}",
            approval.text
        );
        let code =
            letter("en", Matter::Code { code: Zeroizing::new("123456".into()), host: "https://shop.example".into() });
        assert!(code.text.contains("\n    123456\n") && !code.html.contains("href"), "{}", code.html);
        assert!(!code.subject.contains("123456"), "a locked screen shows subjects");
    }

    #[test]
    fn the_mail_of_a_login_fits_an_address_that_has_no_wallet_yet() {
        let mail = letter("en", approval()).text;
        assert!(
            mail.contains("Someone wants to log in with this email. If it was you, approve the login below."),
            "{mail}"
        );
        for known in ["your wallet", "new device"] {
            assert!(!mail.contains(known), "{mail}");
        }
    }

    #[test]
    fn a_mail_says_once_what_to_do_if_somebody_else_asked() {
        let link = || "https://wallet.example/cancel?t=AA".to_owned();
        for matter in
            [Matter::Changed { link: link() }, Matter::Added { link: link() }, Matter::Removed { link: link() }]
        {
            let told = letter("en", matter).text;
            assert_eq!(told.matches("If this wasn't you").count(), 1, "{told}");
            assert!(told.ends_with("Then contact the site where you use the wallet.\n\n"), "{told}");
        }
    }

    #[test]
    fn only_the_mail_about_a_changed_address_says_that_it_opens_the_wallet_again() {
        let link = || "https://wallet.example/cancel?t=AA".to_owned();
        for (language, again) in [("en", "with this address again"), ("ar", "هذا العنوان محفظتك من جديد")]
        {
            let [changed, added] = [Matter::Changed { link: link() }, Matter::Added { link: link() }]
                .map(|matter| letter(language, matter).text);
            assert!(changed.contains(again) && !added.contains(again), "{added}");
        }
        let added = letter("en", Matter::Added { link: link() }).text;
        assert!(added.contains("Your wallet will open with this address instead of the added one"), "{added}");
    }

    #[test]
    fn the_mail_about_a_change_says_what_a_confirmation_allows_and_for_how_long() {
        let (link, host) = ("https://wallet.example/confirm?t=AA".into(), "https://shop.example".into());
        let (browser, place) = ("Firefox on Linux".into(), "203.0.113.x".into());
        let told = letter("en", Matter::Confirm { deed: Deed::Change, link, host, browser, place }).text;
        assert!(told.contains("If you confirm, they can do all of this for 10 minutes."), "{told}");
    }

    #[test]
    fn a_mail_can_be_read_on_a_dark_background() {
        let (link, host) = ("https://wallet.example/confirm?t=AA".to_owned(), "https://shop.example".to_owned());
        let code = Matter::Code { code: Zeroizing::new("123456".into()), host };
        for matter in [approval(), code, Matter::Changed { link }, Matter::Notice(Notice::Exported)] {
            let html = letter("en", matter).html;
            for name in ["color-scheme", "supported-color-schemes"] {
                assert!(html.contains(&format!("<meta name=\"{name}\" content=\"light dark\">")), "{html}");
            }
            // A colour of its own has only the button, with its own background.
            let colours = html.matches("color:").count();
            assert_eq!(html.matches("background:#0b57d0;color:#ffffff").count(), colours, "{html}");
        }
    }

    #[test]
    fn what_a_browser_says_of_itself_is_no_markup() {
        let html = letter("en", approval()).html;
        assert!(html.contains("&lt;b&gt;&quot;Firefox&quot;") && !html.contains("<b>"), "{html}");
    }

    #[test]
    fn a_mail_is_in_the_language_of_the_visitor() {
        for language in ["ar", "AR-EG"] {
            let mail = letter(language, approval());
            assert!(mail.html.starts_with("<!doctype html>\n<html lang=\"ar\" dir=\"rtl\">"), "{}", mail.html);
            assert_ne!(mail.subject, letter("en", approval()).subject);
        }
        assert_eq!(letter("de", approval()).subject, "Approve your login");
    }
}
