import type { DemoWallet } from '@portico/testkit'
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  AppKitButton,
  AppKitProvider,
  createAppKit,
  useAppKit,
  useAppKitAccount,
  useAppKitBalance,
  useAppKitConnection,
  useAppKitConnections,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitSIWX,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo
} from '../react.ts'
import { DefaultSIWX } from '../siwx.ts'
import { setCurrent } from './current.ts'
import { announceWallet, kitOf, options, stubNetwork, TWO, WALLET } from './test-page.ts'

let wallet: DemoWallet

beforeEach(() => {
  localStorage.clear()
  document.body.replaceChildren()
  setCurrent(undefined)
  stubNetwork()
  wallet = announceWallet()
})

afterEach(() => {
  cleanup()
  wallet.controls.withdraw()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Inside() {
  return <p>{useAppKitAccount().status}</p>
}

const HOOKS = {
  useAppKit,
  useAppKitAccount,
  useAppKitBalance,
  useAppKitConnection,
  useAppKitConnections,
  useAppKitEvents,
  useAppKitNetwork,
  useAppKitProvider,
  useAppKitSIWX,
  useAppKitState,
  useAppKitTheme,
  useDisconnect,
  useWalletInfo
}

describe('before createAppKit', () => {
  it.each(Object.entries(HOOKS))('%s says what is missing', (name, hook) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(() => renderHook(() => hook())).toThrow(
      `Call createAppKit before ${name}, or put an AppKitProvider around the component`
    )
  })
})

describe('the hooks', () => {
  it('hand out the sign-in of the host, or none', () => {
    const siwx = new DefaultSIWX()
    const kit = kitOf({ siwx })
    expect(renderHook(() => useAppKitSIWX()).result.current).toBe(siwx)
    setCurrent(undefined)
    kitOf()
    expect(kit.getSIWX()).toBe(siwx)
    expect(renderHook(() => useAppKitSIWX()).result.current).toBeUndefined()
  })

  it('tell the account, the network, the wallet and the state', async () => {
    const kit = kitOf()
    const { result } = renderHook(
      () => ({
        account: useAppKitAccount(),
        network: useAppKitNetwork(),
        provider: useAppKitProvider('eip155'),
        state: useAppKitState(),
        wallet: useWalletInfo(),
        events: useAppKitEvents()
      }),
      { wrapper: StrictMode }
    )
    expect(result.current.account).toEqual({
      allAccounts: [],
      address: undefined,
      caipAddress: undefined,
      isConnected: false,
      status: 'disconnected',
      embeddedWalletInfo: undefined
    })
    expect(result.current.network).toMatchObject({
      chainId: 31337,
      caipNetworkId: 'eip155:31337',
      supportsAllNetworks: true
    })
    expect(result.current.provider).toEqual({ walletProvider: undefined, walletProviderType: undefined })
    await act(() => kit.connect({ connectorId: WALLET }))
    const { account, network, provider, state, wallet: info, events } = result.current
    expect(account).toMatchObject({
      isConnected: true,
      status: 'connected',
      caipAddress: `eip155:31337:${account.address}`
    })
    expect(network.caipNetwork).toMatchObject({ name: 'Anvil One' })
    expect(provider).toEqual({ walletProvider: wallet.provider, walletProviderType: 'ANNOUNCED' })
    expect(state).toEqual({
      email: true,
      socials: ['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'],
      swaps: true,
      onramp: true,
      activity: true,
      loading: false,
      open: false,
      selectedNetworkId: 'eip155:31337',
      activeChain: 'eip155',
      initialized: true,
      connectingWallet: undefined
    })
    expect(info.walletInfo).toMatchObject({ name: 'Demo Wallet' })
    expect(events.data).toMatchObject({ type: 'track', event: 'CONNECT_SUCCESS' })
  })

  it('re-render their component only where what they return says something else', async () => {
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    const renders = vi.fn()
    const { result } = renderHook(() => {
      renders()
      return useAppKitAccount()
    })
    const before = result.current
    renders.mockClear()
    await act(() => kit.open())
    await act(() => kit.fetchBalance())
    await act(() => kit.close())
    expect(renders).not.toHaveBeenCalled()
    expect(result.current).toBe(before)
  })

  it('do what they are named after', async () => {
    const kit = kitOf()
    const { result } = renderHook(() => ({
      modal: useAppKit(),
      network: useAppKitNetwork(),
      theme: useAppKitTheme(),
      balance: useAppKitBalance(),
      disconnect: useDisconnect()
    }))
    const { modal, network, balance, disconnect } = result.current
    await act(() => modal.open())
    expect(kit.isOpen()).toBe(true)
    await act(() => modal.close())
    expect(kit.isOpen()).toBe(false)
    expect(await balance.fetchBalance()).toMatchObject({ isError: true, data: undefined })
    await act(() => kit.connect({ connectorId: WALLET }))
    expect(await act(() => balance.fetchBalance())).toEqual({
      data: { balance: '1', symbol: 'ETH' },
      error: null,
      isSuccess: true,
      isError: false
    })
    await act(() => network.switchNetwork(TWO))
    expect(result.current.network.chainId).toBe(31338)
    act(() => result.current.theme.setThemeMode('light'))
    expect(result.current.theme.themeMode).toBe('light')
    await act(() => disconnect.disconnect())
    expect(kit.getIsConnectedState()).toBe(false)
    expect(result.current.modal).toBe(modal)
  })

  it('follow another namespace when they are asked for it', async () => {
    const kit = kitOf()
    await kit.connect({ connectorId: WALLET })
    const { result, rerender } = renderHook(({ namespace }) => useAppKitAccount({ namespace }), {
      initialProps: { namespace: 'eip155' as 'eip155' | 'solana' }
    })
    expect(result.current.isConnected).toBe(true)
    rerender({ namespace: 'solana' })
    expect(result.current.isConnected).toBe(false)
  })
})

describe('the provider and the buttons', () => {
  it('make one modal, also where React renders twice', () => {
    const given = options()
    render(
      <StrictMode>
        <AppKitProvider {...given}>
          <Inside />
          <AppKitButton size="sm" disabled={false} className="mine" charsStart={3} />
        </AppKitProvider>
      </StrictMode>
    )
    expect(screen.getByText('disconnected')).toBeDefined()
    const button = document.querySelector('appkit-button')
    expect(button?.shadowRoot?.querySelector('button')?.textContent).toBe('Connect Wallet')
    expect([...(button?.attributes ?? [])].map(({ name }) => name).sort()).toEqual(['charsstart', 'class', 'size'])
    expect(createAppKit(options())).toBe(createAppKit(given))
  })
})
