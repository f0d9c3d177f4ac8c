//! Interface of dapps and wallets for the tests, for our clients and for WalletConnect's own.

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
  /** Topic of the session; rejects with the wallet's error. */
  readonly session: Promise<string>
}

/** Sign-in request of a dapp (CAIP-222). */
export interface SignInAsked {
  readonly chains: readonly string[]
  readonly domain: string
  /** URI of the resource to sign in to. */
  readonly aud: string
  readonly nonce: string
  readonly statement: string
  /** Methods that the signature authorises (ERC-5573); empty without a ReCap. */
  readonly methods: readonly string[]
  readonly resources?: readonly string[]
}

/** Result of a sign-in for the dapp: the signatures, empty if the wallet approved the plain proposal, and the topic of the session. */
export interface SignedIn {
  readonly cacaos: readonly Cacao[]
  readonly topic: string | undefined
}

/** Signed message in the form of CAIP-74. */
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

/** Sign-in of a wallet: chains to sign a message for, and the permissions that the ReCap is reduced to. */
export interface SigningIn {
  /** CAIP-2 ids of the chains to sign for. */
  readonly signs: readonly string[]
  readonly methods: readonly string[]
  /** CAIP-2 ids of the chains that the ReCap authorises. */
  readonly chains: readonly string[]
  readonly address: string
  sign(message: string): Promise<string>
  /** Fields that the wallet signs in place of the requested ones; only for WalletConnect's own clients. */
  readonly lie?: { readonly domain?: string; readonly nonce?: string; readonly statement?: string }
}

export interface Side<Event extends { readonly type: string }> {
  readonly inbox: Inbox<Event>
  /** Topics of the sessions that this side considers active. */
  topics(): readonly string[]
  granted(topic: string): SessionNamespaces | undefined
  /** Seconds since the epoch. */
  expiry(topic: string): number
  ping(topic: string): Promise<unknown>
  delete(topic: string): Promise<unknown>
  /** Cuts the network. */
  offline(): Promise<void>
  online(): Promise<void>
  /** Notifies the client that the clock has jumped. */
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
  /** Returns the topic of the session. */
  approve(proposal: number, namespaces: SessionNamespaces): Promise<string>
  reject(proposal: number, fault: Fault): Promise<unknown>
  answer(topic: string, id: number, result: unknown): Promise<unknown>
  refuse(topic: string, id: number, fault: Fault): Promise<unknown>
  update(topic: string, namespaces: SessionNamespaces): Promise<unknown>
  extend(topic: string): Promise<unknown>
  emit(topic: string, chainId: string, name: string, data: unknown): Promise<unknown>
  /** Returns the topic of the session that the signatures authorise. */
  signIn(id: number, signing: SigningIn): Promise<string | undefined>
  refuseSignIn(id: number): Promise<unknown>
}

export interface Knows {
  /** Whether the wallet supports sign-in. */
  readonly signIn?: boolean
  /** Project id for the relay; only for WalletConnect's own clients. */
  readonly projectId?: string
}

export type StartDapp<One extends Dapp = Dapp> = (relayUrl: string) => Promise<One>
export type StartWallet = (relayUrl: string, knows?: Knows) => Promise<Wallet>
