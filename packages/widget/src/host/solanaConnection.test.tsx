//! Connection for `@solana/web3.js`, of a page with the real core and the library itself.

import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { SolanaAdapter } from '../adapters/solana/SolanaAdapter.ts'
import { useAppKitConnection } from '../solana-react.ts'
import { setCurrent } from './current.ts'
import type { AppKitNetwork } from './options.ts'
import { freshPage, kitOf, ONE } from './test-page.ts'

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const DEVNET = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

const networkOf = (id: string, url: string): AppKitNetwork => ({
  id,
  name: url,
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: [url] } },
  chainNamespace: 'solana'
})
const mainnet = networkOf(MAINNET, 'https://one.example/solana')
const devnet = networkOf(DEVNET, 'https://two.example/solana')

freshPage()

beforeEach(() => setCurrent(undefined))
afterEach(cleanup)

it('is one connection for all components, to the network that is active, with the settings of the adapter', async () => {
  const adapters = [new EthersAdapter(), new SolanaAdapter({ connectionSettings: { commitment: 'finalized' } })]
  const kit = kitOf({ networks: [mainnet, devnet], adapters })
  const { result } = renderHook(() => [useAppKitConnection(), useAppKitConnection()] as const)
  const first = result.current[0].connection
  expect(first?.rpcEndpoint).toBe('https://one.example/solana')
  expect(first?.commitment).toBe('finalized')
  expect(result.current[1].connection).toBe(first)

  await act(() => kit.switchNetwork(devnet))
  expect(result.current[0].connection?.rpcEndpoint).toBe('https://two.example/solana')
})

it('stays while a network of another namespace is active', async () => {
  const kit = kitOf({ networks: [mainnet, ONE], adapters: [new EthersAdapter(), new SolanaAdapter()] })
  const { result } = renderHook(useAppKitConnection)
  const first = result.current.connection
  expect(first?.commitment).toBe('confirmed')
  await act(() => kit.switchNetwork(ONE))
  expect(kit.getCaipNetworkId()).toBe('eip155:31337')
  expect(result.current.connection).toBe(first)
})

it('is none before createAppKit, and for a page without a network of Solana', async () => {
  const { result } = renderHook(useAppKitConnection)
  expect(result.current.connection).toBeUndefined()
  await act(async () => void kitOf({ networks: [ONE], adapters: [new EthersAdapter()] }))
  expect(result.current.connection).toBeUndefined()
  await act(async () => void kitOf({ networks: [mainnet], adapters: [new SolanaAdapter()] }))
  expect(result.current.connection?.rpcEndpoint).toBe('https://one.example/solana')
})
