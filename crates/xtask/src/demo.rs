//! `cargo xtask demo`: starts two chains, the server, a page with the widget, and a wallet.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use clap::Args;

use crate::failure::{Failure, Result};
use crate::process::{self, Running};
use crate::{bitcoin, chain, http, parallel, port, progress, server, solana, widget, world};

/// Ids of the two chains; the first starts from the test chain's stored state.
const CHAINS: [u64; 2] = [31337, 31338];

/// Account of the page's test wallets: the first of anvil.
const VISITOR: &str = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

/// Account that owns the contracts of the chain.
const OWNER: usize = 9;

/// Path of the demo wallet on the server.
const WALLET: &str = "/wallet/";

/// Default ports of the page and of the first chain.
const PAGE: u16 = 8080;
const CHAIN: u16 = 8545;

/// Flags that set them.
const PAGE_FLAG: &str = "--port";
const CHAIN_FLAG: &str = "--chain-port";

/// Distance of the ports that are tried instead of taken ones.
const STEP: u16 = 10;

/// Number of places that are tried.
const PLACES: u16 = 50;

/// Ports of the demo.
#[derive(Args, Clone, Copy)]
pub struct Demo {
    /// Port of the page; the explorer, where the page's links lead, takes the next one, the embedded wallet the one after it [default: 8080, or free ones if those are taken]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..65534))]
    port: Option<u16>,
    /// Port of the first chain; the second takes the next one [default: 8545, or free ones if those are taken]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..65535))]
    chain_port: Option<u16>,
    /// Start, see that the page, the wallet and both chains answer, and stop
    #[arg(long)]
    once: bool,
}

/// First of consecutive ports of the demo.
#[derive(Clone, Copy)]
struct Ports {
    /// Those of the page, the explorer and the embedded wallet.
    page: u16,
    /// Those of the two chains.
    chain: u16,
}

/// Runs the command.
pub fn command(demo: Demo) -> Result<()> {
    // A port of a flag that is taken is reported at once, not after a build of minutes.
    given(demo)?;
    let page = || {
        widget::ready()?;
        world::deploy()?;
        widget::build_page()
    };
    parallel::both(page, server::build)?;
    // A port that was free before the build may be taken now.
    let ports = ports(demo, PAGE, CHAIN)?;
    let chains: Vec<_> = CHAINS.into_iter().zip(ports.chain..).collect();
    let (mut running, addresses) = progress::step("two chains, an explorer and the server", |_| start(ports, &chains))?;
    if demo.once {
        progress::step("page, wallet and chains answer", |_| ask(&addresses, &chains))?;
        println!("\n  Everything answers, and is stopped again. `cargo xtask demo` leaves it running.\n");
        return Ok(());
    }
    process::interrupt_is_an_end();
    println!(
        "\n  Portico is ready: {page}/?login=demo\n{further}  A wallet beside it: {page}{WALLET}\n  An explorer of its chain: {explorer}\n  Emails of logins: {wallet}/outbox\n  Ctrl-C stops it.\n",
        further = further(&addresses),
        page = addresses.named(),
        explorer = addresses.explorer,
        wallet = addresses.wallet
    );
    process::watch(&mut running)
}

/// Fails if a port that a flag gives cannot be had.
fn given(demo: Demo) -> Result<()> {
    if let Some(port) = demo.chain_port {
        chosen(Some(port), CHAIN, 2, CHAIN_FLAG, &[])?;
    }
    if let Some(port) = demo.port {
        chosen(Some(port), PAGE, 3, PAGE_FLAG, &[])?;
    }
    apart(demo)
}

/// Fails if two parts of the demo are given the same port.
fn apart(demo: Demo) -> Result<()> {
    let (Some(page), Some(chain)) = (demo.port, demo.chain_port) else { return Ok(()) };
    let shared = (page..).zip(["the page's", "the explorer's", "the wallet's"]);
    match shared.into_iter().find(|(port, _)| (chain..chain.saturating_add(2)).contains(port)) {
        Some((port, whose)) => {
            Err(Failure::new(format!("Port {port} cannot be both {whose} and a chain's: choose others.")))
        }
        None => Ok(()),
    }
}

