//! Splits the core's module into parts (decision 7): a first module for connecting, `home` for connected visitors, and a part for each
//! feature that is not always used. All parts share one memory.
//!
//! The entries of a part are the methods of its entry type, found by name. Functions that only the entries of one part reach are in its
//! module, with the static data that only they use. Other modules call an entry through a slot of the first module's table, which the part
//! fills when it is instantiated.

mod data;
mod names;
mod statics;

pub use statics::Statics;

use data::{slice, slice_mut};
use names::{owners, shorten};

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::ops::Range;
use std::path::Path;

use walrus::ir::{Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalKind,
    ImportKind, LocalFunction, Module, RefType, TableId,
};

use crate::failure::{Failure, OrSay, Result};

/// Name of the part that is loaded before any other; it also has the functions that several parts need.
pub const HOME: &str = "home";

/// Import namespaces of a part for the exports of the first module and of home. The shell passes both at instantiation.
const FIRST_EXPORTS: &str = "p";
const HOME_EXPORTS: &str = "h";

/// Name under which the table is exported: a hash of the module, so that parts of different builds do not link. Their function numbers and
/// memory addresses would not match.
fn table_name(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("t{:x}", hasher.finish())
}

/// Splits a module that still has its name section, and writes each part to its file. The first part must be [`HOME`].
pub fn split(module: &Path, parts: &[(&str, &Path)], statics: &Statics) -> Result<()> {
    let bytes = fs::read(module).or_say(format_args!("read {}", module.display()))?;
    let names: Vec<_> = parts.iter().map(|(name, _)| *name).collect();
    let (first, made) = take_apart(&bytes, &names, statics)?;
    fs::write(module, first).or_say(format_args!("write {}", module.display()))?;
    parts
        .iter()
        .zip(made)
        .try_for_each(|((_, file), bytes)| fs::write(file, bytes).or_say(format_args!("write {}", file.display())))
}

/// Returns the first module, and the parts in the order of `parts`.
fn take_apart(bytes: &[u8], parts: &[&str], statics: &Statics) -> Result<(Vec<u8>, Vec<Vec<u8>>)> {
    let whole = parse(bytes)?;
    let plan = Plan::of(&whole, parts, table_name(bytes), statics)?;
    // Parts come first, then home, then the first module: each exports the imports that garbage collection left in those before it.
    let mut made: Vec<Module> = Vec::new();
    for part in (0..parts.len()).rev() {
        let mut module = parse(bytes)?;
        plan.make_part(&mut module, part);
        if part == 0 {
            plan.hand_out(&mut module, HOME_EXPORTS, &made);
        }
        walrus::passes::gc::run(&mut module);
        made.push(module);
    }
    let mut first = whole;
    plan.make_first(&mut first);
    plan.hand_out(&mut first, FIRST_EXPORTS, &made);
    walrus::passes::gc::run(&mut first);
    shorten(&mut first, &mut made);
    Ok((first.emit_wasm(), made.iter_mut().rev().map(Module::emit_wasm).collect()))
}

fn parse(bytes: &[u8]) -> Result<Module> {
    let mut module = Module::from_buffer(bytes)
        .map_err(|error| Failure::new(format!("Could not read the core's module: {error:#}")))?;
    // Symbols and relocations of the linker: [`Statics`] has read them.
    for name in ["linking", "reloc.CODE", "reloc.DATA"] {
        module.customs.remove_raw(name);
    }
    Ok(module)
}

/// Module that a function is placed in.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum InModule {
    First,
    Part(usize),
}

const IN_HOME: InModule = InModule::Part(0);

/// Placement of all functions, by function number. The numbers are the same for each parse of the same bytes.
struct Plan {
    /// Entries in the order of their table slots, grouped by part.
    entries: Vec<Entry>,
    /// Module of each function that is not an entry.
    places: BTreeMap<usize, InModule>,
    /// First table slot of the entries.
    base: u64,
    /// Name under which the table is exported.
    table: String,
    /// Addresses of static data that belongs to a part.
    statics: Vec<(Range<u32>, InModule)>,
}

struct Entry {
    function: usize,
    part: usize,
    /// Module that has the stub which calls the entry through its slot.
    call: InModule,
}

