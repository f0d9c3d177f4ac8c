import { type Address, isAddress } from 'viem'
import type { Chain } from './chain.ts'

/** Methods of `localStorage` that the wallet uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem'>

/** Data stored for one origin. */
export interface Remembered {
  readonly permitted: readonly Address[]
  readonly chainId?: number | undefined
  readonly addedChains: readonly Chain[]
}

const VERSION = 1
const NOTHING: Remembered = { permitted: [], addedChains: [] }

/** Stored permissions of one origin. Where the page has no access to storage, the wallet forgets them on reload. */
export class Memory {
  readonly #storage: KeyValueStorage | undefined
  readonly #key: string

  constructor(rdns: string, storage: KeyValueStorage | undefined) {
    this.#storage = storage ?? pageStorage()
    this.#key = `demo-wallet/${rdns}`
  }

  /** Reads the stored data; missing or invalid data counts as a new origin. */
  recall(): Remembered {
    try {
      return parse(JSON.parse(this.#storage?.getItem(this.#key) ?? 'null'))
    } catch {
      return NOTHING
    }
  }

  remember(remembered: Remembered): void {
    try {
      this.#storage?.setItem(this.#key, JSON.stringify({ version: VERSION, ...remembered }))
    } catch {
      // Storage is full or denied.
    }
  }
}

function pageStorage(): KeyValueStorage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}

function parse(stored: unknown): Remembered {
  if (typeof stored !== 'object' || stored === null) return NOTHING
  const { version, permitted, chainId, addedChains } = stored as Record<string, unknown>
  if (version !== VERSION) return NOTHING
  return {
    permitted: Array.isArray(permitted) ? permitted.filter(isStoredAddress) : [],
    chainId: typeof chainId === 'number' ? chainId : undefined,
    addedChains: Array.isArray(addedChains) ? addedChains.filter(isChain) : []
  }
}

function isStoredAddress(value: unknown): value is Address {
  return typeof value === 'string' && isAddress(value, { strict: false })
}

function isChain(value: unknown): value is Chain {
  if (typeof value !== 'object' || value === null) return false
  const { chainId, name, rpcUrl } = value as Record<string, unknown>
  return Number.isSafeInteger(chainId) && typeof name === 'string' && typeof rpcUrl === 'string'
}
