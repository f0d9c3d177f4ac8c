use super::*;
use portico_terms::ChainId;
use std::fmt::Write;

fn directory(names: &[&str]) -> Directory {
    let wallets =
        names.iter().enumerate().map(|(at, name)| wallet(&format!(r#""id":"w{at}","name":"{name}","order":{at}"#)));
    Directory::new(wallets.collect()).unwrap()
}

fn wallet(members: &str) -> Wallet {
    serde_json::from_str(&format!("{{{members}}}")).unwrap()
}

fn names<'a>(found: &Found<'a>) -> Vec<&'a str> {
    found.wallets.iter().map(|wallet| wallet.name.as_str()).collect()
}

fn search<'a>(directory: &'a Directory, text: &str) -> Vec<&'a str> {
    names(&directory.find(&Query { search: text.into(), page: Page::new(1, 100).unwrap(), ..Query::default() }))
}

/// Directory of more than a thousand wallets: the bundled ones, and copies with other names.
fn thousand() -> Directory {
    let bundled = Directory::bundled();
    let mut wallets = bundled.wallets().to_vec();
    for round in ["Alpha", "Omega"] {
        wallets.extend(bundled.wallets().iter().map(|wallet| Wallet {
            id: format!("{}.{round}", wallet.id.chars().take(50).collect::<String>()),
            name: format!("{} {round}", wallet.name),
            ..wallet.clone()
        }));
    }
    assert!(wallets.len() > 1_000, "{}", wallets.len());
    Directory::new(wallets).unwrap()
}

#[test]
fn the_committed_directory_is_one() {
    let directory = Directory::bundled();
    assert!(directory.wallets().len() > 500);
    for (at, wallet) in directory.wallets().iter().enumerate() {
        let id = &wallet.id;
        assert_eq!(wallet.order as usize, at + 1, "{id}: the order is the place");
        let to_connect = wallet.rdns.is_some() || !wallet.injected.is_empty() || wallet.mobile_link.is_some();
        let by_link = wallet.link_mode.is_some() || wallet.desktop_link.is_some() || wallet.webapp_link.is_some();
        assert!(to_connect || by_link, "{id} can be connected by nothing");
        let about =
            [&wallet.homepage, &wallet.app_store, &wallet.play_store, &wallet.chrome_store, &wallet.webapp_link];
        assert!(about.into_iter().any(Option::is_some), "{id} can be neither installed nor read about");
        for (store, begins) in [
            (&wallet.app_store, "https://apps.apple.com/app/id"),
            (&wallet.play_store, "https://play.google.com/store/apps/details?id="),
            (&wallet.chrome_store, "https://chromewebstore.google.com/detail/"),
        ] {
            assert!(store.as_ref().is_none_or(|link| link.as_str().starts_with(begins)), "{id}: {store:?}");
        }
        assert!(!wallet.provenance.is_empty(), "{id} comes from nowhere");
        for source in &wallet.provenance {
            let known = source.ends_with(" MIT") || source.ends_with(" Apache-2.0");
            assert!(known, "{id}: {source}");
        }
    }
}

#[test]
fn every_picture_of_the_committed_directory_is_a_small_webp_that_a_wallet_has() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("directory/images");
    let mut files: HashSet<String> = HashSet::new();
    let mut sizes = Vec::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"RIFF") && bytes[8..].starts_with(b"WEBP"), "{}", path.display());
        sizes.push(bytes.len());
        files.insert(path.file_name().unwrap().to_str().unwrap().into());
    }
    sizes.sort_unstable();
    assert!(sizes[sizes.len() / 2] < 3 * 1024 && sizes.iter().sum::<usize>() < 2_500_000);
    let directory = Directory::bundled();
    let named = directory.wallets().iter().flat_map(|wallet| &wallet.image_id).map(|id| format!("{id}.webp"));
    assert_eq!(named.collect::<HashSet<_>>(), files);
}

#[test]
fn the_small_list_of_the_widget_names_wallets_of_the_directory_as_it_does() {
    let small: Vec<Wallet> = serde_json::from_str(include_str!("../../directory/bundled.json")).unwrap();
    let directory = Directory::bundled();
    assert!((6..=8).contains(&small.len()));
    for (wallet, whole) in small.iter().zip(directory.wallets()) {
        let aliases = whole.aliases.clone();
        assert_eq!(*whole, Wallet { aliases, provenance: whole.provenance.clone(), ..wallet.clone() });
    }
}

