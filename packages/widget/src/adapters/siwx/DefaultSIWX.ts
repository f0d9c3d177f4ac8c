//! Sign-in without a server: messages and sessions are made in the browser.

import type { SIWXConfig, SIWXMessage, SIWXMessageInput, SIWXSession } from '../../host/siwx.ts'
import { InformalMessenger, names, type SIWXMessenger } from './InformalMessenger.ts'
import { LocalStorage, type SIWXStorage } from './LocalStorage.ts'

/** Verifies the sessions of a namespace. */
export interface SIWXVerifier {
  readonly chainNamespace: string
  /**
   * Whether the account signed the message of the session. Rejects if it can't tell now: with the `status` 503, or the error of a failed `fetch`.
   * A stored session counts meanwhile.
   */
  verify(session: SIWXSession): Promise<boolean>
}

/** Signs in place of the wallet. */
export interface SIWXSigner {
  signMessage(input: { message: string; chainId: string; accountAddress: string }): Promise<string>
}

export interface DefaultSIWXOptions {
  readonly messenger?: SIWXMessenger
  /**
   * A session is saved only if all verifiers of its namespace accept it, and there is one. Without any verifiers, of whatever namespace,
   * anything that a wallet answers is believed.
   */
  readonly verifiers?: readonly SIWXVerifier[]
  readonly storage?: SIWXStorage
  /** Whether the modal stays open until the visitor has signed. Default `true`. */
  readonly required?: boolean
  readonly signer?: SIWXSigner
  /** See {@link SIWXConfig.oneClickWallets}. */
  readonly oneClickWallets?: readonly string[]
}

/** Limit of sessions that a page remembers as verified. */
const MOST_KNOWN = 100

/**
 * Sign-in whose sessions are in this browser alone: it tells the page's own code that the visitor has the key. A server has to write the
 * nonce and verify the signature by itself: implement `SIWXConfig` for that, or pass a messenger, a verifier and a storage that ask it.
 */
export class DefaultSIWX implements SIWXConfig {
  readonly signMessage?: SIWXSigner['signMessage']
  readonly oneClickWallets: readonly string[]
  readonly #messenger: SIWXMessenger
  readonly #verifiers: readonly SIWXVerifier[]
  readonly #storage: SIWXStorage
  readonly #required: boolean
  /** Sessions that were verified on this page, and whether they are valid. */
  readonly #known = new Map<string, boolean>()

  constructor({
    messenger,
    verifiers = [],
    storage,
    required = true,
    signer,
    oneClickWallets = []
  }: DefaultSIWXOptions = {}) {
    this.#messenger = messenger ?? informalMessenger()
    this.#verifiers = verifiers
    this.#storage = storage ?? new LocalStorage({ key: '@appkit/siwx' })
    this.#required = required
    this.oneClickWallets = oneClickWallets
    if (signer) this.signMessage = (input) => signer.signMessage(input)
  }

  createMessage(input: SIWXMessageInput): Promise<SIWXMessage> {
    return this.#messenger.createMessage(input)
  }

  async addSession(session: SIWXSession): Promise<void> {
    await this.#verify(session)
    await this.#storage.add(session)
  }

  async setSessions(sessions: SIWXSession[]): Promise<void> {
    for (const session of sessions) await this.#verify(session)
    await this.#storage.set(sessions)
  }

  /** Everybody who uses this browser can write to its storage, so each session is verified once per page. */
  async getSessions(chainId: string, address: string): Promise<SIWXSession[]> {
    const stored = await this.#storage.get(chainId, address)
    const counts = await Promise.all(stored.map((session) => this.#counts(session)))
    return stored.filter((_, index) => counts[index])
  }

  revokeSession(chainId: string, address: string): Promise<void> {
    return this.#storage.delete(chainId, address)
  }

  getRequired(): boolean {
    return this.#required
  }

  async #counts(session: SIWXSession): Promise<boolean> {
    if (this.#verifiers.length === 0) return true
    if (!isWhole(session) || session.data.domain !== location.host) return false
    const key = JSON.stringify(session)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    try {
      const valid = (await this.#refusalOf(session)) === undefined
      if (this.#known.size >= MOST_KNOWN) this.#known.clear()
      this.#known.set(key, valid)
      return valid
    } catch (error) {
      return isUnavailable(error)
    }
  }

  async #verify(session: SIWXSession): Promise<void> {
    const refusal = await this.#refusalOf(session)
    if (refusal !== undefined) throw new Error(refusal)
  }

  async #refusalOf(session: SIWXSession): Promise<string | undefined> {
    const [namespace = ''] = session.data.chainId.split(':')
    const own = this.#verifiers.filter(({ chainNamespace }) => chainNamespace === namespace)
    if (own.length === 0 && this.#verifiers.length > 0)
      return `This site can't verify ${names[namespace] ?? namespace} accounts. Sign in with another one.`
    for (const verifier of own) {
      if ((await verifier.verify(session)) !== true) return "The signature isn't from this account. Sign again."
    }
    return undefined
  }
}

/** Whether a session has all texts that it needs: anyone may have written a stored one. */
function isWhole({ data, message, signature }: SIWXSession): boolean {
  const { accountAddress, chainId, domain, uri, nonce } = data
  return [accountAddress, chainId, domain, uri, nonce, message, signature].every((text) => typeof text === 'string')
}

/** Messages of browsers and Node.js for a failed request, or a failed fetch of a module. Other errors of this type are faults of a program. */
const UNREACHABLE = /^(failed to fetch|fetch failed|load failed|networkerror|error loading|importing)/i

/** Whether an error says that a chain or a server cannot be asked, and so nothing about a signature. Libraries give a code to their own. */
function isUnavailable(error: unknown): boolean {
  const { name, message, status, code } = (error ?? {}) as Partial<
    Record<'name' | 'message' | 'status' | 'code', unknown>
  >
  if (typeof status === 'number') return status >= 500
  if (name === 'TimeoutError' || name === 'AbortError') return true
  return name === 'TypeError' && code === undefined && UNREACHABLE.test(String(message))
}

function informalMessenger(): InformalMessenger {
  return new InformalMessenger({ domain: location.host, uri: location.href, getNonce: async () => nonce() })
}

/** Eight random digits. */
function nonce(): string {
  return [...crypto.getRandomValues(new Uint32Array(8))].map((number) => number % 10).join('')
}
