//! Types of the sign-in with a wallet, as hosts implement it.

/** Account and chain that sign in. */
export interface SIWXMessageInput {
  readonly accountAddress: string
  /** CAIP-2 id: `eip155:1`. */
  readonly chainId: string
  /** Times are ISO 8601. */
  readonly notBefore?: string
}

/** Fields of a message (spec 3.18). */
export interface SIWXMessageData extends SIWXMessageInput {
  readonly domain: string
  readonly uri: string
  readonly version: string
  readonly nonce: string
  readonly statement?: string
  readonly resources?: readonly string[]
  readonly requestId?: string
  readonly issuedAt?: string
  readonly expirationTime?: string
}

/** Message to sign; `toString` returns its text. */
export interface SIWXMessage extends SIWXMessageData {
  toString(): string
}

/** Session (spec 3.17). */
export interface SIWXSession {
  readonly data: SIWXMessageData
  readonly message: string
  readonly signature: string
  /** CACAO (CAIP-74), if a wallet signed with the connection. */
  readonly cacao?: object
}

/** Sign-in with a wallet. Each function may return a promise; one that rejects or takes too long ends the sign-in. */
export interface SIWXConfig {
  createMessage(input: SIWXMessageInput): Promise<SIWXMessage>
  /** Signs in place of the wallet. */
  signMessage?(input: {
    readonly message: string
    readonly chainId: string
    readonly accountAddress: string
  }): Promise<string>
  /** Verifies and saves a session; rejects an invalid one. */
  addSession(session: SIWXSession): Promise<void>
  /**
   * Verifies and saves the sessions that a wallet signed for several networks by one approval; their messages have one nonce. Resolves with those
   * that it saved; rejects unless the first one, of the active network, is valid. Without this function, `addSession` is called for each.
   */
  addSessions?(sessions: SIWXSession[]): Promise<readonly SIWXSession[]>
  /** Replaces all sessions; none of them signs the visitor out. */
  setSessions(sessions: SIWXSession[]): Promise<void>
  /** Valid sessions of an account on a chain. */
  getSessions(chainId: string, address: string): Promise<SIWXSession[]>
  revokeSession(chainId: string, address: string): Promise<void>
  /** Whether the modal stays open until the visitor has signed (spec 6.3). Default `true`. */
  getRequired?(): boolean
  /** Whether disconnecting ends the sessions. Default `true`. */
  readonly signOutOnDisconnect?: boolean
  /**
   * Further EVM wallets that are asked to connect and sign by one request (`wallet_connect` of ERC-7846): their reverse domains (EIP-6963), or
   * the ids of your own connectors.
   */
  readonly oneClickWallets?: readonly string[]
}

/** Arguments of {@link SIWEMethods.createMessage}. */
export interface SIWECreateMessageArgs {
  /** `did:pkh:eip155:1:0x…` */
  readonly address: string
  readonly chainId: number
  readonly nonce: string
  readonly version: '1'
  readonly iat: string
  readonly [parameter: string]: unknown
}

/** Functions of a sign-in for EVM wallets. */
export interface SIWEMethods {
  getNonce(address?: string): Promise<string>
  getMessageParams?(): Promise<{
    readonly chains?: readonly number[]
    readonly domain: string
    readonly uri: string
    readonly statement?: string
    readonly iat?: string
    readonly exp?: string
    readonly nbf?: string
    readonly requestId?: string
    readonly resources?: readonly string[]
  }>
  createMessage(args: SIWECreateMessageArgs): string
  verifyMessage(args: {
    readonly message: string
    readonly signature: string
    readonly cacao?: object
  }): Promise<boolean>
  getSession(): Promise<{ readonly address: string; readonly chainId: number } | null>
  signOut(): Promise<boolean>
  onSignIn?(session?: { readonly address: string; readonly chainId: number }): void
  onSignOut?(): void
}

/** Settings of a sign-in for EVM wallets; the switches are `true` by default. */
export interface SIWEOptions {
  /** Whether the modal stays open until the visitor has signed (spec 6.3). */
  readonly required?: boolean
  readonly enabled?: boolean
  readonly signOutOnDisconnect?: boolean
  /** Whether another account ends the session, and signs in again. */
  readonly signOutOnAccountChange?: boolean
  /** Whether another network ends the session, and signs in again. */
  readonly signOutOnNetworkChange?: boolean
  /** Age in milliseconds from which a nonce is replaced before it is signed: 120,000 by default, and at most. */
  readonly nonceRefetchIntervalMs?: number
  /** Milliseconds between two questions for the session of a visitor who signed in, while the page is visible. Default 300,000. */
  readonly sessionRefetchIntervalMs?: number
}

/** Sign-in with an EVM wallet: all in one object, or with methods and options apart, as AppKit's `createSIWEConfig` returns it. */
export type SIWEConfig = (SIWEMethods & SIWEOptions) | { readonly methods: SIWEMethods; readonly options?: SIWEOptions }
