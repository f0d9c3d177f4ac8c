//! Bytes of the data segments by their addresses.

use std::ops::Range;

use walrus::ir::Value;
use walrus::{ConstExpr, DataId, DataKind, Module};

/// Segment that has these addresses, and their place in it.
fn segment(module: &Module, range: &Range<u32>) -> Option<(DataId, Range<usize>)> {
    module.data.iter().find_map(|data| {
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(base)), .. } = data.kind else { return None };
        let start = range.start.checked_sub(base as u32)? as usize;
        let place = start..start + range.len();
        (place.end <= data.value.len()).then_some((data.id(), place))
    })
}

pub(super) fn slice<'a>(module: &'a Module, range: &Range<u32>) -> Option<&'a [u8]> {
    let (data, place) = segment(module, range)?;
    module.data.get(data).value.get(place)
}

pub(super) fn slice_mut<'a>(module: &'a mut Module, range: &Range<u32>) -> Option<&'a mut [u8]> {
    let (data, place) = segment(module, range)?;
    module.data.get_mut(data).value.get_mut(place)
}
