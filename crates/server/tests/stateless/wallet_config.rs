//! Settings of the embedded wallet, and the messages about them.

use portico_server::config::{Config, Flags, LinkSide, MailWay};
use std::path::Path;

const OUTBOX: &str = "[wallet.mail]\noutbox = true\n";

fn read(toml: &str) -> Result<Config, Vec<String>> {
    let read = Config::parse(Path::new("portico.toml"), toml, [], &Flags::default());
    read.map_err(|mistakes| mistakes.iter().map(ToString::to_string).collect())
}

/// The one mistake of a configuration.
fn mistake(toml: &str) -> String {
    let mut mistakes = read(toml).unwrap_err();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    mistakes.remove(0)
}

#[test]
fn there_is_a_wallet_where_it_has_an_origin_and_nowhere_else() {
    assert!(read("").unwrap().wallet.is_none());
    let wallet = read(&format!("[wallet]\norigin = \"http://localhost:8081\"\n{OUTBOX}")).unwrap().wallet.unwrap();
    assert_eq!((wallet.origin.as_str(), wallet.local), ("http://localhost:8081", true));
    assert_eq!(wallet.listen.to_string(), "127.0.0.1:8081");
    let limits = (wallet.vault.releases_per_hour, wallet.vault.user_releases_per_hour);
    assert_eq!((limits, wallet.vault.start), ((600, 20), true));
    assert!(matches!(wallet.mail, MailWay::Outbox));
    let toml = "[wallet]\norigin = \"https://wallet.example.org/\"\n[wallet.mail]\n\
        smtp = \"smtps://me:secret@mail.example.org\"\nfrom = \"Shop <wallet@example.org>\"\n";
    let wallet = read(toml).unwrap().wallet.unwrap();
    assert_eq!(wallet.origin, "https://wallet.example.org");
    let debug = format!("{wallet:?}");
    assert!(!debug.contains("secret") && debug.contains("mail.example.org"), "{debug}");
}

#[test]
fn logins_by_e_mail_without_a_way_for_mails_are_refused() {
    let told = mistake("[wallet]\norigin = \"https://wallet.example.org\"\n");
    assert!(told.starts_with("portico.toml, line 2: logins by email need a mail server"), "{told}");
    let told = mistake(&format!("[wallet]\norigin = \"https://wallet.example.org\"\n{OUTBOX}"));
    assert_eq!(
        told,
        "portico.toml, line 4: `wallet.mail.outbox` works only while `wallet.origin` is on localhost. \
         Set `wallet.mail.smtp` and `wallet.mail.from`."
    );
    // A file that isn't there is one mistake.
    let told = mistake("[wallet]\norigin = \"https://wallet.example.org\"\n[wallet.mail]\nsmtp_file = \"absent\"\n");
    let here = std::env::current_dir().unwrap();
    let file =
        format!("the file absent (relative to {}), named by `wallet.mail.smtp_file`, doesn't exist", here.display());
    assert!(told.contains(&file), "{told}");
}

#[test]
fn each_setting_of_mails_that_is_missing_or_too_much_has_its_own_sentence_and_line() {
    let mail = |lines: &str| mistake(&format!("[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\n{lines}"));
    let (smtp, from, outbox) = ("smtp = \"smtps://a.example\"\n", "from = \"a@shop.example\"\n", "outbox = true\n");
    assert_eq!(
        mail(smtp),
        "portico.toml, line 4: emails need a sender. Set `wallet.mail.from` beside the mail server, such as \
         `Example <wallet@example.org>`."
    );
    assert_eq!(
        mail(from),
        "portico.toml, line 4: `wallet.mail.from` needs a mail server. Set `wallet.mail.smtp` too, such as \
         smtps://name:password@mail.example.org."
    );
    let both = "with `wallet.mail.outbox` no email is sent, but a mail server is set. Remove `wallet.mail.outbox`, \
         or `wallet.mail.smtp` and `wallet.mail.from`.";
    assert_eq!(mail(&[smtp, outbox].concat()), format!("portico.toml, line 5: {both}"));
    assert_eq!(mail(&[smtp, from, outbox].concat()), format!("portico.toml, line 6: {both}"));
    assert_eq!(
        mail(&[outbox, from].concat()),
        "portico.toml, line 5: with `wallet.mail.outbox` no email is sent, but `wallet.mail.from` is set. Remove \
         `wallet.mail.from`, or set `wallet.mail.smtp` in place of `wallet.mail.outbox`."
    );
}