#[test]
fn two_wallets_of_one_id_are_no_directory() {
    let twice = vec![wallet(r#""id":"io.a","name":"A""#), wallet(r#""id":"io.A","name":"B""#)];
    assert_eq!(Directory::new(twice).unwrap_err().to_string(), "two wallets have the id `io.A`");
    assert_eq!(Directory::parse("[]").unwrap().find(&Query::default()), Found { count: 0, wallets: vec![] });
}

#[test]
fn what_is_no_directory_says_on_which_line() {
    for (text, said) in [
        ("", "line 1: EOF while parsing a value"),
        ("{}", "line 1: invalid type: map, expected a sequence"),
        ("[\n\n", "line 3: EOF while parsing a list"),
        ("[\n{\"id\":\"a\",\"name\":\"A\"},\nnull]", "line 3: invalid type: null, expected struct Record"),
        ("[\n{\"id\":\"a\"},\n{}]", "line 2: missing field `name`"),
        ("[{\"id\":\"a\",\n\"nmae\":\"A\"\n}]", "line 2: unknown field `nmae`"),
        (
            "[\n\n{\"id\":\"a/b\",\"name\":\"A\"}\n\n]",
            "line 3: use 1 to 64 letters, digits, dots, hyphens and underscores as id, not `a/b`",
        ),
    ] {
        let error = Directory::parse(text).unwrap_err().to_string();
        assert!(error.starts_with(said), "{text:?}: {error}");
    }
}

#[test]
fn wallets_are_listed_by_their_order_and_without_one_as_they_are_written() {
    let wallets = ["\"order\":2", "\"order\":1", "\"order\":2"].iter().enumerate();
    let wallets = wallets.map(|(at, order)| wallet(&format!(r#""id":"{at}","name":"{at}",{order}"#))).collect();
    assert_eq!(search(&Directory::new(wallets).unwrap(), ""), ["1", "0", "2"]);
}

#[test]
fn hostile_searches_find_nothing_and_break_nothing() {
    let directory = Directory::bundled();
    let mut zalgo = String::from("m");
    zalgo.extend(std::iter::repeat_n('\u{301}', 100_000));
    for text in [
        "\u{301}\u{301}\u{301}",
        "🦊",
        "🦊🦄",
        "\0",
        "\0\0\0",
        "!!!",
        "'",
        "\u{202e}",
        "\u{200b}\u{feff}",
        "' OR 1=1 --",
        "%",
        "_",
        ".*",
        "\\",
        "../../etc/passwd",
        "محفظة",
        "ארנק",
        "钱包钱包",
        &"🦊".repeat(100_000),
        &"q".repeat(1_000_000),
        &"q x ".repeat(100_000),
        &"\u{fdfa}".repeat(10_000),
    ] {
        let shown: String = text.chars().take(20).collect();
        assert_eq!(search(&directory, text), Vec::<&str>::new(), "{shown:?}");
    }
    // Only the letter `m` of this text counts.
    assert_eq!(search(&directory, &zalgo), search(&directory, "m"));
}

#[test]
fn signs_between_letters_that_cannot_be_seen_do_not_count() {
    let directory = Directory::bundled();
    for text in [
        "metamask\0",
        "\u{202e}metamask",
        "meta\u{200b}mask",
        "\u{feff}metamask\u{200d}",
        "  metamask\t\n",
        "🦊 metamask",
    ] {
        assert_eq!(search(&directory, text).first(), Some(&"MetaMask"), "{text:?}");
    }
}

#[test]
fn right_to_left_names_are_found_by_their_letters() {
    let directory = directory(&["محفظة", "ארנק שלי", "钱包", "Кошелёк"]);
    for (text, name) in [("محفظة", "محفظة"), ("ארנק", "ארנק שלי"), ("钱", "钱包"), ("кошелек", "Кошелёк")]
    {
        assert_eq!(search(&directory, text), [name], "{text}");
    }
}

#[test]
fn case_and_accents_do_not_count_on_either_side() {
    let directory = directory(&["Éclair Wallet", "Zażółć", "Ångström", "İstanbul", "Ｆｕｌｌ", "D'CENT", "αU wallet"]);
    for (text, name) in [
        ("eclair", "Éclair Wallet"),
        ("ÉCLAIR WALLET", "Éclair Wallet"),
        ("e\u{301}clair", "Éclair Wallet"),
        ("zazolc", "Zażółć"),
        ("angstrom", "Ångström"),
        ("istanbul", "İstanbul"),
        ("full", "Ｆｕｌｌ"),
        ("dcent", "D'CENT"),
        ("d’cent", "D'CENT"),
        ("ΑU", "αU wallet"),
    ] {
        assert_eq!(search(&directory, text), [name], "{text}");
    }
}

#[test]
fn the_nearest_is_first_and_equally_near_ones_stay_in_their_order() {
    let directory = directory(&["Rainbwo", "My Trainbow", "Big Rainbow", "Rainbow Two", "RainbowOne", "Rainbow"]);
    let nearest = ["Rainbow", "Rainbow Two", "RainbowOne", "Big Rainbow", "My Trainbow", "Rainbwo"];
    assert_eq!(search(&directory, "rainbow"), nearest);
}

#[test]
fn words_are_found_by_their_beginnings_in_any_order_and_by_their_first_letters() {
    let directory = directory(&["Best Wallet", "Binance Web3 Wallet", "MetaMask", "Universal Profiles", "imToken"]);
    assert_eq!(search(&directory, "profiles uni"), ["Universal Profiles"]);
    assert_eq!(search(&directory, "web3"), ["Binance Web3 Wallet"]);
    assert_eq!(search(&directory, "bww"), ["Binance Web3 Wallet"]);
    assert_eq!(search(&directory, "mm"), ["MetaMask"]);
    assert_eq!(search(&directory, "mask"), ["MetaMask"]);
    assert_eq!(search(&directory, "token"), ["imToken"]);
    assert_eq!(search(&directory, "eta"), ["MetaMask"]);
    assert_eq!(search(&directory, "uni nothing"), Vec::<&str>::new());
}

#[test]
fn a_wallet_may_be_asked_for_as_a_wallet() {
    let directory = directory(&["MetaMask", "Trust Wallet", "MathWallet"]);
    assert_eq!(search(&directory, "metamask wallet"), ["MetaMask"]);
    assert_eq!(search(&directory, "metamask wal"), ["MetaMask"]);
    assert_eq!(search(&directory, "math wallet"), ["MathWallet"]);
    assert_eq!(search(&directory, "wallet"), ["Trust Wallet", "MathWallet"]);
}

#[test]
fn one_wrong_letter_is_forgiven_from_four_and_two_from_eight() {
    let directory = directory(&["MetaMask", "Safe", "OKX Wallet", "Phantom", "Trust Wallet", "Coinbase Wallet"]);
    for (text, name) in [
        ("metamsk", "MetaMask"),
        ("metmask", "MetaMask"),
        ("metaamsk", "MetaMask"),
        ("netamazk", "MetaMask"),
        ("metana", "MetaMask"),
        ("safw", "Safe"),
        ("phantim", "Phantom"),
        ("trust walet", "Trust Wallet"),
        ("trst wallet", "Trust Wallet"),
        ("conbase", "Coinbase Wallet"),
        ("coinbasee wallet", "Coinbase Wallet"),
    ] {
        assert_eq!(search(&directory, text), [name], "{text}");
    }
    for text in ["fantom", "saf3x", "okz", "oxk", "xxtamaxk", "phamtim"] {
        assert_eq!(search(&directory, text), Vec::<&str>::new(), "{text}");
    }
}

#[test]
fn an_id_or_a_reverse_domain_name_finds_its_wallet() {
    let directory = Directory::bundled();
    assert_eq!(search(&directory, "io.metamask"), ["MetaMask"]);
    assert_eq!(search(&directory, " IO.METAMASK "), ["MetaMask"]);
    assert_eq!(search(&directory, "app.backpack.mobile"), ["Backpack"]);
}

#[test]
fn the_wallets_everybody_knows_are_first_when_typed_badly() {
    let directory = Directory::bundled();
    for (text, name) in [
        ("meta", "MetaMask"),
        ("metamsak", "MetaMask"),
        ("trust", "Trust Wallet"),
        ("rainbow", "Rainbow"),
        ("ledgr", "Ledger"),
        ("pahntom", "Phantom"),
        ("okx", "OKX Wallet"),
        ("coinbas", "Coinbase Wallet"),
        ("1inch", "1inch Wallet"),
        ("one key", "OneKey"),
        ("uniswp", "Uniswap Wallet"),
    ] {
        assert_eq!(search(&directory, text).first(), Some(&name), "{text}");
    }
}

#[test]
fn spec_5_23_excluded_wallets_are_matched_by_rdns_or_by_name_whatever_its_case() {
    let directory = Directory::bundled();
    let exclude = ["io.metamask", "TRUST wallet", "app.backpack.mobile", "nothing", ""].map(String::from).to_vec();
    let page = Page::new(1, 100).unwrap();
    let found = directory.find(&Query { exclude, page, ..Query::default() });
    assert_eq!(found.count, directory.wallets().len() - 3);
    assert!(!names(&found).iter().any(|name| ["MetaMask", "Trust Wallet", "Backpack"].contains(name)));
}

#[test]
fn what_is_included_is_listed_alone_and_exclusion_is_stronger() {
    let directory = Directory::bundled();
    let include = ["me.rainbow", "metamask", "com.ledger", "nothing"].map(String::from).to_vec();
    let query = Query { include, ..Query::default() };
    assert_eq!(names(&directory.find(&query)), ["MetaMask", "Rainbow", "Ledger"]);
    let query = Query { exclude: vec!["com.ledger".into()], search: "r".into(), ..query };
    assert_eq!(names(&directory.find(&query)), ["Rainbow"]);
    let query = Query { include: vec!["nothing".into()], ..Query::default() };
    assert_eq!(directory.find(&query).count, 0);
}

#[test]
fn lists_of_names_and_of_reverse_domain_names_narrow() {
    let directory = Directory::bundled();
    let query = Query { names: vec!["rainbow".into(), "io.metamask".into()], ..Query::default() };
    assert_eq!(names(&directory.find(&query)), ["Rainbow"]);
    let query = Query { rdns: vec!["io.metamask".into(), "rainbow".into()], ..Query::default() };
    assert_eq!(names(&directory.find(&query)), ["MetaMask"]);
}

#[test]
fn a_wallet_serves_the_chains_of_its_namespaces_and_its_own() {
    let wallets = [
        wallet(r#""id":"evm","name":"Evm""#),
        wallet(r#""id":"ronin","name":"Ronin","chains":["eip155:2020"]"#),
        wallet(r#""id":"both","name":"Both","namespaces":["solana"],"chains":["eip155:1"]"#),
    ];
    let directory = Directory::new(wallets.to_vec()).unwrap();
    for (chains, served) in [
        (vec![], vec!["Evm", "Ronin", "Both"]),
        (vec!["eip155:1"], vec!["Evm", "Both"]),
        (vec!["eip155:2020"], vec!["Evm", "Ronin"]),
        (vec!["eip155:10"], vec!["Evm"]),
        (vec!["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"], vec!["Both"]),
        (vec!["bip122:000000000019d6689c085ae165831e93"], vec![]),
        (vec!["bip122:000000000019d6689c085ae165831e93", "eip155:2020"], vec!["Evm", "Ronin"]),
    ] {
        let chains: Vec<ChainId> = chains.into_iter().map(|chain| chain.parse().unwrap()).collect();
        assert_eq!(names(&directory.find(&Query { chains, ..Query::default() })), served);
    }
}

#[test]
fn a_phone_is_shown_what_it_can_install_or_open() {
    let wallets = [
        wallet(r#""id":"a","name":"Apple","app_store":"https://apps.apple.com/app/id1""#),
        wallet(r#""id":"g","name":"Google","play_store":"https://play.google.com/store/apps/details?id=a.b""#),
        wallet(r#""id":"m","name":"Mobile","mobile_link":"mobile://""#),
        wallet(r#""id":"u","name":"Universal","link_mode":"https://universal.example""#),
        wallet(r#""id":"c","name":"Chrome","chrome_store":"https://chromewebstore.google.com/detail/a""#),
    ];
    let directory = Directory::new(wallets.to_vec()).unwrap();
    let on = |platform| names(&directory.find(&Query { platform: Some(platform), ..Query::default() }));
    assert_eq!(on(Platform::Ios), ["Apple", "Mobile", "Universal"]);
    assert_eq!(on(Platform::Android), ["Google", "Mobile", "Universal"]);
}

#[test]
fn pages_are_counted_from_one_and_hold_at_most_a_hundred() {
    assert_eq!(Page::new(0, 40), Err(PageError::Page));
    assert_eq!(Page::new(1, 0), Err(PageError::Entries));
    assert_eq!(Page::new(1, 101), Err(PageError::Entries));
    let directory = Directory::bundled();
    let all = directory.wallets().len();
    let page = |page, entries| directory.find(&Query { page: Page::new(page, entries).unwrap(), ..Query::default() });
    assert_eq!((page(1, 100).wallets.len(), page(1, 100).count), (100, all));
    assert_eq!(page(2, 4).wallets[0], &directory.wallets()[4]);
    assert_eq!((page(u32::MAX, 100).wallets.len(), page(u32::MAX, 100).count), (0, all));
    let mut seen = 0;
    for number in 1..=all as u32 / 7 + 1 {
        seen += page(number, 7).wallets.len();
    }
    assert_eq!(seen, all);
}

#[test]
fn a_search_of_a_thousand_wallets_compares_little() {
    let directory = thousand();
    let wallets = directory.wallets().len() as u64;
    let mut worst = String::new();
    for search in
        ["m", "metamask", "metamsak", "wallet", "crypto walet app", "aeiou aeiou aeiou", &"aeinorst".repeat(8)]
    {
        let (_, work) = directory.counted(&Query { search: search.into(), ..Query::default() });
        write!(worst, "{search}: {work}; ").unwrap();
        // Every wallet and its words are compared, but only few letter by letter.
        assert!(work < wallets * 40, "{worst}");
    }
    let many: String = (0..10_000).map(|at| format!("word{at} ")).collect();
    let (_, work) = directory.counted(&Query { search: many, ..Query::default() });
    assert!(work < wallets * 40, "{work}");
}
