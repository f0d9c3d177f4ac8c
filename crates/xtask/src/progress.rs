//! Progress output: one line for each step with its result and duration.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Result;
use crate::process;

/// Number of characters shown of a program's last line.
const LAST: usize = 120;

struct Board {
    live: bool,
    active: Vec<(String, Instant)>,
}

static BOARD: LazyLock<Mutex<Board>> = LazyLock::new(|| {
    let live = stderr().is_terminal();
    if live {
        thread::spawn(repaint);
    }
    Mutex::new(Board { live, active: Vec::new() })
});

fn board() -> MutexGuard<'static, Board> {
    BOARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a step and prints a line before and after it. `work` may set a note for the second line.
pub fn step<T>(label: &str, work: impl FnOnce(&mut String) -> Result<T>) -> Result<T> {
    let begun = Instant::now();
    begin(label, begun);
    let mut note = String::new();
    let result = work(&mut note);
    if result.is_ok() || !process::stopping() {
        finish(label, result.is_ok(), &note, begun);
    }
    result
}

fn begin(label: &str, begun: Instant) {
    let mut board = board();
    board.active.push((label.to_owned(), begun));
    if !board.live {
        say_line(&format!("  … {label}"));
    }
}

fn finish(label: &str, worked: bool, note: &str, begun: Instant) {
    let mut board = board();
    board.active.retain(|(active, since)| active != label || *since != begun);
    let mark = if worked { '✓' } else { '✗' };
    say_line(&format!("  {mark} {label:<24} {:>9}  {note}", duration(begun.elapsed())));
}

/// Prints the progress of a long step, unless the output is a terminal, which shows a clock.
pub fn while_it_runs(label: &str, last: &str) {
    let board = board();
    if board.live {
        return;
    }
    let since = board.active.iter().find(|(active, _)| active == label).map(|(_, since)| since.elapsed());
    let last: String = last.trim().chars().take(LAST).collect();
    say_line(&format!("    {} {}: {last}", label, since.map(duration).unwrap_or_default()));
}

/// Prints a line between those of the steps.
pub fn say(line: &str) {
    let _board = board();
    say_line(line);
}

fn say_line(line: &str) {
    let clear = if stderr().is_terminal() { "\r\x1b[2K" } else { "" };
    // Writing fails if the terminal was closed; the work goes on.
    let _ = writeln!(stderr(), "{clear}{}", line.trim_end());
}

/// Repaints the terminal line with the active steps and their durations.
fn repaint() {
    loop {
        thread::sleep(Duration::from_millis(100));
        let board = board();
        if board.active.is_empty() || process::stopping() {
            continue;
        }
        let active: Vec<_> =
            board.active.iter().map(|(label, since)| format!("{label} {}", duration(since.elapsed()))).collect();
        let _ = write!(stderr(), "\r\x1b[2K  … {}", active.join(" · "));
        let _ = stderr().flush();
    }
}

/// Formats a duration: seconds with one decimal, from one minute on minutes and seconds.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 60.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_told_in_seconds_and_then_in_minutes() {
        assert_eq!(duration(Duration::from_millis(40)), "0.0 s");
        assert_eq!(duration(Duration::from_millis(12_340)), "12.3 s");
        assert_eq!(duration(Duration::from_secs(125)), "2 min 05 s");
    }
}
