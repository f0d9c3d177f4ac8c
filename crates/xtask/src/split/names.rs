//! Names in the modules: entries of the parts by the names of their functions, and short names for what the modules import from each other.

use std::collections::{BTreeMap, BTreeSet};

use walrus::{ExportItem, FunctionId, FunctionKind, GlobalKind, ImportKind, ImportedFunction, Module, ValType};

use super::{FIRST_EXPORTS, HOME, HOME_EXPORTS};
use crate::failure::{Failure, Result};

/// Renames the exports for other parts to two letters, because there are hundreds and each name occurs twice. Exports and imports are sorted by
/// type, with names in alphabetical order: brotli makes fewer bytes of such a list.
pub(super) fn shorten(first: &mut Module, parts: &mut [Module]) {
    rename(first, FIRST_EXPORTS, parts);
    if let Some((home, others)) = parts.split_last_mut() {
        rename(home, HOME_EXPORTS, others);
    }
    parts.iter_mut().for_each(sort_imports);
}

/// Renames the exports of a module that others import from the namespace `space`, and those imports.
fn rename(module: &mut Module, space: &str, others: &mut [Module]) {
    let imports = others.iter().flat_map(|other| other.imports.iter()).filter(|import| import.module == space);
    let named = imports.filter(|import| !matches!(import.kind, ImportKind::Memory(_) | ImportKind::Table(_)));
    let named: BTreeSet<_> = named.map(|import| import.name.clone()).collect();
    let mut exports: Vec<_> = module.exports.iter().filter(|export| named.contains(&export.name)).cloned().collect();
    exports.sort_by_cached_key(|export| match export.item {
        ExportItem::Function(id) => (signature(module, id), id.index()),
        _ => (None, 0),
    });
    let mut short = BTreeMap::new();
    for (number, export) in exports.into_iter().enumerate() {
        let name = short_name(FIRST_OF_TWO_LETTERS + number);
        module.exports.delete(export.id());
        module.exports.add(&name, export.item);
        short.insert(export.name, name);
    }
    for import in others.iter_mut().flat_map(|other| other.imports.iter_mut()).filter(|import| import.module == space) {
        if let Some(name) = short.get(&import.name) {
            import.name.clone_from(name);
        }
    }
}

/// Number of the name `aa`: names of one length are smaller after brotli than names that begin with `a`.
const FIRST_OF_TWO_LETTERS: usize = 26;

/// Sorts the imports of a module by namespace, type and name.
fn sort_imports(module: &mut Module) {
    let mut imports: Vec<_> = module.imports.iter().cloned().collect();
    imports.sort_by_cached_key(|import| {
        let signature = match import.kind {
            ImportKind::Function(id) => signature(module, id),
            _ => None,
        };
        (import.module.clone(), signature, import.name.clone())
    });
    for import in imports {
        module.imports.delete(import.id());
        let moved = module.imports.add(&import.module, &import.name, import.kind.clone());
        match import.kind {
            ImportKind::Function(id) => {
                let ty = module.funcs.get(id).ty();
                module.funcs.get_mut(id).kind = FunctionKind::Import(ImportedFunction { import: moved, ty });
            }
            ImportKind::Table(id) => module.tables.get_mut(id).import = Some(moved),
            ImportKind::Memory(id) => module.memories.get_mut(id).import = Some(moved),
            ImportKind::Global(id) => module.globals.get_mut(id).kind = GlobalKind::Import(moved),
            // Parts import no tags.
            ImportKind::Tag(_) => {}
        }
    }
}

/// Types of a function's parameters and results.
fn signature(module: &Module, function: FunctionId) -> Option<(Vec<ValType>, Vec<ValType>)> {
    let (params, results) = module.types.params_results(module.funcs.get(function).ty());
    Some((params.to_vec(), results.to_vec()))
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
