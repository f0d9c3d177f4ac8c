//! Our clients as published, dapp and wallet side, in Node, with records in memory and sockets that tests can cut.

import { type ClientParts, type Records, SignClient } from '@portico/walletconnect'
import { DappClient } from '@portico/walletconnect/dapp'
import { WebSocket } from 'ws'
import { Inbox } from '../world/Inbox.ts'
import { PROJECT } from '../world/relay.ts'
import type { Cacao, Dapp, DappEvent, Knows, Side, SignedIn, SigningDapp, Wallet, WalletEvent } from './side.ts'

export interface OurParts {
  readonly relays: readonly string[]
  /** Project id for the relays. */
  readonly projectId?: string
  /** Records of an earlier client, to continue from its state. */
  readonly records?: Map<string, string>
}

/** Client of ours, with controls to disturb it. */
export class Ours<Client extends DappClient = DappClient> {
  readonly client: Client
  readonly records: Map<string, string>
  readonly #sockets: Set<WebSocket>
  readonly #world: { online: boolean; ahead: number }

  static dapp(name: string, parts: OurParts): Promise<Ours> {
    return Ours.#start(name, parts, (parts) => DappClient.start(parts))
  }

  static wallet(name: string, parts: OurParts): Promise<Ours<SignClient>> {
    return Ours.#start(name, parts, (parts) => SignClient.start(parts))
  }

  static async #start<Client extends DappClient>(
    name: string,
    { relays, projectId = PROJECT, records = new Map() }: OurParts,
    start: (parts: ClientParts) => Promise<Client>
  ): Promise<Ours<Client>> {
    const sockets = new Set<WebSocket>()
    const world = { online: true, ahead: 0 }
    const parts: ClientParts = {
      relays: relays.map((relayUrl) => ({ relayUrl, projectId })),
      metadata: { name, description: `${name} of a test`, url: 'https://app.example', icons: [] },
      storage: recordsOf(records),
      now: () => Date.now() + world.ahead,
      webSocket(url) {
        // Port 9 (discard) has no listener, so the connection fails.
        const socket = new WebSocket(world.online ? url : 'ws://127.0.0.1:9')
        sockets.add(socket)
        socket.once('close', () => sockets.delete(socket))
        return socket as never
      }
    }
    return new Ours(await start(parts), records, sockets, world)
  }

  private constructor(
    client: Client,
    records: Map<string, string>,
    sockets: Set<WebSocket>,
    world: { online: boolean; ahead: number }
  ) {
    this.client = client
    this.records = records
    this.#sockets = sockets
    this.#world = world
  }

  offline(): void {
    this.#world.online = false
    for (const socket of this.#sockets) socket.terminate()
  }

  online(): void {
    this.#world.online = true
    this.client.wake()
  }

  /** Advances the client's clock. */
  later(seconds: number): void {
    this.#world.ahead += seconds * 1000
    this.client.wake()
  }
}

function recordsOf(map: Map<string, string>): Records {
  return { entries: () => [...map], set: (key, value) => map.set(key, value), delete: (key) => map.delete(key) }
}

function sideOf<Event extends { readonly type: string }, Client extends DappClient>(
  ours: Ours<Client>,
  inbox: Inbox<Event>
): Side<Event> & { ours: Ours<Client> } {
  const { client } = ours
  return {
    ours,
    inbox,
    topics: () => client.sessions.map(({ topic }) => topic),
    granted: (topic) => client.sessions.find((session) => session.topic === topic)?.namespaces,
    expiry: (topic) => client.sessions.find((session) => session.topic === topic)?.expiry ?? 0,
    ping: (topic) => client.ping(topic),
    delete: (topic) => client.delete(topic),
    offline: async () => ours.offline(),
    online: async () => ours.online(),
    wake: () => client.wake(),
    stop: async () => client.stop()
  }
}

export async function ourDapp(...relays: readonly string[]): Promise<Dapp & { readonly ours: Ours }> {
  return dappOf(await Ours.dapp('Our dapp', { relays }))
}

