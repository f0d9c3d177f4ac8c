use super::names::short_name;
use super::*;
use walrus::{ModuleConfig, ValType};

const PARTS: [&str; 3] = ["home", "send", "swap"];
const SHOWN: &str = "<portico_core[0]::home::Home>::shown";
const SEND: &str = "<portico_core[0]::feature::Entry<portico_core[0]::send::Send>>::update";
const SEND_ASKED: &str = "<portico_core[0]::feature::Entry<portico_core[0]::send::Send>>::asked";
const SWAP: &str = "<portico_core[0]::feature::Entry<portico_core[0]::swap::Swap>>::update";

/// Address of the static data.
const TEXTS: u32 = 1_024;

/// Builds a module from functions, each with its name and the functions that it calls, which must come before it.
fn module(functions: &[(&str, &[&str])]) -> Vec<u8> {
    let mut module = Module::with_config(ModuleConfig::new());
    let i32 = [ValType::I32];
    let mut known: BTreeMap<&str, FunctionId> = BTreeMap::new();
    for (name, calls) in functions {
        let mut builder = FunctionBuilder::new(&mut module.types, &i32, &i32);
        let given = module.locals.add(ValType::I32);
        let mut body = builder.name((*name).into()).func_body();
        body.local_get(given);
        for call in *calls {
            body.call(known[call]);
        }
        known.insert(name, builder.finish(vec![given], &mut module.funcs));
    }
    let table = module.tables.add_local(false, 1, Some(1), RefType::FUNCREF);
    let memory = module.memories.add_local(false, false, 1, None, None);
    let offset = ConstExpr::Value(Value::I32(TEXTS as i32));
    let data = module.data.add(DataKind::Active { memory, offset }, b"homesendboth????".to_vec());
    module.memories.get_mut(memory).data_segments.insert(data);
    module.exports.add("run", known["run"]);
    module.exports.add("memory", memory);
    module.exports.add("pointers", table);
    module.emit_wasm()
}

/// Module that exports `run`; home and send have functions of their own, shared with the first module, and shared with each other.
fn example() -> Vec<u8> {
    module(&[
        ("common", &[]),
        ("of_home", &[]),
        ("of_send", &[]),
        ("of_both", &[]),
        ("of_send_and_swap", &[]),
        (SEND, &["common", "of_send", "of_both", "of_send_and_swap"]),
        (SEND_ASKED, &["of_send"]),
        (SWAP, &["of_send_and_swap"]),
        (SHOWN, &["common", "of_home", "of_both", SEND, SWAP]),
        ("<portico_core[0]::home::Home>::shown::{closure#0}", &[]),
        ("run", &[SHOWN, SEND_ASKED, "common", "<portico_core[0]::home::Home>::shown::{closure#0}"]),
    ])
}

struct Made {
    first: Module,
    parts: Vec<Module>,
}

fn made(bytes: &[u8]) -> Made {
    let (first, parts) = take_apart(bytes, &PARTS, &Statics::default()).unwrap();
    let read = |bytes: &Vec<u8>| Module::from_buffer(bytes).unwrap();
    Made { first: read(&first), parts: parts.iter().map(read).collect() }
}

/// Static data of a module, each piece with its address.
fn data(module: &Module) -> Vec<(i32, String)> {
    let pieces = module.data.iter().map(|data| match data.kind {
        DataKind::Active { offset: ConstExpr::Value(Value::I32(at)), .. } => {
            (at, String::from_utf8_lossy(&data.value).into_owned())
        }
        _ => panic!("{:?}", data.kind),
    });
    pieces.collect()
}

#[test]
fn static_data_is_in_the_module_of_the_functions_that_refer_to_it() {
    let texts = |from: u32, functions: &'static [&'static str]| (TEXTS + from..TEXTS + from + 4, functions);
    let statics = Statics::of(&[
        texts(0, &["of_home"]),
        texts(4, &["of_send", SEND]),
        texts(8, &["of_send", "of_home"]),
        texts(12, &["of_send", "run"]),
    ]);
    let (first, parts) = take_apart(&example(), &PARTS, &statics).unwrap();
    let read = |bytes: &Vec<u8>| data(&Module::from_buffer(bytes).unwrap());
    assert_eq!(read(&first), [(1_024, "\0\0\0\0\0\0\0\0\0\0\0\0????".into())]);
    assert_eq!(read(&parts[0]), [(1_024, "home".into()), (1_032, "both".into())]);
    assert_eq!(read(&parts[1]), [(1_028, "send".into())]);
    assert_eq!(read(&parts[2]), []);
}

