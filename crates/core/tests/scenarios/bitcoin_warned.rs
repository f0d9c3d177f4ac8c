//! Scenarios of warnings before a payment on Bitcoin.

use crate::bitcoin_send::{BOB, confirmed, fill, form, node, opened, pay, wallet};
use portico_core::bitcoin::{Event as Pay, View as Form, Warning};
use portico_core::modal::{Event as Modal, View};
use portico_json::{Value, parse};
use portico_terms::{ConnectorKind, Namespace};
use portico_testkit::{BITCOIN_ADDRESS, Behaviour, BitcoinNode, ScriptedWallet, World};

/// Account of each kind of address, and the same kind of address for ordinals.
const ACCOUNTS: [&str; 4] = [
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "3P14159f73E4gFr7JterCCQh9QjiTjiZrG",
    BITCOIN_ADDRESS,
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
];

/// Address, with the name and value of what the wallet says about its purpose.
type Described<'a> = (&'a str, Option<(&'a str, &'a str)>);

/// Form of a visitor whose wallet describes its addresses so; the first one is the account.
fn described(addresses: &[Described]) -> Form {
    let own = addresses[0].0;
    let described = |(address, purpose): &Described| {
        let purpose = purpose.map(|(name, purpose)| (name.into(), purpose.into()));
        Value::Object([("address".into(), Value::from(*address))].into_iter().chain(purpose).collect())
    };
    let list = Value::List(addresses.iter().map(described).collect());
    let wallet = ScriptedWallet::named("Bit").of(Namespace::Bip122, own).through(ConnectorKind::Announced);
    let (mut world, _) = opened(wallet.when("getAccountAddresses", Behaviour::Nonsense(list)), funded(own));
    fill(&mut world, "0.001", BOB);
    form(&world)
}

fn funded(address: &str) -> BitcoinNode {
    let mut node = BitcoinNode::default();
    node.fund(address, 150_000, true);
    node
}

fn warns(form: &Form) -> bool {
    form.warnings.contains(&Warning::MayHoldOrdinals)
}

const PAYMENT: Option<(&str, &str)> = Some(("purpose", "payment"));

#[test]
fn an_account_of_any_kind_is_warned_that_its_inscriptions_may_be_spent_where_the_wallet_has_no_other_address_for_them()
{
    for account in ACCOUNTS {
        for addresses in [
            vec![(account, None)],
            vec![(account, PAYMENT)],
            vec![(account, PAYMENT), ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", PAYMENT)],
            // The account itself holds them.
            vec![(account, PAYMENT), (account, Some(("purpose", "ordinal")))],
        ] {
            let told = described(&addresses);
            assert_eq!(told.balance.as_deref(), Some("0.0015"));
            assert!(warns(&told), "{addresses:?}");
        }
    }
}

#[test]
fn an_account_beside_an_address_for_ordinals_is_not_warned_of_them() {
    for account in ACCOUNTS {
        // Wallets of the page name a purpose, remote ones an intention.
        for purpose in [("purpose", "ordinal"), ("purpose", "ordinals"), ("intention", "ordinal")] {
            let apart = "bc1p9fjtrm3nwhemkjek0wxtswz2glmneu33w9lcylrvd7alttk0psmq6cnwza";
            let told = described(&[(account, PAYMENT), (apart, Some(purpose))]);
            assert!(!warns(&told), "{account} {purpose:?}");
        }
    }
}

#[test]
fn a_wallet_that_does_not_describe_its_addresses_leaves_the_warning_and_delays_no_review() {
    for behaviour in [Behaviour::Silent, Behaviour::Refuse, Behaviour::Nonsense(parse(r#"[7,{"purpose":7}]"#).unwrap())]
    {
        let (mut world, _) = opened(wallet(), node());
        assert!(!warns(&form(&world)));
        world.modal(Modal::BackAsked);
        world.wallets[0].behaviours.insert("getAccountAddresses".into(), behaviour.clone());
        world.modal(Modal::ViewAsked { view: View::WalletSend });
        fill(&mut world, "0.001", BOB);
        assert!(warns(&form(&world)), "{behaviour:?}");
        pay(&mut world, Pay::ReviewAsked);
        world.advance(150);
        assert_eq!(world.snapshot().modal.view, View::BitcoinSendPreview, "{behaviour:?}");
    }
}

#[test]
fn an_address_that_was_paid_is_suggested_and_one_that_looks_like_it_is_warned_of() {
    let (mut world, _) = confirmed(wallet(), "0.001");
    world.modal(Modal::BackAsked);
    world.modal(Modal::ViewAsked { view: View::WalletSend });
    assert_eq!(form(&world).recent, [BOB]);
    let warned = |world: &mut World, receiver: &str| {
        fill(world, "0.0001", receiver);
        let told = form(world);
        (told.warnings, told.look_alike)
    };
    assert_eq!(warned(&mut world, BOB), (vec![], None));
    assert_eq!(warned(&mut world, "3P14159f73E4gFr7JterCCQh9QjiTjiZrG"), (vec![Warning::FirstSeen], None));
    // The same letters at both ends, where people compare addresses.
    let alike = "bc1p0xlxvlhpcezw68kgly4k4mkxeufqhwwypawsyyfpcezw69hcz7vqzk5jj0";
    assert_eq!(warned(&mut world, alike), (vec![Warning::LookAlike], Some(BOB.into())));
}
