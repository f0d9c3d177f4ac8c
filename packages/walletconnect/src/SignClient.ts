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

/** A client of the whole sign protocol: an application that asks, a wallet that answers, or both. */
export class SignClient extends Client {
  readonly #known: WalletKnown

  /** Loads the module and takes up the sessions that are stored. */
  static async start(parts: ClientParts): Promise<SignClient> {
    await load(parts.wasm ?? new URL('../wasm/wallet_bg.wasm', import.meta.url))
    return alone(() => new SignClient(parts, new WalletKnown()))
  }

  private constructor(parts: ClientParts, known: WalletKnown) {
    super(parts, known)
    this.#known = known
  }

  /** What applications ask this wallet for, and nobody has answered; those of before a reload too. */
  get proposals(): readonly Proposal[] {
    return this.#known.proposals
  }

  /** What applications ask this wallet to do, and nobody has answered; those of before a reload too. */
  get requests(): readonly SessionRequest[] {
    return this.#known.requests
  }

  /** Offers a pairing that signs the visitor in as well (CAIP-122); answered by `authenticated`, `settled` or `rejected`. */
  async authenticate(asked: Authenticating): Promise<Pairing> {
    return this.askNow({ ...asked, type: 'authenticate' })
  }

  /** Takes up a pairing that an application offers; what it asks for comes as `proposed` or `authenticateAsked`. */
  pair(uri: string): Promise<{ readonly topic: string }> {
    return this.ask({ type: 'pair', uri })
  }

  async approve(proposal: Proposal | number, granted: Approving): Promise<Session> {
    const session = await this.ask<Session>({ ...granted, type: 'approve', proposal: idOf(proposal) })
    // What was refused can be answered otherwise, so it is kept until then.
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

  /** Answers a `requested`. Rejects where no relay took the answer; while somebody waits for it `requested` is told anew. */
  async respond(topic: string, id: number, answer: Responding): Promise<void> {
    await this.ask({ ...answer, type: 'respond', topic, id })
    this.#known.responded(topic, id)
  }

  /** What an account has to sign to answer an `authenticateAsked`; `issuer` is `did:pkh:` and its CAIP-10. */
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

  /** Grants something else from now on. The wallet's to do. */
  update(topic: string, namespaces: SessionNamespaces): Promise<void> {
    return this.ask({ type: 'update', topic, namespaces })
  }

  /** Tells the application: `accountsChanged`, `chainChanged` and what else was granted. The wallet's to do. */
  emit(topic: string, event: Emitting): Promise<void> {
    return this.ask({ ...event, type: 'emit', topic })
  }

  /** Seven days from now. */
  extend(topic: string): Promise<void> {
    return this.ask({ type: 'extend', topic })
  }

  /** A wallet that does not listen to sign-ins has never heard of them: it gets the proposal beside it. */
  protected override unheard(event: ClientEvent | DriverEvent): void {
    if (event.type === 'authenticateAsked') {
      this.rejectAuthenticate(event.request.id, codes.methodUnsupported, 'Method unsupported.').catch(() => undefined)
    }
  }
}

const idOf = (proposal: Proposal | number): number => (typeof proposal === 'number' ? proposal : proposal.id)
