//! The core in two halves (decision 7): what it takes to connect, and what a visitor finds once connected. Both work on one memory.
//!
//! The doors are the methods of `portico_core::home::Home`. What can only be reached through a door moves to the second module; the first
//! one keeps, in place of each door, a call through a slot of its table, which the second module fills when it is instantiated.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::path::Path;

use walrus::ir::{Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId, FunctionKind, GlobalKind,
    ImportKind, LocalFunction, Module, RefType, TableId,
};

use crate::failure::{Failure, OrSay, Result};

/// Under this name the second module imports what the first one exports for it.
const FIRST: &str = "p";

/// The table is handed over under a name that is of these bytes alone: the numbers of functions and the places in memory fit no other
/// build, and one half of each must not find together.
fn table_name(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    format!("t{:x}", hasher.finish())
}

/// Splits a module that still has its names; `second` is written beside it.
pub fn split(module: &Path, second: &Path) -> Result<()> {
    let bytes = fs::read(module).or_say(format_args!("read {}", module.display()))?;
    let (one, two) = halves(&bytes)?;
    fs::write(module, one).or_say(format_args!("write {}", module.display()))?;
    fs::write(second, two).or_say(format_args!("write {}", second.display()))
}

fn halves(bytes: &[u8]) -> Result<(Vec<u8>, Vec<u8>)> {
    let mut one = parse(bytes)?;
    let mut two = parse(bytes)?;
    let plan = Plan::of(&one, table_name(bytes))?;
    plan.make_second(&mut two);
    // What the collector found to be used is what has to be there.
    walrus::passes::gc::run(&mut two);
    plan.make_first(&mut one, &two);
    walrus::passes::gc::run(&mut one);
    Ok((one.emit_wasm(), two.emit_wasm()))
}

fn parse(bytes: &[u8]) -> Result<Module> {
    Module::from_buffer(bytes).map_err(|error| Failure::new(format!("Could not read the core's module: {error:#}")))
}

/// What goes where, by the numbers of functions: they are the same each time that the same bytes are read.
struct Plan {
    doors: Vec<usize>,
    moved: BTreeSet<usize>,
    /// The first slot of the table that is a door's.
    base: u64,
    /// Under which the table is handed over.
    table: String,
}

impl Plan {
    fn of(module: &Module, name: String) -> Result<Plan> {
        let mut calls = BTreeMap::new();
        let mut doors = Vec::new();
        for (id, function) in module.funcs.iter_local() {
            calls.insert(id.index(), called(function));
            if module.funcs.get(id).name.as_deref().is_some_and(is_door) {
                doors.push(id.index());
            }
        }
        if doors.is_empty() {
            return Err(Failure::new(
                "The core's module has no doors: portico_core::home::Home has no method, or names were lost.",
            ));
        }
        let roots = module.exports.iter().filter_map(|export| match export.item {
            ExportItem::Function(id) => Some(id.index()),
            _ => None,
        });
        let pointed = module.elements.iter().flat_map(|element| match &element.items {
            ElementItems::Functions(ids) => ids.iter().map(|id| id.index()).collect(),
            ElementItems::Expressions(_, items) => items.iter().filter_map(referred).collect::<Vec<_>>(),
        });
        let mut left: Vec<usize> = roots.chain(pointed).chain(module.start.map(|id| id.index())).collect();
        let mut kept = BTreeSet::new();
        while let Some(function) = left.pop() {
            if !doors.contains(&function) && kept.insert(function) {
                left.extend(calls.get(&function).into_iter().flatten());
            }
        }
        let moved = calls.into_keys().filter(|function| !kept.contains(function)).collect();
        Ok(Plan { doors, moved, base: module.tables.get(table(module)).initial, table: name })
    }