#[test]
fn spec_9_11_mails_to_an_address_are_30_seconds_apart_and_less_only_where_they_stay_in_the_outbox() {
    let local = |lines: &str| format!("[wallet]\norigin = \"http://localhost:1\"\n{OUTBOX}{lines}");
    let pause = |toml: &str| read(toml).unwrap().wallet.unwrap().vault.mail_pause;
    assert_eq!((pause(&local("")), pause(&local("pause_seconds = 1\n"))), (30, 1));
    let mailed = |seconds: u32| {
        format!(
            "[wallet]\norigin = \"https://wallet.example.org\"\n[wallet.mail]\nsmtp = \"smtps://mail.example.org\"\n\
             from = \"wallet@example.org\"\npause_seconds = {seconds}\n"
        )
    };
    assert_eq!(pause(&mailed(60)), 60);
    let told = mistake(&mailed(29));
    assert!(told.contains("a shorter pause is for the outbox"), "{told}");
}

#[test]
fn an_origin_that_is_none_or_not_secure_is_refused() {
    for wrong in [
        "wallet.example.org",
        "http://wallet.example.org",
        "https://wallet.example.org/x",
        "https://a@b.example",
        "ftp://localhost",
    ] {
        let told = mistake(&format!("[wallet]\norigin = {wrong:?}\n{OUTBOX}"));
        assert!(
            told.contains(&format!("not `{wrong}`"))
                && told.starts_with("portico.toml, line 2: use an https origin of its own for the wallet"),
            "{told}"
        );
    }
}

#[test]
fn a_mail_server_is_reached_encrypted_unless_it_is_on_this_machine() {
    let with = |url: &str| {
        format!("[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\nfrom = \"a@example.org\"\nsmtp = {url:?}\n")
    };
    for right in ["smtps://mail.example.org", "smtp://mail.example.org:587?tls=required", "smtp://127.0.0.1:2525"] {
        assert!(read(&with(right)).is_ok(), "{right}");
    }
    for wrong in ["smtp://mail.example.org", "smtp://mail.example.org?tls=opportunistic"] {
        assert!(mistake(&with(wrong)).contains("must be sent encrypted"), "{wrong}");
    }
    for cut in
        ["smtps://me:se/cret@mail.example.org", "smtp://me:1#2@mail.example.org", "smtps://me:1?2@mail.example.org"]
    {
        let told = mistake(&with(cut));
        assert!(told.contains("write / as %2F, # as %23 and ? as %3F in the password of the URL"), "{told}");
    }
    let told = mistake(&with("https://me:secret@mail.example.org"));
    assert!(told.contains("use a URL such as smtps://") && !told.contains("secret@mail"), "{told}");
}

#[test]
fn a_folder_without_the_frame_is_refused() {
    let told = mistake(&format!("[wallet]\norigin = \"http://localhost:1\"\nframe = \"/nowhere\"\n{OUTBOX}"));
    assert!(told.contains("has no index.html"), "{told}");
}

