//! Retry rules for failed requests (spec 8.53).

/// Delay before the first retry, in milliseconds; it doubles each time.
const BASE_DELAY: u64 = 150;

/// Maximum delay that a Retry-After header can cause, in milliseconds.
const LONGEST_WAIT: u64 = 60_000;

/// Whether a JSON-RPC code or HTTP status is worth a retry: -1 (no response), limit exceeded, internal error, and the statuses of spec
/// 8.53.
pub fn is_retryable(code: i64) -> bool {
    matches!(code, -1 | -32005 | -32603 | 403 | 408 | 413 | 429 | 500 | 502 | 503 | 504)
}

/// Delay before retry `attempt + 1`, in milliseconds: from Retry-After, at most [`LONGEST_WAIT`], else doubled each time, at most eight times.
pub fn retry_delay(attempt: u32, retry_after: Option<u64>) -> u64 {
    retry_after.map_or(BASE_DELAY << attempt.min(8), |asked| asked.min(LONGEST_WAIT))
}
