//! Use of the wallet's provider by a host: viem and ethers sign and send through it, on a real chain.

// @vitest-environment happy-dom

import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import { BrowserProvider, parseEther, verifyMessage as verifyByEthers } from 'ethers'
import { createWalletClient, custom, verifyMessage } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AppKit } from './AppKit.ts'
import { announceWallet, kitOf, modules, network, WALLET } from './test-page.ts'

const RECEIVER = '0x00000000000000000000000000000000000000aa'
const overTheWire = globalThis.fetch

let anvil: Anvil
let kit: AppKit

beforeAll(async () => {
  anvil = await startAnvil()
  const chain = { chainId: anvil.chainId, name: 'Anvil', rpcUrl: anvil.rpcUrl }
  announceWallet({ chains: [chain] })
}, 60_000)

afterAll(() => anvil?.stop())

beforeEach(async () => {
  vi.stubGlobal('fetch', (url: string | URL, init?: RequestInit) => modules(url) ?? overTheWire(url, init))
  kit = kitOf({ networks: [network(anvil.chainId, 'Anvil', anvil.rpcUrl)] })
  await kit.connect({ connectorId: WALLET })
})

async function received(): Promise<bigint> {
  return BigInt(String(await anvil.request('eth_getBalance', [RECEIVER, 'latest'])))
}

it('viem signs and sends through the provider as it is', async () => {
  const provider = kit.getProvider('eip155')
  if (!provider) throw new Error('There is no provider')
  const account = kit.getAddress() as `0x${string}`
  const client = createWalletClient({ account, transport: custom(provider) })
  const signature = await client.signMessage({ message: 'Größe 🦊' })
  expect(await verifyMessage({ address: account, message: 'Größe 🦊', signature })).toBe(true)
  const before = await received()
  expect(await client.sendTransaction({ to: RECEIVER, value: 10n ** 17n, chain: null })).toMatch(/^0x[0-9a-f]{64}$/)
  await vi.waitFor(async () => expect((await received()) - before).toBe(10n ** 17n))
})

it('ethers signs and sends through the provider as it is', async () => {
  const provider = kit.getProvider('eip155')
  if (!provider) throw new Error('There is no provider')
  const signer = await new BrowserProvider(provider).getSigner()
  expect(verifyByEthers('hello', await signer.signMessage('hello')).toLowerCase()).toBe(kit.getAddress()?.toLowerCase())
  const before = await received()
  const sent = await signer.sendTransaction({ to: RECEIVER, value: parseEther('0.2') })
  expect((await sent.wait())?.status).toBe(1)
  expect((await received()) - before).toBe(parseEther('0.2'))
})

it('the balance that the widget shows is the one of the chain', async () => {
  const { balance, symbol } = await kit.fetchBalance()
  expect(Number(balance)).toBeGreaterThan(9_000)
  expect(symbol).toBe('ETH')
})