#[test]
fn static_data_of_unknown_functions_and_without_any_stays_in_the_first_module() {
    let statics = Statics::of(&[
        (TEXTS..TEXTS + 4, &["of_home", "removed by the binding"]),
        (TEXTS + 4..TEXTS + 8, &[]),
        (TEXTS + 8..TEXTS + 12, &["of_send", ""]),
        // Two pieces that overlap are where the users of both find them.
        (TEXTS + 12..TEXTS + 16, &["of_send"]),
        (TEXTS + 12..TEXTS + 14, &["common"]),
    ]);
    let (first, parts) = take_apart(&example(), &PARTS, &statics).unwrap();
    let read = |bytes: &Vec<u8>| data(&Module::from_buffer(bytes).unwrap());
    assert_eq!(read(&first), [(1_024, "homesendboth??\0\0".into())]);
    assert_eq!(read(&parts[1]), [(1_038, "??".into())]);
}

fn own(module: &Module) -> BTreeSet<String> {
    module.funcs.iter_local().map(|(id, _)| module.funcs.get(id).name.clone().unwrap_or_default()).collect()
}

fn imports(module: &Module, from: &str) -> BTreeSet<String> {
    let imports = module.imports.iter().filter(|import| import.module == from);
    imports.map(|import| import.name.clone()).collect()
}

fn exports(module: &Module) -> BTreeSet<String> {
    module.exports.iter().map(|export| export.name.clone()).collect()
}

fn has(module: &Module, names: &[&str]) -> bool {
    names.iter().all(|name| own(module).contains(*name))
}

#[test]
fn what_only_the_entries_of_one_part_reach_is_in_that_part() {
    let Made { first, parts } = made(&example());
    assert!(has(&parts[0], &[SHOWN, "of_home"]), "{:?}", own(&parts[0]));
    assert_eq!(own(&parts[1]), [SEND, SEND_ASKED, "of_send"].map(String::from).into());
    assert_eq!(own(&parts[2]), [SWAP].map(String::from).into());
    assert!(has(&first, &["run", "common"]), "{:?}", own(&first));
    assert!(!has(&first, &["of_home"]) && !has(&first, &["of_send"]) && !has(&first, &["of_both"]));
}

#[test]
fn what_two_parts_reach_is_home_s_and_what_the_first_module_reaches_is_its_own_and_all_of_it_is_handed_out() {
    let Made { first, parts } = made(&example());
    assert!(has(&parts[0], &["of_both", "of_send_and_swap"]), "{:?}", own(&parts[0]));
    for part in &parts {
        assert!(imports(part, FIRST_EXPORTS).is_subset(&exports(&first)));
        assert!(imports(part, HOME_EXPORTS).is_subset(&exports(&parts[0])));
    }
    assert_eq!(imports(&parts[0], HOME_EXPORTS).len(), 0);
    assert_eq!((imports(&parts[1], HOME_EXPORTS).len(), imports(&parts[2], HOME_EXPORTS).len()), (2, 1));
    assert_eq!(exports(&parts[0]).len(), 2, "each once");
    assert!(exports(&parts[1]).is_empty() && imports(&first, FIRST_EXPORTS).is_empty());
}

#[test]
fn the_call_through_a_entry_stands_where_the_entry_is_used() {
    let Made { first, parts } = made(&example());
    assert!(has(&first, &[SHOWN, SEND_ASKED]), "{:?}", own(&first));
    assert!(!has(&first, &[SEND]) && !has(&first, &[SWAP]));
    assert!(has(&parts[0], &[SEND, SWAP]) && !has(&parts[0], &[SEND_ASKED]), "{:?}", own(&parts[0]));
}

#[test]
fn each_part_fills_its_own_slots_and_there_is_room_for_all() {
    let Made { first, parts } = made(&example());
    assert_eq!(first.tables.get(table(&first)).initial, 5, "four slots more than before");
    let filled = parts.iter().map(|part| {
        let element = part.elements.iter().next().unwrap();
        let ElementKind::Active { offset: ConstExpr::Value(Value::I32(offset)), .. } = element.kind else {
            panic!("{element:?}")
        };
        let ElementItems::Functions(entries) = &element.items else { panic!("{element:?}") };
        let names: Vec<_> = entries.iter().map(|entry| part.funcs.get(*entry).name.clone().unwrap()).collect();
        (offset, names)
    });
    assert_eq!(
        filled.collect::<Vec<_>>(),
        [(1, vec![SHOWN.to_owned()]), (2, vec![SEND.to_owned(), SEND_ASKED.to_owned()]), (4, vec![SWAP.to_owned()])]
    );
}

