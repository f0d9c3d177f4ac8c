//! Benchmark of logins by e-mail: the released server, its vault on SQLite, and a mail server. Prints a Markdown table; `cargo xtask bench vault`
//! runs it.
//!
//! Visitors come through a proxy, each with an address of its own, so that the limits of one visitor do not end the run.

#[path = "../../tests/support/device.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod device;
mod login;
#[path = "../../tests/support/mail.rs"]
#[allow(dead_code, reason = "shared with the tests")]
mod mail;
mod post;
#[path = "../server/row.rs"]
#[allow(dead_code, reason = "shared with the benchmark of the server")]
mod row;
mod rows;
mod server;

fn main() {
    println!("{}", row::HEAD);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for row in runtime.block_on(rows::measure()) {
        println!("{row}");
    }
}
