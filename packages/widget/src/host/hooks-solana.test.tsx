//! Hooks of a host on Solana with the embedded wallet: the real core and modal, and a frame that answers as the wallet does.

import { FakeFrame, type FrameRequest } from '@portico/testkit'
import { act, cleanup, fireEvent, renderHook } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EthersAdapter } from '../adapters/eip155/EthersAdapter.ts'
import { SolanaAdapter } from '../adapters/solana/SolanaAdapter.ts'
import type { Provider } from '../adapters/solana/SolanaProvider.ts'
import { useAppKitAccount, useAppKitNetwork, useAppKitProvider } from '../react.ts'
import { ADDRESS, DEVNET, isSigned, sign, unsigned, verify } from '../shell/frame/test-solana.ts'
import type { AppKit } from './AppKit.ts'
import { setCurrent } from './current.ts'
import type { AppKitNetwork } from './options.ts'
import { byTestId, freshPage, kitOf, modal, ONE, reasonOf } from './test-page.ts'

const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const EMAIL = 'alice@example.org'
const WAIT = { timeout: 10_000 }

const devnet: AppKitNetwork = {
  id: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
  name: 'Solana Devnet',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: ['https://rpc.example/solana'] } },
  chainNamespace: 'solana',
  caipNetworkId: DEVNET
}

freshPage()

beforeEach(() => setCurrent(undefined))
afterEach(cleanup)

/** A user of the wallet, with an account on an EVM chain or on Solana. */
function userOn(chainId: unknown, solana: string) {
  const address = typeof chainId === 'string' && chainId.startsWith('solana:') ? solana : EVM
  return { email: EMAIL, address, chainId, accounts: [{ address, type: 'eoa' }], preferredAccountType: 'eoa' }
}

/** Answer of the wallet to a request of the page; the visitor approves everything. */
async function answerTo({ type, payload }: FrameRequest, solana: string): Promise<unknown> {
  const { chainId, method, params } = (payload ?? {}) as { chainId?: unknown; method: string; params: never }
  switch (type) {
    case '@w3m-app/CONNECT_EMAIL':
      return { action: 'VERIFY_OTP' }
    case '@w3m-app/IS_CONNECTED':
      return { isConnected: false }
    case '@w3m-app/GET_USER':
      return userOn(chainId, solana)
    case '@w3m-app/RPC_REQUEST':
      return method.startsWith('solana_') ? sign(method, params) : {}
    default:
      return undefined
  }
}

/** The frame that the widget puts into the page, as the wallet's server would fill it. */
async function walletFrame(solana: string): Promise<FakeFrame> {
  const element = await vi.waitFor(() => {
    const found = document.querySelector('iframe')
    if (!found) throw new Error('There is no frame')
    return found
  }, WAIT)
  const frame = new FakeFrame(element)
  const serve = async () => {
    for (;;) {
      const request = await frame.next()
      void answerTo(request, solana).then((answer) => frame.succeed(request, answer))
    }
  }
  void serve()
  frame.greet()
  return frame
}

/** A host's page with its hooks on Solana. */
function host() {
  const kit = kitOf({
    networks: [ONE, devnet],
    adapters: [new EthersAdapter(), new SolanaAdapter()],
    embeddedWallet: { url: 'https://wallet.example' }
  })
  const { result } = renderHook(
    () => ({
      account: useAppKitAccount({ namespace: 'solana' }),
      evm: useAppKitAccount({ namespace: 'eip155' }),
      network: useAppKitNetwork(),
      provider: useAppKitProvider<Provider>('solana')
    }),
    { wrapper: StrictMode }
  )
  return { kit, hooks: () => result.current }
}

async function part<T extends HTMLElement>(id: string): Promise<T> {
  return vi.waitFor(() => {
    const found = byTestId(modal(), id)
    if (!found) throw new Error(`There is no ${id}`)
    return found as T
  }, WAIT)
}

/** The visitor logs in by email, in the open modal. */
async function logIn(solana = ADDRESS): Promise<FakeFrame> {
  const field = await part<HTMLInputElement>('email-input')
  fireEvent.change(field, { target: { value: EMAIL } })
  const frame = await walletFrame(solana)
  fireEvent.submit(field.form as HTMLFormElement)
  fireEvent.change(await part('otp-input'), { target: { value: '123456' } })
  return frame
}

async function connected(kit: AppKit): Promise<void> {
  await vi.waitFor(() => expect(kit.getProvider('solana')).toBeDefined(), WAIT)
}

it('the hooks tell the account and the provider of the embedded wallet on Solana as long as the visitor is logged in', async () => {
  const { kit, hooks } = host()
  expect(hooks().account).toMatchObject({ isConnected: false, status: 'disconnected', address: undefined })
  expect(hooks().provider).toEqual({ walletProvider: undefined, walletProviderType: undefined })
  await act(() => kit.open())
  await act(async () => {
    await logIn()
    await connected(kit)
  })
  const { account, evm, network, provider } = hooks()
  expect(account).toMatchObject({
    isConnected: true,
    status: 'connected',
    address: ADDRESS,
    caipAddress: `${DEVNET}:${ADDRESS}`,
    allAccounts: [expect.objectContaining({ namespace: 'solana', address: ADDRESS })],
    embeddedWalletInfo: { user: { username: EMAIL }, accountType: 'eoa', authProvider: 'email' }
  })
  expect(evm.address).toBe(EVM)
  expect(network.caipNetworkId).toBe('eip155:31337')
  expect(provider.walletProviderType).toBe('AUTH')
  expect(provider.walletProvider.publicKey?.toBase58()).toBe(ADDRESS)
  const message = new TextEncoder().encode('Hello')
  await act(async () => {
    expect(await verify(await provider.walletProvider.signMessage(message), message)).toBe(true)
    const transaction = unsigned()
    expect(await isSigned(await provider.walletProvider.signTransaction(transaction), transaction)).toBe(true)
  })
  await act(() => kit.disconnect())
  expect(hooks().account).toMatchObject({ isConnected: false, status: 'disconnected', address: undefined })
  expect(hooks().provider).toEqual({ walletProvider: undefined, walletProviderType: undefined })
})

it('connect on Solana resolves with the account of the visitor who logs in, and the hooks have it', async () => {
  const { kit, hooks } = host()
  await act(async () => {
    const asked = kit.connect({ namespace: 'solana' })
    await logIn()
    expect(await asked).toMatchObject({ address: ADDRESS, caipNetworkId: DEVNET, connectorId: 'AUTH' })
  })
  expect(hooks().account).toMatchObject({ isConnected: true, address: ADDRESS })
  expect(hooks().provider.walletProviderType).toBe('AUTH')
  expect(hooks().provider.walletProvider.publicKey?.toBase58()).toBe(ADDRESS)
  expect(hooks().network.caipNetworkId).toBe(DEVNET)
  expect(kit.isOpen()).toBe(false)
})

it('connect on Solana says so if the wallet of the visitor who logs in gives no account there', async () => {
  const { kit, hooks } = host()
  await act(async () => {
    const asked = reasonOf(kit.connect({ namespace: 'solana' }))
    await logIn('not an address')
    expect(await asked).toBe('accountNotFound')
  })
  expect(hooks().account.isConnected).toBe(false)
  expect(hooks().provider.walletProvider).toBeUndefined()
  expect(hooks().evm.isConnected).toBe(true)
})
