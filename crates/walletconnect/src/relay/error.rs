use portico_json::Json;

/// Error response of a relay.
#[derive(Clone, Debug, Eq, Json, PartialEq)]
pub struct RelayError {
    /// JSON-RPC code: 3000 authentication, 3001 too many requests, -32600 payload, -32000 handler, -32603 internal.
    pub code: i64,
    /// Message for people.
    pub message: String,
    /// Name of the fault, if the relay sends it.
    pub data: Option<String>,
}

/// Faults of the reference relay, by the names it puts into `data`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[allow(missing_docs)] // The names are the wire's; `text` says what each means.
pub enum RelayFault {
    ProjectNotFound,
    ProjectIdNotSpecified,
    ProjectInactive,
    OriginNotAllowed,
    InvalidJwt,
    MissingJwt,
    CountryBlocked,
    TooManyRequests,
    InvalidMethod,
    InvalidParams,
    PayloadSizeExceeded,
    InvalidTopic,
    InvalidSubscriptionId,
    InvalidRequestId,
    InvalidJsonRpcVersion,
    BatchLimitExceeded,
    BatchEmpty,
    Serialization,
    TtlTooShort,
    TtlTooLong,
    MailboxLimitExceeded,
    SubscriberLimitExceeded,
    CreateTopicFailed,
    SubscribeFailed,
    PublishFailed,
    InvalidTtl,
    InvalidServiceUrl,
    InvalidWebhookUrl,
    InvalidAction,
    StorageError,
    Unknown,
}

impl RelayFault {
    /// JSON-RPC code of the fault.
    pub fn code(self) -> i64 {
        use RelayFault::*;
        match self {
            ProjectNotFound
            | ProjectIdNotSpecified
            | ProjectInactive
            | OriginNotAllowed
            | InvalidJwt
            | MissingJwt
            | CountryBlocked => 3000,
            TooManyRequests => 3001,
            InvalidMethod
            | InvalidParams
            | PayloadSizeExceeded
            | InvalidTopic
            | InvalidSubscriptionId
            | InvalidRequestId
            | InvalidJsonRpcVersion
            | BatchLimitExceeded
            | BatchEmpty
            | Serialization => -32600,
            TtlTooShort
            | TtlTooLong
            | MailboxLimitExceeded
            | SubscriberLimitExceeded
            | CreateTopicFailed
            | SubscribeFailed
            | PublishFailed
            | InvalidTtl
            | InvalidServiceUrl
            | InvalidWebhookUrl
            | InvalidAction => -32000,
            StorageError | Unknown => -32603,
        }
    }

    /// Name of the fault in `data`; `None` for 3001.
    pub fn tag(self) -> Option<&'static str> {
        use RelayFault::*;
        Some(match self {
            TooManyRequests => return None,
            ProjectNotFound => "ProjectNotFound",
            ProjectIdNotSpecified => "ProjectIdNotSpecified",
            ProjectInactive => "ProjectInactive",
            OriginNotAllowed => "OriginNotAllowed",
            InvalidJwt => "InvalidJwt",
            MissingJwt => "MissingJwt",
            CountryBlocked => "CountryBlocked",
            InvalidMethod => "InvalidMethod",
            InvalidParams => "InvalidParams",
            PayloadSizeExceeded => "PayloadSizeExceeded",
            InvalidTopic => "InvalidTopic",
            InvalidSubscriptionId => "InvalidSubscriptionId",
            InvalidRequestId => "InvalidRequestId",
            InvalidJsonRpcVersion => "InvalidJsonRpcVersion",
            BatchLimitExceeded => "BatchLimitExceeded",
            BatchEmpty => "BatchEmpty",
            Serialization => "Serialization",
            TtlTooShort => "TtlTooShort",
            TtlTooLong => "TtlTooLong",
            MailboxLimitExceeded => "MailboxLimitExceeded",
            SubscriberLimitExceeded => "SubscriberLimitExceeded",
            CreateTopicFailed => "CreateTopicFailed",
            SubscribeFailed => "SubscribeFailed",
            PublishFailed => "PublishFailed",
            InvalidTtl => "InvalidTtl",
            InvalidServiceUrl => "InvalidServiceUrl",
            InvalidWebhookUrl => "InvalidWebhookUrl",
            InvalidAction => "InvalidAction",
            StorageError => "StorageError",
            Unknown => "Unknown",
        })
    }

    /// Meaning of the fault in a sentence.
    pub fn text(self) -> &'static str {
        use RelayFault::*;
        match self {
            ProjectNotFound => "Project not found",
            // These four are also the reasons of a close frame, in the words that clients look for (spec 8.49).
            ProjectIdNotSpecified => "Project ID is missing",
            ProjectInactive => "Project inactive",
            OriginNotAllowed => "Unauthorized: origin not allowed",
            InvalidJwt => "Unauthorized: invalid key",
            MissingJwt => "Missing authentication token",
            CountryBlocked => "Country blocked",
            TooManyRequests => "Too many requests",
            InvalidMethod => "Invalid method",
            InvalidParams => "Invalid parameters",
            PayloadSizeExceeded => "Payload size exceeded",
            InvalidTopic => "Invalid topic: 64 hex digits are expected",
            InvalidSubscriptionId => "Invalid subscription ID",
            InvalidRequestId => "Invalid request ID",
            InvalidJsonRpcVersion => "Invalid JSON-RPC version",
            BatchLimitExceeded => "Batch contains too many items",
            BatchEmpty => "Batch contains no items",
            Serialization => "Not a JSON-RPC message",
            TtlTooShort => "TTL too short",
            TtlTooLong => "TTL too long",
            MailboxLimitExceeded => "Mailbox limit exceeded",
            SubscriberLimitExceeded => "Subscriber limit exceeded",
            CreateTopicFailed => "Failed to create topic",
            SubscribeFailed => "Failed to subscribe",
            PublishFailed => "Failed to publish",
            InvalidTtl => "Invalid TTL",
            InvalidServiceUrl => "Invalid service URL",
            InvalidWebhookUrl => "Invalid webhook URL",
            InvalidAction => "Invalid action",
            StorageError => "Storage error",
            Unknown => "Unknown error",
        }
    }
}

impl From<RelayFault> for RelayError {
    fn from(fault: RelayFault) -> RelayError {
        RelayError { code: fault.code(), message: fault.text().into(), data: fault.tag().map(Into::into) }
    }
}
