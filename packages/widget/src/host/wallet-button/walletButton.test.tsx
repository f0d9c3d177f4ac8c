//! The wallet button: one wallet, without the list.

// @vitest-environment happy-dom

import { act, createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, it, vi } from 'vitest'
import { AppKitWalletButton, useAppKitWallet, type WalletHook } from '../../wallet-button-react.ts'
import { setCurrent } from '../current.ts'
import { freshPage, kitOf, ONE } from '../test-page.ts'
import { createAppKitWalletButton } from './walletButton.ts'

const page = freshPage()
const OWN = { name: 'Own Wallet', rdns: 'test.own' }

it('connects the named wallet without the list, and is ready only while none is connected', async () => {
  page.wallet(OWN)
  const kit = kitOf()
  const button = createAppKitWalletButton()
  const told: boolean[] = []
  button.subscribeIsReady(({ isReady }) => told.push(isReady))
  expect(button.isReady()).toBe(true)
  const account = await button.connect('own')
  expect(account).toEqual({ address: kit.getAddress(), chainId: ONE.id, chainNamespace: 'eip155' })
  expect(kit.isOpen()).toBe(false)
  expect(button.isReady()).toBe(false)
  await kit.disconnect()
  expect(told).toEqual([false, true])
})

it('a wallet that is nowhere is refused, and without a modal the call says what is missing', async () => {
  setCurrent(undefined)
  await expect(createAppKitWalletButton().connect('own')).rejects.toMatchObject({ reason: 'noModal' })
  kitOf()
  await expect(createAppKitWalletButton().connect('nowhere')).rejects.toMatchObject({ reason: 'connectorNotFound' })
})

it('the element shows the wallet by its name and picture, connects it, and waits while one is connected', async () => {
  page.wallet(OWN)
  const kit = kitOf()
  const element = document.createElement('appkit-wallet-button')
  element.setAttribute('wallet', 'own-wallet')
  document.body.append(element)
  const inner = () => element.shadowRoot?.querySelector('button') as HTMLButtonElement
  expect(inner().textContent).toBe('Own Wallet')
  expect(inner().querySelector('img')?.src).toMatch(/^data:image/)
  inner().click()
  await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
  expect(inner().disabled).toBe(true)
  await kit.disconnect()
  expect(inner().disabled).toBe(false)
})

const onError = vi.fn()
const onSuccess = vi.fn()
let hook: WalletHook | undefined

function Probe() {
  hook = useAppKitWallet({ onError, onSuccess })
  return createElement(AppKitWalletButton, { wallet: 'own', className: 'mine' })
}

it('the hook tells the account, or why there is none', async () => {
  page.wallet(OWN)
  kitOf()
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  await act(async () => root.render(createElement(StrictMode, null, createElement(Probe))))
  expect(place.querySelector('appkit-wallet-button')?.className).toBe('mine')
  expect(hook).toMatchObject({ isReady: true, isPending: false })
  await act(() => hook?.connect('nowhere') as Promise<void>)
  expect(hook).toMatchObject({ isError: true, error: { reason: 'connectorNotFound' }, data: undefined })
  expect(onError).toHaveBeenCalledTimes(1)
  await act(() => hook?.connect('own') as Promise<void>)
  expect(hook).toMatchObject({ isSuccess: true, isError: false, isReady: false, data: { chainNamespace: 'eip155' } })
  expect(onSuccess).toHaveBeenCalledTimes(1)
  await act(async () => root.unmount())
})