impl Plan {
    fn of(module: &Module, parts: &[&str], table_name: String, statics: &Statics) -> Result<Plan> {
        let calls: BTreeMap<usize, BTreeSet<usize>> =
            module.funcs.iter_local().map(|(id, function)| (id.index(), called(function))).collect();
        let owners = owners(module, parts)?;
        let roots = roots(module);
        let first = reached(&calls, &roots, &|function| owners.contains_key(&function));
        let mut users: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for part in 0..parts.len() {
            let entries: Vec<_> = owners.iter().filter(|(_, owner)| **owner == part).map(|(entry, _)| *entry).collect();
            let others = |function: usize| owners.get(&function).is_some_and(|owner| *owner != part);
            for function in reached(&calls, &entries, &others) {
                users.entry(function).or_default().insert(part);
            }
        }
        let place = |function: &usize| match users.get(function) {
            _ if first.contains(function) => InModule::First,
            Some(parts) if parts.len() == 1 => InModule::Part(*parts.first().expect("one of them")),
            // Unreachable functions are placed in home too, and garbage-collected there.
            _ => IN_HOME,
        };
        let places: BTreeMap<_, _> =
            calls.keys().filter(|id| !owners.contains_key(id)).map(|id| (*id, place(id))).collect();
        let mut entries: Vec<_> = owners
            .iter()
            .map(|(entry, part)| {
                let called_from = calls.iter().filter(|(_, called)| called.contains(entry));
                let from =
                    called_from.map(|(id, _)| places.get(id).copied().unwrap_or_else(|| InModule::Part(owners[id])));
                let mut from: BTreeSet<_> = from.filter(|place| *place != InModule::Part(*part)).collect();
                from.extend(roots.contains(entry).then_some(InModule::First));
                let call = match (from.first(), from.len()) {
                    (None | Some(InModule::First), _) => InModule::First,
                    (Some(only), 1) => *only,
                    _ => IN_HOME,
                };
                Entry { function: *entry, part: *part, call }
            })
            .collect();
        entries.sort_by_key(|entry| (entry.part, entry.function));
        let mut named: BTreeMap<&str, BTreeSet<InModule>> = BTreeMap::new();
        for function in module.funcs.iter() {
            let id = function.id().index();
            let at = owners.get(&id).map(|part| InModule::Part(*part)).or_else(|| places.get(&id).copied());
            let name = function.name.as_deref().unwrap_or_default();
            named.entry(name).or_default().insert(at.unwrap_or(InModule::First));
        }
        // Two functions may have one name, and the binding may have removed or renamed some.
        let statics = statics.of_parts(|name| match named.get(name) {
            Some(places) if places.len() == 1 && !name.is_empty() => *places.first().expect("one of them"),
            _ => InModule::First,
        });
        Ok(Plan { entries, places, base: module.tables.get(table(module)).initial, table: table_name, statics })
    }

    /// Reduces the module to a part: functions, memory, table and globals of other modules become imports.
    fn make_part(&self, module: &mut Module, part: usize) {
        for id in module.exports.iter().map(|export| export.id()).collect::<Vec<_>>() {
            module.exports.delete(id);
        }
        module.start = None;
        for id in module.elements.iter().map(|element| element.id()).collect::<Vec<_>>() {
            module.elements.delete(id);
        }
        let own: Vec<_> = self
            .statics
            .iter()
            .filter(|(_, place)| *place == InModule::Part(part))
            .filter_map(|(range, _)| Some((range.start, slice(module, range)?.to_vec())))
            .collect();
        for id in module.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
            module.data.delete(id);
        }
        for id in module.memories.iter().map(|memory| memory.id()).collect::<Vec<_>>() {
            let import = module.imports.add(FIRST_EXPORTS, "memory", ImportKind::Memory(id));
            let memory = module.memories.get_mut(id);
            memory.import = Some(import);
            memory.data_segments.clear();
            for (address, bytes) in &own {
                let offset = ConstExpr::Value(Value::I32(*address as i32));
                let data = module.data.add(DataKind::Active { memory: id, offset }, bytes.clone());
                module.memories.get_mut(id).data_segments.insert(data);
            }
        }
        let table = table(module);
        let import = module.imports.add(FIRST_EXPORTS, &self.table, ImportKind::Table(table));
        let slots = module.tables.get_mut(table);
        slots.import = Some(import);
        slots.initial += self.entries.len() as u64;
        slots.maximum = None;
        slots.elem_segments.clear();
        for id in module.globals.iter().map(|global| global.id()).collect::<Vec<_>>() {
            let import = module.imports.add(FIRST_EXPORTS, &global_name(id.index()), ImportKind::Global(id));
            module.globals.get_mut(id).kind = GlobalKind::Import(import);
        }
        self.import_functions(module, InModule::Part(part));
        self.call_through_slots(module, InModule::Part(part));
        let own: Vec<_> = (self.base..).zip(&self.entries).filter(|(_, entry)| entry.part == part).collect();
        let offset = ConstExpr::Value(Value::I32(own.first().map_or(0, |(slot, _)| *slot) as i32));
        let entries = own.iter().map(|(_, entry)| function(module, entry.function)).collect();
        let filled = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(entries));
        module.tables.get_mut(table).elem_segments.insert(filled);
    }

    fn import_functions(&self, module: &mut Module, here: InModule) {
        for id in module.funcs.iter().map(|function| function.id()).collect::<Vec<_>>() {
            let index = id.index();
            let entry = self.entries.iter().find(|entry| entry.function == index);
            let at = match entry {
                Some(entry) if InModule::Part(entry.part) == here => here,
                Some(entry) => entry.call,
                // Imports from the page are also re-exported by the first module.
                None => self.places.get(&index).copied().unwrap_or(InModule::First),
            };
            if at == here {
                continue;
            }
            let from = if at == IN_HOME { HOME_EXPORTS } else { FIRST_EXPORTS };
            if let FunctionKind::Import(function) = &module.funcs.get(id).kind {
                let import = module.imports.get_mut(function.import);
                import.module = from.into();
                import.name = function_name(index);
            } else {
                let ty = module.funcs.get(id).ty();
                let import = module.imports.add(from, &function_name(index), ImportKind::Function(id));
                module.funcs.get_mut(id).kind = FunctionKind::Import(walrus::ImportedFunction { import, ty });
            }
        }
    }

    /// Replaces each entry of another part that this module calls with a stub that calls it through the table.
    fn call_through_slots(&self, module: &mut Module, here: InModule) {
        let table = table(module);
        for (slot, entry) in (self.base..).zip(&self.entries) {
            if entry.call != here || InModule::Part(entry.part) == here {
                continue;
            }
            let id = function(module, entry.function);
            let ty = module.funcs.get(id).ty();
            let (params, results) = (module.types.params(ty).to_vec(), module.types.results(ty).to_vec());
            let mut stub = FunctionBuilder::new(&mut module.types, &params, &results);
            let given: Vec<_> = params.iter().map(|kind| module.locals.add(*kind)).collect();
            let mut body = stub.func_body();
            for local in &given {
                body.local_get(*local);
            }
            body.i32_const(slot as i32).call_indirect(ty, table);
            module.funcs.get_mut(id).kind = FunctionKind::Local(stub.local_func(given));
        }
    }

    /// Adds table slots for the entries. Functions of the parts become unused here and are garbage-collected. Their static data becomes
    /// zeros, which the optimiser leaves out.
    fn make_first(&self, module: &mut Module) {
        for (range, _) in &self.statics {
            if let Some(bytes) = slice_mut(module, range) {
                bytes.fill(0);
            }
        }
        let slots = module.tables.get_mut(table(module));
        slots.initial += self.entries.len() as u64;
        slots.maximum = slots.maximum.map(|most| most.max(slots.initial));
        self.call_through_slots(module, InModule::First);
    }

    /// Exports what other modules import from the namespace `name`.
    fn hand_out(&self, module: &mut Module, name: &str, others: &[Module]) {
        let mut handed = BTreeSet::new();
        for import in others.iter().flat_map(|other| other.imports.iter()).filter(|import| import.module == name) {
            let item = match import.kind {
                ImportKind::Function(id) => ExportItem::Function(function(module, id.index())),
                ImportKind::Table(_) => ExportItem::Table(table(module)),
                ImportKind::Global(id) => {
                    let global = module.globals.iter().find(|global| global.id().index() == id.index());
                    ExportItem::Global(global.expect("all parts were read from the same bytes").id())
                }
                // The glue already exports the memory.
                ImportKind::Memory(_) | ImportKind::Tag(_) => continue,
            };
            if handed.insert(import.name.clone()) {
                module.exports.add(&import.name, item);
            }
        }
    }
}

