import { Client, type ClientParts, type DriverEvent } from './Client.ts'
import { WalletKnown } from './Known.ts'
import { load } from './load.ts'
import type {
  Approving,
  Authenticating,
  ClientEvent,
  Emitting,
  Pairing,
  Proposal,
  Responding,
  Session,
  SessionNamespaces,
  SessionRequest,
  Signable,
  Signing
} from './types.ts'
import { codes } from './WalletConnectError.ts'
import { alone } from './world.ts'

/** Client for the whole sign protocol: an application that sends requests, a wallet that answers them, or both. */
export class SignClient extends Client {
  readonly #known: WalletKnown

  /** Loads the module and restores the stored sessions. */
  static async start(parts: ClientParts): Promise<SignClient> {
    await load(parts.wasm ?? new URL('../wasm/wallet_bg.wasm', import.meta.url))
    return alone(() => new SignClient(parts, new WalletKnown()))
  }

  private constructor(parts: ClientParts, known: WalletKnown) {
    super(parts, known)
    this.#known = known
  }

  /** Unanswered proposals of applications to this wallet, including those from before a reload. */
  get proposals(): readonly Proposal[] {
    return this.#known.proposals
  }

  /** Unanswered requests of applications to this wallet, including those from before a reload. */
  get requests(): readonly SessionRequest[] {
    return this.#known.requests
  }

  /** Offers a pairing with a sign-in (CAIP-122). The wallet's response is the event `authenticated`, `settled` or `rejected`. */
  async authenticate(asked: Authenticating): Promise<Pairing> {
    return this.askNow({ ...asked, type: 'authenticate' })
  }

  /** Accepts the pairing of an application. Its request arrives as `proposed` or `authenticateAsked`. */
  pair(uri: string): Promise<{ readonly topic: string }> {
    return this.ask({ type: 'pair', uri })
  }

  async approve(proposal: Proposal | number, granted: Approving): Promise<Session> {
    const session = await this.ask<Session>({ ...granted, type: 'approve', proposal: idOf(proposal) })
    // A proposal whose approval failed can be answered again, so it stays until the approval succeeds.
    this.#known.answered(idOf(proposal))
    return session
  }

  async reject(
    proposal: Proposal | number,
    code: number = codes.userRejected,
    message = 'User rejected.'
  ): Promise<void> {
    await this.ask({ type: 'reject', proposal: idOf(proposal), code, message })
    this.#known.answered(idOf(proposal))
  }

  /** Answers a `requested`. Rejects if no relay accepted the answer; `requested` is then sent again if the request is still valid. */
  async respond(topic: string, id: number, answer: Responding): Promise<void> {
    await this.ask({ ...answer, type: 'respond', topic, id })
    this.#known.responded(topic, id)
  }

  /** Text that an account has to sign to answer an `authenticateAsked`; `issuer` is `did:pkh:` and its CAIP-10 id. */
  authenticateMessage(id: number, issuer: string, signing: Signing = {}): Promise<Signable> {
    return this.ask({ ...signing, type: 'authenticateMessage', id, issuer })
  }

  /** Answers an `authenticateAsked` with one signed CACAO (CAIP-74) for each chain. */
  approveAuthenticate(id: number, cacaos: readonly unknown[]): Promise<Session | null> {
    return this.ask({ type: 'approveAuthenticate', id, cacaos })
  }

  rejectAuthenticate(id: number, code = 12001, message = 'User rejected.'): Promise<void> {
    return this.ask({ type: 'rejectAuthenticate', id, code, message })
  }

  /** Replaces the namespaces of a session. Wallets only. */
  update(topic: string, namespaces: SessionNamespaces): Promise<void> {
    return this.ask({ type: 'update', topic, namespaces })
  }

  /** Sends an event to the application: `accountsChanged`, `chainChanged` or another that the session allows. Wallets only. */
  emit(topic: string, event: Emitting): Promise<void> {
    return this.ask({ ...event, type: 'emit', topic })
  }

  /** Extends a session to seven days from now. Wallets only. */
  extend(topic: string): Promise<void> {
    return this.ask({ type: 'extend', topic })
  }

  /** Declines sign-ins for a wallet without a listener for them, which then receives the plain proposal instead. */
  protected override unheard(event: ClientEvent | DriverEvent): void {
    if (event.type === 'authenticateAsked') {
      this.rejectAuthenticate(event.request.id, codes.methodUnsupported, 'Method unsupported.').catch(() => undefined)
    }
  }
}

const idOf = (proposal: Proposal | number): number => (typeof proposal === 'number' ? proposal : proposal.id)
