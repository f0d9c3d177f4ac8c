//! `cargo xtask demo`: two chains, the server, a page to click on and a wallet to answer with.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::process::{self, Running};
use crate::{chain, http, parallel, progress, server, widget, world};

/// The ids of the two chains; the first begins with the world of the tests.
const CHAINS: [u64; 2] = [31337, 31338];

/// The account of the wallets of the page, anvil's first.
const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/// Where the server has the demo wallet.
const WALLET: &str = "/wallet/";

/// Where the demo listens.
#[derive(Args, Clone, Copy)]
pub struct Demo {
    /// Port of the page
    #[arg(long, default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// Port of the first chain; the second takes the next one
    #[arg(long, default_value_t = 8545, value_parser = clap::value_parser!(u16).range(1..65535))]
    chain_port: u16,
    /// Start, see that the page, the wallet and both chains answer, and stop
    #[arg(long)]
    once: bool,
}

/// The command.
pub fn command(demo: Demo) -> Result<()> {
    let chains: Vec<_> = CHAINS.into_iter().zip(demo.chain_port..).collect();
    if chains.iter().any(|(_, port)| *port == demo.port) {
        let sentence = format!("Port {} cannot be both the page's and a chain's: choose others.", demo.port);
        return Err(Failure::new(sentence));
    }
    // Asked before anything is built: nobody wants to hear it minutes later.
    free(demo.port, "--port", demo.port.saturating_add(10))?;
    for (_, port) in &chains {
        free(*port, "--chain-port", demo.chain_port.saturating_add(10))?;
    }
    let page = || {
        widget::ready()?;
        world::deploy()?;
        widget::build_page()
    };
    parallel::both(page, server::build)?;
    let (mut running, addresses) = progress::step("two chains, an explorer and the server", |_| start(demo, &chains))?;
    if demo.once {
        progress::step("page, wallet and chains answer", |_| ask(&addresses, &chains))?;
        println!("\n  Everything answers, and is stopped again. `cargo xtask demo` leaves it running.\n");
        return Ok(());
    }
    process::interrupt_is_an_end();
    println!(
        "\n  Portico is ready: {page}\n  A wallet beside it: {page}{WALLET}\n  Ctrl-C stops it.\n",
        page = addresses.page
    );
    process::watch(&mut running)
}

/// Refuses a port that somebody listens on.
fn free(port: u16, flag: &str, instead: u16) -> Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // Binding alone is not enough: some systems let two listen, one on all addresses and one on this.
    let answered = TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok();
    match TcpListener::bind(address) {
        Ok(_) if !answered => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Err(Failure::new(format!(
            "Port {port} is not ours to listen on: choose another with `cargo xtask demo {flag} {instead}`."
        ))),
        _ => Err(Failure::new(format!(
            "Port {port} is taken: stop what uses it, or choose another with `cargo xtask demo {flag} {instead}`."
        ))),
    }
}

struct Addresses {
    page: String,
    explorer: String,
}

fn start(demo: Demo, chains: &[(u64, u16)]) -> Result<(Vec<Running>, Addresses)> {
    let mut running = Vec::new();
    for (id, port) in chains {
        let state = (*id == CHAINS[0]).then(world::state);
        running.push(chain::start(*id, *port, state.as_deref())?);
    }
    let (exploring, explorer) = server::explore(demo.chain_port)?;
    running.push(exploring);
    let (server, page) = server::serve(demo.port, chains, &explorer)?;
    running.push(server);
    Ok((running, Addresses { page, explorer }))
}

fn ask(Addresses { page, explorer }: &Addresses, chains: &[(u64, u16)]) -> Result<()> {
    // Apps open the wallet at the third.
    for address in [page.clone(), format!("{page}{WALLET}"), format!("{page}{WALLET}wc?uri=wc")] {
        let said = http::get(&address)?;
        if !said.to_lowercase().contains("<!doctype html") {
            return Err(Failure::new(format!("{address} answers, but not with a page.")).with_details(said));
        }
    }
    let coins = http::get(&format!("{explorer}/api/v2/addresses/{VISITOR}/token-balances"))?;
    if !coins.contains("USD Coin") {
        return Err(Failure::new(format!("{explorer} knows nothing of the visitor's coins.")).with_details(coins));
    }
    for (id, _) in chains {
        chain::answers(&format!("{page}/v1?chainId=eip155:{id}&projectId=demo"), *id)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named_with_the_flag_that_chooses_another() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let failure = free(port, "--port", 8090).unwrap_err();
        assert_eq!(
            failure.sentence,
            format!("Port {port} is taken: stop what uses it, or choose another with `cargo xtask demo --port 8090`.")
        );
    }
}
