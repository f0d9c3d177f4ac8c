//! Assigns the static data of the core, such as texts and tables, to the module whose functions use it: a text that only a part shows is
//! downloaded with the part. The linker's table of symbols and its relocations (`--emit-relocs`) say which function refers to which bytes:
//! <https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md>.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use wasmparser::{
    BinaryReaderError, DataKind, KnownCustom, Linking, Name, Operator, Parser, Payload, RelocationEntry,
    RelocationType, SymbolInfo, TypeRef,
};

use super::{IN_HOME, InModule};
use crate::failure::{Failure, Result};

/// Static data of a linked module.
#[derive(Debug, Default)]
pub struct Statics(Vec<Static>);

/// A piece of static data, such as one text.
#[derive(Debug, Default)]
struct Static {
    /// Addresses in memory.
    at: Range<u32>,
    /// Names of the functions that refer to it, directly or through other static data.
    users: BTreeSet<String>,
}

impl Statics {
    /// Reads the module as the linker wrote it.
    pub fn read(linked: &[u8]) -> Result<Statics> {
        let statics = read(linked)
            .map_err(|error| Failure::new(format!("Could not read the symbols of the core's module: {error}")))?;
        if statics.0.is_empty() {
            return Err(Failure::new("The linker wrote no symbols of static data; does it know --emit-relocs?"));
        }
        Ok(statics)
    }

    /// Static data given as address ranges with the names of the functions that refer to it.
    #[cfg(test)]
    pub fn of(pieces: &[(Range<u32>, &[&str])]) -> Statics {
        let users = |names: &[&str]| names.iter().map(|name| String::from(*name)).collect();
        Statics(pieces.iter().map(|(at, names)| Static { at: at.clone(), users: users(names) }).collect())
    }

    /// Returns the address ranges that belong to a part, each with its module. `place_of` returns the module of a function by its name.
    /// Data without users, and data of an unknown function, stays in the first module.
    pub(super) fn of_parts(&self, place_of: impl Fn(&str) -> InModule) -> Vec<(Range<u32>, InModule)> {
        let mut places: BTreeMap<u32, InModule> = BTreeMap::new();
        for piece in &self.0 {
            let users: BTreeSet<InModule> = piece.users.iter().map(|user| place_of(user)).collect();
            let place = together(&users);
            for byte in piece.at.clone() {
                // Symbols may overlap: then the byte is where all their users find it.
                let place = places.get(&byte).map_or(place, |other| together(&BTreeSet::from([*other, place])));
                places.insert(byte, place);
            }
        }
        let mut ranges: Vec<(Range<u32>, InModule)> = Vec::new();
        for (byte, place) in places.into_iter().filter(|(_, place)| *place != InModule::First) {
            match ranges.last_mut() {
                Some((range, last)) if range.end == byte && *last == place => range.end += 1,
                _ => ranges.push((byte..byte + 1, place)),
            }
        }
        ranges
    }
}

/// Module in which users of several modules find what they share.
fn together(users: &BTreeSet<InModule>) -> InModule {
    match (users.first(), users.len()) {
        (None | Some(InModule::First), _) => InModule::First,
        (Some(only), 1) => *only,
        _ => IN_HOME,
    }
}

/// Sections of the linked module that matter here.
#[derive(Default)]
struct Sections<'a> {
    imported: u32,
    /// Position of the content of each section in the file, by section number.
    starts: Vec<usize>,
    /// Position of each function's body in the file.
    bodies: Vec<Range<usize>>,
    /// Position of each data segment's bytes in the file, and its address.
    segments: Vec<(Range<usize>, u32)>,
    names: BTreeMap<u32, &'a str>,
    symbols: Vec<SymbolInfo<'a>>,
    relocations: Vec<(u32, RelocationEntry)>,
}

