//! Types of an application's or a wallet's input. Optional parts may be `null` too, so that received values can be passed back.

export type {
  AuthenticateRequest,
  AuthPayload,
  ClientEvent,
  Participant,
  Proposal,
  RelayState,
  Session,
  SessionRequest,
  Verification
} from './generated/client.ts'

/** Description of a side by itself. That of a peer is hostile: show it as text, do not open its URLs unasked. */
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

/** Requested chains, methods and events of a namespace (CAIP-25). */
export interface ProposedNamespace {
  /** CAIP-2 chains; not needed if the key is a chain itself. */
  readonly chains?: readonly string[] | null
  readonly methods: readonly string[]
  readonly events: readonly string[]
}

/** Accounts, methods and events that a wallet allows in a namespace. */
export interface SessionNamespace {
  /** CAIP-10 accounts. */
  readonly accounts: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
  /** CAIP-2 chains; by default those of the accounts. */
  readonly chains?: readonly string[] | null
}

export type ProposedNamespaces = Readonly<Record<string, ProposedNamespace>>
export type SessionNamespaces = Readonly<Record<string, SessionNamespace>>
export type Properties = Readonly<Record<string, unknown>>

/** An offered pairing: show `uri` as a QR code or open it as a link. */
export interface Pairing {
  readonly uri: string
  readonly topic: string
  /** Expiry in seconds since 1970. */
  readonly expiryTimestamp: number
}

/** Content of a proposal. Prefer `optionalNamespaces`: many wallets refuse a required chain that they lack. */
export interface Proposing {
  readonly requiredNamespaces?: ProposedNamespaces
  readonly optionalNamespaces?: ProposedNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
}

/** Sign-in with a signed message (CAIP-122), together with the connection. */
export interface Authenticating {
  /** CAIP-2 chains in order of preference. */
  readonly chains: readonly string[]
  /** Host of the page. */
  readonly domain: string
  /** URI of the resource to sign in to. */
  readonly aud: string
  /** Nonce of at least 8 letters and digits. */
  readonly nonce: string
  /** Methods that the signature authorises (ERC-5573). */
  readonly methods?: readonly string[]
  readonly statement?: string
  readonly resources?: readonly string[]
  /** End of validity, ISO 8601. */
  readonly exp?: string
  /** Start of validity, ISO 8601. */
  readonly nbf?: string
  readonly requestId?: string
  /** Namespaces for wallets without sign-in; by default built from `chains` and `methods`. */
  readonly optionalNamespaces?: ProposedNamespaces
}

/** Part of the request that the wallet lets a sign-in authorise; by default all of it. */
export interface Signing {
  /** CAIP-2 chains. */
  readonly chains?: readonly string[]
  readonly methods?: readonly string[]
}

/** Message for an account to sign. */
export interface Signable {
  /** Text in the layout of EIP-4361. */
  readonly message: string
  /** Field `p` of a CACAO (CAIP-74), with the content of `message`. */
  readonly payload: Readonly<Record<string, unknown>>
}

export interface Requesting {
  readonly topic: string
  /** CAIP-2 chain. */
  readonly chainId: string
  readonly method: string
  readonly params: unknown
  /** Time limit for the wallet in seconds, 300 to 604800; 300 by default. */
  readonly expirySeconds?: number
}

export interface Approving {
  readonly namespaces: SessionNamespaces
  readonly sessionProperties?: Properties
  readonly scopedProperties?: Properties
  /** Asks the application not to open this wallet's link for each request. */
  readonly disableDeepLink?: boolean
}

export interface Emitting {
  /** CAIP-2 chain. */
  readonly chainId: string
  readonly name: string
  readonly data: unknown
}

export type Responding =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
