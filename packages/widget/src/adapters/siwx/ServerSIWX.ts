//! Sign-in at a Portico server: the server writes the nonce, verifies the signature and opens the session.

import type { SIWXConfig, SIWXMessage, SIWXMessageInput, SIWXSession } from '../../host/siwx.ts'
import { InformalMessenger } from './InformalMessenger.ts'
import { claimsOf, isOf, isOver, isSubject, type Kept, KeptSessions } from './KeptSessions.ts'

export interface ServerSIWXOptions {
  /** URL of the server: `https://portico.example.org`. */
  readonly url: string
  /** Project whose list of origins has this page. Leave it out if a proxy of yours at `url` adds it. */
  readonly projectId?: string
  /** Sentence that the visitor agrees to: one line of ASCII. */
  readonly statement?: string
  /** Whether the modal stays open until the visitor has signed. Default `true`. */
  readonly required?: boolean
  /**
   * Whether the server sets the token as a cookie of its own host, which scripts cannot read: the page keeps no token then, and one session, that
   * of the last sign-in. Browsers send the cookie only where the page and the server belong to one site. Default `false`.
   */
  readonly cookie?: boolean
  /** See {@link SIWXConfig.oneClickWallets}. */
  readonly oneClickWallets?: readonly string[]
  /** Called once for a session that the server no longer knows: it ended there, or expired. */
  onSessionLost?(session: SIWXSession): void
}

/** Claims of a session's token, as the server tells them. */
export interface ServerSIWXAccount {
  /** Account (CAIP-10). */
  readonly sub: string
  readonly address: string
  /** Reference of the chain: `1`. */
  readonly chainId: string
  readonly chainNamespace: string
  /** Chain (CAIP-2): `eip155:1`. */
  readonly caip2Network: string
  /** Project id. */
  readonly aud: string
  /** Public URL of the server. */
  readonly iss: string
  /** Id of the session. */
  readonly jti: string
  /** URI, domain and nonce of the signed message. */
  readonly uri: string
  readonly domain: string
  readonly nonce: string
  /** Start and end of the session, in seconds since the epoch. */
  readonly iat: number
  readonly exp: number
}

/** Called with a session that was opened on this page, and with nothing when one ended here. */
export type SessionListener = (session?: SIWXSession) => void

/** Time limit of a request, in milliseconds: the widget waits ten seconds for `getSessions`, in which a late server ends no session. */
const PATIENCE = 7_000

/** Time limit of a sign-in, in milliseconds: the server may ask a chain, and the widget waits thirty seconds for the whole. */
const PATIENCE_OF_SIGN_IN = 25_000

/** Limit of messages that the server takes at once. */
const MOST_TOGETHER = 10

/** Answer of the server other than success, or none. */
export class ServerSIWXError extends Error {
  /** HTTP status; 503 also if the server cannot be reached. */
  readonly status: number
  /** Part of the message or request at fault: `nonce`, `domain`, `signature`; empty if the server names none. */
  readonly field: string

  constructor(status: number, field: string, text: string, options?: ErrorOptions) {
    super(text, options)
    this.name = 'ServerSIWXError'
    this.status = status
    this.field = field
  }
}

/**
 * Sign-in whose sessions are opened, verified and ended by a Portico server. {@link ServerSIWX.token} is the session for your back end, which
 * verifies it by the server's `/.well-known/jwks.json`.
 */
export class ServerSIWX implements SIWXConfig {
  readonly #options: ServerSIWXOptions
  readonly #messenger: InformalMessenger
  readonly #kept: KeptSessions
  readonly #listeners = new Set<SessionListener>()
  readonly oneClickWallets: readonly string[]