/// Ports of the demo: the given ones, or the default ones, or free ones in place of taken default ones.
fn ports(demo: Demo, page: u16, chain: u16) -> Result<Ports> {
    let chain = chosen(demo.chain_port, chain, 2, CHAIN_FLAG, &[])?;
    apart(Demo { chain_port: Some(chain), ..demo })?;
    Ok(Ports { page: chosen(demo.port, page, 3, PAGE_FLAG, &[chain, chain + 1])?, chain })
}

/// First of `count` consecutive ports; `taken` are those of other parts of the demo. A given port is never replaced.
fn chosen(given: Option<u16>, default: u16, count: u16, flag: &str, taken: &[u16]) -> Result<u16> {
    let first = given.unwrap_or(default);
    let all = |first: u16| first..first.saturating_add(count);
    let Err(failure) = all(first).try_for_each(|port| free(port, taken, flag, first.saturating_add(STEP))) else {
        return Ok(first);
    };
    if given.is_some() {
        return Err(failure);
    }
    let others = (1..=PLACES).filter_map(|place| first.checked_add(place * STEP));
    let mut others = others.filter(|port| port.checked_add(count).is_some());
    let is_free = |first: &u16| all(*first).all(|port| free(port, taken, flag, port).is_ok());
    let other = others.find(is_free).ok_or(failure)?;
    progress::say(&format!("  Port {first} or one after it is taken. Using {other} to {}.", other + count - 1));
    Ok(other)
}

/// Fails if a process, or another part of the demo, already has the port.
fn free(port: u16, others: &[u16], flag: &str, instead: u16) -> Result<()> {
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    // Binding alone is not enough: some systems allow one listener on all addresses and another on this one.
    let answered = TcpStream::connect_timeout(&address, Duration::from_millis(300)).is_ok();
    match TcpListener::bind(address) {
        Ok(_) if !answered && !others.contains(&port) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Err(Failure::new(format!(
            "Port {port} needs more privileges: choose another with `cargo xtask demo {flag} {instead}`."
        ))),
        _ => Err(taken(port, flag, instead)),
    }
}

/// Failure that names a taken port, its process, and the flag that chooses another one.
fn taken(port: u16, flag: &str, instead: u16) -> Failure {
    let holder = port::holder(port).map(|holder| format!(" by {holder}")).unwrap_or_default();
    Failure::new(format!(
        "Port {port} is taken{holder}. Stop that program, or choose another port with `cargo xtask demo {flag} {instead}`."
    ))
}

/// The failure of a part of the demo to start; or, if one of its ports was taken while the parts before it started, the failure that names
/// this port. `first` is the port that the flag sets.
fn unless_taken(failure: Failure, its: &[u16], first: u16, flag: &str) -> Failure {
    let details = failure.details.as_deref().unwrap_or_default();
    // The words of the system, and those of our server.
    if !["Address already in use", "already taken"].iter().any(|words| details.contains(words)) {
        return failure;
    }
    let is_named = |port: &&u16| details.contains(&format!("Port {port} "));
    match its.iter().find(is_named).or(its.first()) {
        Some(port) => taken(*port, flag, first.saturating_add(STEP)),
        None => failure,
    }
}

struct Addresses {
    page: String,
    explorer: String,
    wallet: String,
    /// Chains of the networks of other namespaces that run.
    further: Vec<String>,
}

impl Addresses {
    /// The page by the name of its host.
    fn named(&self) -> String {
        self.page.replace("127.0.0.1", "localhost")
    }
}

