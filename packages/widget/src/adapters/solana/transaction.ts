//! Transactions in the forms of the libraries that hosts use: `@solana/web3.js` 1, or bytes as of `@solana/kit`'s transaction encoder.

/** Transaction of `@solana/web3.js`: `Transaction` or `VersionedTransaction`. */
export interface SerializableTransaction {
  serialize(options?: { readonly requireAllSignatures: boolean; readonly verifySignatures: boolean }): Uint8Array
}

/** Transaction that a wallet can be given. */
export type SolanaTransaction = SerializableTransaction | Uint8Array

/** Form of a class that reads its transactions from bytes: `deserialize` for versions, `from` for the first form. */
interface Reader {
  deserialize?(bytes: Uint8Array): SolanaTransaction
  from?(bytes: Uint8Array): SolanaTransaction
}

/** Bytes on the wire. A transaction that is not signed yet has zeros for its signatures. */
export function bytesOf(transaction: SolanaTransaction): Uint8Array {
  if (transaction instanceof Uint8Array) return transaction
  if (typeof transaction?.serialize === 'function')
    return Uint8Array.from(transaction.serialize({ requireAllSignatures: false, verifySignatures: false }))
  throw new TypeError('Pass a transaction of @solana/web3.js, or its bytes')
}

/** Transaction of these bytes in the form of `like`. */
export function inFormOf<T extends SolanaTransaction>(like: T, bytes: Uint8Array): T {
  if (like instanceof Uint8Array) return bytes as T
  const reader = like.constructor as unknown as Reader
  const read = reader.deserialize ?? reader.from
  if (read === undefined) throw new TypeError("Can't read bytes with the class of this transaction")
  return read.call(reader, bytes) as T
}

/** Version of a transaction: its first byte, or else that of its message, has the highest bit set if there is one. */
export function versionOf(bytes: Uint8Array): 'legacy' | number {
  const [first = 0] = bytes
  const byte = first > 127 ? first : (bytes[1 + 64 * first] ?? 0)
  return byte > 127 ? byte - 128 : 'legacy'
}