    /// Keeps what moved; all else is imported, as far as it is used.
    fn make_second(&self, module: &mut Module) {
        for id in module.exports.iter().map(|export| export.id()).collect::<Vec<_>>() {
            module.exports.delete(id);
        }
        module.start = None;
        let table = table(module);
        for id in module.elements.iter().map(|element| element.id()).collect::<Vec<_>>() {
            module.elements.delete(id);
        }
        for id in module.data.iter().map(|data| data.id()).collect::<Vec<_>>() {
            module.data.delete(id);
        }
        for id in module.memories.iter().map(|memory| memory.id()).collect::<Vec<_>>() {
            let import = module.imports.add(FIRST, "memory", ImportKind::Memory(id));
            let memory = module.memories.get_mut(id);
            memory.import = Some(import);
            memory.data_segments.clear();
        }
        let import = module.imports.add(FIRST, &self.table, ImportKind::Table(table));
        let slots = module.tables.get_mut(table);
        slots.import = Some(import);
        slots.initial += self.doors.len() as u64;
        slots.maximum = None;
        slots.elem_segments.clear();
        for id in module.globals.iter().map(|global| global.id()).collect::<Vec<_>>() {
            let import = module.imports.add(FIRST, &global_name(id.index()), ImportKind::Global(id));
            module.globals.get_mut(id).kind = GlobalKind::Import(import);
        }
        for id in module.funcs.iter().map(|function| function.id()).collect::<Vec<_>>() {
            if self.moved.contains(&id.index()) {
                continue;
            }
            if let FunctionKind::Import(function) = &module.funcs.get(id).kind {
                let old = function.import;
                let import = module.imports.get_mut(old);
                import.module = FIRST.into();
                import.name = function_name(id.index());
            } else {
                let ty = module.funcs.get(id).ty();
                let import = module.imports.add(FIRST, &function_name(id.index()), ImportKind::Function(id));
                module.funcs.get_mut(id).kind = FunctionKind::Import(walrus::ImportedFunction { import, ty });
            }
        }
        let offset = ConstExpr::Value(Value::I32(self.base as i32));
        let doors = self.doors.iter().map(|door| function(module, *door)).collect();
        let filled = module.elements.add(ElementKind::Active { table, offset }, ElementItems::Functions(doors));
        module.tables.get_mut(table).elem_segments.insert(filled);
    }

