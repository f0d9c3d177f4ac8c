//! EIP-1193 provider of the embedded wallet. Which methods it takes, and what the visitor approves, is decided by the core.

import { field } from '../json.ts'
import { type Listener, Listeners } from '../relay/listeners.ts'

interface RequestArguments {
  readonly method: string
  readonly params?: unknown
}

export interface EmbeddedParts {
  /** Sends a request to the core. */
  request(method: string, params: unknown): Promise<unknown>
  /** Ends the session at the host's request. */
  disconnect(): Promise<void>
  log(...what: readonly unknown[]): void
}

/** EIP-1193 code: the method is not supported. */
const UNSUPPORTED = 4200

export class EmbeddedProvider {
  readonly #parts: EmbeddedParts
  readonly #listeners = new Listeners()

  constructor(parts: EmbeddedParts) {
    this.#parts = parts
  }

  async request({ method, params }: RequestArguments): Promise<unknown> {
    try {
      const answer = await this.#parts.request(String(method), hexed(params ?? null))
      if (method === 'wallet_switchEthereumChain')
        this.#listeners.tell('chainChanged', field(field(params, 0), 'chainId'))
      return answer
    } catch (error) {
      // A method that is not accepted is a mistake of the page (spec 4.41).
      if (field(error, 'code') === UNSUPPORTED) this.#parts.log(error, method)
      throw error
    }
  }

  /** Ends the session of the embedded wallet. */
  disconnect(): Promise<void> {
    return this.#parts.disconnect()
  }

  /** Emits an event to the page's own listeners. */
  emit(event: string, payload?: unknown): void {
    this.#listeners.tell(event, payload)
  }

  on(event: string, listener: Listener): this {
    this.#listeners.add(event, listener)
    return this
  }

  removeListener(event: string, listener: Listener): this {
    this.#listeners.remove(event, listener)
    return this
  }
}

/** Parameters with their bigint values as hexadecimal numbers, which is how methods of EVM wallets take numbers. */
function hexed(value: unknown): unknown {
  if (typeof value === 'bigint') return `0x${value.toString(16)}`
  if (Array.isArray(value)) return value.map(hexed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.keys(value).map((name) => [name, hexed(field(value, name))]))
}
