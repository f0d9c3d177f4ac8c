//! Scenarios of pairings that outlive the page or the view that showed them.

use super::*;

#[test]
fn spec_4_4_a_code_that_was_handed_to_a_wallet_outlives_the_page() {
    for kept in [true, false] {
        let mut page = world(|environment| {
            phone(environment);
            environment.telegram = kept;
        });
        page.open(None);
        page.choose("io.metamask");
        tap(&mut page);
        let code = uri(&page);
        page.reload();
        assert_eq!(page.remote.fetched, 2, "the client hears of what was approved meanwhile");
        if kept {
            page.open(Some("ConnectingWalletConnectBasic"));
            assert_eq!((uri(&page), count(&page)), (code, 1));
            assert!(page.pairing().qr.is_some() && page.snapshot().countdown.is_some());
        }
        page.remote_approves();
        assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
        assert!(page.remote.watched[0].1.as_ref().unwrap().starts_with("metamask://"), "by its link");
        assert!(!page.store.values.contains_key("@portico/pairing"));
    }
}

#[test]
fn spec_4_4_a_session_that_was_approved_while_the_page_was_away_is_there_when_it_comes_back() {
    let mut page = shown(world(phone), "io.metamask");
    tap(&mut page);
    let session = page.remote.session(page.now);
    page.remote.sessions.push(to_text(&session));
    page.reload();
    assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
}

#[test]
fn a_page_starts_the_core_at_load_while_a_wallet_may_have_a_code_and_not_for_ever() {
    let waits = |page: &World| page.store.values.contains_key("@portico/pairing");
    let mut page = world(phone);
    page.open(None);
    assert!(!waits(&page), "no code was shown");
    page.choose("io.metamask");
    assert!(waits(&page), "it may be copied from the screen");
    page.modal(Modal::BackAsked);
    assert!(!waits(&page), "it was taken back");
    page.choose("io.metamask");
    tap(&mut page);
    page.modal(Modal::CloseAsked);
    assert!(waits(&page), "the wallet was opened with it");
    page.reload();
    assert!(waits(&page), "it may be approved yet");
    page.now += 240_000;
    page.reload();
    assert!(!waits(&page));
    for nonsense in ["{", "null", "7"] {
        page.store.values.insert("@portico/pairing".into(), nonsense.into());
        page.reload();
        assert!(!waits(&page), "{nonsense}");
    }
}

#[test]
fn a_code_that_is_on_the_screen_outlives_a_reload_and_none_that_was_closed() {
    for away in [true, false] {
        let mut page = shown(desktop(), "walletConnect");
        let first = page.remote.topics[0].clone();
        let session = page.remote.session_for(&first, page.now);
        if away {
            page.remote.sessions.push(to_text(&session));
        }
        page.reload();
        assert_eq!(page.remote.fetched, 2, "without a click");
        if !away {
            assert!(!page.snapshot().account.accounts[0].is_connected);
            // After the reload a new code is shown, while the old one can still be approved.
            let mut page = shown(page, "walletConnect");
            assert_eq!(count(&page), 2);
            page.connecting(Connect::SessionSettled { session });
            assert!(page.snapshot().account.accounts[0].is_connected);
            assert_eq!(page.remote.closed, [page.remote.topics[1].clone()], "one session, not two");
            assert!(!page.store.values.contains_key("@portico/pairing"));
            continue;
        }
        assert!(page.snapshot().account.accounts[0].is_connected && page.remote.ended.is_empty());
        assert!(!page.store.values.contains_key("@portico/pairing"));
    }
    let mut page = shown(desktop(), "walletConnect");
    page.modal(Modal::CloseAsked);
    page.reload();
    assert_eq!(page.remote.fetched, 1, "nothing before the click");
}

