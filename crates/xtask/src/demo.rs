//! `cargo xtask demo`: starts two chains, the server, a page with the widget, and a wallet.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::process::{self, Running};
use crate::{chain, http, parallel, progress, server, widget, world};

/// Ids of the two chains; the first starts from the test chain's stored state.
const CHAINS: [u64; 2] = [31337, 31338];

/// Account of the page's test wallets: the first of anvil.
const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/// Account that owns the contracts of the chain.
const OWNER: usize = 9;

/// Path of the demo wallet on the server.
const WALLET: &str = "/wallet/";

/// Ports of the demo.
#[derive(Args, Clone, Copy)]
pub struct Demo {
    /// Port of the page; the explorer, where the page's links lead, takes the next one, the embedded wallet the one after it
    #[arg(long, default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..65534))]
    port: u16,
    /// Port of the first chain; the second takes the next one
    #[arg(long, default_value_t = 8545, value_parser = clap::value_parser!(u16).range(1..65535))]
    chain_port: u16,
    /// Start, see that the page, the wallet and both chains answer, and stop
    #[arg(long)]
    once: bool,
}

/// Runs the command.
pub fn command(demo: Demo) -> Result<()> {
    let chains: Vec<_> = CHAINS.into_iter().zip(demo.chain_port..).collect();
    for (port, whose) in [(demo.port, "the page's"), (demo.port + 1, "the explorer's"), (demo.port + 2, "the wallet's")]
    {
        if chains.iter().any(|(_, chain)| *chain == port) {
            return Err(Failure::new(format!("Port {port} cannot be both {whose} and a chain's: choose others.")));
        }
    }
    // Checked before the build, so that a taken port is reported at once and not minutes later.
    for port in [demo.port, demo.port + 1, demo.port + 2] {
        free(port, "--port", demo.port.saturating_add(10))?;
    }
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
        "\n  Portico is ready: {page}/?login=demo\n  A wallet beside it: {page}{WALLET}\n  An explorer of its chain: {explorer}\n  Mails of logins: {wallet}/outbox\n  Ctrl-C stops it.\n",
        page = addresses.page,
        explorer = addresses.explorer,
        wallet = addresses.wallet
    );
    process::watch(&mut running)
}

/// Fails if a process already listens on the port.
fn free(port: u16, flag: &str, instead: u16) -> Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // Binding alone is not enough: some systems allow one listener on all addresses and another on this one.
    let answered = TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok();
    match TcpListener::bind(address) {
        Ok(_) if !answered => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Err(Failure::new(format!(
            "Port {port} needs more privileges: choose another with `cargo xtask demo {flag} {instead}`."
        ))),
        _ => Err(Failure::new(format!(
            "Port {port} is taken: stop what uses it, or choose another with `cargo xtask demo {flag} {instead}`."
        ))),
    }
}

struct Addresses {
    page: String,
    explorer: String,
    wallet: String,
}

fn start(demo: Demo, chains: &[(u64, u16)]) -> Result<(Vec<Running>, Addresses)> {
    let mut running = Vec::new();
    for (id, port) in chains {
        let state = (*id == CHAINS[0]).then(world::state);
        running.push(chain::start(*id, *port, state.as_deref())?);
    }
    let (exploring, explorer) = server::explore(demo.chain_port, demo.port + 1)?;
    running.push(exploring);
    let (server, page) = server::serve(demo.port, chains, &explorer, demo.port + 2)?;
    running.push(server);
    name_gateway(demo.chain_port, &page)?;
    Ok((running, Addresses { page, explorer, wallet: server::wallet_origin(demo.port + 2) }))
}

/// Tells the contract that resolves names that the server is their gateway, as an operator does once.
fn name_gateway(chain_port: u16, page: &str) -> Result<()> {
    let url = format!("{page}/v1/ens/{{sender}}/{{data}}.json");
    let mut text: String = url.bytes().map(|byte| format!("{byte:02x}")).collect();
    text.push_str(&"0".repeat(text.len().next_multiple_of(64) - text.len()));
    let words: String = [32, 1, 32, url.len()].iter().map(|word| format!("{word:064x}")).collect();
    // `setUrls(string[])`, which the owner of the contract may call.
    let data = format!("0x6cc895a9{words}{text}");
    let (from, to) = (world::account(OWNER)?, world::contract("offchainResolver")?);
    let call = serde_json::json!({
        "jsonrpc": "2.0", "id": 1, "method": "eth_sendTransaction", "params": [{ "from": from, "to": to, "data": data }]
    });
    let said = http::post(&format!("http://127.0.0.1:{chain_port}"), &call.to_string())?;
    match said.contains("\"result\"") {
        true => Ok(()),
        false => Err(Failure::new("The test chain refused the gateway of names.").with_details(said)),
    }
}

fn ask(Addresses { page, explorer, wallet }: &Addresses, chains: &[(u64, u16)]) -> Result<()> {
    // The third is the address at which apps open the wallet, the last one where the page's links lead.
    let pages = [
        page.clone(),
        format!("{page}{WALLET}"),
        format!("{page}{WALLET}wc?uri=wc"),
        format!("{explorer}/address/{VISITOR}"),
        format!("{wallet}/outbox"),
    ];
    for address in pages {
        let said = http::get(&address)?;
        if !said.to_lowercase().contains("<!doctype html") {
            return Err(Failure::new(format!("{address} answers, but not with a page.")).with_details(said));
        }
    }
    let coins = http::get(&format!("{explorer}/api/v2/addresses/{VISITOR}/token-balances"))?;
    if !coins.contains("USD Coin") {
        return Err(Failure::new(format!("{explorer} has no token balances of the demo account.")).with_details(coins));
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