#[test]
fn a_entry_that_two_parts_use_is_called_through_home() {
    let swap = (SWAP, &[SEND][..]);
    let Made { first, parts } = made(&module(&[(SEND, &[]), swap, (SHOWN, &[SEND]), ("run", &[SHOWN, SWAP])]));
    assert!(has(&parts[0], &[SEND]) && !has(&first, &[SEND]) && !has(&parts[2], &[SEND]));
    assert_eq!(imports(&parts[2], HOME_EXPORTS), exports(&parts[0]));
}

#[test]
fn parts_of_two_builds_do_not_fit() {
    let mut other = Module::from_buffer(&example()).unwrap();
    let memory = other.memories.iter().next().unwrap().id();
    let offset = ConstExpr::Value(Value::I32(0));
    other.data.add(walrus::DataKind::Active { memory, offset }, b"another text".to_vec());
    let (one, two) = (made(&example()), made(&other.emit_wasm()));
    assert_eq!(own(&one.first), own(&two.first), "the functions are the same");
    for part in &two.parts {
        assert!(!imports(part, FIRST_EXPORTS).is_subset(&exports(&one.first)));
    }
}

#[test]
fn a_part_without_entries_and_entries_of_no_part_are_refused() {
    let refused = |bytes: &[u8], parts: &[&str]| take_apart(bytes, parts, &Statics::default()).unwrap_err().to_string();
    let empty = Module::with_config(ModuleConfig::new()).emit_wasm();
    assert!(refused(&empty, &PARTS).contains("home of the core has no entries"));
    assert!(refused(&example(), &["home", "send", "swap", "buy"]).contains("buy of the core has no entries"));
    assert!(refused(&example(), &["home", "send"]).contains("portico_core::swap has entries and is no part"));
}

#[test]
fn what_is_handed_out_has_short_names_and_no_two_the_same() {
    let names: BTreeSet<_> = (0..2_000).map(short_name).collect();
    assert_eq!(
        (names.len(), short_name(0), short_name(26), short_name(702)),
        (2_000, "a".into(), "aa".into(), "aaa".into())
    );
    let Made { first, parts } = made(&example());
    let table = table_name(&example());
    let handed = exports(&first).into_iter().chain(exports(&parts[0]));
    for name in handed.filter(|name| !["run", "memory", "pointers", table.as_str()].contains(&name.as_str())) {
        assert_eq!(name.len(), 2, "{name}");
    }
}

#[test]
fn exports_and_imports_of_one_type_stand_together_in_the_order_of_their_names() {
    let functions = [("f1", ValType::I64), ("f2", ValType::I32), ("f3", ValType::I64), ("f4", ValType::I32)];
    let mut first = Module::with_config(ModuleConfig::new());
    let mut home = Module::with_config(ModuleConfig::new());
    for (name, given) in functions {
        let body = FunctionBuilder::new(&mut first.types, &[given], &[]);
        let given_here = first.locals.add(given);
        let id = body.finish(vec![given_here], &mut first.funcs);
        first.exports.add(name, id);
        let ty = home.types.add(&[given], &[]);
        home.add_import_func(FIRST_EXPORTS, name, ty);
    }
    shorten(&mut first, std::slice::from_mut(&mut home));
    let given = |module: &Module, id: FunctionId| module.types.params(module.funcs.get(id).ty()).to_vec();
    let exports = first.exports.iter().map(|export| match export.item {
        ExportItem::Function(id) => (export.name.clone(), given(&first, id)),
        _ => panic!("{export:?}"),
    });
    let imports = home.imports.iter().map(|import| match import.kind {
        ImportKind::Function(id) => (import.name.clone(), given(&home, id)),
        _ => panic!("{import:?}"),
    });
    let sorted = [("aa", ValType::I32), ("ab", ValType::I32), ("ac", ValType::I64), ("ad", ValType::I64)];
    let sorted = sorted.map(|(name, given)| (String::from(name), vec![given]));
    assert_eq!(exports.collect::<Vec<_>>(), sorted);
    assert_eq!(imports.collect::<Vec<_>>(), sorted);
}
