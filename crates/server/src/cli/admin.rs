//! `portico admin`

use super::{DatabaseArgs, Printed, open, port, tell};
use crate::admin::key::{Key, LINK};
use crate::admin::table::Kind;
use clap::Subcommand;
use std::net::{Ipv4Addr, SocketAddr};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico admin link                             print a link that signs you in to the admin page

Open the link on the machine of the server. From another one, take its admin port to yours first: ssh -L 9464:127.0.0.1:9464 SERVER
The link works once, for ten minutes; you stay signed in for an hour. Nobody needs a password, but everybody who may write the database
can make a link.";

#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Print a link that signs you in to the admin page, once
    #[command(after_help = EXAMPLES)]
    Link(DatabaseArgs),
}

pub(super) async fn run(AdminCommand::Link(args): AdminCommand) -> Result<(), Printed> {
    let config = args.load()?;
    let Some(address) = config.admin_listen else {
        return Err(tell("The admin page is off. Set `admin_listen = \"127.0.0.1:9464\"` and restart the server."));
    };
    let database = open(&config).await?;
    let key = Key::issue(&database, Kind::Link).await.map_err(tell)?;
    database.close().await;
    // A browser cannot connect to the address that stands for all.
    let reached = match address.ip().is_unspecified() {
        true => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        false => address,
    };
    println!("http://{reached}/admin/enter?key={key}\n");
    println!("Open it within {} minutes. It works once.", LINK.as_secs() / 60);
    if !port::is_portico(reached) {
        eprintln!("No server is running at {reached} yet. Start it: portico serve");
    }
    Ok(())
}
