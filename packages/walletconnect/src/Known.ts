import type { ClientEvent, Proposal, Session, SessionRequest } from './types.ts'

/** Last state of a relay. */
export type RelayTold = Extract<ClientEvent, { readonly type: 'relay' }>

/** State from the events so far, for listeners that are added later. */
export class Known {
  sessions: readonly Session[] = []
  /** Last state of each relay, by URL as in the configuration or a session. */
  relays: ReadonlyMap<string, RelayTold> = new Map()

  heard(event: ClientEvent): void {
    switch (event.type) {
      case 'started':
        this.sessions = event.sessions
        break
      case 'relay':
        this.relays = new Map(this.relays).set(event.relayUrl, event)
        break
      case 'settled':
      case 'updated':
      case 'extended':
        this.put(event.session)
        break
      case 'deleted':
      case 'expired':
        this.ended(event.topic)
    }
  }

  ended(session: string): void {
    this.sessions = this.sessions.filter(({ topic }) => topic !== session)
  }

  protected put(session: Session): void {
    this.sessions = [...this.sessions.filter(({ topic }) => topic !== session.topic), session]
  }
}

/** Like `Known`, with the sessions of sign-ins. */
export class SignInKnown extends Known {
  override heard(event: ClientEvent): void {
    super.heard(event)
    if (event.type === 'authenticated' && event.session) this.put(event.session)
  }
}

/** Like `SignInKnown`, with the proposals and requests of a wallet. */
export class WalletKnown extends SignInKnown {
  /** Unanswered proposals. */
  proposals: readonly Proposal[] = []
  /** Unanswered requests. */
  requests: readonly SessionRequest[] = []

  override heard(event: ClientEvent): void {
    super.heard(event)
    switch (event.type) {
      case 'started':
        this.proposals = event.proposals
        this.requests = event.requests
        break
      case 'settled':
      case 'proposalExpired':
        this.answered(event.pairingTopic)
        break
      case 'proposed':
        this.proposals = [...this.proposals.filter(({ id }) => id !== event.proposal.id), event.proposal]
        break
      case 'requested':
        this.requests = [...this.requests.filter((one) => !isSame(one, event.request)), event.request]
        break
      case 'requestExpired':
        this.responded(event.topic, event.id)
    }
  }

  /** Removes a proposal that was answered or has expired, by id or by pairing topic. */
  answered(pairing: string | number): void {
    this.proposals = this.proposals.filter(({ id, pairingTopic }) => id !== pairing && pairingTopic !== pairing)
  }

  /** Removes a request that was answered or has expired. */
  responded(session: string, request: number): void {
    this.requests = this.requests.filter(({ id, topic }) => id !== request || topic !== session)
  }

  override ended(session: string): void {
    super.ended(session)
    this.requests = this.requests.filter(({ topic }) => topic !== session)
  }
}

/** Applications choose the ids, so two of them may use the same one. */
const isSame = (one: SessionRequest, other: SessionRequest) => one.id === other.id && one.topic === other.topic
