//! `portico admin`

use super::database::{ADD_DATABASE, DatabaseArgs, open};
use super::port::{self, Server};
use super::printed::{Printed, tell};
use crate::admin::key::{Key, LINK};
use crate::admin::table::Kind;
use clap::Subcommand;
use std::net::{Ipv4Addr, SocketAddr};

pub(super) const EXAMPLES: &str = "\
Examples:
  portico admin link                             print a link to the admin page

Open the link on the server itself. From another machine, forward its admin port first: ssh -L 9464:127.0.0.1:9464 SERVER
The link works once, within 10 minutes, and signs you in for an hour. No password is needed: anyone who can write to the database can
make a link.";

#[derive(Subcommand)]
pub(super) enum AdminCommand {
    /// Print a one-time link to the admin page
    #[command(after_help = EXAMPLES)]
    Link(DatabaseArgs),
}

pub(super) async fn run(AdminCommand::Link(args): AdminCommand) -> Result<(), Printed> {
    let config = args.load()?;
    let Some(address) = config.admin_listen else {
        return Err(tell("The admin page is off. Set `admin_listen = \"127.0.0.1:9464\"` and restart the server."));
    };
    // A browser cannot connect to the address that stands for all.
    let reached = match address.ip().is_unspecified() {
        true => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        false => address,
    };
    let running = port::server(reached, &config.database.mark());
    let holder = port::holder(reached);
    match (running, &holder) {
        (Some(Server::Other), _) if port::same_folder(reached) == Some(true) => {
            let subject = port::subject(reached, holder.as_ref());
            return Err(tell(format!("The {subject} uses another database than {}. {ADD_DATABASE}", config.database)));
        }
        (Some(Server::Other), _) => {
            let subject = port::subject(reached, holder.as_ref());
            return Err(tell(format!(
                "The {subject} was started from another folder and uses another database. Run this in its folder, or set `admin_listen` to another port and restart yours."
            )));
        }
        (None, Some(by)) => {
            return Err(tell(format!(
                "{reached} is used by {by}, which isn't a Portico server. Stop it, or set `admin_listen` to another port."
            )));
        }
        _ => {}
    }
    let database = open(&config).await?;
    if address.port() == 0 {
        return Err(tell(
            "The port of `admin_listen` is 0, so each start of the server takes another one, and no link can lead there. Set a port, such as 127.0.0.1:9464, and restart the server.",
        ));
    }
    let key = Key::issue(&database, Kind::Link).await.map_err(tell)?;
    database.close().await;
    say!("http://{reached}/admin/enter?key={key}");
    remark!("Open it within {} minutes. It works once.", LINK.as_secs() / 60);
    if running.is_none() {
        remark!("No server is running at {reached} yet. Start it: portico serve");
    }
    Ok(())
}
