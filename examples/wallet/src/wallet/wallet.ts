//! The wallet: receives requests of applications, queues them until the user has answered, and sends the responses.
//! It has no timer and renders nothing: `tick` removes expired questions, and views read `view` (`shown.ts`).

import type {
  AuthenticateRequest,
  Proposal,
  Records,
  Session,
  SessionRequest,
  SignClient,
  Verification
} from '@portico/walletconnect'
import type { Account } from './accounts.ts'
import { Answers, type AnswersParts } from './answers.ts'
import { CODES, Refusal } from './ask.ts'
import { type MessageFor, readAuthenticate } from './authenticate.ts'
import { grant, readProposal, withAccountFirst, withNetwork } from './grant.ts'
import { type Network, networkOf, networks } from './networks.ts'
import { type Peer, readPeer } from './peer.ts'
import { isFor, isOfPairing, type Question } from './question.ts'
import { readRequest } from './request.ts'
import { Shown } from './shown.ts'
import { neverRefusing, readActive, readTestNetworks, readUsed, writeActive, writeUsed } from './storage.ts'
import { readUri } from './uri.ts'
import type { Connection, Notice } from './view.ts'
import { doneWords, pairingWords } from './words.ts'

/** Part of the client that the wallet uses. */
export type Client = Pick<
  SignClient,
  | ('sessions' | 'proposals' | 'requests' | 'on' | 'pair' | 'cancelPairing' | 'approve' | 'reject' | 'respond')
  | ('authenticateMessage' | 'approveAuthenticate' | 'rejectAuthenticate' | 'update' | 'emit' | 'delete')
>

export interface WalletParts {
  readonly client: Client
  readonly records: Records
  readonly page: { readonly origin: string; readonly referrer: string }
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly exclusive: AnswersParts['exclusive']
}

/** Maximum number of open questions, against applications that send requests without end. */
const MOST_QUESTIONS = 20

export class Wallet {
  readonly #parts: WalletParts
  readonly #answers: Answers
  readonly #shown: Shown
  readonly subscribe: Shown['subscribe']
  readonly view: Shown['view']
  /** Removes expired questions and notices; call it regularly. */
  readonly tick: Shown['tick']

