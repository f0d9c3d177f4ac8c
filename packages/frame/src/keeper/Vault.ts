//! Requests to the vault: proofs, the session and its tokens. Tokens stay in here.

import type { Session } from '../generated/frame.ts'
import { sentenceOf } from '../rpc.ts'
import type { Records } from './database.ts'
import { type Device, readDevice } from './device.ts'
import { proofOf } from './proof.ts'

/** A request that did not succeed. */
export class VaultError extends Error {
  /** Part of the request at fault, by the vault's own word; 'unreachable' if no response came. */
  readonly field: string
  readonly status: number

  constructor(status: number, field: string, message: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

export interface VaultParts {
  readonly records: Records
  readonly fetch: (path: string, init: RequestInit) => Promise<Response>
  /** Runs work that only one tab may do at a time. */
  readonly exclusively: <T>(work: () => Promise<T>) => Promise<T>
}

/** The session's record in the database. */
export interface StoredSession extends Session {
  /** Id of the user. */
  readonly user: string
}

const RECORD = 'session'
/** The vault holds a request for 25 seconds. */
const PATIENCE = 30_000
/** An access token is renewed this long before its end. */
const EARLY = 30_000
/** The start of a login tells the vault of a live session, but needs none. */
const LOGIN = '/wallet/v1/login/email'

export class Vault {
  readonly #parts: VaultParts
  #device: Promise<Device> | undefined
  /** Difference of the server's clock to this one, in milliseconds. */
  #skew = 0
  /** Session of a login whose wallet is not open yet: it ends with the page. */
  #held: StoredSession | undefined

  constructor(parts: VaultParts) {
    this.#parts = parts
  }

  device(): Promise<Device> {
    this.#device ??= readDevice(this.#parts.records).catch((error: unknown) => {
      this.#device = undefined
      throw error
    })
    return this.#device
  }

  async session(): Promise<StoredSession | undefined> {
    return this.#held ?? ((await this.#parts.records.get(RECORD)) as StoredSession | undefined)
  }

  /** Takes the session of a login. It is stored by `settle`, when the wallet is open. */
  hold(session: Session, user: string): void {
    this.#held = { ...session, user }
  }

  async settle(): Promise<void> {
    if (!this.#held) return
    await this.#parts.records.set(RECORD, this.#held)
    this.#held = undefined
  }

  async #keep(session: StoredSession): Promise<void> {
    if (this.#held) this.#held = session
    else await this.#parts.records.set(RECORD, session)
  }

  forget(): Promise<void> {
    this.#held = undefined
    return this.#parts.records.delete(RECORD)
  }

  /** Sends a request without a session; the start of a login carries a live one. */
  async ask(path: string, body: unknown): Promise<unknown> {
    const session = path === LOGIN ? await this.session() : undefined
    const live = session && session.accessExpires - EARLY > this.#now() ? session.access : undefined
    return this.#send(path, body, live)
  }

  /** Sends a request of the session, which is renewed if it is due. */
  async askAsUser(path: string, body: unknown): Promise<unknown> {
    const session = await this.#fresh()
    try {
      return await this.#send(path, body, session.access)
    } catch (error) {
      if (!isOfSession(error)) throw error
      const renewed = await this.#fresh(session.access)
      return this.#send(path, body, renewed.access).catch(async (cause: unknown) => {
        if (isOfSession(cause)) await this.forget()
        throw cause
      })
    }
  }

  #now(): number {
    return Date.now() + this.#skew
  }

  /** The session with a live access token that is not the refused one. One tab renews it, the others find the new one. */
  async #fresh(refused?: string): Promise<StoredSession> {
    const usable = (session: StoredSession) =>
      session.access !== refused && session.accessExpires - EARLY > this.#now() ? session : undefined
    const none = () => new VaultError(401, 'session', '')
    const known = await this.session()
    if (!known) throw none()
    return (
      usable(known) ??
      this.#parts.exclusively(async () => {
        const session = await this.session()
        if (!session) throw none()
        return usable(session) ?? this.#renew(session)
      })
    )
  }

  async #renew(session: StoredSession): Promise<StoredSession> {
    try {
      const next = (await this.#send('/wallet/v1/session/refresh', { refresh: session.refresh }, undefined)) as Session
      const renewed = { ...next, user: session.user }
      await this.#keep(renewed)
      return renewed
    } catch (error) {
      if (!(error instanceof VaultError) || error.status < 400 || error.status >= 500 || error.status === 429)
        throw error
      await this.forget()
      throw new VaultError(401, 'session', error.message)
    }
  }

  /** Sends a request; once more if the vault says that this clock is wrong, with the right time. */
  async #send(path: string, body: unknown, access: string | undefined): Promise<unknown> {
    try {
      return await this.#post(path, body, access)
    } catch (error) {
      const seconds =
        error instanceof VaultError && error.field === 'clock' ? /(\d+)\D*$/.exec(error.message)?.[1] : undefined
      if (seconds === undefined) throw error
      this.#skew = Number(seconds) * 1000 - Date.now()
      return this.#post(path, body, access)
    }
  }

  async #post(path: string, value: unknown, access: string | undefined): Promise<unknown> {
    const body = JSON.stringify(value)
    const dpop = await proofOf(await this.device(), { path, body, access, now: this.#now() })
    const headers: Record<string, string> = { 'content-type': 'application/json', dpop }
    if (access !== undefined) headers.authorization = `DPoP ${access}`
    let response: Response
    let told: unknown
    try {
      response = await this.#parts.fetch(path, {
        method: 'POST',
        headers,
        body,
        credentials: 'omit',
        cache: 'no-store',
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE)
      })
      const text = await response.text()
      told = text === '' ? null : JSON.parse(text)
    } catch {
      throw new VaultError(0, 'unreachable', '')
    }
    if (response.ok) return told
    const field = (told as { reasons?: { field?: unknown }[] } | null)?.reasons?.[0]?.field
    throw new VaultError(response.status, typeof field === 'string' ? field : '', sentenceOf(told))
  }
}

export function isOfSession(error: unknown): boolean {
  return error instanceof VaultError && error.field === 'session'
}
