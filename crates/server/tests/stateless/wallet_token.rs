//! A root key in a token of PKCS#11, as the operator sets it up, with SoftHSM.

use crate::support;
use cryptoki::context::{CInitializeArgs, CInitializeFlags, Pkcs11};
use cryptoki::object::{Attribute, ObjectClass};
use cryptoki::session::UserType;
use cryptoki::types::AuthPin;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection, query};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use support::node::{portico, said};
use support::within;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};

const PIN: &str = "fedcba123456";

fn module() -> PathBuf {
    let found = std::env::var_os("PORTICO_TEST_PKCS11_MODULE");
    found.expect("PORTICO_TEST_PKCS11_MODULE is not set: run `cargo xtask test rust`, which gets SoftHSM").into()
}

/// Makes a token with this label and PIN.
fn make_token(label: &str) {
    let module = Pkcs11::new(module()).unwrap();
    module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)).unwrap();
    let free = *module.get_all_slots().unwrap().last().unwrap();
    let officer = AuthPin::new("abcdef654321".into());
    module.init_token(free, &officer, label).unwrap();
    let session = module.open_rw_session(free).unwrap();
    session.login(UserType::So, Some(&officer)).unwrap();
    session.init_pin(&AuthPin::new(PIN.into())).unwrap();
    drop(session);
    module.finalize().unwrap();
}

/// Number of secret keys in a token.
fn keys_in_token(label: &str) -> usize {
    let module = Pkcs11::new(module()).unwrap();
    module.initialize(CInitializeArgs::new(CInitializeFlags::OS_LOCKING_OK)).unwrap();
    let slots = module.get_slots_with_initialized_token().unwrap();
    let slot = slots.into_iter().find(|slot| module.get_token_info(*slot).unwrap().label() == label).unwrap();
    let session = module.open_ro_session(slot).unwrap();
    session.login(UserType::User, Some(&AuthPin::new(PIN.into()))).unwrap();
    let found = session.find_objects(&[Attribute::Class(ObjectClass::SECRET_KEY)]).unwrap().len();
    drop(session);
    module.finalize().unwrap();
    found
}