    /// Puts a call through the table in place of each door, and exports what the second half imports.
    fn make_first(&self, module: &mut Module, second: &Module) {
        let table = table(module);
        let slots = module.tables.get_mut(table);
        slots.initial += self.doors.len() as u64;
        slots.maximum = slots.maximum.map(|most| most.max(slots.initial));
        for (slot, door) in (self.base..).zip(&self.doors) {
            let id = function(module, *door);
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
        for import in second.imports.iter() {
            let item = match import.kind {
                ImportKind::Function(id) => ExportItem::Function(function(module, id.index())),
                ImportKind::Table(_) => ExportItem::Table(table),
                ImportKind::Global(id) => {
                    let global = module.globals.iter().find(|global| global.id().index() == id.index());
                    ExportItem::Global(global.expect("both halves were read from the same bytes").id())
                }
                // The glue has the memory exported already.
                ImportKind::Memory(_) | ImportKind::Tag(_) => continue,
            };
            module.exports.add(&import.name, item);
        }
    }
}

/// A method of the core's `Home`, by its name as the binding wrote it: `<portico_core[fe22]::home::Home>::shown`.
fn is_door(name: &str) -> bool {
    let method = name.strip_prefix("<portico_core[").and_then(|rest| rest.split_once("]::home::Home>::"));
    method.is_some_and(|(_, method)| !method.contains("::"))
}

/// The one table of function pointers: the other is that of the glue's own objects.
fn table(module: &Module) -> TableId {
    let found = module.tables.iter().find(|table| table.element_ty == RefType::FUNCREF);
    found.expect("a module of Rust has function pointers").id()
}

fn function(module: &Module, index: usize) -> FunctionId {
    let found = module.funcs.iter().map(|function| function.id()).find(|id| id.index() == index);
    found.expect("both halves were read from the same bytes")
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

/// The functions that one names.
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
mod tests {
    use super::*;
    use walrus::{ModuleConfig, ValType};

    /// `run` is exported and calls a door and what both share; the door calls what both share and what is its own.
    fn example() -> Vec<u8> {
        let mut module = Module::with_config(ModuleConfig::new());
        let i32 = [ValType::I32];
        let function = |module: &mut Module, name: &str, calls: &[FunctionId]| {
            let mut builder = FunctionBuilder::new(&mut module.types, &i32, &i32);
            let given = module.locals.add(ValType::I32);
            let mut body = builder.name(name.into()).func_body();
            body.local_get(given);
            for call in calls {
                body.call(*call);
            }
            builder.finish(vec![given], &mut module.funcs)
        };
        let shared = function(&mut module, "shared", &[]);
        let own = function(&mut module, "own", &[]);
        let door = function(&mut module, "<portico_core[0]::home::Home>::shown", &[shared, own]);
        let closure = function(&mut module, "<portico_core[0]::home::Home>::shown::{closure#0}", &[]);
        let run = function(&mut module, "run", &[door, shared, closure]);
        let table = module.tables.add_local(false, 1, Some(1), RefType::FUNCREF);
        let memory = module.memories.add_local(false, false, 1, None, None);
        module.exports.add("run", run);
        module.exports.add("memory", memory);
        module.exports.add("pointers", table);
        module.emit_wasm()
    }

    fn names(bytes: &[u8]) -> (Vec<String>, Vec<String>, Vec<String>) {
        let module = Module::from_buffer(bytes).unwrap();
        let own =
            module.funcs.iter_local().map(|(id, _)| module.funcs.get(id).name.clone().unwrap_or_default()).collect();
        let imports = module.imports.iter().map(|import| import.name.clone()).collect();
        (own, imports, module.exports.iter().map(|export| export.name.clone()).collect())
    }

    #[test]
    fn what_only_a_door_reaches_moves_and_what_both_use_stays_and_is_exported() {
        let (one, two) = halves(&example()).unwrap();
        let (own, imports, exports) = names(&two);
        assert!(own.contains(&"own".into()) && own.contains(&"<portico_core[0]::home::Home>::shown".into()), "{own:?}");
        assert_eq!((own.len(), exports.len()), (2, 0));
        let (kept, outside, handed) = names(&one);
        assert!(["run", "shared"].iter().all(|name| kept.iter().any(|kept| kept == name)), "{kept:?}");
        assert!(!kept.contains(&"own".into()) && outside.is_empty());
        assert!(imports.iter().all(|name| handed.contains(name)), "{imports:?} of {handed:?}");
    }

    #[test]
    fn the_slot_that_is_called_is_the_one_that_is_filled() {
        let (one, two) = halves(&example()).unwrap();
        let one = Module::from_buffer(&one).unwrap();
        assert_eq!(one.tables.get(table(&one)).initial, 2, "one slot more than before");
        let two = Module::from_buffer(&two).unwrap();
        let filled = two.elements.iter().next().unwrap();
        let ElementKind::Active { offset: ConstExpr::Value(Value::I32(offset)), .. } = filled.kind else {
            panic!("{filled:?}")
        };
        assert_eq!(offset, 1);
    }

    #[test]
    fn halves_of_two_builds_do_not_fit() {
        let mut other = Module::from_buffer(&example()).unwrap();
        let memory = other.memories.iter().next().unwrap().id();
        let offset = ConstExpr::Value(Value::I32(0));
        other.data.add(walrus::DataKind::Active { memory, offset }, b"another text".to_vec());
        let (one, two) = (halves(&example()).unwrap(), halves(&other.emit_wasm()).unwrap());
        assert_eq!(names(&one.0).0, names(&two.0).0, "the functions are the same");
        let (_, imports, _) = names(&two.1);
        assert!(imports.iter().any(|name| !names(&one.0).2.contains(name)), "{imports:?}");
    }

    #[test]
    fn a_module_without_doors_is_refused() {
        let module = Module::with_config(ModuleConfig::new()).emit_wasm();
        assert!(halves(&module).unwrap_err().to_string().contains("no doors"));
    }
}
