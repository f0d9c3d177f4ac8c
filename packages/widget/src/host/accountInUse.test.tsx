//! The account of a Solana wallet that the host chose, in a page with the real core.

import { createSolanaWallet } from '@portico/testkit'
import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SolanaAdapter } from '../adapters/solana/SolanaAdapter.ts'
import type { Provider } from '../adapters/solana/SolanaProvider.ts'
import { useAppKitConnection } from '../react.ts'
import { setCurrent } from './current.ts'
import type { AppKitNetwork } from './options.ts'
import { freshPage, kitOf } from './test-page.ts'

const MAINNET: AppKitNetwork = {
  id: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'Solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: ['https://one.example/solana'] } },
  chainNamespace: 'solana'
}

freshPage()

beforeEach(() => setCurrent(undefined))
afterEach(cleanup)

it('is the one of the provider, which signs with it', async () => {
  const wallet = createSolanaWallet({ approval: 'auto', sharesAll: true })
  const [first, second] = wallet.controls.addresses
  const adapters = [new SolanaAdapter({ wallets: [wallet.standard as never] })]
  const kit = kitOf({ networks: [MAINNET], adapters, features: { multiWallet: true } })
  const { result } = renderHook(() => useAppKitConnection({ namespace: 'solana' }))
  await act(() => kit.connect({ connectorId: 'solana:Demo Solana Wallet', namespace: 'solana' }))
  const provider = kit.getProvider('solana') as unknown as Provider
  expect([kit.getAddress(), provider.publicKey?.toBase58()]).toEqual([first, first])
  await vi.waitFor(() => expect(result.current.connection?.accounts).toHaveLength(3))
  const { connection, switchConnection } = result.current
  if (!connection) throw new Error('There is no connection')
  await act(() => switchConnection({ connection, address: second as string }))
  expect([kit.getAddress(), provider.publicKey?.toBase58()]).toEqual([second, second])
  // It rejects if the signature isn't one by this account.
  expect(await provider.signMessage(new TextEncoder().encode('gm'))).toHaveLength(64)
})