/// Private file.
fn write(file: &Path, text: &str) {
    std::fs::write(file, text).unwrap();
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

/// Folder whose key file names a key of a new token.
fn folder(label: &str) -> TempDir {
    make_token(label);
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = \"127.0.0.1:1\"\n[wallet]\norigin = \"http://localhost:1\"\n[wallet.mail]\noutbox = true\n";
    std::fs::write(folder.path().join("portico.toml"), toml).unwrap();
    write(&folder.path().join("pin"), &format!("{PIN}\n"));
    let pin = folder.path().join("pin");
    let uri =
        format!("pkcs11:token={label};object=root?module-path={}&pin-source={}\n", module().display(), pin.display());
    write(&folder.path().join("vault.key"), &uri);
    folder
}

async fn refused(folder: &Path, words: &[&str]) -> String {
    let (done, _, error) = said(folder, words).await;
    assert!(!done);
    error
}

/// What `portico vault doctor` says of the database.
async fn doctor(folder: &Path) -> String {
    let (_, told, _) = said(folder, &["vault", "doctor"]).await;
    told.lines().find(|line| line.contains("vault database:")).unwrap().to_owned()
}

// One test: a process initialises the library of a token once.
#[tokio::test]
async fn the_root_key_comes_from_a_token_and_no_file_has_it() {
    let label = format!("portico {}", std::process::id());
    let folder = folder(&label);
    let folder = folder.path();
    let key = || std::fs::read_to_string(folder.join("vault.key")).unwrap();
    let named = key();
    let early = refused(folder, &["vault", "serve"]).await;
    assert!(early.contains("names: the token has no key `root`. `portico vault init` makes it.\n"), "{early}");
    let (_, told, _) = said(folder, &["vault", "doctor", "--config", "./portico.toml"]).await;
    assert!(told.contains("no key `root`. `portico vault init --config ./portico.toml` makes it."), "{told}");
    let (done, out, error) = said(folder, &["vault", "init"]).await;
    assert!(done && out.contains("Made the root key in the token that vault.key names"), "{out}{error}");
    assert_eq!(key(), named);
    assert_eq!(doctor(folder).await, "ok     vault database: vault.sqlite belongs to the key");
    // Nothing replaces a key that a database may belong to.
    let again = refused(folder, &["vault", "init"]).await;
    assert!(again.contains("the token has a key `root` already. Start the vault, or name another key"), "{again}");

    // A token without the key of the database gets no other one.
    write(&folder.join("vault.key"), &named.replace("object=root", "object=absent"));
    let lost = "The root key that vault.key names is missing, but the database vault.sqlite was made with it. Check `token` and `object` there, or restore the token from its backup.";
    for words in [&["vault", "init"][..], &["vault", "serve"]] {
        let told = refused(folder, words).await;
        assert!(told.contains(lost), "{words:?}: {told}");
    }
    write(&folder.join("vault.key"), &named);

    // The vault asks the token before it confines itself.
    let mut serve = portico(folder, &["vault", "serve"]);
    let mut vault = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(vault.stdout.take().unwrap()).lines();
    within("the line that it listens", lines.next_line()).await.unwrap().unwrap();
    within("the end of the vault", vault.kill()).await.unwrap();
    std::fs::remove_file(folder.join("vault.sock")).unwrap();

    // A rotation that changes nothing leaves no key behind, also in the token.
    let keys = keys_in_token(&label);
    let file = SqliteConnectOptions::new().filename(folder.join("vault.sqlite"));
    let mut database = SqliteConnection::connect_with(&file).await.unwrap();
    let unreadable = "insert into vault_user (id, email_sealed, provider, created_at) values ('one', 'x', 'email', 0)";
    query(unreadable).execute(&mut database).await.unwrap();
    let stopped = refused(folder, &["vault", "rotate"]).await;
    assert!(stopped.contains("the email address of user one. Nothing was changed."), "{stopped}");
    assert_eq!((keys_in_token(&label), folder.join("vault.key.new").exists(), keys), (1, false, 1));
    query("delete from vault_user").execute(&mut database).await.unwrap();
    database.close().await.unwrap();

    // A rotation makes another key in the same token.
    let (done, out, error) = said(folder, &["vault", "rotate"]).await;
    assert!(done && out.contains("Replaced the root key in vault.key."), "{out}{error}");
    assert!(out.contains("Back the token up as its maker says: ") && !out.contains("Keep a copy"), "{out}");
    assert!(key().starts_with("pkcs11:token=portico%20") && key().contains(";object=root%40"), "{}", key());
    assert_eq!(doctor(folder).await, "ok     vault database: vault.sqlite belongs to the key");
    write(&folder.join("vault.key"), &named);
    assert!(doctor(folder).await.contains("belongs to another key"));

    let library =
        |path: &str| named.replace(&format!("module-path={}", module().display()), &format!("module-path={path}"));
    let text = folder.join("portico.toml").display().to_string();
    for (key, words) in [
        (
            named.replace(&format!("token={label}"), "token=nope"),
            "the module has no token `nope`. Check `token` and `module-path`.\n".into(),
        ),
        (library("/nope.so"), "there is no module /nope.so. Check `module-path`.\n".to_owned()),
        (
            library(&text),
            format!(
                "{text} isn't a PKCS#11 module that this machine can load (invalid ELF header). Check `module-path`.\n"
            ),
        ),
        (
            named.replace("pkcs11:", "pkcs11"),
            "vault.key doesn't name a root key. Begin it with `pkcs11:` for a key in a token,".into(),
        ),
    ] {
        write(&folder.join("vault.key"), &key);
        for command in [&["vault", "audit", "verify"][..], &["vault", "init"]] {
            let told = refused(folder, command).await;
            assert!(
                told.contains(&words) && !told.contains("libloading") && !told.contains("os error"),
                "{words}: {told}"
            );
        }
    }
    write(&folder.join("vault.key"), &named);

    write(&folder.join("pin"), "000000");
    let wrong = refused(folder, &["vault", "audit", "verify"]).await;
    assert!(
        wrong.contains("Couldn't get the root key that vault.key names: ")
            && wrong.contains("doesn't have the PIN of the token. Correct it before the next try,"),
        "{wrong}"
    );
    std::fs::set_permissions(folder.join("pin"), std::fs::Permissions::from_mode(0o644)).unwrap();
    let open = refused(folder, &["vault", "audit", "verify"]).await;
    assert!(open.contains("other users of this machine can read the PIN in "), "{open}");
    std::fs::remove_file(folder.join("pin")).unwrap();
    let no_pin = refused(folder, &["vault", "audit", "verify"]).await;
    assert!(no_pin.contains("/pin, which doesn't exist. Create it, or check `pin-source`.\n"), "{no_pin}");
    write(&folder.join("vault.key"), "pkcs11:token=x;object=root?pin-source=/pin");
    for words in [&["vault", "audit", "verify"][..], &["vault", "init"]] {
        let no_module = refused(folder, words).await;
        assert!(no_module.contains("it has no `module-path`"), "{no_module}");
    }
}
