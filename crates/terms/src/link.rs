//! Links that the widget opens: which of them may be, by their scheme. Every link from a server, wallet, peer or host passes one of these.
//!
//! | Function | Allowed | From |
//! |---|---|---|
//! | [`is_web`] | `https:` with a plain host | wallet directory, on-ramp providers, peers |
//! | [`is_page`] | `https:`, and `http:` on this machine | host: explorers, terms, privacy |
//! | [`is_app`] | an app's own scheme, none of [`REFUSED`] | deep links of wallets |

/// Schemes that are no wallet's own: they run code, show content made by others, read files, name other apps, reach the web, pair, install
/// programs, call people, or open tools of the system. Those of Windows begin with `ms-`. Decision 18 says why these are listed, and not those
/// of wallets.
pub const REFUSED: [&str; 83] = [
    "about",
    "afp",
    "android-app",
    "app-settings",
    "blob",
    "callto",
    "cdp",
    "chrome",
    "chrome-extension",
    "content",
    "data",
    "dav",
    "davs",
    "facetime",
    "facetime-audio",
    "feed",
    "file",
    "filesystem",
    "ftp",
    "ftps",
    "googlechrome",
    "googlechromes",
    "gopher",
    "help",
    "http",
    "https",
    "intent",
    "itms",
    "itms-apps",
    "itms-appss",
    "itms-services",
    "jar",
    "javascript",
    "jetbrains",
    "ldap",
    "ldaps",
    "macappstore",
    "mailto",
    "market",
    "mhtml",
    "microsoft-edge",
    "mms",
    "moz-extension",
    "msteams",
    "nfs",
    "nntp",
    "prefs",
    "rdp",
    "resource",
    "safari-extension",
    "safari-web-extension",
    "search",
    "search-ms",
    "sftp",
    "shell",
    "shortcuts",
    "sip",
    "sips",
    "skype",
    "slack",
    "smb",
    "sms",
    "smsto",
    "ssh",
    "tel",
    "telnet",
    "vbscript",
    "view-source",
    "vnc",
    "vscode",
    "vscode-insiders",
    "wc",
    "webcal",
    "whatsapp",
    "ws",
    "wss",
    "wyciwyg",
    "x-apple.systempreferences",
    "x-safari-https",
    "x-web-search",
    "xmpp",
    "zoommtg",
    "zoomus",
];

/// Maximum length of a link, in bytes.
const LONGEST: usize = 4096;

/// Whether a link is https, with a plain host and nothing that disguises it.
pub fn is_web(link: &str) -> bool {
    let Some(rest) = link.strip_prefix("https://") else { return false };
    let host = host(rest);
    let named = host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-:".contains(&byte));
    named && !host.is_empty() && is_plain(link)
}

/// Whether a link of the host is https, or http on this machine, where hosts develop.
pub fn is_page(link: &str) -> bool {
    let local = |rest| {
        let host = host(rest);
        let name = host.rsplit_once(':').map_or(host, |(name, port)| match port.parse::<u16>() {
            Ok(_) => name,
            Err(_) => host,
        });
        matches!(name, "localhost" | "127.0.0.1" | "[::1]")
    };
    link.starts_with("https://") || link.strip_prefix("http://").is_some_and(local)
}

/// Whether a link starts with an app's own scheme and `//`.
pub fn is_app(link: &str) -> bool {
    link.split_once("://").is_some_and(|(scheme, _)| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
            && !REFUSED.iter().any(|refused| refused.eq_ignore_ascii_case(scheme))
            && !scheme.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("ms-"))
            && is_plain(link)
    })
}

fn host(rest: &str) -> &str {
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Whether a link has no character that a URL must escape.
fn is_plain(link: &str) -> bool {
    link.len() <= LONGEST && link.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"'<>\\^`{|}".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Links that run code, hide where they lead, or lead elsewhere than they say.
    const HOSTILE: [&str; 30] = [
        "",
        "https:",
        "https://",
        "//a.example",
        "javascript:alert(1)",
        "JavaScript://%0aalert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "DATA://text/html,x",
        "vbscript:x",
        "blob:https://a.example/x",
        "file:///etc/passwd",
        "about:blank",
        "about://blank",
        "view-source://a.example",
        "intent://a#Intent;scheme=x;end",
        "filesystem://a",
        "itms-services://?action=download-manifest",
        "ms-settings://x",
        "MS-word://x",
        "vscode://file/x",
        "googlechrome://evil.example",
        "market://details?id=evil",
        "facetime://1",
        "x-safari-https://evil.example",
        "ws://a.example",
        "ftp://a.example",
        "http://a.example/",
        "http://localhost.evil.example/",
    ];

    #[test]
    fn no_link_opens_what_a_hostile_one_names() {
        for link in HOSTILE {
            assert!(!is_web(link) && !is_app(link), "{link}");
            // The host wrote its own pages; only their scheme is looked at.
            assert!(link == "https://" || !is_page(link), "{link}");
        }
    }

    #[test]
    fn a_web_link_hides_nothing() {
        for link in ["https://a.example", "https://a.example:8443/", "https://pay.example/buy?token=a%2Fb#x"] {
            assert!(is_web(link) && is_page(link) && !is_app(link), "{link}");
        }
        for link in [
            "HTTPS://a.example/",
            "https://user@a.example/",
            "https://a.example\\@evil.example/",
            "https://a.example/ a",
            "https://a.example/\n",
            "https://раy.example/",
            "https://a.example/\" onclick=",
        ] {
            assert!(!is_web(link), "{link}");
        }
        assert!(!is_web(&["https://a.example/", &"a".repeat(LONGEST)].concat()));
    }

    #[test]
    fn http_is_for_pages_of_this_machine() {
        for link in [
            "http://localhost",
            "http://localhost:4000/tx",
            "http://127.0.0.1:80?x",
            "http://[::1]/",
            "http://[::1]:80",
        ] {
            assert!(is_page(link) && !is_web(link), "{link}");
        }
        for link in ["http://localhost@evil.example/", "http://127.0.0.1.evil.example", "http://localhost:evil.example"]
        {
            assert!(!is_page(link), "{link}");
        }
    }

    #[test]
    fn the_widget_refuses_the_same_schemes() {
        let widget = include_str!("../../../packages/widget/src/link.ts");
        let list = widget.split_once("(?!(?:").and_then(|(_, rest)| rest.split_once("):)")).unwrap().0;
        let schemes: Vec<String> = list.split('|').map(|scheme| scheme.replace("wss?", "wss")).collect();
        for refused in REFUSED.iter().filter(|refused| **refused != "ws" && **refused != "https") {
            assert!(schemes.iter().any(|scheme| scheme.replace('\\', "") == *refused), "{refused}");
        }
        // Those of Windows in general, and none that is not listed here.
        for scheme in schemes.iter().filter(|scheme| *scheme != "ms-[^:]*") {
            assert!(REFUSED.contains(&scheme.replace('\\', "").as_str()), "{scheme}");
        }
    }

    #[test]
    fn an_app_has_a_scheme_of_its_own() {
        for link in ["rainbow://", "metamask://wc?uri=x", "com.example.app+x://a"] {
            assert!(is_app(link) && !is_web(link) && !is_page(link), "{link}");
        }
        for link in ["://a", "1a://a", "a b://a", "rainbow:wc", "wc://topic@2", "rainbow://\"onclick="] {
            assert!(!is_app(link), "{link}");
        }
    }
}
