//! Names of all settings, and messages about names that are none.

use crate::near::{did_you_mean, nearest};

/// All settings: `name`, or `section.name`. Each section lists its own in its module.
// One per line, for minimal diffs.
#[rustfmt::skip]
const ALL: &[&[&str]] = &[
    super::file::SETTINGS,
    super::analytics::SETTINGS,
    super::egress::SETTINGS,
    super::limits::SETTINGS,
    super::names::SETTINGS,
    super::sources::SETTINGS,
    super::swap::SETTINGS,
    super::onramp::SETTINGS,
    super::rpc::SETTINGS,
    super::relay::SETTINGS,
    super::ens::SETTINGS,
    super::images::SETTINGS,
    super::wallet::SETTINGS,
    super::vault_link::SETTINGS,
    super::social::SETTINGS,
];

/// Name of the list of chains, which has tables instead of settings.
const CHAINS: &str = "chains";

pub(super) fn known(name: &str) -> Option<&'static str> {
    all().find(|setting| *setting == name)
}

/// Message about a setting that does not exist: the one that was probably meant, or all of its section, or all sections.
pub(super) fn unknown(name: &str) -> String {
    let (section, last) = split(name);
    let same: Vec<&str> = all().chain([CHAINS]).filter(|setting| split(setting).0 == section).collect();
    // In a section that exists, its settings are compared without its name: short words are near each other otherwise.
    let here = nearest(last, same.iter().map(|setting| split(setting).1))
        .and_then(|near| same.iter().find(|setting| split(setting).1 == near).copied());
    let above = |name: &str| name.split('.').next() == section.split('.').next();
    let mut elsewhere = all().filter(|setting| split(setting).1 == last && (section.is_empty() || above(setting)));
    let meant = here
        .or_else(|| nearest(name, all().filter(|setting| split(setting).0 != section)))
        .or_else(|| elsewhere.next().filter(|_| elsewhere.next().is_none()));
    if let Some(meant) = meant {
        return format!("no setting `{name}`. Did you mean `{meant}`?");
    }
    let outer = section.split('.').next().unwrap_or_default();
    if same.is_empty() && !all().any(|setting| setting.starts_with(&format!("{outer}."))) {
        let mut sections = vec![CHAINS];
        for (first, _) in all().filter_map(|setting| setting.split_once('.')) {
            if !sections.contains(&first) {
                sections.push(first);
            }
        }
        return format!("no section `{outer}`. Use one of {}.", sections.join(", "));
    }
    let listed = if same.is_empty() { below(section) } else { same.into_iter().map(Into::into).collect() };
    format!("no setting `{name}`. Use one of {}.", listed.join(", "))
}

/// Settings and sections of the nearest section above that exists.
fn below(section: &str) -> Vec<String> {
    let above = split(section).0;
    let prefix = if above.is_empty() { String::new() } else { format!("{above}.") };
    let mut found: Vec<String> = Vec::new();
    for rest in all().chain([CHAINS]).filter_map(|setting| setting.strip_prefix(prefix.as_str())) {
        let next = rest.split('.').next().unwrap_or(rest);
        let name = format!("{prefix}{next}");
        if !found.contains(&name) {
            found.push(name);
        }
    }
    if found.is_empty() && !above.is_empty() { below(above) } else { found }
}

/// Message about a setting of the whole file that was written inside a table.
pub(super) fn above(name: &str) -> Option<String> {
    let last = split(name).1;
    known(last)
        .filter(|setting| split(setting).0.is_empty())
        .map(|_| format!("`{last}` belongs above the first line in [brackets]. Move it there."))
}

/// Message about a section that was written as a setting.
pub(super) fn section(name: &str) -> Option<String> {
    let below = |setting: &str| setting.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    all()
        .any(below)
        .then(|| format!("`{name}` is a section. Write [{name}] on a line of its own, with its settings below it."))
}

/// Message about a section that was given as one environment variable.
pub(super) fn section_of_variables(name: &str) -> Option<String> {
    let below = |setting: &&str| setting.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    let mut settings: Vec<&str> = all().filter(below).collect();
    // The switch of a section is most likely what was meant.
    settings.sort_by_key(|setting| split(setting) != (name, "enabled"));
    let first = settings.first()?;
    let value = if first.ends_with(".enabled") { "true" } else { "…" };
    let first = variable(first);
    Some(format!("`{name}` is a section, so each of its settings has a variable of its own, such as {first}={value}."))
}

/// Environment variable of a setting.
fn variable(setting: &str) -> String {
    format!("PORTICO__{}", setting.replace('.', "__").to_uppercase())
}

/// Beginnings of variables that are no settings: the path of the file, the reverse proxy's and the tests' own, and those that a container
/// manager makes for a service named `portico`.
const OTHERS: [&str; 12] = [
    "PORTICO_CONFIG",
    "PORTICO_BIN",
    "PORTICO_WORLD",
    "PORTICO_TEST_",
    "PORTICO_SITE",
    "PORTICO_WALLET_SITE",
    "PORTICO_UPSTREAM",
    "PORTICO_WALLET_UPSTREAM",
    "PORTICO_WASM_ROUTE",
    "PORTICO_MUTATIONS",
    "PORTICO_FUZZ_",
    "PORTICO_SERVICE_",
];

