//! Sentences about lines that are no TOML: each says how to write the line.

use super::parser::{Setting, assignment, quotes};

/// Sentence about a line that the grammar refuses; `message` is the parser's, about this setting.
pub(super) fn sentence(message: &str, line: &str, setting: Option<Setting<'_>>) -> String {
    // A line that begins with { is one of a list here, or JSON.
    let in_table = setting.filter(|_| line.starts_with('{')).and_then(|setting| unquoted(message, setting));
    let said = unquoted_id(message, line).or(in_table).or_else(|| of_line(message, line));
    said.or_else(|| unquoted(message, setting?)).or_else(|| of_message(message, line)).unwrap_or_else(|| {
        let message = message.split_whitespace().collect::<Vec<_>>().join(" ");
        format!("this line isn't TOML ({message}). Write a setting as in listen = \"127.0.0.1:8080\".")
    })
}

/// Text without quotes in a list, or in a table in { }.
fn unquoted(message: &str, Setting { name, value, in_list }: Setting<'_>) -> Option<String> {
    if !is_bare(message) || !is_name(name) || value.is_empty() || value.starts_with(['"', '\'', '[', '{']) {
        return None;
    }
    // A setting in the place of an item has a sentence of its own.
    let is_setting = assignment(value).is_some_and(|(key, _)| is_name(key));
    if in_list { (!is_setting).then(|| quotes(name, value, true)) } else { of_value(name, value) }
}

/// Whether the parser takes a value for no value of TOML.
fn is_bare(message: &str) -> bool {
    ["string values must be quoted", "invalid ", "unexpected `=`"].iter().any(|start| message.starts_with(start))
}

/// Id of a chain without quotes in the name of a section or setting.
fn unquoted_id(message: &str, line: &str) -> Option<String> {
    if !message.starts_with("invalid unquoted key") {
        return None;
    }
    let header = line.strip_prefix('[').and_then(|rest| rest.trim_start_matches('[').split(']').next());
    let name = header.or_else(|| Some(assignment(line)?.0))?.trim();
    if !name.contains(':') || !name.split(':').all(is_name) {
        return None;
    }
    let part = |part: &str| if part.contains(':') { format!("\"{part}\"") } else { part.to_owned() };
    let name = name.split('.').map(part).collect::<Vec<_>>().join(".");
    Some(match header {
        Some(_) => format!("write [{name}], with quotes around the chain's id"),
        None => format!("write {name} = …, with quotes around the chain's id"),
    })
}

/// Setting that is written as in YAML or JSON, with a colon.
fn colon(message: &str, line: &str) -> Option<String> {
    // The parser says so where it looks for =. Other colons are inside values.
    if !message.starts_with("key with no value") && !message.starts_with("missing assignment") {
        return None;
    }
    if let Some((key, rest)) = line.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        let value = rest.trim_start().strip_prefix(':')?.trim().trim_end_matches(',');
        return Some(match value {
            "" | "{" | "[" => format!("use = and not : after {key}, and no quotes around the name"),
            _ => format!("use = and not :, as in {key} = {}", shown(key, value)),
        });
    }
    let (key, rest) = line.split_once(':').filter(|(key, _)| is_name(key.trim()))?;
    match rest.starts_with("//") {
        true => Some("write the name of a setting and = before the URL, and quotes around it".into()),
        false => Some(format!("use = and not : after {}", key.trim())),
    }
}

