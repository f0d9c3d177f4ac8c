//! Routes of the relay of WalletConnect, version 2.

use super::refusal::{DATABASE, INVALID_BODY, LATE_BODY, LIMIT, ORIGIN, PROJECT, TOO_LARGE, UPGRADE};
use super::{Answer, Parameter, ParameterIn, Refusal, Route, json, needed, query};
use crate::relay::AttestationKey;
use portico_json::{Declarations, Shape, Shaped};

/// The relay is a switch of the server, which is off by default.
const OFF: Refusal =
    Refusal::new(404, "The relay is off on this server. Its operator turns it on with `relay.enabled`.");

/// Fetch of the stored messages of a topic.
const FETCH: &str = r#"{"jsonrpc":"2.0","id":1700000000000000,"method":"irn_fetchMessages","params":{"topic":"0000000000000000000000000000000000000000000000000000000000000000"}}"#;

/// Returns the routes `/relay*` and `/rpc`. The WebSocket at `/` is left out, because a request for a page has the same path.
pub(super) fn routes() -> Vec<Route> {
    let call = |path, about| {
        Route::new("post", path, "Relay", about, Answer::Json(Shape::Any))
            .gives(
                "The answer of the relay. Its `error`, if it has one, says in `data` what is wrong. Fetched messages leave the mailbox \
                 with this response.",
            )
            .or(202, "The body was the answer to a message of the relay, or a notification. There is nothing to answer.")
            .takes(admission())
            .body(Shape::Any)
            .example(FETCH)
            .refuses([
                INVALID_BODY.because("The body broke off or isn't complete. Send the request again."),
                PROJECT
                    .because(
                        "The token is missing, expired, forged or for another relay, or the project is missing, unknown or disabled. \
                         `error` in the body says which.",
                    )
                    .with(Shape::Any),
                ORIGIN.with(Shape::Any),
                OFF,
                LATE_BODY,
                TOO_LARGE.because("The message is larger than the relay takes. Send a shorter one."),
                LIMIT
                    .because(
                        "The visitor or the project has reached its limit, or the visitor has too many large requests open. Try again \
                         after the seconds in `retry-after`, or in a few seconds.",
                    )
                    .with(Shape::Any),
                DATABASE
                    .because("The database isn't responding, or the memory for large requests is in use. Try again.")
                    .with(Shape::Any),
            ])
            .open()
    };
    vec![
        Route::new("get", "/relay", "Relay", "Open a WebSocket of the relay", Answer::Empty(101))
            .gives(
                "The WebSocket is open. A client that isn't admitted gets it too, then its close code and reason: browsers hide the \
                 response to a refused upgrade. `wss://` with the host alone opens the same WebSocket.",
            )
            .takes(admission())
            .refuses([
                OFF,
                UPGRADE,
                LIMIT.because(
                    "The visitor has too many WebSockets open, or a limit of requests is reached. Close one, or connect again after the \
                     seconds in `retry-after`.",
                ),
            ])
            .open(),
        call("/relay/rpc", "Send one request to the relay"),
        call("/rpc", "Send one request to the relay, by its other path"),
        Route::new(
            "get",
            "/relay/attestation-key",
            "Relay",
            "Get the public key of the relay's attestations",
            json::<AttestationKey>(),
        )
        .gives("The key. A wallet verifies with it which page sent a message.")
        .refuses([OFF, DATABASE])
        .open(),
    ]
}

/// Parameters by which a client is admitted.
fn admission() -> [Parameter; 3] {
    [
        query("auth", "Token that the client signed (JWT, EdDSA); needed without the header `authorization`"),
        needed("projectId", "Project id"),
        Parameter {
            place: ParameterIn::Header,
            ..query("authorization", "`Bearer` and the token, in place of `auth`")
        },
    ]
}

/// Declares the types of the relay's routes.
pub(super) fn declare(into: &mut Declarations) {
    AttestationKey::declare(into);
}
