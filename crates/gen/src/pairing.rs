//! Snapshots of the screens for a remote wallet.

use crate::snapshots::Cases;
use portico_core::connect::{Event as Connect, Platform, RelayState};
use portico_core::modal::{Event as Modal, View};
use portico_core::{Environment, Event, Snapshot};
use portico_json::{Value, parse};
use portico_testkit::{ScriptedWallet, Store, World, options, with_relay};

/// Custom wallets of the host, one for each kind of link that the directory's wallets lack.
const OWN: &str = r#"{"customWallets":[{"id":"own-page","name":"Page Wallet","homepage":"https://page-wallet.example","webapp_link":"https://page-wallet.example/app"},{"id":"own-desk","name":"Desk Wallet","homepage":"https://desk-wallet.example","desktop_link":"deskwallet://"}],"#;

fn world(prepare: impl FnOnce(&mut Environment)) -> World {
    let options = with_relay(&options().replacen('{', OWN, 1));
    let mut world = World::with(&options, vec![ScriptedWallet::named("Alpha Wallet")], Store::default());
    prepare(&mut world.environment);
    world.reload();
    world
}

fn desktop() -> World {
    world(|_| {})
}

fn phone() -> World {
    world(|environment| {
        environment.mobile = true;
        environment.android = true;
    })
}

fn chosen(mut world: World, wallet: &str) -> World {
    world.relay_tells(RelayState::Open, None);
    world.open(None);
    if wallet == "walletConnect" && world.environment.mobile {
        world.modal(Modal::ViewAsked { view: View::ConnectingWalletConnect });
    } else {
        world.choose(wallet);
    }
    world
}

fn after(mut world: World, act: impl FnOnce(&mut World)) -> Snapshot {
    act(&mut world);
    world.snapshot()
}

fn basic(prepare: impl FnOnce(&mut World)) -> Snapshot {
    let alone = with_relay(&options().replace(r#""adapters":[{"namespace":"eip155"}],"#, ""));
    let mut world = World::with(&alone, vec![], Store::default());
    prepare(&mut world);
    world.open(None);
    world.snapshot()
}

/// Returns all states of the two views, and of the lists that lead to them.
pub fn cases() -> Cases {
    let refused = |world: &mut World| world.remote_refuses(5000, "User rejected.");
    let copied = |world: &mut World| world.connecting(Connect::UriCopyAsked);
    let tapped = |world: &mut World| world.connecting(Connect::LinkAsked);
    let silent = |world: &mut World| {
        world.remote.silent = true;
        world.reload();
    };
    let unreached = |world: &mut World| {
        world.relay_tells(RelayState::Refused, Some("Unauthorized: origin not allowed"));
    };
    let slow = |world: &mut World| {
        world.relay_tells(RelayState::Connecting, None);
        world.advance(8_000);
    };
    let telegram = world(|environment| {
        environment.mobile = true;
        environment.android = true;
        environment.telegram = true;
    });
    let mut opening = desktop();
    silent(&mut opening);
    let mut missing = desktop();
    missing.remote.missing = 2;
    missing.reload();
    let list = |mut world: World| {
        world.open(None);
        world
    };
    vec![
        ("Connect.walletConnect", list(desktop()).snapshot()),
        ("AllWallets.remote", after(list(phone()), |world| world.choose("walletConnect"))),
        ("ConnectingWalletConnectBasic.opening", basic(|world| silent(world))),
        ("ConnectingWalletConnectBasic.ready", basic(|world| world.relay_tells(RelayState::Open, None))),
        (
            "ConnectingWalletConnectBasic.failed",
            basic(|world| {
                world.remote.pairing = Some(Err(Value::Text("The storage is full".into())));
            }),
        ),
        ("ConnectingWalletConnect.opening", chosen(opening, "walletConnect").snapshot()),
        ("ConnectingWalletConnect.generic", chosen(desktop(), "walletConnect").snapshot()),
        ("ConnectingWalletConnect.genericMobile", chosen(phone(), "walletConnect").snapshot()),
        ("ConnectingWalletConnect.ready", chosen(desktop(), "io.metamask").snapshot()),
        (
            "ConnectingWalletConnect.lastSeconds",
            after(chosen(desktop(), "io.metamask"), |world| world.advance(222_000)),
        ),
        ("ConnectingWalletConnect.copied", after(chosen(desktop(), "io.metamask"), copied)),
        ("ConnectingWalletConnect.slow", after(chosen(desktop(), "io.metamask"), slow)),
        ("ConnectingWalletConnect.unreachable", after(chosen(desktop(), "io.metamask"), unreached)),
        ("ConnectingWalletConnect.refused", after(chosen(desktop(), "io.metamask"), refused)),
        ("ConnectingWalletConnect.failed", chosen(missing, "io.metamask").snapshot()),
        ("ConnectingWalletConnect.platforms", chosen(desktop(), "com.ledger").snapshot()),
        (
            "ConnectingWalletConnect.desktop",
            after(chosen(desktop(), "com.ledger"), |world| {
                world.connecting(Connect::PlatformChosen { platform: Platform::Desktop });
            }),
        ),
        ("ConnectingWalletConnect.web", chosen(desktop(), "own-page").snapshot()),
        ("ConnectingWalletConnect.unsupported", chosen(phone(), "own-desk").snapshot()),
        ("ConnectingWalletConnect.mobile", chosen(phone(), "io.metamask").snapshot()),
        ("ConnectingWalletConnect.opened", after(chosen(phone(), "io.metamask"), tapped)),
        (
            "ConnectingWalletConnect.expired",
            after(chosen(phone(), "io.metamask"), |world| {
                tapped(world);
                world.advance(230_000);
            }),
        ),
        ("ConnectingWalletConnect.mobileRefused", after(chosen(phone(), "io.metamask"), refused)),
        ("ConnectingWalletConnect.telegram", chosen(telegram, "io.metamask").snapshot()),
        ("ConnectingWalletConnectBasic.given", given()),
        ("Networks.approved", approved()),
        ("Snack.sessionEnded", ended()),
    ]
}

/// Snapshot of a host that supplies its own pairing URI.
fn given() -> Snapshot {
    let mut world = World::new(vec![]);
    let uri = "wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn&symKey=587d";
    world.modal(Modal::OpenAsked {
        view: None,
        namespace: None,
        uri: Some(uri.into()),
        arguments: Value::Null,
        ticket: None,
    });
    world.snapshot()
}

fn approved() -> Snapshot {
    let mut world = chosen(desktop(), "walletConnect");
    world.remote.accounts.truncate(1);
    world.remote_approves();
    world.open(Some("Networks"));
    world.snapshot()
}

fn ended() -> Snapshot {
    let mut world = chosen(desktop(), "walletConnect");
    world.remote_approves();
    world.remote_ends();
    world.snapshot()
}

/// World of a visit with a pairing, a change of chain, a reload and a disconnect.
pub fn visit() -> World {
    let mut world = chosen(phone(), "io.metamask");
    world.connecting(Connect::LinkAsked);
    world.remote_approves();
    world.remote_changes(&["eip155:31338:0x70997970C51812dc3A010C7d01b50e0d17dc79C8"]);
    world.reload();
    let chain = parse(r#""eip155:31338""#).unwrap_or_default();
    world.dispatch(Event::Network(portico_core::network::Event::SwitchAsked { network: chain, ticket: Some(1) }));
    world.remote_ends();
    world
}