/// Mistake that the line itself shows.
fn of_line(message: &str, line: &str) -> Option<String> {
    if line.starts_with("//") {
        return Some("begin a comment with #".into());
    }
    if line.starts_with('{') {
        return Some("write each setting on a line of its own, as in listen = \"127.0.0.1:8080\"".into());
    }
    if line.contains(['\u{201c}', '\u{201d}', '\u{201e}']) {
        return Some("use straight quotes (\") around the text".into());
    }
    if line.starts_with('=') {
        return Some("add the name of a setting before =".into());
    }
    if let Some(sentence) = colon(message, line) {
        return Some(sentence);
    }
    let (key, value) = assignment(line).filter(|_| !line.starts_with('['))?;
    if key.contains(char::is_whitespace) && !key.contains(['"', '\'']) {
        // The words after the first may be a secret.
        let word = key.split_whitespace().next().unwrap_or_default();
        return Some(format!("write the name of a setting in one word, with = after it: `{word}`"));
    }
    is_name(key).then(|| of_value(key, value)).flatten()
}

/// Value that is no TOML.
fn of_value(key: &str, value: &str) -> Option<String> {
    // The end of a list or table that began in a line above is no part of the value.
    let value = match value.starts_with(['[', '{']) {
        true => value,
        false => value.trim_end_matches(['}', ']', ',', ' ']),
    };
    if toml::from_str::<toml::Table>(&format!("a = {value}")).is_ok() || value.starts_with(['[', '{', '\'']) {
        return None;
    }
    if value.is_empty() {
        return Some(format!("add a value: {key} = …"));
    }
    if value.eq_ignore_ascii_case("true") || value.eq_ignore_ascii_case("false") {
        return Some("use true or false, in lower case".into());
    }
    // `off` is a log level.
    if let Some(meant) = switch(value).filter(|_| key != "log") {
        return Some(format!("use true or false: {key} = {meant}"));
    }
    let number = value.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'\''));
    // Permissions of files are octal, and TOML has no such numbers.
    if number && key.ends_with("_mode") {
        return Some(format!("write the permissions in quotes: {key} = \"{value}\""));
    }
    if number && shown(key, value) == value {
        let digits: String = value.chars().filter(char::is_ascii_digit).collect();
        return Some(format!(
            "write the number without separators or zeros before it: {key} = {}",
            without_zeros(&digits)
        ));
    }
    if value.starts_with('"') {
        return (value.matches('"').count() == 1).then(|| "a quote (\") is missing at the end of this line".into());
    }
    match value.strip_suffix('"') {
        Some(text) if !text.contains('"') => {
            Some(format!("a quote (\") is missing before the text: {key} = \"{}\"", shown(key, text)))
        }
        // A backslash in double quotes begins an escape.
        _ if value.contains('\\') && !value.contains(['"', '\'']) => {
            Some(format!("put single quotes around the text: {key} = '{}'", shown(key, value)))
        }
        _ => (!value.contains('"')).then(|| format!("put quotes around the text: {key} = \"{}\"", shown(key, value))),
    }
}

/// Value as a message shows it: a secret is not repeated, with or without its quotes. A URL has one in its path, its query or before its host.
pub(super) fn shown<'a>(key: &str, value: &'a str) -> &'a str {
    let name = key.rsplit('.').next().unwrap_or(key).to_ascii_lowercase();
    let named =
        !name.ends_with("_file") && ["key", "secret", "token", "password"].iter().any(|word| name.contains(word));
    let rest = value.split_once("://").map_or("", |(_, rest)| rest.trim_end_matches(['"', '/']));
    match named || value.contains('@') || rest.contains(['/', '?']) {
        true if value.starts_with('"') => "\"…\"",
        true => "…",
        false => value,
    }
}

fn without_zeros(digits: &str) -> &str {
    match digits.trim_start_matches('0') {
        "" => "0",
        rest => rest,
    }
}

/// Value of a word that TOML or other formats take for true or false.
pub(super) fn switch(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Some(true),
        "false" | "no" | "off" => Some(false),
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || "_-.".contains(letter))
}

