//! Failure that the settings tell. Where the vault names the seconds until another try, they are counted down, and the failure ends with them.
use portico_terms::Amount;

/// Sentence of the vault around its seconds (spec 8.35).
const REST: (&str, &str) = ("Please try again after ", " seconds");
/// Longest rest that is counted, in seconds: a day.
const LONGEST: u64 = 86_400;

/// Failure that the settings tell.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    Sentence(String),
    /// The vault takes another try at this time, in epoch milliseconds, after this many seconds.
    Rest {
        until: u64,
        seconds: u64,
    },
}

impl Fault {
    /// Failure with a sentence that was told now.
    pub fn told(sentence: String, now: u64) -> Fault {
        let seconds = sentence.strip_prefix(REST.0).and_then(|rest| rest.strip_suffix(REST.1));
        match seconds.and_then(|seconds| seconds.parse().ok()) {
            Some(seconds @ 1..=LONGEST) => Fault::Rest { until: now + seconds * 1_000, seconds },
            _ => Fault::Sentence(sentence),
        }
    }

    /// Seconds until another try. A clock that was set back makes no longer rest.
    fn left(&self, now: u64) -> u64 {
        match self {
            Fault::Sentence(_) => 0,
            Fault::Rest { until, seconds } => until.saturating_sub(now).div_ceil(1_000).min(*seconds),
        }
    }

    /// Sentence of the failure; `None` once its rest is over.
    pub fn text(&self, now: u64) -> Option<String> {
        match self {
            Fault::Sentence(sentence) => Some(sentence.clone()),
            Fault::Rest { .. } => match self.left(now) {
                0 => None,
                seconds => Some([REST.0, &Amount::from(seconds).to_digits(), REST.1].concat()),
            },
        }
    }

    /// Time at which its sentence is another one.
    pub fn due(&self, now: u64) -> Option<u64> {
        match self {
            Fault::Rest { until, .. } if *until > now => Some(until - (self.left(now) - 1) * 1_000),
            _ => None,
        }
    }
}

impl From<&str> for Fault {
    fn from(sentence: &str) -> Fault {
        Fault::Sentence(sentence.into())
    }
}
