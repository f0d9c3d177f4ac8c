//! Fake sign client that is fully scripted by the test.

import type { ClientEvent, DappClient, DriverEvent, EventName, EventOf, Session } from '@portico/walletconnect/dapp'
import type { CaipNetwork } from '../../host/options.ts'
import type { Networks } from './granted.ts'

type Told = { readonly [name in EventName]?: (event: EventOf<name>) => void }

export class FakeClient {
  sessions: Session[] = []
  readonly relays = new Map<string, EventOf<'relay'>>()
  readonly asked: unknown[] = []
  readonly ended: string[] = []
  readonly cancelled: string[] = []
  readonly pinged: string[] = []
  woken = 0
  /** The wallet's response to a ping. */
  pong: () => Promise<void> = async () => {}
  answer: (asked: { readonly method: string }) => Promise<unknown> = async () => 'answered'
  propose: () => { uri: string; topic: string; expiryTimestamp: number } = () => ({
    uri: 'wc:aa@2?symKey=bb',
    topic: 'aa',
    expiryTimestamp: 1_800_000_000
  })
  readonly #listeners = new Map<string, Set<(event: never) => void>>()

  /** The fake, typed as the class that it replaces. */
  get client(): DappClient {
    return this as unknown as DappClient
  }

  on(name: string, listener: (event: never) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  tell<Name extends keyof Told>(event: EventOf<Name>): void {
    const told: ClientEvent | DriverEvent = event
    if (told.type === 'relay') this.relays.set(told.relayUrl, told)
    for (const listener of this.#listeners.get(event.type) ?? []) listener(event as never)
  }

  proposeNow(asked: unknown) {
    this.asked.push(asked)
    return this.propose()
  }

  request(asked: { readonly method: string }): Promise<unknown> {
    this.asked.push(asked)
    return this.answer(asked)
  }

  wake(): void {
    this.woken += 1
  }

  ping(topic: string): Promise<void> {
    this.pinged.push(topic)
    return this.pong()
  }

  async cancelPairing(topic: string): Promise<void> {
    this.cancelled.push(topic)
    throw new Error('No relay')
  }

  async delete(topic: string): Promise<void> {
    this.ended.push(topic)
    throw new Error('No relay')
  }
}

const participant = {
  publicKey: 'cc',
  metadata: { name: 'Wallet', description: '', url: '', icons: [], redirect: null }
}

export const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

/** Session that grants message signing on two chains. */
export function sessionOf(changes: Partial<Session> = {}): Session {
  return {
    topic: 'dd',
    pairingTopic: 'aa',
    relayUrl: 'wss://relay.example',
    expiry: 1_800_000_000,
    acknowledged: true,
    controller: 'cc',
    namespaces: {
      eip155: {
        accounts: [`eip155:1:${ADDRESS}`, `eip155:10:${ADDRESS}`],
        methods: ['personal_sign', 'wallet_switchEthereumChain'],
        events: ['accountsChanged', 'chainChanged'],
        chains: null
      }
    },
    requiredNamespaces: {},
    optionalNamespaces: {},
    sessionProperties: null,
    scopedProperties: null,
    sessionConfig: null,
    self: participant,
    peer: participant,
    ...changes
  }
}

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
/** Solana's chain id as older wallets name it. */
export const SOLANA_OF_OLD = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'

/** The host's networks by CAIP-2 id, with the given further fields. */
export function networksOf(networks: { readonly [id: string]: object }): Networks {
  const whole = Object.entries(networks).map(([id, rest]) => {
    const [chainNamespace, reference] = id.split(':')
    return [id, { id: reference, chainNamespace, caipNetworkId: id, ...rest } as CaipNetwork] as const
  })
  return new Map(whole)
}
