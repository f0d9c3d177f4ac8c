//! `GET /v1/identity/{address}` (spec 3.23, 4.40).

use portico_json::Json;

/// Who an address says it is.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Identity {
    /// A name that resolves back to the address.
    pub name: Option<String>,
    /// A picture, by the server's own image proxy: a path on the server with its query, or the whole address where the operator told the server
    /// its own.
    pub avatar: Option<String>,
    /// Where the name comes from: "portico" or "ens".
    pub source: Option<String>,
    /// How old it is, in seconds.
    pub age: Option<u32>,
}