/// Warning about a variable that looks like a setting but has one underscore; `None` for those of other programs.
pub(super) fn stray(name: &str) -> Option<String> {
    let rest = name.strip_prefix("PORTICO_")?;
    let other = |other: &&str| if other.ends_with('_') { name.starts_with(*other) } else { name == *other };
    let flat = |text: &str| text.to_lowercase().replace(['.', '_'], "");
    let typed = flat(rest);
    let meant = all().find(|setting| flat(setting) == typed);
    // A linked container's variables are PORTICO_PORT_8080_TCP and the like.
    let linked = rest == "PORT" || rest.starts_with("PORT_");
    match meant {
        _ if linked || OTHERS.iter().any(other) => None,
        Some(meant) => {
            Some(format!("ignored, because settings begin with PORTICO__ (two underscores). Use {}.", variable(meant)))
        }
        None => {
            let near = nearest(&rest.to_lowercase().replace("__", "."), all()).map(variable);
            let near = near.map_or_else(String::new, |near| format!(" Did you mean {near}?"));
            Some(format!("ignored, because settings begin with PORTICO__ (two underscores).{near}"))
        }
    }
}

/// Tables of lists, each with a setting that only it has.
const TABLES: [(&str, &str); 5] = [
    ("upstreams", "[[chains]]"),
    ("ws_url", "an upstream of [[chains]]"),
    ("symbol", "the `coin` of [[chains]]"),
    ("wrapped", "[swap.onchain]"),
    ("audience", "[[wallet.jwt]]"),
];

/// Message of the parser in one line. An unknown name in a table is answered like other unknown settings.
pub(super) fn refusal(message: &str) -> String {
    let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match names.split_first() {
        Some((name, known)) if message.starts_with("unknown field") => {
            let table = TABLES.iter().find(|(own, _)| known.contains(own)).map_or("this table", |(_, table)| *table);
            let meant = did_you_mean(name, known.iter().copied());
            let listed = format!(" Use one of {}.", known.join(", "));
            format!("no setting `{name}` in {table}.{}", if meant.is_empty() { listed } else { meant })
        }
        _ => message,
    }
}

fn all() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|section| section.iter()).copied()
}

/// Section and last part of a name.
fn split(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or(("", name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_setting_is_answered_with_the_one_that_was_probably_meant() {
        for (typed, meant) in [
            ("listne", "listen"),
            ("chain", "chains"),
            ("wallet.orgin", "wallet.origin"),
            ("relay.enable", "relay.enabled"),
            ("wallet.root_key_file", "wallet.vault.root_key_file"),
        ] {
            assert_eq!(unknown(typed), format!("no setting `{typed}`. Did you mean `{meant}`?"));
        }
        assert_eq!(
            unknown("relay.colour").split_once(". ").unwrap().1.split(", ").next(),
            Some("Use one of relay.enabled")
        );
        assert!(unknown("colour").contains("Use one of listen, admin_listen"));
        for (typed, first) in
            [("swap.key", "swap."), ("relay.name", "relay."), ("relay.ttl", "relay."), ("sources.ttl", "sources.")]
        {
            let told = unknown(typed);
            assert!(told.contains(&format!("Use one of {first}")), "{told}");
        }
        let social = unknown("wallet.social.twitter.client_id");
        assert!(social.contains("Use one of wallet.social.google, wallet.social.github,"), "{social}");
        let told = unknown("colour.of.pages");
        assert!(told.starts_with("no section `colour`. Use one of ") && told.contains(" chains, "), "{told}");
        assert!(told.contains(" relay, ") && !told.contains("admin_listen"), "{told}");
    }

    #[test]
    fn the_list_of_sections_has_each_of_them_once() {
        let told = unknown("serve.port");
        let mut listed: Vec<&str> =
            told.split_once("Use one of ").unwrap().1.trim_end_matches('.').split(", ").collect();
        let all = listed.len();
        listed.sort_unstable();
        listed.dedup();
        assert_eq!(listed.len(), all, "{told}");
        assert!(listed.contains(&"names") && listed.contains(&"wallet"), "{told}");
    }

    #[test]
    fn an_unknown_name_in_a_table_is_answered_alike() {
        let message = "unknown field `upstream`, expected one of `id`, `name`, `upstreams`";
        assert_eq!(refusal(message), "no setting `upstream` in [[chains]]. Did you mean `upstreams`?");
        let message = "unknown field `colour`, expected one of\n `id`, `name`";
        assert_eq!(refusal(message), "no setting `colour` in this table. Use one of id, name.");
        assert_eq!(refusal("missing field `id`"), "missing field `id`");
    }
}
