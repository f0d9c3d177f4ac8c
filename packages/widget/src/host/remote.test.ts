//! Host calls about an account that a WalletConnect session approved.

// @vitest-environment happy-dom

import type { Session } from '@portico/walletconnect/dapp'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import { ADDRESS as EVM_ADDRESS, FakeClient, sessionOf } from '../shell/relay/test-client.ts'
import type { AppKitNetwork } from './options.ts'
import { type AppKit, freshPage, kitOf, network, node, ONE, reasonOf, stubNetwork } from './test-page.ts'

const shared = vi.hoisted(() => vi.fn())
vi.mock('../shell/relay/client.ts', () => ({ sharedClient: shared }))

freshPage()

const CHAIN = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const ADDRESS = '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5'
const OTHER = '12xtAYsRUrmbniiWQqJtECiBQrMn8AypQcXhnQAc6RB6XkLW'

const polkadot: AppKitNetwork = {
  ...network(7, 'Polkadot'),
  id: '91b171bb158e2d3848fa23a9f1c25182',
  chainNamespace: 'polkadot',
  nativeCurrency: { name: 'Polkadot', symbol: 'DOT', decimals: 10 }
}

const approved = {
  accounts: [`${CHAIN}:${ADDRESS}`],
  methods: ['polkadot_signMessage'],
  events: ['accountsChanged', 'chainChanged'],
  chains: null
}

const relays = [{ relayUrl: 'wss://relay.example' }]

let client: FakeClient

beforeEach(() => {
  client = new FakeClient()
  shared.mockResolvedValue(client.client)
})

/** Connects a wallet that approves these namespaces. */
async function connect(kit: AppKit, namespaces: Session['namespaces']): Promise<unknown> {
  const connected = kit.connect({ connectorId: 'walletConnect' })
  // The first connection compiles the core, which takes its time on a busy machine.
  await vi.waitFor(() => expect(client.asked).toHaveLength(1), { timeout: 15_000 })
  client.tell({ type: 'settled', session: sessionOf({ namespaces }), pairingTopic: 'aa' })
  client.asked.length = 0
  return connected
}

it('the balance of a Polkadot account settles with a refusal', async () => {
  const kit = kitOf({
    relays,
    adapters: [{ namespace: 'eip155' }, { namespace: 'polkadot' }],
    networks: [polkadot, ONE]
  })
  expect(await connect(kit, { polkadot: approved })).toMatchObject({ chainNamespace: 'polkadot', address: ADDRESS })
  expect(await reasonOf(kit.fetchBalance())).toBe('unsupportedChain')
  expect(await reasonOf(kit.updateNativeBalance(ADDRESS, CHAIN, 'polkadot'))).toBe('unsupportedChain')
  expect(await reasonOf(kit.updateNativeBalance(OTHER, CHAIN, 'polkadot'))).toBe('unsupportedChain')
  expect(kit.getAccount('polkadot')).toMatchObject({ isConnected: true, address: ADDRESS })
})

describe('a request of the host to the wallet of a session', () => {
  const methods = ['eth_sendTransaction', 'wallet_sendCalls']
  const eip155 = { ...approved, accounts: [`eip155:31337:${EVM_ADDRESS}`], methods }
  const hash = (bytes: number) => `0x01${'ab'.repeat(bytes - 1)}`
  const blobs = (...hashes: string[]) => ({ from: EVM_ADDRESS, to: EVM_ADDRESS, blobVersionedHashes: hashes })

  async function providerOf(kit: AppKit): Promise<Eip1193Provider> {
    await connect(kit, { eip155 })
    const provider = kit.getProvider<Eip1193Provider>('eip155')
    if (!provider) throw new Error('The session has no provider')
    return provider
  }

  it('spec_9_19_never_reaches_it_with_a_blob_versioned_hash_that_is_not_32_bytes', async () => {
    const provider = await providerOf(kitOf({ relays }))
    const send = (...hashes: string[]) =>
      provider.request({ method: 'eth_sendTransaction', params: [blobs(...hashes)] })
    await expect(send(hash(32), hash(31))).rejects.toMatchObject({ code: -32602 })
    await expect(send(hash(33))).rejects.toMatchObject({ code: -32602 })
    expect(client.asked).toEqual([])
    expect(await send(hash(32))).toBe('answered')
    expect(client.asked).toMatchObject([{ method: 'eth_sendTransaction', params: [blobs(hash(32))] }])
  })

  it('spec_8_53_is_answered_by_a_node_if_it_reads_and_asked_again_after_a_failure', async () => {
    const answers = [new Response('', { status: 503 }), undefined]
    const answer = node()
    const asked: string[] = []
    stubNetwork(undefined, (body) => {
      if (!body.includes('eth_blockNumber')) return answer(body)
      asked.push(body)
      return answers.shift() ?? answer(body)
    })
    const provider = await providerOf(kitOf({ relays }))
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x1')
    expect([asked.length, client.asked]).toEqual([2, []])
  })

  it('spec_5_28_never_reaches_it_with_a_call_whose_to_or_data_does_not_start_with_0x', async () => {
    const provider = await providerOf(kitOf({ relays }))
    const send = (call: object) => provider.request({ method: 'wallet_sendCalls', params: [{ calls: [call] }] })
    await expect(send({ data: '0x' })).rejects.toMatchObject({ code: -32602 })
    await expect(send({ to: EVM_ADDRESS, data: 'ab' })).rejects.toMatchObject({ code: -32602 })
    expect(client.asked).toEqual([])
    expect(await send({ to: EVM_ADDRESS })).toBe('answered')
  })
})