/// Exported functions and those in the table of function pointers, whose callers are unknown.
fn roots(module: &Module) -> Vec<usize> {
    let exported = module.exports.iter().filter_map(|export| match export.item {
        ExportItem::Function(id) => Some(id.index()),
        _ => None,
    });
    let pointed = module.elements.iter().flat_map(|element| match &element.items {
        ElementItems::Functions(ids) => ids.iter().map(|id| id.index()).collect(),
        ElementItems::Expressions(_, items) => items.iter().filter_map(referred).collect::<Vec<_>>(),
    });
    exported.chain(pointed).chain(module.start.map(|id| id.index())).collect()
}

/// Functions reachable by calls from `from`, without passing through a function that is closed.
fn reached(
    calls: &BTreeMap<usize, BTreeSet<usize>>,
    from: &[usize],
    is_closed: &dyn Fn(usize) -> bool,
) -> BTreeSet<usize> {
    let mut left = from.to_vec();
    let mut reached = BTreeSet::new();
    while let Some(function) = left.pop() {
        if !is_closed(function) && reached.insert(function) {
            left.extend(calls.get(&function).into_iter().flatten());
        }
    }
    reached
}

/// Table of function pointers; the other table has the glue's objects.
fn table(module: &Module) -> TableId {
    let found = module.tables.iter().find(|table| table.element_ty == RefType::FUNCREF);
    found.expect("a module of Rust has function pointers").id()
}

fn function(module: &Module, index: usize) -> FunctionId {
    let found = module.funcs.iter().map(|function| function.id()).find(|id| id.index() == index);
    found.expect("all parts were read from the same bytes")
}

fn function_name(index: usize) -> String {
    format!("f{index:x}")
}

fn global_name(index: usize) -> String {
    format!("g{index:x}")
}

fn referred(item: &ConstExpr) -> Option<usize> {
    match item {
        ConstExpr::RefFunc(id) => Some(id.index()),
        _ => None,
    }
}

/// Functions that a function calls or refers to.
fn called(function: &LocalFunction) -> BTreeSet<usize> {
    #[derive(Default)]
    struct Named(BTreeSet<usize>);
    impl Visitor<'_> for Named {
        fn visit_function_id(&mut self, id: &FunctionId) {
            self.0.insert(id.index());
        }
    }
    let mut named = Named::default();
    dfs_in_order(&mut named, function, function.entry_block());
    named.0
}

#[cfg(test)]
mod tests;
