//! What an application or a wallet hands over. Parts that may be left out may be `null` too, so that what was told can be handed back.

export type {
  AuthenticateRequest,
  AuthPayload,
  ClientEvent,
  Participant,
  Proposal,
  RelayState,
  Session,
  SessionRequest
} from './generated/client.ts'

/** What this side tells about itself. What another side tells is hostile: show it as text, follow no address of it unasked. */
export interface Metadata {
  readonly name: string
  readonly description: string
  readonly url: string
  readonly icons: readonly string[]
  readonly redirect?: {
    readonly native?: string | null
    readonly universal?: string | null
    readonly linkMode?: boolean | null
  } | null
}

/** What is asked for a namespace (CAIP-25). */
export interface ProposedNamespace {
  /** CAIP-2; not needed where the key itself is one. */
  readonly chains?: readonly string[] | null
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

/** What a wallet grants for a namespace. */
export interface SessionNamespace {
  /** CAIP-10 */
  readonly accounts: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** CAIP-2; the chains of the accounts where it is not given. */
  readonly chains?: readonly string[] | null
}

export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
export type SessionNamespaces = Readonly<Record<string, SessionNamespace>>
export type Properties = Readonly<Record<string, unknown>>

/** A pairing that was offered: show `uri` as a QR code or open it as a link. */
export interface Pairing {
  readonly uri: string
  readonly topic: string
  /** Seconds since the epoch. */
  readonly expiryTimestamp: number
}

/** What an application asks for. Ask in `optionalNamespaces`: many wallets refuse a required chain that they lack. */
export interface Proposing {
  readonly requiredNamespaces?: ProposedNamespaces
  readonly optionalNamespaces?: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

/** A sign-in by a signed message (CAIP-122), in the moment of connecting. */
export interface Authenticating {
  /** CAIP-2, in the order of preference. */
  readonly chains: readonly string[]
  /** Host of the page. */
  readonly domain: string
  /** URI of what is signed in to. */
  readonly aud: string
  /** At least 8 letters and digits. */
  readonly nonce: string
  /** What the signature authorises (ERC-5573). */
  readonly methods?: readonly string[]
  readonly statement?: string
  readonly resources?: readonly string[]
  /** ISO 8601 */
  readonly exp?: string
  /** ISO 8601 */
  readonly nbf?: string
  readonly requestId?: string
  /** For wallets that cannot sign in; made of `chains` and `methods` where none are given. */
  readonly optionalNamespaces?: ProposedNamespaces
}

/** What a wallet lets a sign-in authorise, of what is asked for; all of it where nothing is said. */
export interface Signing {
  /** CAIP-2 */
  readonly chains?: readonly string[]
  readonly methods?: readonly string[]
}

/** What an account signs. */
export interface Signable {
  /** As EIP-4361 writes it. */
  readonly message: string
  /** The same as the `p` of a CACAO (CAIP-74). */
  readonly payload: Readonly<Record<string, unknown>>
}

export interface Requesting {
  readonly topic: string
  /** CAIP-2 */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  /** How long the wallet has; 300 by default and at least, at most 604800. */
  readonly expirySeconds?: number
}

export interface Approving {
  readonly namespaces: SessionNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** Asks the application not to open this wallet by a link for each request. */
  readonly disableDeepLink?: boolean
}

export interface Emitting {
  /** CAIP-2 */
  readonly chainId: string
  readonly name: string
  readonly data: unknown
}

export type Responding =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