  constructor(parts: WalletParts) {
    const { client, exclusive, now } = parts
    const records = neverRefusing(parts.records)
    const shown = new Shown(now)
    this.#parts = { ...parts, records }
    this.#shown = shown
    this.#answers = new Answers({
      ...{ client, records, exclusive, now: () => shown.seconds() },
      untold: (words, hash) => shown.note(words, undefined, hash)
    })
    this.subscribe = shown.subscribe
    this.view = shown.view
    this.tick = shown.tick
    this.#listen()
    this.#refresh()
    // Proposals and requests from before a reload.
    for (const proposal of parts.client.proposals) this.#proposed(proposal)
    for (const request of parts.client.requests) this.#requested(request)
  }

  /** Pairs with the URI in a pasted or scanned text, or in a link. */
  async take(text: string): Promise<void> {
    const read = readUri(text)
    if ('fault' in read) return this.#shown.fail(read.fault)
    const { uri, topic, expiry } = read
    if (readUsed(this.#parts.records).includes(topic)) {
      return this.#shown.fail('This code was already used. Get a new one from the app.')
    }
    const now = this.#shown.seconds()
    this.#shown.show({ now, pairing: { phase: 'waiting', topic, since: now, expiry } })
    try {
      await this.#parts.client.pair(uri)
    } catch (error) {
      this.#shown.fail(pairingWords(error))
    }
  }

  /** Cancels the pairing: later messages of the application on it are ignored. */
  stopWaiting(): void {
    const { pairing } = this.#shown.view()
    this.#shown.show({ pairing: { phase: 'none' } })
    if (pairing.phase !== 'waiting') return
    this.#parts.client.cancelPairing(pairing.topic).catch(() => {
      // Cancelling fails if the client is closed, which also ends the pairing.
    })
  }

  /** Approves a question; `chosen` are the accounts for a new connection. */
  async approve(question: Question, chosen: readonly Account[] = []): Promise<void> {
    const { client } = this.#parts
    if (this.#shown.current(question)?.busy) return
    this.#shown.change(question, { busy: true, fault: null })
    try {
      if (question.kind === 'proposal') {
        await client.approve(question.id, { namespaces: grant(question.offer, chosen) })
        this.#refresh()
      } else if (question.kind === 'authenticate') {
        await client.approveAuthenticate(question.id, (await question.ask.perform()) as readonly unknown[])
        this.#refresh()
      } else {
        return await this.#perform(question)
      }
      writeUsed(this.#parts.records, question.pairingTopic)
      this.#shown.drop(question)
      this.#shown.note(...doneWords(question, null))
    } catch (error) {
      await this.#failed(question, error)
    }
  }

  /** Performs the action of a request and responds; throws if the action failed. */
  async #perform(question: Question & { kind: 'request' }): Promise<void> {
    const done = await this.#answers.once(question, () => this.#shown.current(question) !== undefined)
    this.#shown.drop(question)
    if (done && (await this.#answers.tell(done))) this.#shown.note(...doneWords(question, done.result))
  }

  async refuse(question: Question): Promise<void> {
    // The question closes at once: the result of sending the refusal does not matter to the user.
    this.#shown.drop(question)
    if (question.kind !== 'request') writeUsed(this.#parts.records, question.pairingTopic)
    if (await this.#tellRefusal(question)) return
    this.#shown.note(`Couldn't tell ${question.peer.name} that you rejected it. It will stop waiting by itself.`)
  }

  async #tellRefusal(question: Question): Promise<boolean> {
    const { client } = this.#parts
    if (question.kind === 'request') return this.#say(question, CODES.userRejected, 'User rejected.')
    const proposed = question.kind === 'proposal'
    const told = proposed
      ? client.reject(question.id, CODES.userRejected, 'User rejected.')
      : client.rejectAuthenticate(question.id)
    return told.then(
      () => true,
      () => false
    )
  }

  /** Makes an account the first of a session. */
  async switchAccount({ session, chain }: Connection, account: Account): Promise<void> {
    const { client } = this.#parts
    const namespaces = withAccountFirst(session.namespaces, account)
    await this.#told(async () => {
      await client.update(session.topic, namespaces)
      const chains = namespaces[account.namespace]?.chains ?? []
      const chainId = chain && chains.includes(chain.id) ? chain.id : chains[0]
      if (chainId) await this.#emit(session, chainId, 'accountsChanged', [account.address])
    })
  }

  /** Makes a network the active one of a session, and grants it first if it is missing. */
  async switchChain(session: Session, network: Network): Promise<void> {
    const { client, records } = this.#parts
    await this.#told(async () => {
      const wider = withNetwork(session.namespaces, network)
      if (wider) await client.update(session.topic, wider)
      writeActive(records, session.topic, network.id)
      await this.#emit(session, network.id, 'chainChanged', Number(network.id.split(':')[1]))
    })
  }

  async disconnect({ session, peer }: Connection): Promise<void> {
    try {
      await this.#parts.client.delete(session.topic)
    } catch {
      this.#shown.note(`Couldn't tell ${peer.name}. The connection has ended here.`)
    }
    this.#ended(session.topic)
  }

  dismiss(notice: Notice): void {
    this.#shown.dismiss(notice)
  }

  #listen(): void {
    const { client } = this.#parts
    client.on('proposed', ({ proposal }) => this.#proposed(proposal))
    client.on('requested', ({ request }) => this.#requested(request))
    client.on('authenticateAsked', ({ request }) => void this.#authenticateAsked(request))
    client.on('proposalExpired', ({ pairingTopic }) => this.#expired(pairingTopic))
    client.on('requestExpired', ({ topic, id }) => {
      this.#shown.dropWhere((one) => one.kind === 'request' && one.topic === topic && one.id === id)
    })
    client.on('deleted', ({ topic }) => this.#lost(topic, 'has ended the connection.'))
    client.on('expired', ({ topic }) => this.#lost(topic, 'was connected for a week; the connection has ended.'))
    for (const event of ['settled', 'updated', 'extended'] as const) client.on(event, () => this.#refresh())
    client.on('relay', ({ state, reason }) => this.#shown.show({ relay: { state, reason: reason ?? null } }))
    client.on('storageRefused', () => {
      this.#shown.note('This browser saves nothing for this page. Connections end when you close it.')
    })
  }

  #proposed(proposal: Proposal): void {
    const { questions, sessions } = this.#shown.view()
    this.#heardOf(proposal.pairingTopic)
    // Applications that request sign-in also send a plain proposal; one of the two is answered.
    const answered = sessions.some(({ session }) => session.pairingTopic === proposal.pairingTopic)
    if (answered || questions.some((one) => isOfPairing(one, proposal.pairingTopic))) return
    this.#ask({
      kind: 'proposal',
      id: proposal.id,
      pairingTopic: proposal.pairingTopic,
      peer: this.#peer(proposal.proposer, proposal.verification),
      expiry: proposal.expiryTimestamp,
      offer: readProposal(proposal, this.#networks()),
      busy: false,
      fault: null
    })
  }

  async #authenticateAsked(request: AuthenticateRequest): Promise<void> {
    const { client } = this.#parts
    const { id, pairingTopic, requester, expiryTimestamp } = request
    this.#heardOf(pairingTopic)
    const peer = this.#peer(requester, request.verification)
    const messageFor: MessageFor = (issuer, signing) => client.authenticateMessage(id, issuer, signing)
    const ask = await readAuthenticate(request, peer, messageFor).catch(() => null)
    if (ask === null) {
      // The application then continues with its proposal.
      await client.rejectAuthenticate(id, 10001, 'Method unsupported.').catch(() => undefined)
      return
    }
    this.#shown.dropWhere((one) => isOfPairing(one, pairingTopic))
    this.#ask({ kind: 'authenticate', id, pairingTopic, peer, expiry: expiryTimestamp, ask, busy: false, fault: null })
  }

  #requested(asked: SessionRequest): void {
    const { client } = this.#parts
    const { topic, id, expiryTimestamp: expiry } = asked
    if (this.#answers.repeats(topic, id)) return
    const session = client.sessions.find((one) => one.topic === topic)
    // The client reports requests of existing sessions only; if the session has ended since, no response is possible.
    if (!session) return
    const peer = this.#peer(session.peer, asked.verification)
    try {
      const read = readRequest(asked, session, { peer, switchTo: (network) => this.switchChain(session, network) })
      // The application uses that network now, whichever one was active before.
      writeActive(this.#parts.records, topic, asked.chainId)
      this.#refresh()
      if ('result' in read) void this.#answers.say(topic, id, read)
      else this.#ask({ kind: 'request', topic, id, peer, expiry, ask: read, busy: false, fault: null })
    } catch (error) {
      const refusal = error instanceof Refusal ? error : new Refusal(CODES.internal, "The request can't be read.")
      void this.#say(asked, refusal.code, refusal.message)
      this.#shown.note(`A request from ${peer.name} was rejected. ${refusal.message}`)
    }
  }

  #ask(question: Question): void {
    const { questions } = this.#shown.view()
    if (questions.some((one) => isFor(one, question))) return
    if (questions.length >= MOST_QUESTIONS) {
      void this.refuse(question)
      return
    }
    this.#shown.show({ now: this.#shown.seconds(), questions: [...questions, question] })
  }

  /** Handles a failure after approval: a request is closed, a proposal can be approved again. */
  async #failed(question: Question, error: unknown): Promise<void> {
    const words = error instanceof Error ? error.message : 'Something went wrong.'
    if (question.kind !== 'request') return this.#shown.change(question, { busy: false, fault: words })
    this.#shown.drop(question)
    this.#shown.note(`Something went wrong: ${words}`)
    const code = error instanceof Refusal ? error.code : CODES.internal
    await this.#say(question, code, words)
  }

  /** Responds with an error. */
  #say(
    { topic, id }: { readonly topic: string; readonly id: number },
    code: number,
    message: string
  ): Promise<boolean> {
    return this.#answers.say(topic, id, { error: { code, message } })
  }

  async #emit({ topic, namespaces }: Session, chainId: string, name: string, data: unknown): Promise<void> {
    const allowed = namespaces[chainId.split(':')[0] ?? '']?.events.includes(name)
    if (allowed) await this.#parts.client.emit(topic, { chainId, name, data })
  }

  /** Notifies the application of a change, which stays in effect here even if the notification fails. */
  async #told(act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      this.#shown.note(`Couldn't tell the app: ${error instanceof Error ? error.message : "it isn't responding."}`)
    }
    this.#refresh()
  }

  #lost(topic: string, words: string): void {
    const gone = this.#shown.view().sessions.find(({ session }) => session.topic === topic)
    if (gone) this.#shown.note(`${gone.peer.name} ${words}`)
    this.#ended(topic)
  }

  #ended(topic: string): void {
    writeActive(this.#parts.records, topic, null)
    this.#shown.dropWhere((one) => one.kind === 'request' && one.topic === topic)
    this.#refresh()
  }

  /** Networks that may be granted to applications. */
  #networks(): readonly Network[] {
    const tests = readTestNetworks(this.#parts.records)
    return networks.filter(({ test }) => tests || !test)
  }

  #peer({ metadata }: Session['peer'], verification?: Verification): Peer {
    return readPeer(metadata, this.#parts.page, verification)
  }

  #refresh(): void {
    const { client, records } = this.#parts
    const sessions = client.sessions.map((session): Connection => {
      const chains = Object.values(session.namespaces).flatMap(({ chains }) => chains ?? [])
      const active = readActive(records, session.topic)
      const chain = active !== null && chains.includes(active) ? active : chains[0]
      return { session, peer: this.#peer(session.peer), chain: networkOf(chain ?? '') ?? null }
    })
    this.#shown.show({ sessions })
  }

  /** Ends the waiting for an application after its first message. */
  #heardOf(pairingTopic: string): void {
    const { pairing } = this.#shown.view()
    if (pairing.phase === 'waiting' && pairing.topic === pairingTopic) this.#shown.show({ pairing: { phase: 'none' } })
  }

  /** Handles an expired pairing. The client decides on expiry, because the clocks of app and wallet may differ by minutes. */
  #expired(pairingTopic: string): void {
    const { pairing } = this.#shown.view()
    this.#shown.dropWhere((one) => isOfPairing(one, pairingTopic))
    if (pairing.phase === 'waiting' && pairing.topic === pairingTopic) {
      this.#shown.fail('This code has expired. Get a new one from the app.')
    }
  }
}
