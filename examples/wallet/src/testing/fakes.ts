//! Test doubles: a client without a relay, and the applications that send it requests.

import type {
  ClientEvent,
  Proposal,
  ProposedNamespaces,
  Records,
  Session,
  SessionRequest
} from '@portico/walletconnect'
import { memoryRecords } from '../wallet/storage.ts'
import { type Client, Wallet } from '../wallet/wallet.ts'

export const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const TOPIC = 'a'.repeat(64)

export const metadata = (told: object = {}) => ({
  name: 'Shop',
  description: '',
  url: 'https://shop.example',
  icons: [],
  redirect: null,
  ...told
})

export const proposal = (told: Partial<Proposal> = {}): Proposal => ({
  id: 1,
  pairingTopic: TOPIC,
  proposer: { publicKey: 'b'.repeat(64), metadata: metadata() },
  requiredNamespaces: {},
  optionalNamespaces: { eip155: asked(['eip155:31337']) },
  sessionProperties: null,
  scopedProperties: null,
  expiryTimestamp: 300,
  verification: { status: 'unverified' },
  ...told
})

export const asked = (chains: string[], methods = ['personal_sign'], events = ['accountsChanged', 'chainChanged']) => ({
  chains,
  methods,
  events
})

export function session(told: Partial<Session> = {}): Session {
  const none: ProposedNamespaces = {}
  return {
    topic: TOPIC,
    pairingTopic: 'c'.repeat(64),
    relayUrl: 'wss://relay.example',
    expiry: 600_000,
    acknowledged: true,
    controller: 'd'.repeat(64),
    namespaces: {
      eip155: {
        chains: ['eip155:31337'],
        accounts: [`eip155:31337:${ACCOUNT}`],
        methods: [
          'eth_accounts',
          'personal_sign',
          'eth_signTypedData_v3',
          'eth_signTypedData_v4',
          'eth_sendTransaction'
        ],
        events: ['accountsChanged', 'chainChanged']
      }
    },
    requiredNamespaces: none as Session['requiredNamespaces'],
    optionalNamespaces: none as Session['optionalNamespaces'],
    sessionProperties: null,
    scopedProperties: null,
    sessionConfig: null,
    self: { publicKey: 'd'.repeat(64), metadata: metadata({ name: 'Wallet' }) },
    peer: { publicKey: 'b'.repeat(64), metadata: metadata() },
    ...told
  }
}

export const request = (method: string, params: unknown, told: Partial<SessionRequest> = {}): SessionRequest => ({
  topic: TOPIC,
  id: 7,
  chainId: 'eip155:31337',
  method,
  params,
  expiryTimestamp: 300,
  peer: session().peer,
  verification: { status: 'unverified' },
  ...told
})

/** Call of the wallet to the client. */
export type WalletCall = readonly [name: string, ...parts: unknown[]]

interface FakeOptions {
  readonly sessions?: Session[]
  /** Requests that were pending before a reload. */
  readonly requests?: SessionRequest[]
  readonly refuse?: Record<string, Error>
  readonly records?: Records
}

let last: Promise<unknown> = Promise.resolve()

/** Runs actions one after the other, like a lock that all tabs of a browser share. */
function exclusive<Made>(_: string, act: () => Promise<Made>): Promise<Made> {
  const made = last.then(act)
  last = made.catch(() => undefined)
  return made
}

/** Wallet on a client that records its calls; `refuse` has the errors of calls that fail. */
export function world({ sessions = [], requests = [], refuse = {}, records = memoryRecords() }: FakeOptions = {}) {
  const calls: WalletCall[] = []
  const listeners = new Map<string, ((event: never) => void)[]>()
  const called =
    (name: string) =>
    async (...parts: unknown[]): Promise<never> => {
      calls.push([name, ...parts])
      if (refuse[name]) throw refuse[name]
      const [, iss] = parts
      return (
        name === 'authenticateMessage' ? { message: `sign in with ${String(iss)}`, payload: { iss } } : undefined
      ) as never
    }
  const client: Client = {
    sessions,
    proposals: [],
    requests,
    on(name, listener) {
      listeners.set(name, [...(listeners.get(name) ?? []), listener as (event: never) => void])
      return () => undefined
    },
    pair: called('pair'),
    cancelPairing: called('cancelPairing'),
    approve: called('approve'),
    reject: called('reject'),
    respond: called('respond'),
    authenticateMessage: called('authenticateMessage'),
    approveAuthenticate: called('approveAuthenticate'),
    rejectAuthenticate: called('rejectAuthenticate'),
    update: called('update'),
    emit: called('emit'),
    delete: called('delete')
  }
  const clock = { now: 0 }
  const page = { origin: 'https://wallet.example', referrer: '' }
  const wallet = new Wallet({ client, records, page, now: () => clock.now * 1000, exclusive })
  return {
    wallet,
    records,
    client,
    calls,
    clock,
    tell(event: ClientEvent) {
      for (const listener of listeners.get(event.type) ?? []) listener(event as never)
    },
    /** First question. */
    question() {
      const [first] = wallet.view().questions
      if (!first) throw new Error('Nothing is asked.')
      return first
    }
  }
}
