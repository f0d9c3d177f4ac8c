//! Routes of sign-ins with a wallet (EIP-4361, CAIP-122).

use super::refusal::{DATABASE, LIMIT, PROJECT};
use super::{Answer, Parameter, ParameterIn, Refusal, Route, json, path, query};
use crate::siwx::{KeySet, RevokedSessions, SessionAccount, SessionToken, SignedMessage, SiwxNonce};
use portico_json::Shaped;

/// Returns the routes `/auth/v1/*` and `/.well-known/jwks.json`.
pub(super) fn routes() -> Vec<Route> {
    let token = || Parameter {
        place: ParameterIn::Header,
        ..query("authorization", "`Bearer` and the token of the session; without it, the cookie of the session counts")
    };
    vec![
        Route::new("get", "/auth/v1/nonce", "Sign-in", "Get a nonce for a sign-in", json::<SiwxNonce>()).gives("A nonce for one sign-in. Put it into the message that the account signs."),
        Route::new(
            "post",
            "/auth/v1/authenticate",
            "Sign-in",
            "Sign in with signed messages, for a token each",
            json::<SessionToken>(),
        ).gives("The token of the session, which is also set as a cookie if the page asked for one, and those of further messages.").refuses([LIMIT.because("Too many sign-ins from the visitor, or a limit of requests is reached. Try again after the seconds in `retry-after`."), Refusal::new(422, "The account in a message didn't make its signature, so no session is open. Ask the wallet to sign again."), DATABASE.because("The database isn't responding, no key can sign, or the chain of a smart account doesn't respond. Try again.")])
        .body(SignedMessage::shape()),
        Route::new("get", "/auth/v1/me", "Sign-in", "Get the account of a session", json::<SessionAccount>()).gives("The account of the session, and until when it lasts.").refuses([PROJECT.because("There is no such session, or it has ended: sign in again. Or the project id is missing, unknown or disabled.")])
            .takes([token()]),
        Route::new("post", "/auth/v1/sign-out", "Sign-in", "End a session", Answer::Empty(204)).gives("The session has ended, and its cookie is deleted.").refuses([PROJECT.because("There is no such session, or it has ended already. Or the project id is missing, unknown or disabled.")])
            .takes([token()]),
        Route::new(
            "get",
            "/.well-known/jwks.json",
            "Sign-in",
            "Get the public keys of session tokens (RFC 7517)",
            json::<KeySet>(),
        ).gives("The keys that verify tokens now. Fetch them again for a token with an unknown `kid`.").refuses([LIMIT, DATABASE])
        .open(),
        Route::new(
            "get",
            "/auth/v1/revoked/{project}",
            "Sign-in",
            "List ended sessions whose tokens have not expired",
            json::<RevokedSessions>(),
        ).gives("The ids of the sessions (`jti`). Refuse their tokens, and read the list again every ten seconds.")
        .or(304, "The list is still that of the `if-none-match` header.")
        .refuses([PROJECT.because("There is no such project, or it is disabled. Check the id."), LIMIT, DATABASE])
        .takes([path("project", "Project id: the claim `aud` of the tokens")])
        .open(),
    ]
}
