//! Hooks for several wallets, with the real core and two wallets in the page.

import { act, cleanup, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type ChainNamespace, type ConnectionOptions, useAppKitConnection, useAppKitConnections } from '../react.ts'
import { setCurrent } from './current.ts'
import { type AppKit, freshPage, kitOf, network, WALLET } from './test-page.ts'

const OTHER = 'test.portico.other'
const FIRST = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const SECOND = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const multiWallet = { features: { multiWallet: true } }
const page = freshPage()

beforeEach(() => {
  cleanup()
  setCurrent(undefined)
})

function useBoth(options: ConnectionOptions = {}) {
  return { all: useAppKitConnections(options.namespace), ...useAppKitConnection(options) }
}

/** Connects a wallet, and waits until it is stored: a part of the core that does it loads with the first connection. */
async function use(kit: AppKit, connectorId: string) {
  await act(() => kit.connect({ connectorId }))
  await vi.waitFor(() => expect(localStorage.getItem('@portico/used_connections')).toContain(connectorId))
}

/** A page with both wallets; the first is used, then the second. */
async function afterTwoWallets(options: ConnectionOptions = {}) {
  const wallets = [page.wallet(), page.wallet({ name: 'Other', rdns: OTHER })] as const
  const kit = kitOf(multiWallet)
  const { result, rerender } = renderHook(() => useBoth(options))
  await use(kit, WALLET)
  await use(kit, OTHER)
  return { kit, wallets, result, rerender }
}

const names = (connections: readonly { name: string }[]) => connections.map(({ name }) => name)

/** Reads with the hook until the core has loaded what a former page stored. */
async function loaded(kit: AppKit) {
  await act(() => kit.preload())
  await act(() => vi.waitFor(() => expect(kit.engine.calls).toBeDefined()))
}

describe('useAppKitConnections', () => {
  it('tells the connected wallet, and the one before it as a recent one, in the fields of AppKit', async () => {
    const { kit, result } = await afterTwoWallets()
    const account = { address: FIRST, type: 'eoa', publicKey: undefined }
    const { connections, recentConnections } = result.current.all
    expect(connections).toEqual([
      {
        namespace: 'eip155',
        name: 'Other',
        icon: expect.stringMatching(/^data:image/),
        networkIcon: undefined,
        accounts: expect.arrayContaining([account]),
        caipNetwork: kit.getCaipNetwork(),
        connectorId: OTHER,
        auth: undefined
      }
    ])
    expect(recentConnections).toEqual([
      {
        ...connections[0],
        name: 'Demo Wallet',
        icon: expect.stringMatching(/^data:image/),
        connectorId: WALLET,
        accounts: expect.arrayContaining([account])
      }
    ])
    expect(result.current.connection).toEqual(connections[0])
  })

  it('tells the picture of the network, and no network that the page does not configure', async () => {
    page.wallet()
    const image = 'https://page.example/one.svg'
    const kit = kitOf({ ...multiWallet, chainImages: { 31337: image } })
    const { result } = renderHook(() => useAppKitConnections())
    await use(kit, WALLET)
    expect(result.current.connections[0]).toMatchObject({ networkIcon: image, caipNetwork: { id: 31337 } })
    await act(() => kit.disconnect())
    expect(result.current.recentConnections[0]).toMatchObject({ networkIcon: image, caipNetwork: { id: 31337 } })
    setCurrent(undefined)
    const other = kitOf({ ...multiWallet, networks: [network(5, 'Five')] })
    const { result: later } = renderHook(() => useAppKitConnections())
    await loaded(other)
    await vi.waitFor(() => expect(later.current.recentConnections).toHaveLength(1))
    expect(later.current.recentConnections[0]).toMatchObject({ networkIcon: undefined, caipNetwork: undefined })
  })

  it('tells those of one namespace, and none of another', async () => {
    const { result } = await afterTwoWallets({ namespace: 'solana' as ChainNamespace })
    expect(result.current.all).toMatchObject({ connections: [], recentConnections: [] })
    expect(result.current.connection).toBeUndefined()
  })

  it('loads the wallets of an earlier visit, and asks none of them', async () => {
    const { kit, wallets } = await afterTwoWallets()
    await act(() => kit.disconnect())
    cleanup()
    setCurrent(undefined)
    const asked = wallets.map(({ controls }) => controls.requests.length)
    const later = kitOf(multiWallet)
    const { result } = renderHook(() => useAppKitConnections())
    await vi.waitFor(() => expect(names(result.current.recentConnections)).toEqual(['Other', 'Demo Wallet']))
    expect(result.current.connections).toEqual([])
    expect(later.getIsConnectedState()).toBe(false)
    expect(wallets.map(({ controls }) => controls.requests.length)).toEqual(asked)
  })

  it('loads nothing for a visitor who never used a wallet', async () => {
    const kit = kitOf(multiWallet)
    renderHook(() => useAppKitConnections())
    await Promise.resolve()
    expect(page.fetch).not.toHaveBeenCalled()
    expect(kit.engine.idle).toBe(true)
  })

  it('is empty with an alert, and stores no address, while multiWallet is off', async () => {
    page.wallet()
    const kit = kitOf()
    const { result } = renderHook(() => useBoth())
    await act(() => kit.connect({ connectorId: WALLET }))
    expect(result.current.all).toMatchObject({ connections: [], recentConnections: [] })
    expect(result.current.connection).toBeUndefined()
    await vi.waitFor(() => expect(kit.reportedAlertErrors).toEqual({ invalidOptions: true }))
    expect(localStorage.getItem('@portico/used_connections')).toBeNull()
  })
})

