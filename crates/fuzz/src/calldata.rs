//! Fuzz target: any hex as calldata of a swap. What is read is read from the whole call: with a byte more or less it is another call.

use portico_calldata::{Call, Protocol, decode, hex};
use portico_terms::Amount;

/// Bytes behind a call of 1inch that its contract does not read.
const MARK: usize = 4;

/// Panics if a call is read that has hidden bytes, or if a reader panics.
pub fn take(text: &str) {
    let Some(data) = hex::bytes(text.trim()) else { return };
    for protocol in Protocol::ALL {
        for value in [Amount::ZERO, Amount::from(1_000u32)] {
            let read = |data: &[u8]| decode(protocol, Some([1; 20]), &Call { from: [9; 20], to: [7; 20], value, data });
            if read(&data).is_some() {
                assert_eq!(read(&[&data[..], &[0; 32]].concat()), None, "{protocol:?}: bytes behind the call");
                assert_eq!(read(&data[..data.len().saturating_sub(1 + MARK)]), None, "{protocol:?}: a call cut short");
            }
        }
    }
}
