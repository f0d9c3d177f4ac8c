//! Child programs, each in a process group of its own. All of them are stopped before this program exits.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio, exit};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

use crate::failure::{Failure, OrSay, Result};
use crate::{place, progress};

const LOOK_AGAIN: Duration = Duration::from_millis(20);
/// Time that a program has to exit after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(4);
/// Time limit of a program. The slowest, the tests in a browser, takes about 21 minutes; a program that hangs is stopped and its last output is shown.
const LONGEST: Duration = Duration::from_secs(30 * 60);
/// Interval of the progress lines of a long-running program, for readers of a log.
const WORD: Duration = Duration::from_secs(60);
/// Number of lines shown from the end of a failed program's output; its log has all of them.
const LAST_LINES: usize = 120;

static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
static STOPPING: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Exit code after Ctrl-C.
static CODE_WHEN_INTERRUPTED: AtomicI32 = AtomicI32::new(130);

/// Whether all programs are being stopped, so that a failure now is a consequence of that.
pub fn stopping() -> bool {
    STOPPING.load(Ordering::SeqCst)
}

/// Makes Ctrl-C exit with code 0 from now on.
pub fn interrupt_is_an_end() {
    CODE_WHEN_INTERRUPTED.store(0, Ordering::SeqCst);
}

/// Stops all started programs on Ctrl-C, SIGTERM, a closed terminal or a panic.
pub fn watch_for_the_end() -> Result<()> {
    #[cfg(target_os = "linux")]
    // Orphaned processes become our children, so that we find them. If this fails, the process groups still stop most of them.
    let _ = nix::sys::prctl::set_child_subreaper(true);
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        report(panic);
        stop_all();
        exit(1);
    }));
    ctrlc::set_handler(|| {
        INTERRUPTED.store(true, Ordering::SeqCst);
        eprintln!("\nStopping.");
        stop_all();
        exit(CODE_WHEN_INTERRUPTED.load(Ordering::SeqCst));
    })
    .or_say("listen for Ctrl-C")
}

/// Stops all programs before the exit. After Ctrl-C it waits for the signal handler, which exits the process.
pub fn close() {
    if INTERRUPTED.load(Ordering::SeqCst) {
        loop {
            thread::park();
        }
    }
    stop_all();
}

fn groups() -> MutexGuard<'static, BTreeSet<i32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Program that was started and may still run.
pub struct Running {
    name: String,
    child: Child,
    log: PathBuf,
}

/// Starts a program in a process group of its own, with its output in a log file.
pub fn start(name: &str, command: &mut Command) -> Result<Running> {
    let log = place::scratch("logs").join(format!("{}.log", name.replace([' ', '/', ':'], "-")));
    let what = format!("write {}", log.display());
    fs::create_dir_all(place::scratch("logs")).or_say(&what)?;
    let out = File::create(&log).or_say(&what)?;
    let err = out.try_clone().or_say(&what)?;
    command.stdin(Stdio::null()).stdout(out).stderr(err).process_group(0);
    let mut groups = groups();
    if stopping() {
        return Err(stopped());
    }
    let program = command.get_program().to_string_lossy().into_owned();
    let child = command.spawn().map_err(|error| Failure::new(format!("Could not start {program}: {error}.")))?;
    groups.insert(child.id().cast_signed());
    Ok(Running { name: name.to_owned(), child, log })
}

fn stopped() -> Failure {
    Failure::new("Stopped.")
}

/// Result of a program that ended.
pub struct Ended {
    /// Complete output, without terminal control sequences.
    pub said: String,
    /// Failure, unless the exit code was 0.
    pub failure: Option<Failure>,
}

/// Runs a program until it ends, or until it is stopped after [`LONGEST`].
pub fn run_to_end(name: &str, command: &mut Command) -> Result<Ended> {
    run_to_end_within(LONGEST, name, command)
}

