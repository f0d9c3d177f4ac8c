/** Secret keys of the demo wallet's accounts: 32 equal bytes each. They are publicly known: never use them for real money. */
export const BITCOIN_TEST_KEYS: readonly Uint8Array[] = [17, 18, 19].map((byte) => new Uint8Array(32).fill(byte))
