//! The dapp module and a wallet with the full module, each with its own memory, as on two devices.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DappClient } from './DappClient.ts'
import { Bound } from './load.ts'
import { FakeRelay } from './testing/FakeRelay.ts'

const NOW = 1_790_000_000_000
const CHAIN = 'eip155:1'
const ACCOUNT = `${CHAIN}:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`
const what = { methods: ['personal_sign'], events: ['accountsChanged'] }
const moduleOf = (name: string) => readFileSync(join(import.meta.dirname, '../wasm', name))

let relay: FakeRelay

beforeEach(() => {
  vi.useFakeTimers({ now: NOW })
  relay = new FakeRelay()
})
afterEach(() => {
  vi.useRealTimers()
})

const parts = (name: string, module: string) => ({
  relays: [{ relayUrl: 'wss://relay.example' }],
  metadata: { name, description: '', url: 'https://app.example', icons: [] },
  storage: new Map<string, string>(),
  webSocket: relay.open,
  wasm: moduleOf(module)
})

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)

it('an application that loads no wallet pairs with one, asks, and hears what it answers', async () => {
  const dapp = await DappClient.start(parts('dapp', 'walletconnect_bg.wasm'))
  vi.resetModules()
  const { SignClient } = await import('./SignClient.ts')
  const wallet = await SignClient.start(parts('wallet', 'wallet_bg.wasm'))
  const { uri } = dapp.proposeNow({ optionalNamespaces: { eip155: { chains: [CHAIN], ...what } } })
  await wallet.pair(uri)
  await pass(3)
  const [proposal] = wallet.proposals
  if (!proposal) throw new Error('Nothing was proposed')
  const approved = wallet.approve(proposal, { namespaces: { eip155: { accounts: [ACCOUNT], ...what } } })
  await pass(3)
  const { topic } = await approved
  expect(dapp.sessions.map((session) => session.topic)).toEqual([topic])

  const signed = dapp.request({ topic, chainId: CHAIN, method: 'personal_sign', params: ['0x00'] })
  await pass(3)
  const [request] = wallet.requests
  const responded = wallet.respond(topic, request?.id ?? 0, { result: '0xsigned' })
  await pass(3)
  await responded
  expect(await signed).toBe('0xsigned')

  const ended = wallet.delete(topic)
  await pass(3)
  await ended
  expect(dapp.sessions).toEqual([])
  dapp.stop()
  wallet.stop()
})

it('an application with a sign-in gets signature and session at once, from a wallet that can, and a session from one that cannot', async () => {
  vi.resetModules()
  const { SignInClient } = await import('./SignInClient.ts')
  const dapp = await SignInClient.start(parts('dapp', 'sign_in_bg.wasm'))
  vi.resetModules()
  const { SignClient } = await import('./SignClient.ts')
  const wallet = await SignClient.start(parts('wallet', 'wallet_bg.wasm'))
  wallet.on('authenticateAsked', async ({ request: { id } }) => {
    if (request === 'refused') return wallet.rejectAuthenticate(id, 10_001, 'Method unsupported.')
    const { payload } = await wallet.authenticateMessage(id, `did:pkh:${ACCOUNT}`)
    const p = request === 'wrong' ? { ...payload, nonce: '00000000' } : payload
    await wallet.approveAuthenticate(id, [{ h: { t: 'caip122' }, p, s: { t: 'eip191', s: '0x12' } }]).catch(() => {})
  })
  let request = 'signed'
  const asked = {
    chains: [CHAIN],
    domain: 'app.example',
    aud: 'https://app.example',
    nonce: '12345678',
    methods: what.methods
  }
  const signed = vi.fn()
  dapp.on('authenticated', signed)
  await wallet.pair(dapp.authenticateNow(asked).uri)
  await pass(3)
  expect(signed.mock.lastCall?.[0].messages[0]).toContain('Nonce: 12345678')
  expect(dapp.sessions.map(({ topic }) => topic)).toEqual([signed.mock.lastCall?.[0].session.topic])

  request = 'refused'
  await wallet.pair(dapp.authenticateNow(asked).uri)
  await pass(3)
  const [proposal] = wallet.proposals
  if (!proposal) throw new Error('Nothing was proposed')
  void wallet.approve(proposal, { namespaces: { eip155: { accounts: [ACCOUNT], ...what } } })
  await pass(3)
  expect([dapp.sessions.length, signed.mock.calls.length]).toEqual([2, 1])
  dapp.stop()
  wallet.stop()
})

it('the module of applications understands nothing that a wallet says', async () => {
  const dapp = await DappClient.start(parts('dapp', 'walletconnect_bg.wasm'))
  const { relays, metadata } = parts('dapp', 'walletconnect_bg.wasm')
  const machine = new Bound(JSON.stringify({ relays, metadata }), '{}', NOW)
  const said = { ticket: 1, uri: 'wc:a@2', proposal: 1, namespaces: {}, topic: 'a', id: 1, cacaos: [] }
  for (const type of ['pair', 'approve', 'reject', 'respond', 'update', 'extend', 'approveAuthenticate'])
    expect(machine.handle(JSON.stringify({ ...said, type }), NOW)).toMatch(/^!/)
  expect(machine.handle(JSON.stringify({ ticket: 2, type: 'ping', topic: 'a' }), NOW)).toContain('"refused"')
  dapp.stop()
})
