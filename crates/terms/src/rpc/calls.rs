use portico_json::Value;

/// Whether every call in the parameters of a `wallet_sendCalls` (EIP-5792) is well-formed (spec 5.28).
pub fn calls_are_well_formed(params: &Value) -> bool {
    let batch = params.as_list().and_then(<[Value]>::first);
    let calls = batch.and_then(|batch| batch.get("calls").as_list());
    calls.is_some_and(|calls| calls.iter().all(entry_is_well_formed))
}

/// Whether a call is well-formed: its `to` starts with 0x, and so does its `data`, if present (spec 5.28).
fn entry_is_well_formed(entry: &Value) -> bool {
    let Some(fields) = entry.as_object() else { return false };
    let is_hex = |value: &Value| value.as_str().is_some_and(|text| text.starts_with("0x"));
    is_hex(entry.get("to")) && fields.iter().filter(|(name, _)| name == "data").all(|(_, data)| is_hex(data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portico_json::parse;

    fn well_formed(params: &str) -> bool {
        calls_are_well_formed(&parse(params).unwrap())
    }

    #[test]
    fn spec_5_28_an_entry_of_wallet_send_calls_has_a_to_that_starts_with_0x_and_so_does_its_data_if_there_is_one() {
        for calls in [
            r#"[]"#,
            r#"[{"to":"0x1"}]"#,
            r#"[{"to":"0x1","data":"0x"}]"#,
            r#"[{"to":"0x1","data":"0xab","value":"0x0"},{"to":"0x2"}]"#,
        ] {
            assert!(well_formed(&format!(r#"[{{"version":"2.0.0","calls":{calls}}}]"#)), "{calls}");
        }
        for calls in [
            r#"[{}]"#,
            r#"[{"data":"0x"}]"#,
            r#"[{"to":null}]"#,
            r#"[{"to":1}]"#,
            r#"[{"to":""}]"#,
            r#"[{"to":"1"}]"#,
            r#"[{"to":"X0x1"}]"#,
            r#"[{"to":"alice.eth"}]"#,
            r#"[{"to":"0x1","data":""}]"#,
            r#"[{"to":"0x1","data":"ab"}]"#,
            r#"[{"to":"0x1","data":null}]"#,
            r#"[{"to":"0x1","data":{}}]"#,
            r#"[{"to":"0x1"},{"to":"1"}]"#,
            r#"["0x1"]"#,
            r#"{"to":"0x1"}"#,
            "null",
        ] {
            assert!(!well_formed(&format!(r#"[{{"calls":{calls}}}]"#)), "{calls}");
        }
        for params in ["[]", "{}", "null", "[[]]", "[{}]", r#"{"calls":[{"to":"0x1"}]}"#] {
            assert!(!well_formed(params), "{params}");
        }
    }
}
