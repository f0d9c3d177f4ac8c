//! Addresses of Bitcoin: base58 with a checksum, Bech32 (BIP-173) and Bech32m (BIP-350).

import { sha256 } from '@noble/hashes/sha2'
import { bech32, bech32m, createBase58check } from '@scure/base'
import type { BitcoinChain } from './chains.ts'

export interface BitcoinAddress {
  /** Address in its usual spelling: Bech32 in lower case. */
  readonly text: string
  readonly form: BitcoinChain['form']
  readonly kind: 'p2pkh' | 'p2sh' | 'p2wpkh' | 'p2wsh' | 'p2tr'
  /** Hash of the key or script; for `p2tr` the key itself. */
  readonly hash: Uint8Array
}

/** Length of the longest address (BIP-173). */
const LONGEST = 90

const base58check = createBase58check(sha256)

/** First byte of a base58 address. Regtest shares those of the test networks. */
const VERSIONS: Readonly<Record<number, Pick<BitcoinAddress, 'form' | 'kind'>>> = {
  0: { form: 'main', kind: 'p2pkh' },
  5: { form: 'main', kind: 'p2sh' },
  111: { form: 'test', kind: 'p2pkh' },
  196: { form: 'test', kind: 'p2sh' }
}

const PREFIXES: Readonly<Record<string, BitcoinChain['form']>> = { bc: 'main', tb: 'test', bcrt: 'regtest' }

/** Parses an address with its checksum; `undefined` for any other text, and for witness versions that have no meaning yet. */
export function addressOf(text: unknown): BitcoinAddress | undefined {
  if (typeof text !== 'string' || text.length > LONGEST) return undefined
  try {
    return segwit(text) ?? base58(text)
  } catch {
    return undefined
  }
}

function segwit(text: string): BitcoinAddress | undefined {
  const [old, now] = [bech32.decodeUnsafe(text, LONGEST), bech32m.decodeUnsafe(text, LONGEST)]
  const decoded = old ?? now
  const form = decoded && PREFIXES[decoded.prefix]
  if (!decoded || form === undefined) return undefined
  const [version = -1, ...words] = decoded.words
  // Each version has its checksum: the first one that of BIP-173, later ones that of BIP-350.
  const hash = (version === 0) === (old !== undefined) ? bech32.fromWordsUnsafe(words) : undefined
  const kind = hash && kindOf(version, hash.length)
  return hash && kind ? { text: text.toLowerCase(), form, kind, hash } : undefined
}

function kindOf(version: number, length: number): BitcoinAddress['kind'] | undefined {
  if (version === 1 && length === 32) return 'p2tr'
  if (version !== 0) return undefined
  return length === 20 ? 'p2wpkh' : length === 32 ? 'p2wsh' : undefined
}

function base58(text: string): BitcoinAddress | undefined {
  const [version = -1, ...hash] = base58check.decode(text)
  const known = VERSIONS[version]
  return known && hash.length === 20 ? { text, ...known, hash: Uint8Array.from(hash) } : undefined
}

/** Whether an address can be used on a network. */
export function isOn({ form, kind }: BitcoinAddress, chain: BitcoinChain): boolean {
  return form === chain.form || (form === 'test' && chain.form === 'regtest' && (kind === 'p2pkh' || kind === 'p2sh'))
}
