//! Errors of relay requests: code, text and tag as in the protocol.

use super::limits::Overrun;

/// Error of a request, for the `error` field of a JSON-RPC response.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fault {
    /// Code 3000: an HTTP request without a valid token or project; holds text and tag.
    Auth(&'static str, &'static str),
    TooManyRequests,
    InvalidMethod,
    InvalidParams,
    PayloadSizeExceeded,
    InvalidTopic,
    InvalidRequestId,
    InvalidJsonRpcVersion,
    BatchLimitExceeded,
    BatchEmpty,
    Serialization,
    TtlTooShort,
    TtlTooLong,
    MailboxLimitExceeded,
    SubscriberLimitExceeded,
    /// The client has reached its limit of subscribed topics.
    SubscribeFailed,
    WatchJwt,
    /// Webhooks are not supported.
    NoWebhooks,
    Storage,
}

impl Fault {
    /// Code, text and tag.
    fn parts(self) -> (i32, &'static str, &'static str) {
        const PAYLOAD: i32 = -32600;
        const HANDLER: i32 = -32000;
        match self {
            Fault::Auth(text, tag) => (3000, text, tag),
            Fault::TooManyRequests => (3001, "Too many requests", "TooManyRequests"),
            Fault::InvalidMethod => (PAYLOAD, "Invalid method", "InvalidMethod"),
            Fault::InvalidParams => (PAYLOAD, "Invalid params", "InvalidParams"),
            Fault::PayloadSizeExceeded => (PAYLOAD, "Payload size exceeded", "PayloadSizeExceeded"),
            Fault::InvalidTopic => (PAYLOAD, "Topic is not 64 hex digits", "InvalidTopic"),
            Fault::InvalidRequestId => {
                (PAYLOAD, "Request id is not a number of at least ten digits", "InvalidRequestId")
            }
            Fault::InvalidJsonRpcVersion => (PAYLOAD, "JSON-RPC version is not 2.0", "InvalidJsonRpcVersion"),
            Fault::BatchLimitExceeded => (PAYLOAD, "Batch holds more than 500", "BatchLimitExceeded"),
            Fault::BatchEmpty => (PAYLOAD, "Batch is empty", "BatchEmpty"),
            Fault::Serialization => (PAYLOAD, "Request cannot be read", "Serialization"),
            Fault::TtlTooShort => (HANDLER, "TTL too short", "TtlTooShort"),
            Fault::TtlTooLong => (HANDLER, "TTL too long", "TtlTooLong"),
            Fault::MailboxLimitExceeded => (HANDLER, "Mailbox limit exceeded", "MailboxLimitExceeded"),
            Fault::SubscriberLimitExceeded => (HANDLER, "Subscriber limit exceeded", "SubscriberLimitExceeded"),
            Fault::SubscribeFailed => (HANDLER, "The client has reached its limit of topics", "SubscribeFailed"),
            Fault::WatchJwt => (HANDLER, "Watch JWT is not valid", "InvalidJwt"),
            Fault::NoWebhooks => (HANDLER, "This relay has no webhooks. Stay connected or fetch.", "InvalidWebhookUrl"),
            Fault::Storage => (-32603, "Internal error", "StorageError"),
        }
    }

    /// Tag of the error, also a metrics label.
    pub(super) fn tag(self) -> &'static str {
        self.parts().2
    }

    /// The error as a JSON object.
    pub(super) fn json(self) -> String {
        let (code, text, tag) = self.parts();
        format!(r#"{{"code":{code},"message":"{text}","data":"{tag}"}}"#)
    }
}

impl From<Overrun> for Fault {
    fn from(Overrun: Overrun) -> Fault {
        Fault::TooManyRequests
    }
}
