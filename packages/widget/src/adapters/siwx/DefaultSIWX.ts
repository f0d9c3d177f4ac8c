//! Sign-in without a server: messages and sessions are made in the browser.

import type { SIWXConfig, SIWXMessage, SIWXMessageInput, SIWXSession } from '../../host/siwx.ts'
import { InformalMessenger, names, type SIWXMessenger } from './InformalMessenger.ts'
import { LocalStorage, type SIWXStorage } from './LocalStorage.ts'

/** Verifies the sessions of a namespace. */
export interface SIWXVerifier {
  readonly chainNamespace: string
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

  getSessions(chainId: string, address: string): Promise<SIWXSession[]> {
    return this.#storage.get(chainId, address)
  }

  revokeSession(chainId: string, address: string): Promise<void> {
    return this.#storage.delete(chainId, address)
  }

  getRequired(): boolean {
    return this.#required
  }

  async #verify(session: SIWXSession): Promise<void> {
    const [namespace = ''] = session.data.chainId.split(':')
    const own = this.#verifiers.filter(({ chainNamespace }) => chainNamespace === namespace)
    if (own.length === 0 && this.#verifiers.length > 0)
      throw new Error(`This site can't verify ${names[namespace] ?? namespace} accounts. Sign in with another one.`)
    for (const verifier of own) {
      if ((await verifier.verify(session)) !== true)
        throw new Error("The signature isn't from this account. Sign again.")
    }
  }
}

function informalMessenger(): InformalMessenger {
  return new InformalMessenger({ domain: location.host, uri: location.href, getNonce: async () => nonce() })
}

/** Eight random digits. */
function nonce(): string {
  return [...crypto.getRandomValues(new Uint32Array(8))].map((number) => number % 10).join('')
}