export function dappOf(ours: Ours): Dapp & { readonly ours: Ours } {
  const inbox = new Inbox<DappEvent>()
  const { client } = ours
  client.on('updated', ({ session }) => inbox.push({ type: 'updated', ...session }))
  client.on('extended', ({ session }) => inbox.push({ type: 'extended', topic: session.topic }))
  client.on('emitted', (event) => inbox.push(event))
  client.on('deleted', (event) => inbox.push({ type: 'deleted', topic: event.topic }))
  return {
    ...sideOf(ours, inbox),
    async offer(asked) {
      const { uri, topic } = client.proposeNow({ optionalNamespaces: asked })
      const session = new Promise<string>((resolve, reject) => {
        client.on('settled', (event) => {
          if (event.pairingTopic === topic) resolve(event.session.topic)
        })
        client.on('rejected', (event) => {
          if (event.pairingTopic === topic) reject(event)
        })
      })
      // Callers await the session later; this avoids an unhandled rejection.
      session.catch(() => undefined)
      return { uri, session }
    },
    request: (topic, chainId, method, params) => client.request({ topic, chainId, method, params })
  }
}

/** Dapp with the full client, which supports sign-in. */
export async function ourSigningDapp(relay: string): Promise<SigningDapp> {
  const ours = await Ours.wallet('Our dapp', { relays: [relay] })
  const { client } = ours
  return {
    ...dappOf(ours),
    async signIn(asked) {
      const { uri, topic } = await client.authenticate(asked)
      const signedIn = new Promise<SignedIn>((resolve, reject) => {
        client.on('authenticated', ({ pairingTopic, cacaos, session }) => {
          if (pairingTopic === topic) resolve({ cacaos: cacaos as Cacao[], topic: session?.topic })
        })
        client.on('settled', ({ pairingTopic, session }) => {
          if (pairingTopic === topic) resolve({ cacaos: [], topic: session.topic })
        })
        client.on('rejected', (event) => {
          if (event.pairingTopic === topic) reject(event)
        })
      })
      signedIn.catch(() => undefined)
      return { uri, signedIn }
    }
  }
}

export async function ourWallet(relay: string, knows?: Knows): Promise<Wallet & { readonly ours: Ours<SignClient> }> {
  return walletOf(await Ours.wallet('Our wallet', { relays: [relay] }), knows)
}

export function walletOf(
  ours: Ours<SignClient>,
  { signIn = false }: Knows = {}
): Wallet & { readonly ours: Ours<SignClient> } {
  const inbox = new Inbox<WalletEvent>()
  const { client } = ours
  client.on('proposed', ({ proposal }) => {
    inbox.push({ ...proposal, type: 'proposed', name: proposal.proposer.metadata.name })
  })
  client.on('requested', ({ request }) => inbox.push({ ...request, type: 'requested' }))
  // A wallet without a listener for this event counts as one without sign-in support.
  if (signIn) {
    client.on('authenticateAsked', ({ request: { id, requester, authPayload } }) => {
      inbox.push({ type: 'signInAsked', id, name: requester.metadata.name, chains: authPayload.chains })
    })
  }
  client.on('deleted', ({ topic }) => inbox.push({ type: 'deleted', topic }))
  return {
    ...sideOf(ours, inbox),
    pair: (uri) => client.pair(uri),
    approve: async (proposal, namespaces) => (await client.approve(proposal, { namespaces })).topic,
    reject: (proposal, { code, message }) => client.reject(proposal, code, message),
    answer: (topic, id, result) => client.respond(topic, id, { result }),
    refuse: (topic, id, error) => client.respond(topic, id, { error }),
    update: (topic, namespaces) => client.update(topic, namespaces),
    extend: (topic) => client.extend(topic),
    emit: (topic, chainId, name, data) => client.emit(topic, { chainId, name, data }),
    async signIn(id, { signs, chains, methods, address, sign }) {
      const cacaos: unknown[] = []
      for (const chain of signs) {
        const issuer = `did:pkh:${chain}:${address}`
        const { message, payload } = await client.authenticateMessage(id, issuer, { chains, methods })
        cacaos.push({ h: { t: 'caip122' }, p: payload, s: { t: 'eip191', s: await sign(message) } })
      }
      return (await client.approveAuthenticate(id, cacaos))?.topic
    },
    refuseSignIn: (id) => client.rejectAuthenticate(id)
  }
}
