//! WalletConnect of pages with a sign-in: a pairing asks for it too, and a wallet that can answers both at once.

import { type Pairing, SignInClient } from '@portico/walletconnect/sign-in'
import { storageKeys } from '../../generated/constants.ts'
import type { Outcome } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { readStorage } from '../perform/storage.ts'
import { messageOf } from '../signIn.ts'
import { sharedClient } from './client.ts'
import type { RelayParts } from './hands.ts'
import { Relay } from './sessions.ts'

export async function startRelay(parts: RelayParts): Promise<Relay> {
  const client = await sharedClient(parts.options(), SignInClient)
  // A modal without a sign-in may have started the client of the page.
  return client instanceof SignInClient ? new SignInRelay(parts, client) : new Relay(parts, client)
}

/** Key of the active network, CAIP-2. */
const ACTIVE_NETWORK = storageKeys[2]

/** Maximum number of chains: the signed text names each of them once a method. */
const MOST_CHAINS = 10

/** WalletConnect code of a visitor's refusal to sign in, and that of a refused proposal. */
const [SIGN_IN_REFUSED, REFUSED] = [12_001, 5_000]

/** Whether a wallet's answer to a sign-in is wrong, or its app cannot handle ours. */
const isUnfit = (code: number) => code >= 11_000 && code < 12_000

/** A wallet's answer that signs in and connects nothing. */
const NO_SESSION = { code: 11_001, message: 'The wallet signed in without connecting' }

export class SignInRelay extends Relay {
  readonly #parts: RelayParts
  readonly #client: SignInClient
  /** Whether pairings ask for a sign-in. After a wallet's wrong answer they don't, and the visitor signs in after connecting. */
  #asks = true

  constructor(parts: RelayParts, client: SignInClient) {
    super(
      {
        ...parts,
        dispatch(event) {
          const refused =
            event.feature === 'connect' && event.event.type === 'pairingRejected' ? event.event : undefined
          parts.dispatch(
            refused?.code === SIGN_IN_REFUSED ? { feature: 'connect', event: { ...refused, code: REFUSED } } : event
          )
        }
      },
      client
    )
    this.#parts = parts
    this.#client = client
    client.on('rejected', ({ code }) => {
      if (isUnfit(code)) this.#asks = false
    })
    client.on('authenticated', ({ pairingTopic: topic, cacaos, messages, session }) => {
      if (!session) {
        this.#asks = false
        parts.dispatch({ feature: 'connect', event: { type: 'pairingRejected', topic, ...NO_SESSION } })
        return
      }
      const sessions = cacaos.map((cacao, place) => sessionOf(cacao, messages[place]))
      // Before the session: the core looks for a signature as soon as the account is connected.
      parts.dispatch({ feature: 'siwx', event: { type: 'walletSigned', sessions } })
      this.settle(session)
    })
  }

  /** Like the pairing of a page without a sign-in, once the site has written its message. Its link may need another tap. */
  override async pair(namespaces: unknown): Promise<Outcome> {
    const pairing = await this.#authenticate(namespaces).catch(() => undefined)
    return pairing ? this.offer(pairing) : super.pair(namespaces)
  }

  /** Pairing with a sign-in; `undefined` if the site has no message for it, or the wallet may be of another namespace. */
  async #authenticate(namespaces: unknown): Promise<Pairing | undefined> {
    const wanted = namespaces as NonNullable<Parameters<SignInClient['proposeNow']>[0]['optionalNamespaces']>
    const { chains, methods = [] } = wanted.eip155 ?? {}
    if (!this.#asks || !chains?.length || chains.length > MOST_CHAINS || Object.keys(wanted).length > 1)
      return undefined
    const options = this.#parts.options()
    const inOrder = activeFirst(chains, options)
    const message = await messageOf(options, inOrder[0] ?? '')
    if (!message) return undefined
    const { domain, uri, nonce, statement, resources, expirationTime, notBefore, requestId } = message
    this.#client.wake()
    return this.#client.authenticateNow({
      chains: inOrder,
      domain,
      aud: uri,
      nonce,
      methods,
      optionalNamespaces: wanted,
      ...(statement === undefined ? {} : { statement }),
      ...(resources === undefined ? {} : { resources }),
      ...(expirationTime === undefined ? {} : { exp: expirationTime }),
      ...(notBefore === undefined ? {} : { nbf: notBefore }),
      ...(requestId === undefined ? {} : { requestId })
    })
  }
}

/** Chains in the order of preference: a wallet may sign for the first one alone, and the account connects on the active one. */
function activeFirst(chains: readonly string[], { defaultNetwork }: CreateAppKit): string[] {
  const stored = readStorage([ACTIVE_NETWORK])[0]?.value
  const active = [stored, `eip155:${defaultNetwork?.id}`].find((chain) => chain !== undefined && chains.includes(chain))
  return [...new Set(active === undefined ? chains : [active, ...chains])]
}

/** Session of a signed sign-in (CAIP-74), in the form that the site gets. */
function sessionOf(cacao: unknown, message = '') {
  const p = field(cacao, 'p')
  const account = String(field(p, 'iss')).replace('did:pkh:', '').split(':')
  const accountAddress = account.pop()
  const chainId = account.join(':')
  const data = {
    accountAddress,
    chainId,
    domain: field(p, 'domain'),
    uri: field(p, 'aud'),
    version: field(p, 'version'),
    nonce: field(p, 'nonce'),
    statement: field(p, 'statement'),
    resources: field(p, 'resources'),
    requestId: field(p, 'requestId'),
    issuedAt: field(p, 'iat'),
    expirationTime: field(p, 'exp'),
    notBefore: field(p, 'nbf')
  }
  return { chainId, accountAddress, data, message, signature: field(field(cacao, 's'), 's'), cacao }
}