/// Line with the page that has wallets of all namespaces and a button to sign in.
fn further(addresses: &Addresses) -> String {
    let solana = addresses.further.iter().find_map(|chain| chain.strip_prefix("solana:"));
    let (names, solana) = match solana {
        Some(id) => ("Solana, Bitcoin", format!("&solana={id}")),
        None => ("Bitcoin", String::new()),
    };
    let page = addresses.named();
    format!(
        "  With {names} and Polkadot, and a sign-in: {page}/?login=demo{solana}&bitcoin=regtest&polkadot=polkadot&siwx=optional\n"
    )
}

fn start(ports: Ports, chains: &[(u64, u16)]) -> Result<(Vec<Running>, Addresses)> {
    let mut running = Vec::new();
    // These take seconds of their own, while the others start.
    let starting: Vec<_> = [solana::start()?, bitcoin::start()?].into_iter().flatten().collect();
    for (id, port) in chains {
        let state = (*id == CHAINS[0]).then(world::state);
        let started = chain::start(*id, *port, state.as_deref());
        running.push(started.map_err(|failure| unless_taken(failure, &[*port], ports.chain, CHAIN_FLAG))?);
    }
    let [page, explorer, wallet] = [ports.page, ports.page + 1, ports.page + 2];
    let page_taken = |its: &[u16], failure| unless_taken(failure, its, page, PAGE_FLAG);
    let (exploring, explorer) =
        server::explore(ports.chain, explorer).map_err(|failure| page_taken(&[explorer], failure))?;
    running.push(exploring);
    let mut further = Vec::new();
    for network in starting {
        let (node, network) = network.ready()?;
        running.push(node);
        further.push(network);
    }
    let (serving, page) = server::serve(page, chains, &further, &explorer, wallet)
        .map_err(|failure| page_taken(&[page, wallet], failure))?;
    running.push(serving);
    name_gateway(ports.chain, &page)?;
    let further = further.into_iter().map(|network| network.id).collect();
    Ok((running, Addresses { page, explorer, wallet: server::wallet_origin(wallet), further }))
}

