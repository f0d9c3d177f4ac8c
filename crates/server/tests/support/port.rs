//! Ports that a server started by a test listens on later.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports below those that Linux gives to listeners on port 0, so that no other test gets one meanwhile.
const FIRST: u16 = 10_000;
const COUNT: u16 = 20_000;

/// Port of this machine without a listener. It is given once.
pub fn free_port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    // Other test programs begin elsewhere.
    let start = u16::try_from(std::process::id() % u32::from(COUNT)).unwrap();
    loop {
        let step = start + GIVEN.fetch_add(1, Ordering::Relaxed);
        let port = FIRST + step % COUNT;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}