describe('useAppKitConnection', () => {
  it('switches back to a wallet that was used before, and says so', async () => {
    const onSuccess = vi.fn()
    const { kit, result } = await afterTwoWallets({ onSuccess })
    const [connection] = result.current.all.recentConnections
    if (!connection) throw new Error('There is no recent connection')
    await act(() => result.current.switchConnection({ connection }))
    expect(onSuccess.mock.calls).toEqual([
      [
        {
          address: FIRST,
          namespace: 'eip155',
          hasSwitchedAccount: false,
          hasSwitchedWallet: true,
          hasDeletedWallet: false
        }
      ]
    ])
    expect(kit.getWalletInfo()?.name).toBe('Demo Wallet')
    expect(result.current.connection?.connectorId).toBe(WALLET)
    expect(names(result.current.all.recentConnections)).toEqual(['Other'])
  })

  it('switches to another account of the connected wallet, without a request to it', async () => {
    const onSuccess = vi.fn()
    const { kit, wallets, result } = await afterTwoWallets({ onSuccess })
    act(() => wallets[1].controls.emit('accountsChanged', [FIRST, SECOND]))
    const { connection } = result.current
    if (!connection) throw new Error('There is no connection')
    expect(connection.accounts.map(({ address }) => address)).toContain(SECOND)
    const asked = () => wallets[1].controls.requests.filter(({ method }) => method === 'eth_requestAccounts').length
    const before = asked()
    await act(() => result.current.switchConnection({ connection, address: SECOND.toLowerCase() }))
    expect(onSuccess).toHaveBeenCalledWith(
      expect.objectContaining({ address: SECOND, hasSwitchedAccount: true, hasSwitchedWallet: false })
    )
    expect(kit.getAddress()).toBe(SECOND)
    expect(result.current.connection?.accounts[0]?.address).toBe(SECOND)
    expect(asked()).toBe(before)
    // The one in use already is no switch.
    await act(() => result.current.switchConnection({ connection, address: SECOND }))
    expect(onSuccess).toHaveBeenLastCalledWith(
      expect.objectContaining({ hasSwitchedAccount: false, hasSwitchedWallet: false })
    )
  })

  it('is pending until the wallet answers, and reports a refusal', async () => {
    const onError = vi.fn()
    const { kit, wallets, result } = await afterTwoWallets({ onError })
    const [connection] = result.current.all.recentConnections
    if (!connection) throw new Error('There is no recent connection')
    wallets[0].controls.revoke()
    wallets[0].controls.setApproval('dialog')
    let switched: Promise<void> | undefined
    act(() => {
      switched = result.current.switchConnection({ connection })
    })
    expect(result.current.isPending).toBe(true)
    await vi.waitFor(() => expect(wallets[0].controls.pending).toHaveLength(1))
    await act(async () => {
      wallets[0].controls.refuse()
      await switched
    })
    expect(result.current.isPending).toBe(false)
    expect(onError.mock.calls).toMatchObject([[{ reason: 'userRejected' }]])
    expect(kit.getWalletInfo()?.name).toBe('Other')
  })

  it('deletes an account of a recent wallet, and the wallet with its last one', async () => {
    const onSuccess = vi.fn()
    const { result } = await afterTwoWallets({ onSuccess })
    const [connection] = result.current.all.recentConnections
    for (const { address } of connection?.accounts ?? [])
      await act(() => result.current.deleteConnection({ address, connectorId: WALLET }))
    const told = onSuccess.mock.calls.map(([{ hasDeletedWallet }]) => hasDeletedWallet)
    expect(told.at(-1)).toBe(true)
    expect(told.slice(0, -1)).not.toContain(true)
    expect(result.current.all.recentConnections).toEqual([])
    expect(localStorage.getItem('@portico/used_connections')).not.toContain(WALLET)
  })

  it('reports a connected or unknown account, another account, and nonsense', async () => {
    const onError = vi.fn()
    const { kit, result } = await afterTwoWallets({ onError })
    const { connection, switchConnection, deleteConnection } = result.current
    if (!connection) throw new Error('There is no connection')
    await act(() => deleteConnection({ address: FIRST, connectorId: OTHER }))
    await act(() => deleteConnection({ address: 'nonsense', connectorId: WALLET }))
    await act(() => switchConnection({ connection, address: '0x0000000000000000000000000000000000000001' }))
    await act(() => switchConnection({ connection: { connectorId: 'gone', namespace: 'eip155' } }))
    await act(() => switchConnection({} as never))
    await act(() => switchConnection(null as never))
    await act(() => deleteConnection(null as never))
    expect(onError.mock.calls.map(([{ reason }]) => reason)).toEqual([
      'connectionNotFound',
      'connectionNotFound',
      'accountNotFound',
      'connectorNotFound',
      'invalidArgument',
      'invalidArgument',
      'invalidArgument'
    ])
    expect(kit.getWalletInfo()?.name).toBe('Other')
    expect(result.current.isPending).toBe(false)
  })

  it('rejects without onError, and keeps its functions between renders', async () => {
    const { result, rerender } = await afterTwoWallets()
    const { switchConnection, deleteConnection } = result.current
    rerender()
    expect(result.current.switchConnection).toBe(switchConnection)
    expect(result.current.deleteConnection).toBe(deleteConnection)
    await expect(deleteConnection({ address: FIRST, connectorId: OTHER })).rejects.toMatchObject({
      reason: 'connectionNotFound'
    })
    expect(result.current).toMatchObject({ connection: { name: 'Other' }, isPending: false })
  })

  it('says that multiWallet is off', async () => {
    const onError = vi.fn()
    page.wallet()
    const kit = kitOf()
    const { result } = renderHook(() => useAppKitConnection({ onError }))
    await loaded(kit)
    await act(() => result.current.switchConnection({ connection: { connectorId: WALLET, namespace: 'eip155' } }))
    await act(() => result.current.deleteConnection({ connectorId: WALLET, address: FIRST }))
    expect(onError.mock.calls.map(([{ reason }]) => reason)).toEqual(['featureOff', 'featureOff'])
    expect(kit.getIsConnectedState()).toBe(false)
  })
})
