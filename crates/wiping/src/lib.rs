//! Allocator that wipes what it frees, for modules of the browser that hold secrets. Commands, parsed JSON and growing texts hold some that no type of
//! their own can wipe.

#![warn(missing_docs)]

use std::alloc::{GlobalAlloc, Layout};
use zeroize::Zeroize;

/// Allocator around another one. Moving a block to a larger one frees, and so wipes, the smaller.
pub struct Wiping<A>(pub A);

// SAFETY: each call goes to the inner allocator with the same arguments. A block is overwritten only between the caller's last use and its
// release, within the size that it was allocated with.
#[allow(unsafe_code)]
unsafe impl<A: GlobalAlloc> GlobalAlloc for Wiping<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        unsafe { self.0.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe {
            std::slice::from_raw_parts_mut(block, layout.size()).zeroize();
            self.0.dealloc(block, layout);
        }
    }
}
