//! `portico-explorer`: the explorer as a program, for the demo's chain.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use portico_explorer::Explorer;
use portico_explorer::testing::Addresses;
use tokio::net::TcpListener;

/// Serves the Blockscout API for one chain
#[derive(Parser)]
struct Options {
    /// Address to listen on
    #[arg(long, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
    /// URL of the chain's JSON-RPC endpoint
    #[arg(long)]
    rpc: String,
    /// Name of the network, shown on each page
    #[arg(long, default_value = "Test chain")]
    name: String,
    /// Folder with the addresses of the test world, whose tokens have prices
    #[arg(long)]
    world: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match serve(Options::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("portico-explorer: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(options: Options) -> std::io::Result<()> {
    let (rates, icons) = match &options.world {
        Some(folder) => (Addresses::read(folder)?.rates(), Addresses::icons(folder)?),
        None => (HashMap::new(), HashMap::new()),
    };
    let listener = TcpListener::bind(options.listen).await?;
    println!("listening on http://{}", listener.local_addr()?);
    Explorer::new(&options.rpc, &options.name, rates, icons).serve(listener).await
}
