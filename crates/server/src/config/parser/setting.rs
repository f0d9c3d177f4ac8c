//! Setting to which an offset of the file belongs. The line alone doesn't tell: it may have several, in a table in { } or a list.

use super::super::open_list::Scan;
use super::assignment;

/// Setting whose value, or an item of whose list, is at an offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) struct Setting<'a> {
    pub(in super::super) name: &'a str,
    /// Its value, or that item. Of a list or table only the beginning.
    pub(in super::super) value: &'a str,
    pub(in super::super) in_list: bool,
}

impl<'a> Setting<'a> {
    pub(in super::super) fn at(text: &'a str, offset: usize) -> Option<Setting<'a>> {
        let before = text.get(..offset)?;
        match Scan::of(before).innermost() {
            Some(('[', begin)) => {
                let names = text[..begin].trim_end().strip_suffix('=')?;
                let item = before.rfind(['[', ',', '\n']).map_or(0, |at| at + 1);
                Some(Setting { name: names[part(names)..].trim(), value: value(&text[item..]), in_list: true })
            }
            _ => {
                let begin = part(before);
                let (name, _) = before[begin..].split_once('=')?;
                let value = value(&text[begin + name.len() + 1..]);
                Some(Setting { name: name.trim(), value, in_list: false })
            }
        }
    }

    /// The setting, or that of the whole line.
    pub(in super::super) fn near(text: &'a str, offset: usize) -> Option<Setting<'a>> {
        Setting::at(text, offset).or_else(|| {
            let begin = text.get(..offset)?.rfind('\n').map_or(0, |at| at + 1);
            let (name, value) = assignment(text[begin..].lines().next()?.trim())?;
            (!value.starts_with(['[', '{'])).then_some(Setting { name, value, in_list: false })
        })
    }
}

/// Begin of the last setting of a text, which may be one of a table in { }.
fn part(text: &str) -> usize {
    text.rfind(['{', ',', '\n']).map_or(0, |at| at + 1)
}

/// Value with which a text begins.
fn value(text: &str) -> &str {
    let text = text.trim_start();
    let line = text.lines().next().unwrap_or_default();
    let Some(quote) = text.chars().next().filter(|letter| matches!(letter, '"' | '\'')) else {
        return match text.starts_with(['[', '{']) {
            true => line.trim_end(),
            false => line.split([',', '}', ']', '#']).next().unwrap_or_default().trim_end(),
        };
    };
    let mut escaped = false;
    let end = line[1..].char_indices().find(|(_, letter)| {
        let ends = !escaped && *letter == quote;
        escaped = !escaped && quote == '"' && *letter == '\\';
        ends
    });
    end.map_or(line, |(at, _)| &line[..at + 2])
}

#[cfg(test)]
mod tests {
    use super::Setting;

    #[test]
    fn a_setting_is_found_by_an_offset_in_its_value() {
        for (text, name, value, in_list) in [
            ("a = 1\nb = |2 # note\n", "b", "2", false),
            ("u = [{ a = \"x, y\", b = |\"p\\\"q\" }]", "b", "\"p\\\"q\"", false),
            ("u = [\n  { a = 1,\n    b = |\"}\" },\n]", "b", "\"}\"", false),
            ("t = { c.\"d:1\" = |[\"x\"], e = 1 }", "c.\"d:1\"", "[\"x\"], e = 1 }", false),
            ("[s]\nl = [1, |two]", "l", "two", true),
            ("u = [{ m = [\n  'a',\n  |b ] }]", "m", "b", true),
            ("u = 127.0.0.|1:80", "u", "127.0.0.1:80", false),
        ] {
            let offset = text.find('|').unwrap();
            let text = text.replace('|', "");
            assert_eq!(Setting::at(&text, offset), Some(Setting { name, value, in_list }), "{text}");
        }
        assert_eq!(Setting::at("listen\n", 3), None);
    }
}
