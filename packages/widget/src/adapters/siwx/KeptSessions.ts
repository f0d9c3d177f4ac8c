//! Sessions at a server with their tokens, as this browser keeps them.

import type { SIWXMessageData, SIWXSession } from '../../host/siwx.ts'

/** Session and its token. */
export interface Kept {
  readonly session: SIWXSession
  readonly token: string
}

/** Key in `localStorage`, which all tabs of the page share. */
const KEY = '@portico/siwx'

/** Another page or version may have stored something else. */
export function read(): Kept[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isKept) : []
  } catch {
    return []
  }
}

export function write(kept: readonly Kept[]): void {
  if (kept.length > 0) localStorage.setItem(KEY, JSON.stringify(kept))
  else localStorage.removeItem(KEY)
}

export function forget({ token }: Kept): void {
  write(read().filter((one) => one.token !== token))
}

export function isOf({ session: { data } }: Kept, chainId: string, address: string): boolean {
  return data.chainId === chainId && isSame(chainId, data.accountAddress, address)
}

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

/** A token of another account is none of the session. */
function isKept(one: unknown): one is Kept {
  const { session, token } = (one ?? {}) as { session?: Partial<SIWXSession>; token?: unknown }
  const { message, signature, data } = session ?? {}
  const texts = [token, message, signature, data?.chainId, data?.accountAddress]
  return (
    texts.every((text) => typeof text === 'string') && isSubject(claimsOf(token as string).sub, data as SIWXMessageData)
  )
}
