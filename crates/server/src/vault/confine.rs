//! Confines the vault's process: a hole in it gives neither the machine's files, nor other programs, nor the network.

use crate::config::{DatabasePlace, MailWay, Wallet};
use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, NetPort, RestrictionStatus, Ruleset,
    RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use std::path::{Path, PathBuf};

/// Files that name resolution, TLS and the clock read; those that are missing here count for nothing.
const READ: [&str; 14] = [
    "/etc/ca-certificates",
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/pki",
    "/etc/resolv.conf",
    "/etc/ssl",
    "/run/systemd/resolve",
    "/usr/lib",
    "/usr/share",
    "/lib",
    "/dev/urandom",
];

/// Folders in which SQLite may put what does not fit into memory.
const SCRATCH: [&str; 2] = ["/tmp", "/var/tmp"];

/// Ports of mail servers, where the URL has none.
const MAIL: [u16; 3] = [25, 465, 587];
const HTTPS: u16 = 443;
/// Answers of name servers that do not fit into a datagram.
const DNS: u16 = 53;

/// System calls that a vault never makes: other programs, other processes, other rights, the kernel itself.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_delete_module,
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_finit_module,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_fork,
    libc::SYS_init_module,
    libc::SYS_io_uring_setup,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_mount,
    libc::SYS_move_mount,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setns,
    libc::SYS_swapon,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_vfork,
];

/// What the vault may reach.
struct Reach {
    read: Vec<PathBuf>,
    write: Vec<PathBuf>,
    /// TCP ports to which it may connect.
    ports: Vec<u16>,
}

/// The kernel cannot confine the process.
#[derive(Debug, thiserror::Error)]
enum Unconfined {
    #[error("files and ports: {0}")]
    Landlock(#[from] RulesetError),
    #[error("system calls: {0}")]
    Filter(#[from] seccompiler::BackendError),
    #[error("system calls: {0}")]
    Seccomp(#[from] seccompiler::Error),
}

/// Confines this thread and all that it starts later. What a kernel cannot do is logged, and the vault runs all the same.
pub(crate) fn confine(wallet: &Wallet) {
    match enter(&Reach::of(wallet)) {
        Ok(status) if status.ruleset == RulesetStatus::FullyEnforced => {
            tracing::info!("the kernel confines the vault to its files, ports and system calls");
        }
        Ok(_) => {
            tracing::warn!(
                "this kernel can confine the vault to its system calls, but not to all of its files and ports"
            )
        }
        Err(error) => {
            tracing::warn!(%error, "this kernel can't confine the vault to its files, ports and system calls")
        }
    }
}

fn enter(reach: &Reach) -> Result<RestrictionStatus, Unconfined> {
    let abi = ABI::V7;
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(abi))?
        .handle_access(AccessNet::from_all(abi))?
        .scope(Scope::from_all(abi))?
        .create()?
        .add_rules(path_beneath_rules(&reach.read, AccessFs::ReadFile | AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(&reach.write, to_write()))?;
    let ports = reach.ports.iter().map(|port| Ok::<_, RulesetError>(NetPort::new(*port, AccessNet::ConnectTcp)));
    let status = ruleset.add_rules(ports)?.restrict_self()?;
    apply_filter(&filter()?)?;
    Ok(status)
}

/// Rights in a folder with a database and a socket.
fn to_write() -> BitFlags<AccessFs> {
    AccessFs::ReadFile
        | AccessFs::ReadDir
        | AccessFs::WriteFile
        | AccessFs::Truncate
        | AccessFs::MakeReg
        | AccessFs::MakeSock
        | AccessFs::RemoveFile
}

fn filter() -> Result<BpfProgram, seccompiler::BackendError> {
    let arch = std::env::consts::ARCH.try_into()?;
    let rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), arch)?.try_into()
}

impl Reach {
    fn of(wallet: &Wallet) -> Reach {
        let mut write: Vec<PathBuf> = SCRATCH.iter().map(PathBuf::from).collect();
        write.push(folder_of(&wallet.vault.socket));
        let mut ports = Vec::new();
        match &wallet.vault.database {
            DatabasePlace::Sqlite(file) => write.push(folder_of(file)),
            DatabasePlace::Postgres(options) => ports.push(options.get_port()),
        }
        match &wallet.mail {
            MailWay::Outbox => {}
            MailWay::Smtp { url, .. } => match url.0.port() {
                Some(port) => ports.push(port),
                None => ports.extend(MAIL),
            },
        }
        let services = wallet.socials.iter().filter_map(|social| social.place.as_ref());
        let farcaster = wallet.farcaster.iter().flat_map(|farcaster| [&farcaster.relay, &farcaster.node]);
        let keys: Vec<_> = wallet.jwt.iter().filter_map(|issuer| issuer.keys.url()).collect();
        let fetches = !wallet.socials.is_empty() || wallet.farcaster.is_some() || !keys.is_empty();
        ports.extend(services.chain(farcaster).chain(keys).filter_map(|url| url.port()));
        if fetches {
            ports.push(HTTPS);
        }
        if !ports.is_empty() {
            ports.push(DNS);
        }
        Reach { read: READ.iter().map(PathBuf::from).collect(), write, ports }
    }
}

fn folder_of(file: &Path) -> PathBuf {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.into(),
        _ => ".".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{read, write};
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};
    use std::process::Command;
    use std::thread;

