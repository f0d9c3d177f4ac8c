//! Name and picture of an address: `GET /v1/identity/{address}` (spec 3.23, 4.40).

use portico_json::Json;

/// Name and picture of an address.
#[derive(Clone, Debug, Default, Eq, Json, PartialEq)]
pub struct Identity {
    /// Name that resolves back to the address.
    pub name: Option<String>,
    /// Picture URL, through the server's image proxy: a path on the server with its query, or an absolute URL if the operator configured
    /// the server's own address.
    pub avatar: Option<String>,
    /// Source of the name: "portico" or "ens".
    pub source: Option<String>,
    /// Age of the answer, in seconds.
    pub age: Option<u32>,
}
