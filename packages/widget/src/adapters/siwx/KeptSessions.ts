//! Sessions at a server with their tokens, as this browser keeps them.

import type { SIWXMessageData, SIWXSession } from '../../host/siwx.ts'

/** Session and its token, which the page of a session in a cookie does not keep. */
export interface Kept {
  readonly session: SIWXSession
  readonly token?: string
  /** Whether the visitor has signed out. The token stays until the server has ended the session. */
  readonly ended?: true
}

/** Key in `localStorage`, which all tabs of the page share. */
const KEY = '@portico/siwx'

/** Limit of sessions, of which the last ones stay: the page's storage also has other uses. */
const MOST_SESSIONS = 50

export class KeptSessions {
  readonly #inCookie: boolean
  /** Sessions of this page alone, where the browser stores none. */
  #unstored: readonly Kept[] = []

  /** @param inCookie Whether a cookie has the token. The server has one cookie, so there is one session then: the last one. */
  constructor(inCookie: boolean) {
    this.#inCookie = inCookie
  }

  read(): Kept[] {
    return this.#all().filter((one) => !one.ended)
  }

  /** Sessions that the visitor has left, and the server has not been told. */
  ending(): Kept[] {
    return this.#all().filter((one) => one.ended && !isOver(one))
  }

  /** Adds the latest session, in place of an older one of its account on its chain. Ended ones leave. */
  add(kept: Kept): void {
    const { chainId, accountAddress } = kept.session.data
    const others = this.#all().filter((one) => (one.ended || !isOf(one, chainId, accountAddress)) && !isOver(one))
    this.#write(this.#inCookie ? [{ session: kept.session }] : [...others, kept].slice(-MOST_SESSIONS))
  }

  /** The session no longer counts; its token stays for the server. */
  end(kept: Kept): void {
    this.#write(this.#all().map((one) => (isOne(one, kept) ? { ...one, ended: true } : one)))
  }

  forget(kept: Kept): void {
    this.#write(this.#all().filter((one) => !isOne(one, kept)))
  }

  #all(): Kept[] {
    const sessions = [...stored(), ...this.#unstored]
    return this.#inCookie ? sessions.slice(-1).map(({ token: _, ...one }) => one) : sessions.filter(isOfToken)
  }

  /** The server has opened the session already, so the latest one at least stays on this page if the browser's storage is full or closed. */
  #write(kept: readonly Kept[]): void {
    this.#unstored = []
    for (const some of [kept, kept.slice(-1)]) {
      try {
        if (some.length > 0) localStorage.setItem(KEY, JSON.stringify(some))
        else localStorage.removeItem(KEY)
        return
      } catch {
        forgetAll()
      }
    }
    this.#unstored = kept
  }
}

/** Older sessions make room for the latest one, and don't come back where it has none. */
function forgetAll(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {
    // A browser that refuses the storage has stored none.
  }
}

/** Another page or version may have stored something else. */
function stored(): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSession) : []
  } catch {
    return []
  }
}

export function isOf({ session: { data } }: Kept, chainId: string, address: string): boolean {
  return data.chainId === chainId && isSame(chainId, data.accountAddress, address)
}

const isOne = (one: Kept, other: Kept) => one.session.signature === other.session.signature

/** Whether the subject of a token (CAIP-10) is the account of a session. */
export function isSubject(sub: unknown, { chainId, accountAddress }: SIWXMessageData): boolean {
  return isSame(chainId, String(sub), `${chainId}:${accountAddress}`)
}

/** EVM addresses are the same in any case of their letters. */
function isSame(chainId: string, one: string, other: string): boolean {
  const cased = (text: string) => (chainId.startsWith('eip155:') ? text.toLowerCase() : text)
  return cased(one) === cased(other)
}

/** Claims of a token; none if it isn't a token. Only the server can tell whether they are true. */
export function claimsOf(token: string): { readonly sub?: unknown; readonly exp?: unknown } {
  try {
    const [, claims = ''] = token.split('.')
    return JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) ?? {}
  } catch {
    return {}
  }
}

function isSession(one: unknown): one is Kept {
  const { message, signature, data } = ((one ?? {}) as { session?: Partial<SIWXSession> }).session ?? {}
  return [message, signature, data?.chainId, data?.accountAddress].every((text) => typeof text === 'string')
}

/** Letters of a token (RFC 7515). Other and longer texts may not reach the server, which then could not refuse them. */
const TOKEN = /^[\w.-]{1,4096}$/

/** Whether the token has the form of one and belongs to the session's account. */
function isOfToken({ session, token }: Kept): boolean {
  return typeof token === 'string' && TOKEN.test(token) && isSubject(claimsOf(token).sub, session.data)
}

/** Whether the token has ended, by the clock of the device. */
export function isOver({ token = '' }: Kept): boolean {
  const { exp } = claimsOf(token)
  return typeof exp === 'number' && exp * 1000 <= Date.now()
}
