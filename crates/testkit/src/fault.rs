use crate::wallet::{Behaviour, thrown};
use portico_json::Value;

/// Seeded random faults: the same seed gives the same run.
#[derive(Clone, Debug)]
pub struct Faults {
    random: fastrand::Rng,
}

impl Faults {
    /// Creates faults from a seed.
    pub fn seeded(seed: u64) -> Faults {
        Faults { random: fastrand::Rng::with_seed(seed) }
    }

    /// Chooses the behaviour for the next wallet request; half of them are right.
    pub fn behaviour(&mut self) -> Behaviour {
        match self.random.u8(..14) {
            0 => Behaviour::Refuse,
            1 => Behaviour::Silent,
            2 => Behaviour::Twice,
            3 => Behaviour::Late(self.random.u64(1..20_000)),
            4 | 5 => Behaviour::Nonsense(self.nonsense()),
            6 => Behaviour::Throw(self.thrown()),
            _ => Behaviour::Right,
        }
    }

    /// Chooses a value that no standard allows.
    pub fn nonsense(&mut self) -> Value {
        let long = "x".repeat(self.random.usize(..400));
        let choices = [
            Value::Null,
            Value::Bool(true),
            Value::Number("-1e999".into()),
            Value::Text(long),
            Value::Text("0x".into()),
            Value::Text("0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff".into()),
            Value::List(vec![Value::Null, Value::Text("0xé".into())]),
            Value::List(Vec::new()),
            Value::Object(vec![
                ("code".into(), Value::Text("4001".into())),
                ("length".into(), Value::Number("1".into())),
            ]),
        ];
        choices[self.random.usize(..choices.len())].clone()
    }

    fn thrown(&mut self) -> Value {
        let codes = [4001, 4100, 4200, 4900, 4901, 4902, -32002, -32603, 0, i64::MIN];
        match self.random.u8(..4) {
            0 => self.nonsense(),
            _ => thrown(codes[self.random.usize(..codes.len())], "thrown"),
        }
    }

    /// Returns true with this chance in percent.
    pub fn strikes(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    /// Returns a number below a bound.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.random.u64(..bound.max(1))
    }
}
