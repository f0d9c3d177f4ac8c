// @vitest-environment happy-dom

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { expect, it, vi } from 'vitest'
import { SolanaAdapter } from '../../adapters/solana/SolanaAdapter.ts'
import type { Provider } from '../../adapters/solana/SolanaProvider.ts'
import type { CoreEvent, HostAnswer } from '../../generated/core.ts'
import { idle } from '../../generated/idle.ts'
import { AppKit } from '../../host/AppKit.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { PorticoError } from '../../host/PorticoError.ts'
import { Calls } from '../calls.ts'
import { Page } from '../page.ts'
import { provide } from './provide.ts'

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const EVM = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER_EVM = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const addressOf = (byte: number) => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(byte)))
const [FIRST, SECOND] = [addressOf(1), addressOf(2)]

type Asked = Extract<CoreEvent, { feature: 'embedded' }>['event']

/** A page with the embedded wallet, whose core answers each request when the test says so. */
function page(options: Partial<CreateAppKit> = { adapters: [new SolanaAdapter()] }) {
  const kit = new AppKit({ projectId: 'test', networks: [], ...options } as never)
  const { engine } = kit
  const { store } = engine
  store.set(idle)
  const log = vi.spyOn(engine, 'log').mockImplementation(() => {})
  const asked: { event: Asked; answer(answer: HostAnswer): void }[] = []
  const shared = new Page()
  /** Accounts on Solana that the core was told. */
  const told: (readonly string[])[] = []
  const calls: Calls = new Calls(engine, shared, PorticoError, (one) => {
    if (one.feature === 'connect') {
      const { accounts } = one.event as unknown as { readonly accounts: readonly string[] }
      told.push(accounts)
      const others = store.get().account.accounts.filter(({ namespace }) => namespace !== 'solana')
      const wallet = { handle: 'embedded:solana', type: 'AUTH' }
      const account = { namespace: 'solana', connector: 'AUTH', address: accounts[0], connectedWalletInfo: wallet }
      store.set({ account: { ...idle.account, accounts: accounts[0] ? [...others, account] : others } as never })
      return
    }
    const event = one.event as Asked
    const { ticket } = event as { ticket: number }
    asked.push({ event, answer: (answer) => calls.tickets.settle(ticket, answer) })
  })
  engine.calls = calls
  provide(engine, calls, shared)
  const network = (caipNetworkId: string) => ({ chainNamespace: 'solana', caipNetworkId })
  const serve = (ids: readonly string[], active: string | null) => {
    const chains = [{ namespace: 'solana', networkState: { caipNetwork: active } }]
    store.set({ network: { ...idle.network, networks: ids.map(network), chains } as never })
  }
  serve([MAINNET, DEVNET], DEVNET)
  /** Logs in with this account, or out. */
  const logIn = (address?: string) => {
    const wallet = { handle: 'embedded:eip155', type: 'AUTH' }
    const account = { namespace: 'eip155', connector: 'AUTH', address, connectedWalletInfo: wallet }
    store.set({ account: { ...idle.account, accounts: address ? [account] : [] } as never })
  }
  const answer = (index: number, answer: HostAnswer) => asked[index]?.answer(answer)
  const found = (index: number, address: string) => answer(index, { type: 'resolved', value: { address } as never })
  return {
    store,
    asked,
    told,
    log,
    calls,
    kit,
    serve,
    logIn,
    answer,
    found,
    provider: () => calls.getProvider<Provider>('solana')
  }
}

/** A page whose visitor is logged in, with the provider that it has on Solana. */
async function loggedIn() {
  const one = page()
  one.logIn(EVM)
  await vi.waitFor(() => expect(one.asked).toHaveLength(1))
  one.found(0, FIRST)
  await vi.waitFor(() => expect(one.provider()).toBeDefined())
  return { ...one, theirs: one.provider() as Provider }
}

