//! Error responses of the routes: status, meaning, and what the client does next.

use portico_json::Shape;

/// Error response of a route.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// HTTP status.
    pub status: u16,
    /// Description in sentences: what it means and what to do.
    pub about: &'static str,
    /// Shape of the body.
    pub body: Shape,
}

impl Refusal {
    /// Refusal with a [`Problem`](crate::problem::Problem) as its body.
    pub(super) const fn new(status: u16, about: &'static str) -> Refusal {
        Refusal { status, about, body: Shape::Named("Problem") }
    }

    /// The same status with the reason that it has on one route.
    pub(super) fn because(self, about: &'static str) -> Refusal {
        Refusal { about, ..self }
    }

    /// The same status with a body of another shape.
    pub(super) fn with(self, body: Shape) -> Refusal {
        Refusal { body, ..self }
    }
}

pub(super) const INVALID_PARAMETER: Refusal = Refusal::new(
    400,
    "A parameter is missing, or its value isn't valid. Correct the `field` of the reason and send the request again.",
);
pub(super) const INVALID_BODY: Refusal = Refusal::new(
    400,
    "The body or a parameter isn't valid. Correct the `field` of the reason and send the request again.",
);
pub(super) const PROJECT: Refusal = Refusal::new(
    401,
    "The project id is missing, malformed or unknown, the project is disabled, or its secret is wrong. Send the id of a project as \
     `projectId` in the query, or as header `x-project-id`.",
);
pub(super) const ORIGIN: Refusal = Refusal::new(
    403,
    "The page's origin isn't on the project's list. Add it with `portico project origin add`, or send `x-project-secret` from your \
     own server.",
);
pub(super) const NO_NAMES: Refusal =
    Refusal::new(404, "Names aren't set up on this server. Its operator turns them on with `names.parent`.");
pub(super) const NO_NAME: Refusal = Refusal::new(
    404,
    "The name isn't registered, or names aren't set up on this server. With `apiVersion=2` the first is an empty list.",
);
pub(super) const NO_GATEWAY: Refusal = Refusal::new(
    404,
    "This server isn't a gateway for names, the name isn't below its parent, or `sender` is another contract. Check the resolver of \
     the name.",
);
pub(super) const LATE_BODY: Refusal = Refusal::new(408, "The body took too long to arrive. Send the request again.");
pub(super) const TOO_LARGE: Refusal =
    Refusal::new(413, "The body is larger than this route takes; the reason says how much. Send a smaller one.");
pub(super) const NO_PICTURE: Refusal = Refusal::new(
    415,
    "The file isn't a picture that can be shown: another format, SVG, broken, or too large. Show a placeholder.",
);
pub(super) const UPGRADE: Refusal =
    Refusal::new(426, "This is a WebSocket. Connect to it with `wss://` in place of `https://`.");
pub(super) const LIMIT: Refusal = Refusal::new(
    429,
    "The visitor or the project has reached its limit of requests. Send the request again after the seconds in `retry-after`.",
);
pub(super) const UNKNOWN_SOURCE: Refusal =
    Refusal::new(501, "No source for this chain is set up on this server. Trying again doesn't help.");
pub(super) const DATABASE: Refusal = Refusal::new(
    503,
    "The server can't reach its database. Send the request again after the seconds in `retry-after`.",
);
pub(super) const SOURCES: Refusal = Refusal::new(
    503,
    "None of the sources responds, and there is no earlier answer to return. Send the request again after the seconds in \
     `retry-after`.",
);
pub(super) const EVENTS: Refusal = Refusal::new(413, "The body is larger than 1 MiB. Send fewer events at once.");
pub(super) const NOT_READY: Refusal = Refusal::new(
    503,
    "The server is stopping, or its database isn't responding; the text says which. Send visitors to another node.",
);
