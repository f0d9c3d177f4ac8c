//! Decodes calls (Solidity ABI) without copying: data with a thousand references to the same bytes uses no more memory.

/// Maximum number of calls within a call, and of records that a whole call asks for.
pub(super) const MOST: usize = 64;

const RESOLVE: [u8; 4] = [0x90, 0x61, 0xb9, 0x23];
const QUERY: [u8; 4] = [0xa7, 0x80, 0xba, 0xb6];

/// Decoded call of a gateway.
pub(super) enum GatewayCall<'a> {
    /// `resolve(bytes name, bytes data)`.
    Resolve { name: &'a [u8], data: &'a [u8] },
    /// `query((address sender, string[] urls, bytes data)[])`.
    Query(Vec<Item<'a>>),
}

/// One call of a batch; its gateway URLs are ignored.
pub(super) struct Item<'a> {
    pub(super) sender: &'a [u8; 20],
    pub(super) data: &'a [u8],
}

impl<'a> GatewayCall<'a> {
    pub(super) fn read(data: &'a [u8]) -> Option<GatewayCall<'a>> {
        let (selector, arguments) = data.split_first_chunk()?;
        let arguments = Arguments(arguments);
        match *selector {
            RESOLVE => Some(GatewayCall::Resolve { name: arguments.bytes(0)?, data: arguments.bytes(1)? }),
            QUERY => {
                let items = arguments.list(0)?;
                let item = |place| {
                    let item = items.0.inner(place)?;
                    let sender = item.word(0)?.last_chunk()?;
                    Some(Item { sender, data: item.bytes(2)? })
                };
                (0..items.1).map(item).collect::<Option<_>>().map(GatewayCall::Query)
            }
            _ => None,
        }
    }
}

/// ABI-encoded arguments, or the parts of a dynamic value: words of 32 bytes, some of which are offsets.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a>(pub(super) &'a [u8]);

impl<'a> Arguments<'a> {
    /// Word at an index.
    pub(super) fn word(self, place: usize) -> Option<&'a [u8; 32]> {
        self.0.get(place.checked_mul(32)?..)?.first_chunk()
    }

    /// Bytes to which the offset at an index points.
    pub(super) fn bytes(self, place: usize) -> Option<&'a [u8]> {
        let found = self.inner(place)?;
        found.0.get(32..)?.get(..found.number(0)?)
    }

    /// Items to which the offset at an index points, and their number.
    pub(super) fn list(self, place: usize) -> Option<(Arguments<'a>, usize)> {
        let found = self.inner(place)?;
        let count = found.number(0).filter(|count| *count <= MOST)?;
        Some((Arguments(found.0.get(32..)?), count))
    }

    fn inner(self, place: usize) -> Option<Arguments<'a>> {
        self.0.get(self.number(place)?..).map(Arguments)
    }

    fn number(self, place: usize) -> Option<usize> {
        let (high, low) = self.word(place)?.split_last_chunk::<4>()?;
        high.iter().all(|byte| *byte == 0).then(|| u32::from_be_bytes(*low) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::{Address, Bytes};
    use alloy_sol_types::SolValue;

    fn resolve(name: &[u8], data: &[u8]) -> Vec<u8> {
        let arguments = (Bytes::copy_from_slice(name), Bytes::copy_from_slice(data)).abi_encode_params();
        [RESOLVE.as_slice(), &arguments].concat()
    }

    #[test]
    fn a_call_is_read_as_solidity_writes_it() {
        let call = resolve(b"\x05alice\x00", &[1; 40]);
        let Some(GatewayCall::Resolve { name, data }) = GatewayCall::read(&call) else { panic!("not a call") };
        assert_eq!((name, data), (b"\x05alice\x00".as_slice(), [1; 40].as_slice()));
        let items = vec![
            (Address::repeat_byte(1), vec!["https://a.example".to_owned()], Bytes::from(vec![2; 33])),
            (Address::repeat_byte(3), Vec::new(), Bytes::new()),
        ];
        let call = [QUERY.as_slice(), &(items,).abi_encode_params()].concat();
        let Some(GatewayCall::Query(items)) = GatewayCall::read(&call) else { panic!("not a call") };
        let items: Vec<_> = items.iter().map(|item| (item.sender, item.data)).collect();
        assert_eq!(items, [(&[1; 20], [2; 33].as_slice()), (&[3; 20], &[])]);
    }

    #[test]
    fn what_is_cut_off_or_leads_outside_is_no_call() {
        let call = resolve(b"\x05alice\x00", &[1; 40]);
        for end in 0..call.len() - 24 {
            assert!(GatewayCall::read(&call[..end]).is_none(), "{end}");
        }
        for place in [4 + 28, 4 + 32 + 28, 4 + 64 + 28] {
            let mut wrong = call.clone();
            wrong[place] = 255;
            assert!(GatewayCall::read(&wrong).is_none(), "{place}");
            wrong[place - 20] = 1;
            assert!(GatewayCall::read(&wrong).is_none(), "{place}");
        }
        assert!(GatewayCall::read(&[QUERY.as_slice(), &[255; 640]].concat()).is_none());
        let many = vec![(Address::ZERO, Vec::<String>::new(), Bytes::new()); MOST + 1];
        assert!(GatewayCall::read(&[QUERY.as_slice(), &(many,).abi_encode_params()].concat()).is_none());
    }
}