it('a login gives the page a provider on Solana, which has the account from the first moment', async () => {
  const { store, asked, told, logIn, found, provider, calls } = page()
  const seen: unknown[] = []
  store.subscribe(() => seen.push(provider()?.publicKey?.toBase58()))
  expect([provider(), calls.getProviderType('solana'), calls.getProviders()]).toEqual([undefined, undefined, {}])
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect(asked[0]?.event).toMatchObject({ type: 'methodCalled', method: 'getUser', payload: { chainId: DEVNET } })
  expect(provider()).toBeUndefined()
  found(0, FIRST)
  await vi.waitFor(() => expect(provider()).toBeDefined())
  expect([...new Set(seen)]).toEqual([undefined, FIRST])
  expect(provider()?.wallet).toMatchObject({ name: 'Embedded wallet', chains: ['solana:devnet', 'solana:mainnet'] })
  expect(calls.getProviderType('solana')).toBe('AUTH')
  expect(calls.getProviders()).toEqual({ eip155: calls.getProvider('eip155'), solana: provider() })
  expect(told).toEqual([[FIRST]])
  expect(store.get().account.accounts.map(({ namespace, address }) => [namespace, address])).toEqual([
    ['eip155', EVM],
    ['solana', FIRST]
  ])
})

it('subscribers of providers hear that it comes and goes', async () => {
  const { kit, asked, logIn, found } = page()
  const told: string[][] = []
  kit.subscribeProviders((providers) => told.push(Object.keys(providers)))
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  found(0, FIRST)
  await vi.waitFor(() => expect(told).toEqual([['eip155'], ['eip155', 'solana']]))
  logIn()
  expect(told.at(-1)).toEqual([])
})

it('its requests are those of the embedded wallet, on the network that they name', async () => {
  const { asked, answer, theirs } = await loggedIn()
  const message = Uint8Array.of(7)
  const signed = theirs.signMessage(message)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  expect(asked[1]?.event).toMatchObject({
    type: 'requestAsked',
    method: 'solana_signMessage',
    params: { pubkey: FIRST, message: base58.encode(message) },
    chain: DEVNET
  })
  answer(1, {
    type: 'rejected',
    error: { reason: 'userRejected', message: 'Request was aborted', code: 4001 } as never
  })
  await expect(signed).rejects.toMatchObject({ reason: 'userRejected', code: 4001 })
})

it('the end of the session takes the account, and whoever still has the provider signs nothing', async () => {
  const { asked, store, logIn, provider, theirs, calls } = await loggedIn()
  const [account] = theirs.wallet.accounts
  const told: unknown[] = []
  const features = theirs.wallet.features as Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>
  features['standard:events']?.on?.('change', (properties: unknown) => told.push(properties))
  theirs.on('accountsChanged', (accounts: unknown) => told.push(accounts))
  let last: unknown
  store.subscribe(() => {
    last = provider()
  })
  logIn()
  expect([provider(), last, calls.getProviderType('solana')]).toEqual([undefined, undefined, undefined])
  expect(told).toEqual([[], { accounts: [] }])
  const input = { account, message: Uint8Array.of(1) }
  await expect(features['solana:signMessage']?.signMessage?.(input)).rejects.toMatchObject({ code: 4900 })
  await expect(theirs.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: 4100 })
  expect(asked).toHaveLength(1)
})

it('another visitor has another account, and the one before signs no more', async () => {
  const { asked, found, logIn, provider, theirs } = await loggedIn()
  const [before] = theirs.wallet.accounts
  logIn(OTHER_EVM)
  expect(provider()).toBeUndefined()
  expect(theirs.wallet.accounts).toEqual([])
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  found(1, SECOND)
  await vi.waitFor(() => expect(provider()?.publicKey?.toBase58()).toBe(SECOND))
  const { signMessage } = theirs.wallet.features['solana:signMessage'] as Record<string, (input: object) => unknown>
  await expect(signMessage?.({ account: before, message: Uint8Array.of(1) })).rejects.toMatchObject({ code: 4100 })
})

it('an account that comes after the end of its session is not taken', async () => {
  const { asked, found, logIn, provider, log } = page()
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  logIn()
  logIn(OTHER_EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  found(1, SECOND)
  await vi.waitFor(() => expect(provider()?.publicKey?.toBase58()).toBe(SECOND))
  found(0, FIRST)
  await vi.waitFor(() => expect(log).toHaveBeenCalled())
  expect(provider()?.publicKey?.toBase58()).toBe(SECOND)
})

it('an account that comes after the visitor signed out brings no provider', async () => {
  const { asked, found, logIn, provider, log, calls } = page()
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  logIn()
  found(0, FIRST)
  await vi.waitFor(() => expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 4900 })))
  await Promise.resolve()
  expect([provider(), calls.getProviders()]).toEqual([undefined, {}])
})