  constructor(options: ServerSIWXOptions) {
    this.#options = options
    this.oneClickWallets = options.oneClickWallets ?? []
    const { statement, cookie } = options
    // The server refuses other letters, which the visitor would hear of after the signature.
    if (statement !== undefined && !/^[ -~]+$/.test(statement))
      throw new TypeError('Use a `statement` of one line in printable letters of ASCII')
    this.#kept = new KeptSessions(cookie === true)
    this.#messenger = new InformalMessenger({
      domain: location.host,
      uri: location.origin,
      getNonce: async () => textIn(await this.#ask('GET', 'nonce'), 'nonce'),
      ...(statement === undefined ? {} : { statement })
    })
  }

  createMessage(input: SIWXMessageInput): Promise<SIWXMessage> {
    return this.#messenger.createMessage(input)
  }

  async addSession(session: SIWXSession): Promise<void> {
    await this.#open([session], AbortSignal.timeout(PATIENCE_OF_SIGN_IN))
  }

  /**
   * Sessions of one approval: the server accepts a nonce once, so they are sent together. If it refuses one of them, the first is opened alone; so
   * it is with `cookie`, which has room for one token.
   */
  async addSessions(sessions: SIWXSession[]): Promise<SIWXSession[]> {
    if (sessions.length === 0) return []
    const signal = AbortSignal.timeout(PATIENCE_OF_SIGN_IN)
    const first = sessions.slice(0, 1)
    const all = this.#options.cookie === true ? first : sessions.slice(0, MOST_TOGETHER)
    try {
      return await this.#open(all, signal)
    } catch (error) {
      // A refusal names the part at fault and leaves the nonce unused; the fault may be in one of the others.
      if (all.length < 2 || !(error instanceof ServerSIWXError && error.field)) throw error
      return this.#open(first, signal)
    }
  }

  async setSessions(sessions: SIWXSession[]): Promise<void> {
    const kept = this.#kept.read()
    const signatures = new Set(sessions.map(({ signature }) => signature))
    await this.#end(kept.filter(({ session }) => !signatures.has(session.signature)))
    const known = new Set(kept.map(({ session }) => session.signature))
    const added = sessions.filter(({ signature }) => !known.has(signature))
    // A cookie has room for one token, so the server opens one session for it.
    if (this.#options.cookie === true) for (const session of added.splice(0)) await this.addSession(session)
    for (const nonce of new Set(added.map(({ data }) => data.nonce))) {
      const together = added.filter(({ data }) => data.nonce === nonce)
      const opened = await this.#open(together, AbortSignal.timeout(PATIENCE_OF_SIGN_IN))
      if (opened.length < together.length) throw new Error('The server opened one session of several')
    }
  }

  /** A server that cannot be reached ends no session: your back end verifies the token by itself. */
  async getSessions(chainId: string, address: string): Promise<SIWXSession[]> {
    const valid: SIWXSession[] = []
    for (const one of this.#kept.read().filter((kept) => isOf(kept, chainId, address))) {
      try {
        const sub = textIn(await this.#ask('GET', 'me', one.token), 'sub')
        if (isSubject(sub, one.session.data)) valid.push(one.session)
        else this.#kept.forget(one)
      } catch (error) {
        if (!isLost(error)) {
          if (!isOver(one)) valid.push(one.session)
        } else {
          // Forgotten before it is told, so that it is told once and the visitor is asked once.
          this.#kept.forget(one)
          this.#options.onSessionLost?.(one.session)
          this.#tell()
        }
      }
    }
    return valid
  }

  /** Sessions of the account that were opened by the same approval end with it: the visitor signed in to all of them at once. */
  async revokeSession(chainId: string, address: string): Promise<void> {
    const kept = this.#kept.read()
    const named = kept.filter((one) => isOf(one, chainId, address))
    const isWithOne = (other: Kept) =>
      isOf(other, other.session.data.chainId, address) && named.some((one) => isOfOneApproval(one, other))
    await this.#end(kept.filter((one) => named.includes(one) || isWithOne(one)))
  }

  getRequired(): boolean {
    return this.#options.required ?? true
  }

  /**
   * Account of the session that was opened last, or of the session of this account on this chain; `undefined` without one. Rejects with a
   * {@link ServerSIWXError} if the server cannot be asked.
   */
  async getSessionAccount(chainId?: string, address?: string): Promise<ServerSIWXAccount | undefined> {
    const kept = this.#kept
      .read()
      .findLast((one) => chainId === undefined || isOf(one, chainId, address ?? one.session.data.accountAddress))
    if (!kept) return undefined
    try {
      const account = accountIn(await this.#ask('GET', 'me', kept.token))
      return isSubject(account.sub, kept.session.data) ? account : undefined
    } catch (error) {
      if (isLost(error)) return undefined
      throw error
    }
  }

  /** Calls back when a session is opened or ends on this page. Returns the function that stops it. */
  on(_event: 'sessionChanged', listener: SessionListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  removeAllListeners(): void {
    this.#listeners.clear()
  }

  /** Token of a session (JWT, ES256) for your back end; `undefined` without one, or with `cookie`. The server may have ended the session meanwhile. */
  token(chainId: string, address: string): string | undefined {
    return this.#kept.read().find((kept) => isOf(kept, chainId, address))?.token
  }

  /** Opens the sessions of one approval, all or none. An older server opens the first alone. */
  async #open(sessions: readonly SIWXSession[], signal: AbortSignal): Promise<SIWXSession[]> {
    const [first, ...others] = sessions.map(({ message, signature }) => ({ message, signature }))
    const cookie = this.#options.cookie === true
    const body = { ...first, cookie, ...(others.length > 0 ? { others } : {}) }
    const answer = await this.#ask('POST', 'authenticate', undefined, body, signal)
    const opened = [textIn(answer, 'token'), ...tokensIn(answer)].map((token, place) => {
      const session = sessions[place]
      if (!session || !isSubject(claimsOf(token).sub, session.data))
        throw new Error("The server's answer has the token of another account")
      return { session, token }
    })
    // The first one, of the active network, is the session that was opened last.
    for (const one of [...opened].reverse()) {
      this.#kept.add(one)
      this.#tell(one.session)
    }
    return opened.map(({ session }) => session)
  }

  /**
   * The sessions end in this browser even if the server cannot be told. It is told of those with the next ones that end, or when the widget asks
   * again, on the next page.
   */
  async #end(ended: readonly Kept[]): Promise<void> {
    for (const one of ended) {
      this.#kept.end(one)
      this.#tell()
    }
    const asked = this.#kept.ending().map(async (one) => {
      await this.#ask('POST', 'sign-out', one.token).catch((error) => {
        if (!isLost(error)) throw error
      })
      this.#kept.forget(one)
    })
    const failed = (await Promise.allSettled(asked)).find((answer) => answer.status === 'rejected')
    if (failed) throw failed.reason
  }

  #tell(session?: SIWXSession): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(session)
      } catch (error) {
        // A fault of the page is no reason to refuse a session that the server opened.
        reportError(error)
      }
    }
  }

  async #ask(
    method: string,
    path: string,
    token?: string,
    body?: object,
    signal = AbortSignal.timeout(PATIENCE)
  ): Promise<unknown> {
    const { url, projectId, cookie } = this.#options
    const query = projectId === undefined ? '' : `?projectId=${encodeURIComponent(projectId)}`
    const to = `${url.replace(/\/+$/, '')}/auth/v1/${path}${query}`
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' })
    }
    const sent = fetch(to, {
      method,
      headers,
      credentials: cookie === true ? 'include' : 'same-origin',
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = await sent.catch((cause) => {
      throw new ServerSIWXError(503, '', "The server can't be reached. Try again.", { cause })
    })
    const told: unknown = answer.status === 204 ? null : await answer.json().catch(() => null)
    if (answer.ok) return told
    const reasons = (told as { reasons?: { field?: unknown; description?: unknown }[] } | null)?.reasons
    const first = Array.isArray(reasons) ? reasons[0] : undefined
    const text = typeof first?.description === 'string' ? first.description : `HTTP status code: ${answer.status}`
    throw new ServerSIWXError(answer.status, typeof first?.field === 'string' ? first.field : '', text)
  }
}

