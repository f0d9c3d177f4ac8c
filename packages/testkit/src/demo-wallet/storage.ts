import { type Address, isAddress } from 'viem'
import type { Chain } from './chain.ts'

/** The part of `localStorage` the wallet uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem'>

/** What the wallet remembers of an origin. */
export interface Remembered {
  readonly permitted: readonly Address[]
  readonly chainId?: number | undefined
  readonly addedChains: readonly Chain[]
}

const VERSION = 1
const NOTHING: Remembered = { permitted: [], addedChains: [] }

/** Storage may be denied to a page; the wallet then forgets at reload, as it must. */
export class Memory {
  readonly #storage: KeyValueStorage | undefined
  readonly #key: string

  constructor(rdns: string, storage: KeyValueStorage | undefined) {
    this.#storage = storage ?? pageStorage()
    this.#key = `demo-wallet/${rdns}`
  }

  /** Reads what can be read; anything else is a clean start. */
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
      // Full or denied.
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
