//! The binary `portico`.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    portico_server::cli::run(std::env::args_os()).await
}