/** Whether the server says that it has no such session; a project id that it doesn't know has the same status. */
function isLost(error: unknown): boolean {
  return error instanceof ServerSIWXError && error.status === 401 && error.field === 'token'
}

/** Whether the visitor signed both messages by one approval: a nonce is made for one. */
function isOfOneApproval(one: Kept, other: Kept): boolean {
  const { nonce } = one.session.data
  return !!nonce && nonce === other.session.data.nonce
}

/** Tokens of further messages; none of a server that knows none. */
function tokensIn(answer: unknown): string[] {
  const { others } = answer as { others?: unknown }
  return Array.isArray(others) ? others.map((_, place) => textIn(others, `${place}`)) : []
}

function textIn(answer: unknown, name: string): string {
  const text = (answer as Record<string, unknown> | null)?.[name]
  if (typeof text !== 'string' || text === '') throw new Error(`The server's answer has no ${name}`)
  return text
}

const TEXTS = [
  'sub',
  'address',
  'chainId',
  'chainNamespace',
  'caip2Network',
  'aud',
  'iss',
  'jti',
  'uri',
  'domain',
  'nonce'
] as const

function accountIn(answer: unknown): ServerSIWXAccount {
  const { iat, exp } = (answer ?? {}) as { iat?: unknown; exp?: unknown }
  if (typeof iat !== 'number' || typeof exp !== 'number') throw new Error("The server's answer has no times")
  const texts = TEXTS.map((name) => [name, textIn(answer, name)] as const)
  return { ...(Object.fromEntries(texts) as Record<(typeof TEXTS)[number], string>), iat, exp }
}
