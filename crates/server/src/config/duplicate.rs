//! Settings and sections that a file has twice.

/// Place of a setting or section.
struct First {
    line: usize,
    /// Its name in that line.
    written: String,
    /// Its name with those of the sections around it.
    whole: String,
}

/// Sentence about the second place of a setting or section, with the first one. `offset` is that of the second.
pub(super) fn duplicate(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let number = before.matches('\n').count();
    let line = text.lines().nth(number).unwrap_or_default();
    earlier(text, number, line).unwrap_or_else(|| {
        // Both are in one line, in a table in { }.
        let rest = text.get(offset..).unwrap_or_default();
        let name = rest.split(|letter: char| letter == '=' || letter.is_whitespace()).next().unwrap_or_default();
        format!("`{name}` is set twice here. Remove one of them.")
    })
}

fn earlier(text: &str, number: usize, line: &str) -> Option<String> {
    let name = name_of(line)?;
    let (mut section, mut first) = (String::new(), None::<First>);
    let mut places = Vec::new();
    for (at, other) in text.lines().enumerate().take(number) {
        let Some(written) = name_of(other) else { continue };
        let whole = match is_header(other) {
            true => written.clone(),
            false => within(&section, &written),
        };
        if is_header(other) {
            section.clone_from(&whole);
        }
        if other.trim_start().starts_with("[[") {
            // Settings of the list's last table are not those of this one.
            places.retain(|place: &First| !is_below(&place.whole, &whole));
        }
        places.push(First { line: at + 1, written, whole });
    }
    let whole = if is_header(line) { name.clone() } else { within(&section, &name) };
    for place in places {
        if place.whole == whole || is_below(&place.whole, &whole) {
            first.get_or_insert(place);
        }
    }
    let First { line, written, .. } = first?;
    let written = if written == name { String::new() } else { format!(" ({written})") };
    Some(format!("{name} is already set in line {line}{written}. Change it there."))
}

/// Name of the section or setting of a line.
fn name_of(line: &str) -> Option<String> {
    let line = line.trim();
    match line.strip_prefix('[') {
        Some(rest) => Some(rest.trim_start_matches('[').split(']').next()?.trim().to_owned()),
        None if line.starts_with('#') => None,
        None => Some(line.split_once('=')?.0.trim().to_owned()),
    }
}

fn is_header(line: &str) -> bool {
    line.trim_start().starts_with('[')
}

fn within(section: &str, name: &str) -> String {
    if section.is_empty() { name.to_owned() } else { format!("{section}.{name}") }
}

fn is_below(name: &str, section: &str) -> bool {
    name.strip_prefix(section).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use crate::config::parser::tests::mistake;

    #[test]
    fn the_first_place_of_a_setting_is_told() {
        let chain = "[[chains]]\nid = \"eip155:1\"\nupstreams = [\"http://x\"]\n";
        let chains = format!("{chain}{}", chain.replace("155:1", "155:10"));
        for (text, told) in [
            (
                "listen = \"a\"\n# listen\nlisten = \"b\"\n".to_owned(),
                "3: listen is already set in line 1. Change it there.",
            ),
            (
                "log = \"info\"\nrelay.enabled = false\n\n[relay]\nenabled = true\n".into(),
                "4: relay is already set in line 2 (relay.enabled). Change it there.",
            ),
            ("[relay]\nenabled = true\n[relay]\n".into(), "3: relay is already set in line 1. Change it there."),
            (
                "[rpc]\nenabled = true\n[relay]\nenabled = true\nenabled = false\n".into(),
                "5: enabled is already set in line 4. Change it there.",
            ),
            (
                format!("{chain}[chains.upstreams]\nurl = \"http://y\"\n"),
                "4: chains.upstreams is already set in line 3 (upstreams). Change it there.",
            ),
            (
                format!("{chains}[[chains.upstreams]]\nurl = \"http://y\"\n"),
                "7: chains.upstreams is already set in line 6 (upstreams). Change it there.",
            ),
            (format!("{chains}id = \"eip155:2\"\n"), "7: id is already set in line 5. Change it there."),
            (
                "[[chains]]\nupstreams = [{ url = \"http://x\", url = \"http://y\" }]\n".into(),
                "2: `url` is set twice here. Remove one of them.",
            ),
        ] {
            assert_eq!(mistake(&text), format!("portico.toml, line {told}"), "{text}");
        }
    }
}
