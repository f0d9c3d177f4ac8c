//! Keyset paging: a page starts after the last item of the previous page, regardless of items added meanwhile.

use std::collections::HashMap;

use serde_json::{Map, Value, json};

/// Number of items in a page.
pub(crate) const PAGE: usize = 50;

/// Query of a request.
pub(crate) type Query = HashMap<String, String>;

/// Error for a query that cannot be read.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct Invalid;

/// Reads the keys of the item after which the page starts; `None` for the first page.
pub(crate) fn after<const N: usize>(query: &Query, names: [&str; N]) -> Result<Option<[u64; N]>, Invalid> {
    if !names.iter().any(|name| query.contains_key(*name)) {
        return Ok(None);
    }
    let mut keys = [0; N];
    for (key, name) in keys.iter_mut().zip(names) {
        // A query without the key of a batch refers to the first entry of the batch.
        *key = query.get(name).map_or(Ok(0), |text| text.parse().map_err(|_| Invalid))?;
    }
    Ok(Some(keys))
}

/// Cuts a page from the remaining items, with the query of the next page.
pub(crate) fn page<T>(items: &[T], before: u64, next: impl Fn(&T) -> Map<String, Value>) -> (&[T], Value) {
    let shown = &items[..items.len().min(PAGE)];
    let Some(last) = shown.last().filter(|_| items.len() > PAGE) else {
        return (shown, Value::Null);
    };
    let mut params = next(last);
    params.insert("items_count".into(), json!(before + shown.len() as u64));
    (shown, Value::Object(params))
}

/// Number of items on the previous pages.
pub(crate) fn before(query: &Query) -> Result<u64, Invalid> {
    query.get("items_count").map_or(Ok(0), |text| text.parse().map_err(|_| Invalid))
}

/// Returns the fields of an object.
pub(crate) fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(pairs: &[(&str, &str)]) -> Query {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn a_cursor_from_elsewhere_is_refused() {
        for nonsense in ["", "-1", "1.5", "0x10", "99999999999999999999"] {
            assert_eq!(after(&query(&[("index", nonsense)]), ["block_number", "index"]), Err(Invalid), "{nonsense}");
            assert_eq!(before(&query(&[("items_count", nonsense)])), Err(Invalid));
        }
    }

    #[test]
    fn the_last_page_says_that_nothing_follows() {
        let items: Vec<u64> = (0..51).collect();
        let next = |item: &u64| fields(json!({ "index": item }));
        let (shown, params) = page(&items, 50, next);
        assert_eq!((shown.len(), params), (50, json!({ "index": 49, "items_count": 100 })));
        assert_eq!(page(&items[1..], 0, next).1, Value::Null);
        assert_eq!(page(&[], 0, next).1, Value::Null);
    }
}