it('a frame that does not answer is asked again once the network changes or the modal opens', async () => {
  const { asked, answer, found, logIn, provider, log, serve, store } = page()
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  const late = { type: 'rejected', error: { reason: 'timeout', message: 'Something went wrong', code: null } as never }
  answer(0, late as HostAnswer)
  await vi.waitFor(() => expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: null })))
  logIn(EVM)
  expect([provider(), asked.length]).toEqual([undefined, 1])
  serve([MAINNET, DEVNET], MAINNET)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  answer(1, late as HostAnswer)
  await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(2))
  store.set({ modal: { ...idle.modal, open: true } })
  await vi.waitFor(() => expect(asked).toHaveLength(3))
  found(2, FIRST)
  await vi.waitFor(() => expect(provider()?.publicKey?.toBase58()).toBe(FIRST))
})

it('a login whose frame gives no account is told, so that a host does not wait for it, and one that ended is not', async () => {
  for (const given of ['rejected', 'resolved'] as const) {
    const { asked, answer, logIn, told } = page()
    logIn(EVM)
    await vi.waitFor(() => expect(asked).toHaveLength(1))
    const error = { reason: 'unauthorized', message: 'Address or auth connector not found', code: 4100 }
    answer(0, { type: given, value: { address: undefined }, error } as never)
    await vi.waitFor(() => expect(told).toEqual([[]]))
  }
  const { asked, answer, found, logIn, told, log } = page()
  logIn(EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  logIn(OTHER_EVM)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  answer(0, { type: 'rejected', error: { reason: 'timeout', message: 'late', code: null } as never })
  await vi.waitFor(() => expect(log).toHaveBeenCalledOnce())
  expect(told).toEqual([])
  found(1, SECOND)
  await vi.waitFor(() => expect(told).toEqual([[SECOND]]))
})

it('a library that disconnects and connects the wallet takes the account and brings it back', async () => {
  const { asked, found, provider, theirs, told } = await loggedIn()
  const features = theirs.wallet.features as Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>
  await features['standard:disconnect']?.disconnect?.()
  await vi.waitFor(() => expect(told).toEqual([[FIRST], []]))
  expect(provider()).toBeUndefined()
  const again = features['standard:connect']?.connect?.()
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  found(1, FIRST)
  await again
  await vi.waitFor(() => expect(told).toEqual([[FIRST], [], [FIRST]]))
  expect(provider()?.publicKey?.toBase58()).toBe(FIRST)
})

it('the networks are those of the page, the active one first; without any there is no provider', async () => {
  const { serve, provider, theirs, asked, found } = await loggedIn()
  serve([MAINNET, DEVNET], MAINNET)
  expect(theirs.wallet.chains).toEqual(['solana:mainnet', 'solana:devnet'])
  serve([DEVNET], null)
  expect(theirs.wallet.chains).toEqual(['solana:devnet'])
  serve([], null)
  await vi.waitFor(() => expect(provider()).toBeUndefined())
  expect(theirs.wallet.accounts).toEqual([])
  serve([MAINNET], null)
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  found(1, FIRST)
  await vi.waitFor(() => expect(provider()).toBe(theirs))
})

it('a connected Solana wallet keeps its place, and the account of the login comes once it left', async () => {
  const { store, calls, provider, logIn, asked, found, told } = page()
  const wallet = { handle: 'solana:Other', type: 'ANNOUNCED' }
  const other = { namespace: 'solana', connector: 'solana:Other', address: SECOND, connectedWalletInfo: wallet }
  logIn(EVM)
  const { accounts } = store.get().account
  store.set({ account: { ...idle.account, accounts: [...accounts, other] } as never })
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  found(0, FIRST)
  await vi.dynamicImportSettled()
  expect([told, calls.getProviderType('solana'), provider()]).toEqual([[], 'ANNOUNCED', undefined])
  logIn(EVM)
  await vi.waitFor(() => expect(told).toEqual([[FIRST]]))
  expect(calls.getProviderType('solana')).toBe('AUTH')
})

it('a host without an adapter of Solana has no provider there, and asks the frame nothing', async () => {
  for (const adapters of [undefined, [], [{ namespace: 'solana' as const }], [null, 7]]) {
    const { asked, logIn, provider, store } = page({ adapters } as never)
    const subscribed = vi.spyOn(store, 'subscribe')
    logIn(EVM)
    await vi.dynamicImportSettled()
    expect([asked, provider(), subscribed.mock.calls]).toEqual([[], undefined, []])
  }
})
