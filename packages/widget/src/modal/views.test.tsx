import { act, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { draw, pictureOf, states } from '../testing/draw.tsx'
import { Part } from '../ui/lazy.tsx'
import { LoadingView } from './LoadingView.tsx'
import { built, drawnAs, loadNext, loadView, reach, views } from './views.ts'

it('each view has a snapshot in crates/gen/src/snapshots.rs', () => {
  const drawn = new Set(states().map((name) => drawnAs(pictureOf(name))))
  expect(built.filter((view) => !drawn.has(view))).toEqual([])
})

const Networks = () => <Part of={views} name="Networks" skeleton={LoadingView} />

it('a view whose file is on its way has a shape, and then is there', async () => {
  draw(Networks, 'Networks.list')
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  await act(() => loadView('Networks'))
  expect(screen.getByText('Anvil Two')).toBeTruthy()
})

const Downloads = () => <Part of={views} name="Downloads" skeleton={LoadingView} />

it('the view that a button leads to is fetched while the pointer or the focus is on it', async () => {
  const button = document.createElement('button')
  const inner = button.appendChild(document.createElement('span'))
  document.body.append(button)
  for (const sign of ['pointerover', 'focusin']) button.addEventListener(sign, reach)
  // A button without `data-ahead` fetches nothing.
  inner.dispatchEvent(new Event('pointerover', { bubbles: true }))
  button.dataset.ahead = 'Downloads'
  inner.dispatchEvent(new Event('focusin', { bubbles: true }))
  await vi.dynamicImportSettled()
  draw(Downloads, 'Downloads.desktop')
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
  button.remove()
})

it.each([
  ['WalletSend', 'send'],
  ['SolanaSend', 'solana'],
  ['BitcoinSend', 'bitcoin'],
  ['Swap', 'swap'],
  ['OnRampProviders', 'onramp'],
  ['Networks', undefined],
  [undefined, undefined]
])('with %s the part of the core behind it is fetched, and no other: %s', (view, part) => {
  const button = document.createElement('button')
  if (view) button.dataset.ahead = view
  const fetched: string[] = []
  button.addEventListener('pointerover', (event) => reach(event, (part) => fetched.push(part)))
  const load = vi.spyOn(views, 'load').mockResolvedValue()
  button.dispatchEvent(new Event('pointerover'))
  expect(load.mock.calls).toEqual(view ? [[view]] : [])
  expect(fetched).toEqual(part ? [part] : [])
  load.mockRestore()
})

it('the files of what a host may have switched off are not fetched while the account is looked at', async () => {
  const load = vi.spyOn(views, 'load')
  loadNext('Account')
  const fetched = load.mock.calls.map(([view]) => view)
  load.mockRestore()
  await vi.dynamicImportSettled()
  expect(fetched).toEqual(['Networks'])
  for (const view of ['WalletSend', 'Swap', 'WalletReceive', 'OnRampProviders', 'Transactions'] as const) {
    expect(views.get(view), view).toBeUndefined()
  }
})