/// Runs a program until it ends, or until it is stopped after `limit`.
pub fn run_to_end_within(limit: Duration, name: &str, command: &mut Command) -> Result<Ended> {
    let mut running = start(name, command)?;
    let begun = Instant::now();
    let mut word = WORD;
    loop {
        let status = running.status();
        // During a stop another thread may already have waited for the process, so its status is unreliable.
        if stopping() {
            return Err(stopped());
        }
        if let Some(status) = status? {
            return running.ended(status);
        }
        if begun.elapsed() > limit {
            running.stop();
            let sentence = format!("{name} did not end within {}.", progress::duration(limit));
            return Ok(Ended { said: running.said(), failure: Some(running.failure(sentence)) });
        }
        if begun.elapsed() > word {
            word += WORD;
            // Skips JSON messages of cargo, which are for programs.
            let said = running.said();
            let last = said.lines().rfind(|line| !line.starts_with('{'));
            progress::while_it_runs(name, last.unwrap_or_default());
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// Runs a program until it ends and returns its output; fails unless its exit code is 0.
pub fn run(name: &str, command: &mut Command) -> Result<String> {
    let ended = run_to_end(name, command)?;
    ended.failure.map_or(Ok(ended.said), Err)
}

/// Runs a program; fails unless it exits with code 0 within `limit`.
pub fn run_within(limit: Duration, name: &str, command: &mut Command) -> Result<()> {
    let mut running = start(name, command)?;
    let end = Instant::now() + limit;
    while Instant::now() < end {
        if let Some(status) = running.status()? {
            return running.ended(status)?.failure.map_or(Ok(()), Err);
        }
        thread::sleep(LOOK_AGAIN);
    }
    running.stop();
    Err(Failure::new(format!("{name} did not end within {} seconds.", limit.as_secs())))
}

impl Running {
    /// Output so far, without terminal control sequences.
    pub fn said(&self) -> String {
        plain(&String::from_utf8_lossy(&fs::read(&self.log).unwrap_or_default()))
    }

    /// Waits until `found` returns a value for the output so far.
    pub fn wait_until<T>(&mut self, limit: Duration, found: impl Fn(&str) -> Option<T>) -> Result<T> {
        let end = Instant::now() + limit;
        loop {
            if let Some(value) = found(&self.said()) {
                return Ok(value);
            }
            if self.status()?.is_some() {
                return Err(self.failure(format!("{} ended before it was ready.", self.name)));
            }
            if Instant::now() > end {
                return Err(self.failure(format!("{} was not ready in {} seconds.", self.name, limit.as_secs())));
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    /// Exit status, if the program has ended.
    pub fn status(&mut self) -> Result<Option<ExitStatus>> {
        self.child.try_wait().or_say(format_args!("ask after {}", self.name))
    }

    /// Failure of a program that was meant to keep running and ended.
    pub fn gone(&self) -> Failure {
        self.failure(format!("{} stopped by itself; its last words are above.", self.name))
    }

    fn stop(&mut self) {
        // The call fails if the process has just ended.
        let _ = killpg(Pid::from_raw(self.child.id().cast_signed()), Signal::SIGKILL);
        let _ = self.child.wait();
        groups().remove(&self.child.id().cast_signed());
    }

    fn ended(self, status: ExitStatus) -> Result<Ended> {
        let group = self.child.id().cast_signed();
        // Kills processes that the program left behind in its group.
        let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        groups().remove(&group);
        if stopping() {
            return Err(stopped());
        }
        let failed = format!("{} failed; all it said is in {}.", self.name, place::shown(&self.log));
        Ok(Ended { said: self.said(), failure: (!status.success()).then(|| self.failure(failed)) })
    }

    fn failure(&self, sentence: String) -> Failure {
        let said = self.said();
        let mut letters = sentence.chars();
        let sentence: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let lines: Vec<_> = said.lines().collect();
        Failure::new(sentence).with_details(lines[lines.len().saturating_sub(LAST_LINES)..].join("\n"))
    }
}

/// Waits until one of the programs ends, and returns its failure.
pub fn watch(running: &mut [Running]) -> Result<()> {
    loop {
        for part in running.iter_mut() {
            if part.status()?.is_some() && !stopping() {
                return Err(part.gone());
            }
        }
        thread::sleep(Duration::from_millis(200));
    }
}

/// Removes terminal control sequences from a text: colours, links, carriage returns.
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\x1b') {
        plain.push_str(before);
        rest = after;
        let end = match rest.as_bytes().first() {
            Some(b'[') => rest.find(|c: char| c.is_ascii_alphabetic()).map(|end| end + 1),
            Some(b']') => {
                rest.find(['\x07', '\x1b']).map(|end| end + if rest[end..].starts_with('\x1b') { 2 } else { 1 })
            }
            _ => rest.chars().next().map(char::len_utf8),
        };
        rest = end.and_then(|end| rest.get(end..)).unwrap_or_default();
    }
    (plain + rest).replace('\r', "")
}

/// Stops all started programs and their descendants: first with SIGTERM, then with SIGKILL.
pub fn stop_all() {
    let groups = {
        let groups = groups();
        STOPPING.store(true, Ordering::SeqCst);
        groups.clone()
    };
    for group in &groups {
        // The call fails if the group has already ended.
        let _ = killpg(Pid::from_raw(*group), Signal::SIGTERM);
    }
    if wait_for_none(&groups) {
        return;
    }
    for group in &groups {
        let _ = killpg(Pid::from_raw(*group), Signal::SIGKILL);
    }
    for process in descendants() {
        let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
    }
    wait_for_none(&groups);
}

fn wait_for_none(groups: &BTreeSet<i32>) -> bool {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        while matches!(waitpid(None, Some(WaitPidFlag::WNOHANG)), Ok(status) if status != WaitStatus::StillAlive) {}
        let gone = |group: &i32| killpg(Pid::from_raw(*group), None) == Err(Errno::ESRCH);
        if groups.iter().all(gone) && descendants().is_empty() {
            return true;
        }
        thread::sleep(LOOK_AGAIN);
    }
    false
}

/// Ids of all descendants of this process, also of those that left their group. Empty on systems without `/proc`.
fn descendants() -> Vec<i32> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        parents.extend(parent_in(&stat));
    }
    let mut found = vec![std::process::id().cast_signed()];
    let mut next = 0;
    while next < found.len() {
        let parent = found[next];
        found.extend(parents.iter().filter(|(_, of)| *of == parent).map(|(process, _)| *process));
        next += 1;
    }
    found.split_off(1)
}

/// Ids of a process and its parent from `/proc/<id>/stat`; the name between them may contain spaces and brackets.
fn parent_in(stat: &str) -> Option<(i32, i32)> {
    let process = stat.split_once(' ')?.0.parse().ok()?;
    let mut after_name = stat.rsplit_once(')')?.1.split_ascii_whitespace();
    Some((process, after_name.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_for_a_terminal_is_taken_out_of_a_text() {
        assert_eq!(plain("\x1b[32m ✓\x1b[39m 3 passed\r\n"), " ✓ 3 passed\n");
        assert_eq!(plain("\x1b]8;;file:///a\x1b\\a.json\x1b]8;;\x07 format"), "a.json format");
        assert_eq!(plain("cut \x1b[3"), "cut ");
        assert_eq!(plain("cut \x1b"), "cut ");
    }

    #[test]
    fn a_parent_is_found_behind_a_name_with_brackets_and_spaces() {
        assert_eq!(parent_in("42 (a) b (c) S 7 42 42 0"), Some((42, 7)));
        assert_eq!(parent_in(""), None);
    }

    #[test]
    fn a_program_that_fails_hands_back_its_last_words() {
        let failure = run("a shell", Command::new("sh").args(["-c", "echo no such luck; exit 3"])).unwrap_err();
        assert_eq!(failure.details.as_deref(), Some("no such luck"));
        assert!(failure.sentence.starts_with("A shell failed; all it said is in "));
    }

    #[test]
    fn a_program_that_never_ends_is_stopped_and_fails() {
        let ended = run_to_end_within(Duration::ZERO, "a waiter", Command::new("sleep").arg("600")).unwrap();
        assert_eq!(ended.failure.unwrap().sentence, "A waiter did not end within 0.0 s.");
    }

    #[test]
    fn a_program_that_takes_too_long_is_stopped() {
        let failure = run_within(Duration::ZERO, "a sleeper", Command::new("sleep").arg("600")).unwrap_err();
        assert_eq!(failure.sentence, "a sleeper did not end within 0 seconds.");
    }
}