/// Mistake that the parser names.
fn of_message(message: &str, line: &str) -> Option<String> {
    let header = line.trim_matches(['[', ']', ' ']);
    if line.matches('"').count() % 2 == 1 && !line.contains(['\\', '\'']) {
        return Some("a quote (\") is missing in this line".into());
    }
    let said = match message {
        _ if message.starts_with("key with no value") => {
            let (name, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match without_equals(name, value.split(" #").next().unwrap_or_default().trim()) {
                Some(setting) => format!("put = between the name and the value: {setting}"),
                None => format!("add a value: {name} = …"),
            }
        }
        _ if message.starts_with("unclosed array table") => {
            format!("write [[{header}]], with two brackets on each side")
        }
        _ if message.starts_with("unclosed table") => format!("write [{header}], with a bracket on each side"),
        _ if message.starts_with("unclosed array") => "close the list with ]".into(),
        _ if message.starts_with("unclosed inline table") || message.starts_with("invalid inline table") => {
            "close the table with }, and put commas between its settings".into()
        }
        _ if message.starts_with("missing comma between key") => {
            let name = assignment(line).map(|(key, _)| key).filter(|key| is_name(key));
            match name {
                Some(name) if !line.starts_with('[') && !line.contains('{') => {
                    format!("put a comma between the settings in {{ }}: before {name}")
                }
                _ => "put a comma between the settings in { }".into(),
            }
        }
        _ if message.starts_with("unexpected `=` in array")
            && assignment(line).is_some_and(|(key, _)| is_name(key)) =>
        {
            "write each table of a list in { }, as in { url = \"https://node.example\", rps = 5 }".into()
        }
        _ if message.starts_with("missing comma") => "put a comma between the items of the list".into(),
        _ if message.starts_with("extra comma") => "remove the second comma".into(),
        _ if message.starts_with("missing assignment") => "use = between the name and the value in { }".into(),
        _ if message.starts_with("missing escaped value")
            || message.contains("escape")
            || message.contains("unicode value") =>
        {
            escaped(line)
        }
        _ if message.starts_with("invalid literal string") => "a quote (') is missing at the end of this line".into(),
        _ if message.starts_with("invalid multi-line") => {
            "close the text with the three quotes that it begins with".into()
        }
        _ if message.starts_with("unquoted keys cannot be empty") && line.starts_with('[') => {
            "write the name of a section in the brackets, such as [relay]".into()
        }
        _ if message.starts_with("unexpected key or value") && line.starts_with('[') => {
            "write what follows the brackets on a line of its own".into()
        }
        _ if message.starts_with("unexpected key or value") => "write one value after =, and nothing after it".into(),
        // In a list, because other lines were looked at before.
        _ if is_bare(message) => "put quotes around each text of the list, as in [\"10.0.0.0/8\"]".into(),
        _ => return None,
    };
    Some(said)
}

/// Setting of a name and one value that have no = between them.
fn without_equals(name: &str, value: &str) -> Option<String> {
    let is_toml = |value: &str| toml::from_str::<toml::Table>(&format!("a = {value}")).is_ok();
    if !is_name(name) || value.is_empty() || value.starts_with('#') {
        return None;
    }
    if is_toml(value) {
        return Some(format!("{name} = {}", shown(name, value)));
    }
    let is_word = !value.contains(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\\'));
    is_word.then(|| format!("{name} = \"{}\"", shown(name, value)))
}

/// Text with a backslash, such as a path of Windows, as a literal string of TOML.
fn escaped(line: &str) -> String {
    let text = assignment(line).and_then(|(key, value)| Some((key, value.strip_prefix('"')?.strip_suffix('"')?)));
    match text.filter(|(_, text)| !text.contains(['"', '\''])) {
        Some((key, text)) => format!("use single quotes around a text with \\: {key} = '{}'", shown(key, text)),
        None => "write \\\\ for each \\, or use single quotes around the text".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::config::parser::tests::mistake;

    #[test]
    fn the_id_of_a_chain_without_quotes_is_answered_with_the_quotes() {
        for (text, told) in [
            (
                "[swap.onchain.eip155:100]\n",
                "1: write [swap.onchain.\"eip155:100\"], with quotes around the chain's id.",
            ),
            (
                "[swap.onchain]\neip155:100 = { wrapped = \"0x0\" }\n",
                "2: write \"eip155:100\" = …, with quotes around the chain's id.",
            ),
        ] {
            assert_eq!(mistake(text), format!("portico.toml, line {told}"));
        }
    }

    #[test]
    fn a_colon_after_a_name_is_told_and_one_in_a_text_without_quotes_is_not() {
        let list = "put quotes around each text of the list, as in";
        for (text, told) in [
            ("\"listen\": \"127.0.0.1:9000\"\n", "1: use = and not :, as in listen = \"127.0.0.1:9000\"."),
            ("\"listen\": \"127.0.0.1:9000\",\n", "1: use = and not :, as in listen = \"127.0.0.1:9000\"."),
            ("\"zerion_key\": \"secret\"\n", "1: use = and not :, as in zerion_key = \"…\"."),
            ("\"relay\": {\n", "1: use = and not : after relay, and no quotes around the name."),
            ("listen: 127.0.0.1:9000\n", "1: use = and not : after listen."),
            ("https://a.example\n", "1: write the name of a setting and = before the URL, and quotes around it."),
            ("u = [\n  https://a.example,\n]\n", &format!("2: {list} u = [\"https://a.example\"].")),
            ("u = [\n  \"https://a.example\",\n  https://b.example/?k=1\n]\n", &format!("3: {list} u = [\"…\"].")),
            ("u = [\n  127.0.0.1:8545,\n]\n", &format!("2: {list} u = [\"127.0.0.1:8545\"].")),
            ("u = [\n  localhost:8545\n]\n", &format!("2: {list} u = [\"localhost:8545\"].")),
            ("u = [{ url = \"https://a.example\",\n  rps: 5 }]\n", "2: use = and not : after rps."),
        ] {
            assert_eq!(mistake(text), format!("portico.toml, line {told}"));
        }
    }

    #[test]
    fn a_line_without_an_equals_sign_is_written_with_it() {
        let put = "1: put = between the name and the value:";
        for (text, told) in [
            ("listen \"a:1\"\n", format!("{put} listen = \"a:1\".")),
            ("max_connections 5 # few\n", format!("{put} max_connections = 5.")),
            ("log info\n", format!("{put} log = \"info\".")),
            ("zerion_key YWJj\n", format!("{put} zerion_key = \"…\".")),
            ("redis \"redis://:pass@a.example\"\n", format!("{put} redis = \"…\".")),
            ("listen # later\n", "1: add a value: listen = …".into()),
            ("these are notes\n", "1: add a value: these = …".into()),
        ] {
            assert_eq!(mistake(text), format!("portico.toml, line {told}"));
        }
    }

    #[test]
    fn the_end_of_a_list_is_not_taken_for_a_part_of_a_value() {
        let comma = "put a comma between the settings in { }";
        for (text, told) in [
            ("u = [{ url = \"https://a.example\"\n  rps = 5 }]\n", &*format!("2: {comma}: before rps.")),
            ("u = [{ url = \"https://a.example\" rps = 5 }]\n", &format!("1: {comma}.")),
            (
                "u = [{ url = \"https://a.example\" },\n  rps = 5 }]\n",
                "2: write each table of a list in { }, as in { url = \"https://node.example\", rps = 5 }.",
            ),
            ("database = C:\\x\n", "1: put single quotes around the text: database = 'C:\\x'."),
            ("database = \"C:\\x\"\n", "1: use single quotes around a text with \\: database = 'C:\\x'."),
            ("u = [{ url = \"https://a.example\",\n  tier = x }]\n", "2: put quotes around the text: tier = \"x\"."),
            ("u = [{ url = \"https://a.example\",\n  archive = yes }]\n", "2: use true or false: archive = true."),
        ] {
            assert_eq!(mistake(text), format!("portico.toml, line {told}"));
        }
    }
}
