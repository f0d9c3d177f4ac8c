//! Compares parsing and writing of JSON with serde_json.

use portico_json::{Json, Value, parse, to_text};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq, Json)]
struct Point {
    x_axis: u32,
    label: Option<String>,
    #[json(rename = "CAPS")]
    caps: Vec<i64>,
}

#[derive(Clone, Debug, PartialEq, Json)]
enum Colour {
    Red,
    DarkBlue,
    #[json(rename = "bright-green")]
    Green,
}

#[derive(Clone, Debug, PartialEq, Json)]
#[json(tag = "kind", content = "value")]
enum Thing {
    Nothing,
    One(Point),
    Both { colour: Colour, raw: Value },
}

#[test]
fn an_object_has_camel_case_names_and_null_for_what_is_empty() {
    let point = Point { x_axis: 7, label: None, caps: vec![-1, 2] };
    assert_eq!(to_text(&point), r#"{"xAxis":7,"label":null,"CAPS":[-1,2]}"#);
    assert_eq!(portico_json::Read::read(&parse(r#"{"CAPS":[-1,2],"xAxis":7}"#).unwrap()), Ok(point));
}

#[test]
fn a_wrong_field_is_named() {
    let wrong = parse(r#"{"CAPS":[],"xAxis":"7"}"#).unwrap();
    assert_eq!(<Point as portico_json::Read>::read(&wrong), Err(portico_json::ReadError("xAxis")));
}

#[test]
fn an_enum_is_a_word_or_a_tagged_object() {
    let things = [
        (Thing::Nothing, r#"{"kind":"nothing"}"#),
        (
            Thing::One(Point { x_axis: 1, label: Some("a".into()), caps: vec![] }),
            r#"{"kind":"one","value":{"xAxis":1,"label":"a","CAPS":[]}}"#,
        ),
        (
            Thing::Both { colour: Colour::Green, raw: Value::List(vec![]) },
            r#"{"kind":"both","colour":"bright-green","raw":[]}"#,
        ),
    ];
    for (thing, text) in things {
        assert_eq!(to_text(&thing), text);
        assert_eq!(portico_json::Read::read(&parse(text).unwrap()), Ok(thing));
    }
    assert_eq!(Colour::from_word("darkBlue"), Some(Colour::DarkBlue));
    assert_eq!(Colour::ALL.len(), 3);
}

#[test]
fn a_type_tells_its_typescript() {
    let mut into = portico_json::Declarations::new();
    <Thing as portico_json::Shaped>::declare(&mut into);
    let form = |name: &str| into[name].shape.to_typescript();
    assert_eq!(form("Colour"), "'red' | 'darkBlue' | 'bright-green'");
    assert_eq!(
        form("Point"),
        "{ readonly xAxis: number; readonly label: string | null; readonly CAPS: readonly number[] }"
    );
    assert_eq!(
        form("Thing"),
        "{ readonly kind: 'nothing' }\n  | { readonly kind: 'one'; readonly value: Point }\n  | { readonly kind: 'both'; readonly colour: Colour; readonly raw: unknown }"
    );
}

#[test]
fn what_is_not_json_is_refused() {
    for text in [
        "",
        " ",
        "{",
        "[1,]",
        "{\"a\":}",
        "01",
        "1.",
        "-",
        "1e",
        "\"\u{1}\"",
        "\"\\x\"",
        "\"\\u12\"",
        "nul",
        "1 2",
        "{a:1}",
        "'a'",
        "\"abc",
        "\\",
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
}

#[test]
fn a_lone_surrogate_becomes_the_replacement_character() {
    assert_eq!(parse(r#""\ud800x""#), Ok(Value::Text("\u{fffd}x".into())));
    assert_eq!(parse(r#""\ud83d\ude00""#), Ok(Value::Text("😀".into())));
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        ".*".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Into::into),
            prop::collection::btree_map(".*", inner, 0..8)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_value_survives_the_trip_through_both_writers(value in json()) {
        let text = to_text(&parse(&value.to_string()).unwrap());
        prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
    }

    #[test]
    fn any_text_is_parsed_or_refused_as_serde_json_does(text in "[\\[\\]{}\",:0-9eE.+\\-truefalsn \\\\u]{0,24}") {
        let ours = parse(&text).is_ok();
        let theirs = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        // serde_json rejects lone surrogates and numbers beyond f64; this crate accepts both.
        prop_assert!(ours == theirs || (ours && (text.contains("\\u") || text.contains(['e', 'E']))), "{}", text);
    }
}

#[test]
fn a_list_is_read_without_its_broken_items_and_says_how_many_there_were() {
    let text = parse(r#"[{"xAxis":1,"CAPS":[1,"two",3]},{"xAxis":"one","CAPS":[]},7,{"xAxis":2,"CAPS":[]}]"#).unwrap();
    let mut skipped = 0;
    let points: Vec<Point> = portico_json::read_sound(&text, &mut skipped).unwrap();
    let brief: Vec<_> = points.iter().map(|point| (point.x_axis, point.caps.as_slice())).collect();
    assert_eq!((brief, skipped), (vec![(1, [1, 3].as_slice()), (2, [].as_slice())], 3));
    assert!(portico_json::Read::read(&text).map(|_: Vec<Point>| ()).is_err());
    // Outside lists a misfit is an error, and nothing is counted.
    let broken = parse(r#"{"xAxis":"one","CAPS":[7,"x"]}"#).unwrap();
    assert!(portico_json::read_sound::<Point>(&broken, &mut skipped).is_none());
    assert_eq!(skipped, 3);
}

#[test]
fn the_first_field_that_does_not_fit_is_named() {
    let fault = |text: &str| <Point as portico_json::Read>::read(&parse(text).unwrap()).unwrap_err().0;
    assert_eq!(fault(r#"{"xAxis":"one","CAPS":["x"]}"#), "xAxis");
    assert_eq!(fault(r#"{"xAxis":1,"CAPS":[1,"x"]}"#), "CAPS");
    assert_eq!(fault(r#"{"xAxis":1}"#), "CAPS");
    assert_eq!(fault("[]"), "object");
}

#[test]
fn a_word_is_one_of_the_list_and_no_part_of_it() {
    for (word, colour) in [("red", Colour::Red), ("darkBlue", Colour::DarkBlue), ("bright-green", Colour::Green)] {
        assert_eq!((Colour::from_word(word), colour.word()), (Some(colour), word));
    }
    for strange in ["", "re", "Red", "red,darkBlue", ",", "green"] {
        assert_eq!(Colour::from_word(strange), None, "{strange}");
        let text = to_text(strange);
        assert!(<Colour as portico_json::Read>::read(&parse(&text).unwrap()).is_err(), "{strange}");
    }
}

#[test]
fn of_fields_with_the_same_name_a_map_keeps_the_last() {
    let text = parse(r#"{"a":1,"b":2,"a":3}"#).unwrap();
    let map: portico_json::Map<String, u32> = portico_json::Read::read(&text).unwrap();
    assert_eq!((map.get("a"), map.get("b"), map.len()), (Some(&3), Some(&2), 2));
}

#[derive(Clone, Debug, PartialEq, Json)]
struct Partly {
    kept: u32,
    #[json(skip)]
    own: Option<u32>,
}

#[test]
fn a_skipped_field_is_not_written_and_is_read_as_its_default() {
    assert_eq!(to_text(&Partly { kept: 1, own: Some(2) }), r#"{"kept":1}"#);
    let read = portico_json::Read::read(&parse(r#"{"kept":1,"own":2}"#).unwrap());
    assert_eq!(read, Ok(Partly { kept: 1, own: None }));
}