    /// Runs in a thread of its own, as a thread stays confined.
    fn confined(reach: Reach, body: impl FnOnce() + Send + 'static) {
        let thread = thread::spawn(move || {
            let status = enter(&reach).unwrap();
            assert_eq!(status.ruleset, RulesetStatus::FullyEnforced, "{status:?}");
            body();
        });
        thread.join().unwrap();
    }

    fn refused<T>(done: std::io::Result<T>) -> bool {
        done.is_err_and(|error| error.kind() == ErrorKind::PermissionDenied)
    }

    #[test]
    fn a_confined_vault_reaches_its_own_files_and_no_others() {
        let (own, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (own_file, other_file) = (own.path().join("vault.sqlite"), other.path().join("portico.sqlite"));
        write(&other_file, "private").unwrap();
        let reach = Reach { read: vec![], write: vec![own.path().into()], ports: vec![] };
        confined(reach, move || {
            write(&own_file, "rows").unwrap();
            std::fs::rename(&own_file, own_file.with_extension("new")).unwrap();
            std::fs::remove_file(own_file.with_extension("new")).unwrap();
            assert!(refused(read(&other_file)) && refused(write(other_file.with_extension("x"), "x")));
            assert!(refused(read("/etc/passwd")));
        });
        assert_eq!(read(other.path().join("portico.sqlite")).unwrap(), b"private", "this thread is free");
    }

    #[test]
    fn a_confined_vault_connects_to_its_ports_alone_and_listens_at_none() {
        let (mails, other) = (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
        let (mails, other) = (mails.local_addr().unwrap().port(), (mails, other));
        confined(Reach { read: vec![], write: vec![], ports: vec![mails] }, move || {
            TcpStream::connect(("127.0.0.1", mails)).unwrap();
            assert!(refused(TcpStream::connect(other.1.local_addr().unwrap())));
            assert!(refused(TcpListener::bind("127.0.0.1:0")));
        });
    }

    #[test]
    fn a_confined_vault_starts_no_program() {
        // The program could be read: the system call is what is refused.
        confined(Reach { read: vec!["/".into()], write: vec!["/".into()], ports: vec![] }, || {
            assert!(refused(Command::new("/bin/true").status()));
        });
    }

    #[test]
    fn the_ports_are_those_of_mail_server_database_and_services() {
        let config = |lines: &str| {
            let toml = format!("[wallet]\norigin = \"http://localhost:1\"\n{lines}");
            let path = Path::new("portico.toml");
            let config = crate::config::Config::parse(path, &toml, [], &crate::config::Flags::default()).unwrap();
            Reach::of(&config.wallet.unwrap())
        };
        assert!(config("[wallet.mail]\noutbox = true\n").ports.is_empty());
        let smtp = |url: &str| config(&format!("[wallet.mail]\nsmtp = \"{url}\"\nfrom = \"a@example.org\"\n")).ports;
        assert_eq!(smtp("smtp://127.0.0.1:2525"), [2525, DNS]);
        assert_eq!(smtp("smtps://mail.example.org"), [25, 465, 587, DNS]);
        let reach =
            config("[wallet.vault]\ndatabase = \"postgres://127.0.0.1:5433/vault\"\n[wallet.mail]\noutbox = true\n");
        assert_eq!(reach.ports, [5433, DNS]);
        let farcaster =
            "[wallet.social.farcaster]\nnode = \"http://127.0.0.1:8545\"\nrelay = \"http://127.0.0.1:9000\"\n";
        assert_eq!(config(&format!("[wallet.mail]\noutbox = true\n{farcaster}")).ports, [9000, 8545, HTTPS, DNS]);
        let issuer = "[[wallet.jwt]]\nissuer = \"a\"\naudience = \"b\"\njwks_url = \"http://127.0.0.1:9100/keys\"\n";
        assert_eq!(config(&format!("[wallet.mail]\noutbox = true\n{issuer}")).ports, [9100, HTTPS, DNS]);
    }
}