#[test]
fn a_code_of_another_tab_is_left_to_it_by_who_found_it_in_storage() {
    for opened in [false, true] {
        let mut page = shown(desktop(), "walletConnect");
        let theirs = page.remote.topics[0].clone();
        page.remote.shared = true;
        let until = page.now + 100_000;
        let stored = format!(r#"{{"topic":"{theirs}","uri":"wc:{theirs}@2","until":{until},"opened":{opened}}}"#);
        page.store.values.insert("@portico/pairing".into(), stored.clone());
        page.reload();
        // This tab connects another wallet with its own code.
        let mut page = shown(page, "walletConnect");
        page.remote_approves();
        assert!(!page.remote.closed.contains(&theirs), "{opened}");
        let session = page.remote.session_for(&theirs, page.now);
        page.connecting(Connect::SessionSettled { session });
        assert!(page.remote.ended.is_empty(), "neither theirs nor ours");
        // This tab is connected already: a session approved for the other tab's code does not replace its own.
        let mut page = shown(desktop(), "walletConnect");
        page.remote_approves();
        page.store.values.insert("@portico/pairing".into(), stored);
        page.remote.shared = true;
        page.reload();
        let other = to_text(&page.remote.session_for(&theirs, page.now)).replace("5e55", "aaaa");
        page.connecting(Connect::SessionSettled { session: parse(&other).unwrap() });
        assert!(page.remote.ended.is_empty(), "{opened}");
    }
}

#[test]
fn the_code_that_is_asked_for_in_the_list_of_all_wallets_comes_on_phones_too() {
    let mut page = world(phone);
    page.open(Some("AllWallets"));
    page.choose("walletConnect");
    let pairing = page.pairing();
    assert_eq!(page.snapshot().modal.view, View::ConnectingWalletConnect);
    assert_eq!((pairing.wallet, pairing.platform, pairing.qr.is_some()), (None, Platform::Qrcode, true));
    // Opened from the first list, the entry leads to the list of all wallets (spec 2.15).
    page.modal(Modal::BackAsked);
    assert_eq!(page.snapshot().modal.view, View::AllWallets);
}

#[test]
fn a_stored_code_that_is_over_or_nonsense_counts_as_none() {
    let good = format!("{:064x}", 1);
    for stored in [
        "7".into(),
        "{".into(),
        format!(r#"{{"topic":"{good}","uri":"wc:{good}@2","until":1}}"#),
        format!(r#"{{"topic":"{good}","uri":"wc:{good}@2","until":9999999999999999}}"#),
        format!(r#"{{"topic":"{good}","uri":"javascript:alert(1)","until":1700000100000}}"#),
        r#"{"topic":"","uri":"wc:@2","until":1700000100000}"#.into(),
    ] {
        let mut page = world(|environment| environment.telegram = true);
        page.store.values.insert("@portico/version".into(), "1".into());
        page.store.values.insert("@portico/pairing".into(), stored.clone());
        page.reload();
        let mut page = shown(page, "walletConnect");
        assert_eq!((count(&page), page.pairing().phase), (1, PairingPhase::Ready), "{stored}");
        let session = page.remote.session_for(&good, page.now);
        page.connecting(Connect::SessionSettled { session });
        assert!(!page.snapshot().account.accounts[0].is_connected, "{stored}");
    }
}

#[test]
fn spec_4_4_on_telegram_and_in_safari_on_ios_a_code_that_is_still_good_is_kept() {
    let telegram = |environment: &mut Environment| environment.telegram = true;
    let safari = |environment: &mut Environment| (environment.ios, environment.safari) = (true, true);
    let chrome = |environment: &mut Environment| environment.ios = true;
    let mac = |environment: &mut Environment| environment.safari = true;
    type Prepare<'a> = &'a dyn Fn(&mut Environment);
    let cases: [(Prepare, bool); 4] = [(&telegram, true), (&safari, true), (&chrome, false), (&mac, false)];
    for (prepare, kept) in cases {
        for leave in [Modal::BackAsked, Modal::CloseAsked] {
            let mut world = shown(world(prepare), "walletConnect");
            let first = uri(&world);
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Connecting);
            world.modal(leave);
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Disconnected);
            world.advance(100_000);
            world = shown(world, "walletConnect");
            assert_eq!(uri(&world) == first, kept);
            let left = if kept { 130 } else { 230 };
            assert_eq!(world.snapshot().countdown, Some(left));
            world.remote_approves();
            assert_eq!(world.snapshot().account.accounts[0].status, Status::Connected);
        }
    }
}

#[test]
fn spec_4_4_where_the_kept_code_is_too_old_another_one_is_made() {
    let mut world = shown(world(|environment| environment.telegram = true), "walletConnect");
    let first = uri(&world);
    world.modal(Modal::CloseAsked);
    world.advance(230_000);
    let world = shown(world, "walletConnect");
    assert_ne!(uri(&world), first);
}
