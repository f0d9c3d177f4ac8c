//! When a failed request is worth another try (spec 8.53).

/// The first wait; each further one is twice as long.
const BASE_DELAY: u64 = 150;

/// A server that asks for more patience than this is treated as gone.
const LONGEST_WAIT: u64 = 60_000;

/// Whether a JSON-RPC code or an HTTP status is worth another try: -1 (nobody answered), limit exceeded, internal error, and the
/// statuses of spec 8.53.
pub fn is_retryable(code: i64) -> bool {
    matches!(code, -1 | -32005 | -32603 | 403 | 408 | 413 | 429 | 500 | 502 | 503 | 504)
}

/// How long to wait before try `attempt + 1`: what Retry-After asked for, else twice as long each time.
pub fn retry_delay(attempt: u32, retry_after: Option<u64>) -> u64 {
    retry_after.map_or(BASE_DELAY << attempt.min(8), |asked| asked.min(LONGEST_WAIT))
}
