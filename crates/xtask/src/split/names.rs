//! Names in the modules: entries of the parts by the names of their functions, and short names for what the modules import from each other.

use std::collections::BTreeMap;

use walrus::{ImportKind, Module};

use super::{FIRST_EXPORTS, HOME, HOME_EXPORTS};
use crate::failure::{Failure, Result};

/// Renames the exports for other parts to one or two letters, because there are hundreds and each name occurs twice.
pub(super) fn shorten(first: &mut Module, parts: &mut [Module]) {
    let mut short = BTreeMap::new();
    for part in parts.iter() {
        for import in part.imports.iter() {
            if !matches!(import.kind, ImportKind::Memory(_) | ImportKind::Table(_)) {
                short.entry(import.name.clone()).or_insert_with(String::new);
            }
        }
    }
    for (number, name) in short.values_mut().enumerate() {
        *name = short_name(number);
    }
    let rename = |name: &mut String| {
        if let Some(short) = short.get(name) {
            name.clone_from(short);
        }
    };
    for module in std::iter::once(first).chain(parts) {
        module.exports.iter_mut().for_each(|export| rename(&mut export.name));
        for id in module.imports.iter().map(|import| import.id()).collect::<Vec<_>>() {
            let import = module.imports.get_mut(id);
            if import.module == FIRST_EXPORTS || import.module == HOME_EXPORTS {
                rename(&mut import.name);
            }
        }
    }
}

/// Name for a number: `a` to `z`, then `aa` and so on.
pub(super) fn short_name(number: usize) -> String {
    let letter = char::from(b'a' + (number % 26) as u8);
    let mut name = if number < 26 { String::new() } else { short_name(number / 26 - 1) };
    name.push(letter);
    name
}

/// Function numbers of the entries, each with the number of its part.
pub(super) fn owners(module: &Module, parts: &[&str]) -> Result<BTreeMap<usize, usize>> {
    let mut owners = BTreeMap::new();
    for function in module.funcs.iter() {
        let Some(word) = function.name.as_deref().and_then(part_of_entry) else { continue };
        let Some(part) = parts.iter().position(|part| *part == word) else {
            return Err(Failure::new(format!(
                "portico_core::{word} has entries and is no part of the core: run `cargo xtask gen` after a change of crates/core/src/table.rs."
            )));
        };
        owners.insert(function.id().index(), part);
    }
    match parts.iter().enumerate().find(|(part, _)| !owners.values().any(|owner| owner == part)) {
        None => Ok(owners),
        Some((_, part)) => Err(Failure::new(format!(
            "The part {part} of the core has no entries: no method of its entry type is called, or the name section is missing."
        ))),
    }
}

/// Part of an entry, from its name in the module: `<portico_core[fe22]::home::Home>::shown` or
/// `<portico_core[fe22]::feature::Entry<portico_core[fe22]::send::Send>>::update`.
fn part_of_entry(name: &str) -> Option<&str> {
    let (_, rest) = name.strip_prefix("<portico_core[")?.split_once("]::")?;
    let (part, method) = match rest.strip_prefix("feature::Entry<portico_core[") {
        Some(rest) => {
            let (path, method) = rest.split_once("]::")?.1.split_once(">>::")?;
            (path.split_once("::")?.0, method)
        }
        None => (HOME, rest.strip_prefix("home::Home>::")?),
    };
    (!method.contains("::")).then_some(part)
}
