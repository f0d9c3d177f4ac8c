//! Snapshots of social logins: the services among the connect methods, the window of one, Farcaster's code.

use crate::snapshots::Cases;
use portico_api::frame::FrameEvent;
use portico_core::Snapshot;
use portico_core::config::Social;
use portico_core::embedded::{Event, SETTLE};
use portico_core::modal::{Event as Modal, View};
use portico_json::parse;
use portico_testkit::{ScriptedWallet, Store, World, options, with_login};

const BACK: &str = "https://wallet.example/wallet/callback/google?code=abc";
const LINK: &str = "https://farcaster.xyz/~/siwf?channelToken=6bbd4c19-05a7-4c3e-a2b2-3f9a4b1f0d5e&nonce=0b81c5a1f3e24e7d9c0f5f2f0f1e2d3c&siweUri=https%3A%2F%2Fshop.example&domain=shop.example";

/// A page with these features and wallets, whose modal is open.
fn opened(features: &str, wallets: &[&str]) -> World {
    let options = with_login(&options()).replacen('{', &format!(r#"{{"features":{{{features}}},"#), 1);
    let wallets = wallets.iter().map(|name| ScriptedWallet::named(name)).collect();
    let mut world = World::with(&options, wallets, Store::default());
    world.open(None);
    world
}

fn chosen(social: Social) -> World {
    let mut world = opened("", &[]);
    if social == Social::Farcaster {
        let link = parse(&format!(r#"{{"url":"{LINK}"}}"#)).unwrap_or_default();
        world.frame.answers.push((FrameEvent::GetFarcasterUri, Ok(link)));
    }
    world.frame.silent.extend([FrameEvent::ConnectSocial, FrameEvent::ConnectFarcaster]);
    world.embedded(Event::SocialChosen { social });
    world
}

fn settled(social: Social) -> World {
    let mut world = chosen(social);
    world.advance(SETTLE);
    world
}

fn ended(uri: Option<&str>) -> Snapshot {
    let mut world = settled(Social::Google);
    world.window_ends(uri);
    world.snapshot()
}

fn phone(mut world: World) -> Snapshot {
    world.environment.mobile = true;
    world.reload();
    world.open(None);
    world.embedded(Event::SocialChosen { social: Social::Farcaster });
    world.advance(SETTLE);
    world.snapshot()
}

pub fn cases() -> Cases {
    let mut all = opened("", &[]);
    all.modal(Modal::ViewAsked { view: View::ConnectSocials });
    let mut logged_in = settled(Social::Google);
    logged_in.window_ends(Some(BACK));
    logged_in.frame.provider = Some("google".into());
    let user = r#"{"address":"0x70997970C51812dc3A010C7d01b50e0d17dc79C8","chainId":31337,"accounts":[],"userName":"Ada Lovelace","provider":"google"}"#;
    logged_in.frame.session = true;
    logged_in.frame_answers(FrameEvent::ConnectSocial, Ok(parse(user).unwrap_or_default()));
    logged_in.open(None);
    let mut refused = settled(Social::Farcaster);
    let message = parse(r#"{"message":"This login has ended. Start again."}"#).unwrap_or_default();
    refused.frame_answers(FrameEvent::ConnectFarcaster, Err(message));
    vec![
        ("Connect.socials", opened(r#""email":false"#, &[]).snapshot()),
        ("Connect.socialsWithWallets", opened(r#""email":false"#, &["Alpha Wallet", "Beta"]).snapshot()),
        ("Connect.fewSocials", opened(r#""socials":["google","farcaster"]"#, &[]).snapshot()),
        ("ConnectSocials.all", all.snapshot()),
        ("ConnectingSocial.opening", chosen(Social::Google).snapshot()),
        ("ConnectingSocial.away", settled(Social::Google).snapshot()),
        ("ConnectingSocial.entering", ended(Some(BACK))),
        ("ConnectingSocial.closed", ended(None)),
        ("ConnectingFarcaster.opening", chosen(Social::Farcaster).snapshot()),
        ("ConnectingFarcaster.scan", settled(Social::Farcaster).snapshot()),
        ("ConnectingFarcaster.phone", phone(settled(Social::Farcaster))),
        ("ConnectingFarcaster.refused", refused.snapshot()),
        ("Account.social", logged_in.snapshot()),
    ]
}
