//! The binary `portico`.

use std::process::ExitCode;

fn main() -> ExitCode {
    portico_server::cli::start(std::env::args_os())
}