fn read(linked: &[u8]) -> std::result::Result<Statics, BinaryReaderError> {
    let mut sections = Sections::default();
    for payload in Parser::new(0).parse_all(linked) {
        let payload = payload?;
        if let Some((_, range)) = payload.as_section() {
            sections.starts.push(range.start);
        }
        match payload {
            Payload::ImportSection(imports) => {
                for import in imports.into_imports() {
                    sections.imported += u32::from(matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_)));
                }
            }
            Payload::CodeSectionEntry(body) => sections.bodies.push(body.range()),
            Payload::DataSection(segments) => {
                for segment in segments {
                    let segment = segment?;
                    let address = match segment.kind {
                        DataKind::Active { offset_expr, .. } => match offset_expr.get_operators_reader().read()? {
                            Operator::I32Const { value } => value as u32,
                            _ => 0,
                        },
                        DataKind::Passive => 0,
                    };
                    let start = segment.range.end - segment.data.len();
                    sections.segments.push((start..segment.range.end, address));
                }
            }
            Payload::CustomSection(custom) => match custom.as_known() {
                KnownCustom::Name(names) => {
                    for names in names {
                        if let Name::Function(functions) = names? {
                            for function in functions {
                                let function = function?;
                                sections.names.insert(function.index, function.name);
                            }
                        }
                    }
                }
                KnownCustom::Linking(linking) => {
                    for subsection in linking.subsections() {
                        if let Linking::SymbolTable(symbols) = subsection? {
                            for symbol in symbols {
                                sections.symbols.push(symbol?);
                            }
                        }
                    }
                }
                KnownCustom::Reloc(relocations) => {
                    for entry in relocations.entries() {
                        sections.relocations.push((relocations.section_index(), entry?));
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    Ok(sections.statics())
}

impl Sections<'_> {
    fn statics(&self) -> Statics {
        let names = self.names();
        let ranges: BTreeMap<u32, Range<u32>> =
            (0..).zip(&self.symbols).filter_map(|(index, symbol)| Some((index, self.address(symbol)?))).collect();
        let mut users: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
        // References between static data: symbol to the symbols that it refers to.
        let mut refers: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for (section, entry) in &self.relocations {
            if entry.ty == RelocationType::TypeIndexLeb || !ranges.contains_key(&entry.index) {
                continue;
            }
            let Some(start) = self.starts.get(*section as usize) else { continue };
            let position = start + entry.offset as usize;
            if let Some(body) = self.bodies.iter().position(|body| body.contains(&position)) {
                let name = names.get(&(self.imported + body as u32)).cloned().unwrap_or_default();
                users.entry(entry.index).or_default().insert(name);
            } else if let Some(address) = self.address_at(position) {
                for (from, _) in ranges.iter().filter(|(_, range)| range.contains(&address)) {
                    refers.entry(*from).or_default().insert(entry.index);
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (from, to) in &refers {
                // An unused symbol keeps what it refers to in the first module, like itself.
                let inherited = users.get(from).cloned().unwrap_or_else(|| BTreeSet::from([String::new()]));
                for symbol in to {
                    let known = users.entry(*symbol).or_default();
                    let before = known.len();
                    known.extend(inherited.iter().cloned());
                    changed |= known.len() > before;
                }
            }
        }
        let pieces = ranges.into_iter();
        Statics(pieces.map(|(index, at)| Static { at, users: users.remove(&index).unwrap_or_default() }).collect())
    }

    /// Names of the functions as wasm-bindgen writes them; empty for those that share one, such as closures of one function.
    fn names(&self) -> BTreeMap<u32, String> {
        let names: BTreeMap<u32, String> =
            self.names.iter().map(|(index, name)| (*index, rustc_demangle::demangle(name).to_string())).collect();
        let mut bearers: BTreeMap<&str, u32> = BTreeMap::new();
        for name in names.values() {
            *bearers.entry(name).or_default() += 1;
        }
        let unique = |name: &str| if bearers[name] == 1 { name.into() } else { String::new() };
        names.iter().map(|(index, name)| (*index, unique(name))).collect()
    }

    fn address(&self, symbol: &SymbolInfo<'_>) -> Option<Range<u32>> {
        let SymbolInfo::Data { symbol: Some(symbol), .. } = symbol else { return None };
        let (_, base) = self.segments.get(symbol.index as usize)?;
        let start = base + symbol.offset;
        Some(start..start + symbol.size)
    }

    /// Address of the static data that is at a position of the file.
    fn address_at(&self, position: usize) -> Option<u32> {
        let (bytes, base) = self.segments.iter().find(|(bytes, _)| bytes.contains(&position))?;
        Some(base + (position - bytes.start) as u32)
    }
}
