//! What a story needs of a side, whoever made it.

import type { ProposedNamespaces, SessionNamespaces } from '@portico/walletconnect'
import type { Inbox } from '../world/Inbox.ts'

export interface Fault {
  readonly code: number
  readonly message: string
}

export type DappEvent =
  | { readonly type: 'updated'; readonly topic: string; readonly namespaces: SessionNamespaces }
  | { readonly type: 'extended'; readonly topic: string }
  | {
      readonly type: 'emitted'
      readonly topic: string
      readonly chainId: string
      readonly name: string
      readonly data: unknown
    }
  | { readonly type: 'deleted'; readonly topic: string }

export type WalletEvent =
  | { readonly type: 'proposed'; readonly id: number; readonly name: string; readonly pairingTopic: string }
  | {
      readonly type: 'requested'
      readonly topic: string
      readonly id: number
      readonly chainId: string
      readonly method: string
      readonly params: unknown
    }
  | { readonly type: 'signInAsked'; readonly id: number; readonly name: string; readonly chains: readonly string[] }
  | { readonly type: 'deleted'; readonly topic: string }

export interface Offer {
  readonly uri: string
  /** The topic of the session; rejects with what the wallet said. */
  readonly session: Promise<string>
}

/** What a dapp wants to have signed (CAIP-222). */
export interface SignInAsked {
  readonly chains: readonly string[]
  readonly domain: string
  /** What is signed in to. */
  readonly aud: string
  readonly nonce: string
  readonly statement: string
  /** Authorised by the signature (ERC-5573); none where there is no ReCap. */
  readonly methods: readonly string[]
  readonly resources?: readonly string[]
}

/** What a dapp was told: the signatures, none where the wallet settled the plain proposal, and the topic of the session. */
export interface SignedIn {
  readonly cacaos: readonly Cacao[]
  readonly topic: string | undefined
}

/** CAIP-74 */
export interface Cacao {
  readonly h: { readonly t: string }
  readonly p: {
    readonly iss: string
    readonly domain: string
    readonly aud: string
    readonly nonce: string
    readonly iat: string
    readonly statement?: string | null
    readonly resources?: readonly string[] | null
  }
  readonly s: { readonly t: string; readonly s: string }
}

/** What a wallet signs: one message for each chain that it signs for, and what the ReCap in it is cut down to. */
export interface SigningIn {
  /** CAIP-2 */
  readonly signs: readonly string[]
  readonly methods: readonly string[]
  /** CAIP-2 */
  readonly chains: readonly string[]
  readonly address: string
  sign(message: string): Promise<string>
}

export interface Side<Event extends { readonly type: string }> {
  readonly inbox: Inbox<Event>
  /** Topics of the sessions that it believes in. */
  topics(): readonly string[]
  granted(topic: string): SessionNamespaces | undefined
  /** Seconds since the epoch. */
  expiry(topic: string): number
  ping(topic: string): Promise<unknown>
  delete(topic: string): Promise<unknown>
  /** The network is gone. */
  offline(): Promise<void>
  online(): Promise<void>
  /** The clock has jumped. */
  wake(): void
  stop(): Promise<void>
}

export interface Dapp extends Side<DappEvent> {
  offer(asked: ProposedNamespaces): Promise<Offer>
  request(topic: string, chainId: string, method: string, params: unknown): Promise<unknown>
}

export interface SigningDapp extends Dapp {
  signIn(asked: SignInAsked): Promise<{ readonly uri: string; readonly signedIn: Promise<SignedIn> }>
}

export interface Wallet extends Side<WalletEvent> {
  pair(uri: string): Promise<unknown>
  /** The topic of the session. */
  approve(proposal: number, namespaces: SessionNamespaces): Promise<string>
  reject(proposal: number, fault: Fault): Promise<unknown>
  answer(topic: string, id: number, result: unknown): Promise<unknown>
  refuse(topic: string, id: number, fault: Fault): Promise<unknown>
  update(topic: string, namespaces: SessionNamespaces): Promise<unknown>
  extend(topic: string): Promise<unknown>
  emit(topic: string, chainId: string, name: string, data: unknown): Promise<unknown>
  /** The topic of the session that the signatures authorise. */
  signIn(id: number, signing: SigningIn): Promise<string | undefined>
  refuseSignIn(id: number): Promise<unknown>
}

export interface Knows {
  /** Whether the wallet takes part in sign-ins; otherwise it has never heard of them. */
  readonly signIn?: boolean
}

export type StartDapp<One extends Dapp = Dapp> = (relayUrl: string) => Promise<One>
export type StartWallet = (relayUrl: string, knows?: Knows) => Promise<Wallet>