/// Tells the contract that resolves names that the server is their gateway, as an operator does once.
fn name_gateway(chain_port: u16, page: &str) -> Result<()> {
    // The page's policy lets it ask its own origin alone, and it is opened by either name of this machine.
    let urls = [page.replace("127.0.0.1", "localhost"), page.to_owned()];
    let urls = urls.map(|origin| text(&format!("{origin}/v1/ens/{{sender}}/{{data}}.json")));
    // A list: where it begins, its length, where each text begins, the texts.
    let first = 32 * urls.len();
    let words: String =
        [32, urls.len(), first, first + urls[0].len() / 2].iter().map(|word| format!("{word:064x}")).collect();
    let text = urls.concat();
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

/// A text as the ABI of contracts writes it: its length, and its bytes up to whole words, in hex.
fn text(text: &str) -> String {
    let bytes: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!("{:064x}{bytes:0<width$}", text.len(), width = bytes.len().next_multiple_of(64))
}

fn ask(Addresses { page, explorer, wallet, further }: &Addresses, chains: &[(u64, u16)]) -> Result<()> {
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
    for chain in further {
        let url = format!("{page}/v1?chainId={chain}&projectId=demo");
        match chain.split_once(':') {
            Some(("solana", _)) => solana::answers(&url, chain)?,
            _ => bitcoin::answers(&url, chain)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Listener on a port below those that systems give to connections.
    fn busy() -> (TcpListener, u16) {
        let listener = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)).ok();
        (20_000..30_000).step_by(100).find_map(|port| Some((listener(port)?, port))).unwrap()
    }

    #[test]
    fn a_taken_port_that_was_given_is_named_with_the_flag_that_chooses_another() {
        let (_listener, port) = busy();
        let demo = Demo { port: Some(port), chain_port: None, once: true };
        let (early, late) = (given(demo).unwrap_err(), ports(demo, PAGE, CHAIN).map(|ports| ports.page).unwrap_err());
        let other = port + STEP;
        // Only Linux names the process.
        let holder = port::holder(port).map(|holder| format!(" by {holder}")).unwrap_or_default();
        assert!(holder.is_empty() || holder.ends_with(&format!("(process {})", std::process::id())), "{holder}");
        assert_eq!(holder.is_empty(), !cfg!(target_os = "linux"));
        for failure in [early, late] {
            assert_eq!(
                failure.sentence,
                format!(
                    "Port {port} is taken{holder}. Stop that program, or choose another port with `cargo xtask demo --port {other}`."
                )
            );
        }
    }

    #[test]
    fn a_port_that_is_taken_while_the_demo_starts_is_named_with_what_to_do() {
        let said = "Error: Address already in use (os error 98)\nError: Operation failed";
        let failure = Failure::new("Chain 31337 ended before it was ready.").with_details(said);
        assert_eq!(
            unless_taken(failure, &[2], 1, CHAIN_FLAG).to_string(),
            "Port 2 is taken. Stop that program, or choose another port with `cargo xtask demo --chain-port 11`."
        );
        let said =
            "Port 3 on 127.0.0.1, of the embedded wallet, is already taken by node (process 7). Stop it, or set …";
        let failure = Failure::new("The server ended before it was ready.").with_details(said);
        assert_eq!(
            unless_taken(failure, &[1, 3], 1, PAGE_FLAG).to_string(),
            "Port 3 is taken. Stop that program, or choose another port with `cargo xtask demo --port 11`."
        );
        let other = Failure::new("Chain 31337 ended before it was ready.").with_details("No such file");
        assert_eq!(unless_taken(other, &[1], 1, CHAIN_FLAG).sentence, "Chain 31337 ended before it was ready.");
    }

    #[test]
    fn ports_without_a_flag_are_chosen_when_the_build_is_done() {
        // Ports are chosen after the build, because another process may take one meanwhile.
        assert!(given(Demo { port: None, chain_port: None, once: true }).is_ok());
        let (_page, page) = busy();
        let (_chain, chain) = busy();
        let first = ports(Demo { port: None, chain_port: None, once: true }, page, chain).unwrap();
        let _later = TcpListener::bind((Ipv4Addr::LOCALHOST, first.chain));
        let second = ports(Demo { port: None, chain_port: None, once: true }, page, chain).unwrap();
        assert!(second.chain > first.chain, "{} and {}", second.chain, first.chain);
    }

    #[test]
    fn taken_default_ports_are_replaced_by_free_ones() {
        let ((_page, page), (_chain, chain)) = (busy(), busy());
        let ports = ports(Demo { port: None, chain_port: None, once: true }, page, chain).unwrap();
        assert!(ports.page > page && ports.chain > chain, "{} and {}", ports.page, ports.chain);
        let all = [ports.page, ports.page + 1, ports.page + 2, ports.chain, ports.chain + 1];
        let listeners: Vec<_> =
            all.iter().map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).unwrap()).collect();
        assert_eq!(listeners.len(), 5);
    }

    #[test]
    fn ports_that_a_chain_has_are_not_the_page_s() {
        let is_free = |port: &u16| (*port..*port + 3).all(|port| free(port, &[], "", 0).is_ok());
        let port = (30_000..32_000).step_by(100).find(is_free).unwrap();
        let demo = Demo { port: Some(port), chain_port: Some(port + 2), once: true };
        let failure = ports(demo, PAGE, CHAIN).map(|ports| ports.page).unwrap_err();
        let wallet = port + 2;
        assert_eq!(
            failure.sentence,
            format!("Port {wallet} cannot be both the wallet's and a chain's: choose others.")
        );
        let ports = ports(Demo { port: None, chain_port: Some(port), once: true }, port, CHAIN).unwrap();
        assert_eq!((ports.chain, ports.page > port + 1), (port, true));
    }
}
