//! Restricted time zones (spec 6.10). The host decides about the consequences.

/// Mainland China, Hong Kong and Macau, by their IANA names, old ones included.
const ZONES: [&str; 10] = [
    "Asia/Shanghai",
    "Asia/Urumqi",
    "Asia/Chongqing",
    "Asia/Harbin",
    "Asia/Kashgar",
    "PRC",
    "Asia/Hong_Kong",
    "Hongkong",
    "Asia/Macau",
    "Asia/Macao",
];

/// Whether a time zone is a restricted one.
pub fn is_restricted(zone: &str) -> bool {
    ZONES.contains(&zone)
}
