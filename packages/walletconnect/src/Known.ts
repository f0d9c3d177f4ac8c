import type { ClientEvent, Proposal, Session, SessionRequest } from './types.ts'

/** What a relay told of itself last. */
export type RelayTold = Extract<ClientEvent, { readonly type: 'relay' }>

/** What the machine told so far, for whoever comes later than the event. */
export class Known {
  sessions: readonly Session[] = []
  /** By address, as the configuration or a session writes it. */
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

/** The same for a wallet. */
export class WalletKnown extends Known {
  /** That nobody has answered. */
  proposals: readonly Proposal[] = []
  /** That nobody has answered. */
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
      case 'authenticated':
        if (event.session) this.put(event.session)
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

  /** A proposal was answered or is over its time. */
  answered(pairing: string | number): void {
    this.proposals = this.proposals.filter(({ id, pairingTopic }) => id !== pairing && pairingTopic !== pairing)
  }

  /** A request was answered or is over its time. */
  responded(session: string, request: number): void {
    this.requests = this.requests.filter(({ id, topic }) => id !== request || topic !== session)
  }

  override ended(session: string): void {
    super.ended(session)
    this.requests = this.requests.filter(({ topic }) => topic !== session)
  }
}

/** Ids are the applications' own: two may choose the same. */
const isSame = (one: SessionRequest, other: SessionRequest) => one.id === other.id && one.topic === other.topic
