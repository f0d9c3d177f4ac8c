//! Sessions of a sign-in in the browser.

import type { SIWXSession } from '../../host/siwx.ts'

/** Keeps the sessions of a sign-in. */
export interface SIWXStorage {
  add(session: SIWXSession): Promise<void>
  set(sessions: SIWXSession[]): Promise<void>
  /** Valid sessions of an account on a chain. */
  get(chainId: string, address: string): Promise<SIWXSession[]>
  delete(chainId: string, address: string): Promise<void>
}

/** Limit of sessions, of which the last ones stay: the page's storage also has other uses. */
const MOST_SESSIONS = 100

/** Sessions in `localStorage`, which all tabs of the page share. */
export class LocalStorage implements SIWXStorage {
  readonly #key: string

  constructor({ key }: { readonly key: string }) {
    this.#key = key
  }

  async add(session: SIWXSession): Promise<void> {
    const { chainId, accountAddress } = session.data
    this.#write([...this.#read().filter((one) => !isOf(one, chainId, accountAddress)), session])
  }

  async set(sessions: SIWXSession[]): Promise<void> {
    this.#write(sessions)
  }

  async get(chainId: string, address: string): Promise<SIWXSession[]> {
    return this.#read().filter((one) => isOf(one, chainId, address) && isValid(one, Date.now()))
  }

  async delete(chainId: string, address: string): Promise<void> {
    this.#write(this.#read().filter((one) => !isOf(one, chainId, address)))
  }

  /** What another page or version stored is not trusted to be sessions. */
  #read(): SIWXSession[] {
    try {
      const stored: unknown = JSON.parse(localStorage.getItem(this.#key) ?? '[]')
      return Array.isArray(stored) ? stored.filter((one) => typeof one?.data?.accountAddress === 'string') : []
    } catch {
      return []
    }
  }

  #write(sessions: readonly SIWXSession[]): void {
    if (sessions.length > 0) localStorage.setItem(this.#key, JSON.stringify(sessions.slice(-MOST_SESSIONS)))
    else localStorage.removeItem(this.#key)
  }
}

/** EVM addresses are the same in any case of their letters. */
function isOf({ data }: SIWXSession, chainId: string, address: string): boolean {
  const same = chainId.startsWith('eip155:')
    ? data.accountAddress.toLowerCase() === address.toLowerCase()
    : data.accountAddress === address
  return data.chainId === chainId && same
}

function isValid({ data: { expirationTime, notBefore } }: SIWXSession, now: number): boolean {
  // A time that is none is over.
  return (
    (expirationTime === undefined || Date.parse(expirationTime) > now) &&
    (notBefore === undefined || Date.parse(notBefore) <= now)
  )
}
