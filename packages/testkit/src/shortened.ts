//! Short form of an address for people, that of the widget: its rule and numbers are in `crates/terms/src/address/shorten.rs`.

/** Number of characters that stay of the beginning and of the end (spec 2.12). */
const START = 4
const END = 6

/** First 4 and last 6 characters of an address: `0xf3…b92266`. A text that is no longer than both together stays whole. */
export function shortened(address: string): string {
  return address.length <= START + END ? address : `${address.slice(0, START)}…${address.slice(-END)}`
}