#[test]
fn each_issuer_of_tokens_has_an_issuer_an_audience_and_keys() {
    let with = |lines: &str| format!("[wallet]\norigin = \"http://localhost:1\"\n{OUTBOX}[[wallet.jwt]]\n{lines}");
    let whole = "issuer = \"https://shop.example\"\naudience = \"portico\"\njwks_url = \"https://shop.example/keys\"\n";
    let jwt = read(&with(whole)).unwrap().wallet.unwrap().jwt;
    assert_eq!(
        (jwt[0].issuer.as_str(), jwt[0].subject.as_str(), jwt[0].project.as_deref()),
        ("https://shop.example", "sub", None)
    );
    for (from, to, told) in [
        ("issuer = \"https://shop.example\"", "issuer = \"\"", "as `issuer`"),
        ("audience = \"portico\"\n", "", "audience"),
        ("https://shop.example/keys", "http://shop.example/keys", "use the https address"),
        ("jwks_url = \"https://shop.example/keys\"\n", "", "set `jwks_url` or `jwks_file`"),
        ("jwks_url = \"https://shop.example/keys\"", "jwks_file = \"/nowhere\"", "couldn't read the keys in /nowhere"),
        ("jwks_url", "jwks", "no setting `jwks` in [[wallet.jwt]]."),
        (
            "audience = \"portico\"",
            "audience = \"portico\"\nsecret = \"s\"",
            "no setting `secret` in [[wallet.jwt]]. Use one of issuer, ",
        ),
    ] {
        assert!(whole.contains(from), "{from}");
        let mistake = mistake(&with(&whole.replace(from, to)));
        assert!(mistake.contains(told), "{mistake}");
    }
    let twice = mistake(&format!("{}[[wallet.jwt]]\n{whole}", with(whole)));
    assert!(twice.contains("already"), "{twice}");
    // The nickname of one visitor could be the id of another.
    let other = whole.replace("portico", "blog") + "subject = \"nickname\"\n";
    let apart = mistake(&format!("{}[[wallet.jwt]]\n{other}", with(whole)));
    assert!(apart.contains("use the same `subject`"), "{apart}");
}

#[test]
fn a_vault_on_another_host_has_one_side_in_a_file_and_certificates() {
    let with = |lines: &str| format!("[wallet]\norigin = \"http://localhost:1\"\n{OUTBOX}[wallet.vault]\n{lines}");
    let files = "certificate = \"own.pem\"\ncertificate_key = \"own.key\"\nauthority = \"authority.pem\"\n";
    let side = |lines: &str| read(&with(&format!("{lines}\n{files}"))).unwrap().wallet.unwrap().vault;
    let server = side("address = \"vault.internal:8443\"");
    assert_eq!(server.link.unwrap().side, LinkSide::Server { host: "vault.internal".into(), port: 8443 });
    assert!(!server.start, "serve starts no vault beside the one on the other host");
    let six = side("address = \"[fd00::2]:8443\"").link.unwrap().side;
    assert_eq!(six, LinkSide::Server { host: "fd00::2".into(), port: 8443 });
    let vault = side("listen = \"10.0.0.2:8443\"");
    assert_eq!(vault.link.unwrap().side, LinkSide::Vault("10.0.0.2:8443".parse().unwrap()));
    for (lines, told) in [
        ("address = \"vault.internal\"", "use a host and a port such as vault.internal:8443"),
        ("address = \"https://vault.internal:8443\"", "not `https://vault.internal:8443`"),
        ("address = \"vault.internal:0\"", "use a host and a port"),
        ("listen = \"vault.internal:8443\"", "use an address and a port such as 10.0.0.2:8443"),
        ("listen = \"10.0.0.2:8443\"\naddress = \"10.0.0.2:8443\"", "on the server's, not both"),
        ("start = true\naddress = \"vault.internal:8443\"", "`wallet.vault.start` can't be true while"),
        ("", "`wallet.vault.certificate` needs `wallet.vault.listen` on the vault's host"),
    ] {
        let mistake = mistake(&with(&format!("{lines}\n{files}")));
        assert!(mistake.contains(told), "{mistake}");
    }
    let mistake = mistake(&with("address = \"vault.internal:8443\"\ncertificate = \"own.pem\"\n"));
    assert!(mistake.contains("needs `wallet.vault.certificate`, `wallet.vault.certificate_key` and"), "{mistake}");
}
