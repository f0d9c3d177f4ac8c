import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { AllWalletsView } from './AllWalletsView.tsx'

const { getByRole, getByTestId, getByText, queryByRole, queryByTestId } = screen
const more = { feature: 'connect', event: { type: 'moreWalletsAsked' } }

/** Callback of the fake IntersectionObserver on the end of the list. */
let sight: (entries: { isIntersecting: boolean }[]) => void

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(tell: typeof sight) {
        sight = tell
      }
      observe() {}
      disconnect() {}
    }
  )
})

it.each(['AllWallets.loading', 'AllWallets.searching'])(
  '%s: the shape of the list stands and a reader is told',
  (name) => {
    draw(AllWalletsView, name)
    expect(getByRole('status', { name: 'Loading wallets' })).toBeTruthy()
    expect(queryByTestId('wallet-list')).toBeNull()
  }
)

it('what fits what is typed stands while the server is asked', () => {
  draw(AllWalletsView, 'AllWallets.narrowed')
  expect(getByTestId('wallet-list').textContent).toContain('MetaMask')
  expect(queryByRole('status', { name: 'Loading wallets' })).toBeNull()
})

it('a list that did not come says so and can be asked for again', () => {
  const { said } = draw(AllWalletsView, 'AllWallets.error')
  expect(getByText("Couldn't load wallets")).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(said).toEqual([more])
})

it('where nothing is found it says what to do', () => {
  draw(AllWalletsView, 'AllWallets.none')
  expect(getByTestId('no-wallet-found-text').textContent).toBe('No wallets found. Try another name.')
  expect(queryByRole('list')).toBeNull()
})

it('what is typed is told to the core', () => {
  const { said } = draw(AllWalletsView, 'AllWallets.ready')
  fireEvent.change(getByRole('searchbox', { name: 'Search wallets' }), { target: { value: 'rain' } })
  expect(said).toEqual([{ feature: 'connect', event: { type: 'walletSearchTyped', text: 'rain' } }])
})

it('a wallet is a button called by its name', () => {
  const { said } = draw(AllWalletsView, 'AllWallets.ready')
  fireEvent.click(getByRole('button', { name: 'Phantom' }))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'walletChosen', connector: 'app.phantom' } }])
})

it('the next page is asked for when the end comes into sight, or by a button', () => {
  const { said } = draw(AllWalletsView, 'AllWallets.ready')
  sight([{ isIntersecting: false }])
  expect(said).toEqual([])
  sight([{ isIntersecting: true }])
  fireEvent.click(getByRole('button', { name: 'Show more' }))
  expect(said).toEqual([more, more])
})

it('while the next page comes it is not asked for again', () => {
  const picture = pictureOf('AllWallets.ready')
  const { said } = draw(AllWalletsView, {
    ...picture,
    directory: picture.directory && { ...picture.directory, phase: 'more' }
  })
  fireEvent.click(getByRole('button', { name: 'Loading' }))
  expect(said).toEqual([])
})

it('it speaks Arabic as well', () => {
  draw(AllWalletsView, 'AllWallets.none', arabic)
  expect(getByTestId('no-wallet-found-text').textContent).toMatch(/^لم يُعثر على محفظة/)
})

it('arrows go through the wallets from the search and back to it', () => {
  draw(AllWalletsView, 'AllWallets.ready')
  const search = screen.getByTestId('wui-input-text')
  const cells = screen.getAllByRole('button').filter((button) => button.matches('.cell'))
  // The test's browser computes no layout: cells get four to a row.
  for (const [index, cell] of cells.entries()) {
    Object.defineProperty(cell, 'offsetTop', { value: Math.floor(index / 4) * 88 })
  }
  const press = (element: Element | undefined, key: string) => element && fireEvent.keyDown(element, { key })
  const focused = () => cells.indexOf(document.activeElement as HTMLElement)
  search.focus()
  press(search, 'ArrowRight')
  expect(document.activeElement).toBe(search)
  press(search, 'ArrowDown')
  expect(focused()).toBe(0)
  press(cells[0], 'ArrowRight')
  expect(focused()).toBe(1)
  press(cells[1], 'ArrowDown')
  expect(focused()).toBe(5)
  press(cells[5], 'End')
  expect(focused()).toBe(cells.length - 1)
  press(cells.at(-1), 'ArrowDown')
  expect(focused()).toBe(cells.length - 1)
  press(cells.at(-1), 'Home')
  press(cells[0], 'ArrowUp')
  expect(document.activeElement).toBe(search)
})

it('a button clears the search and gives the field the focus', () => {
  const { said } = draw(AllWalletsView, 'AllWallets.narrowed')
  fireEvent.click(getByRole('button', { name: 'Clear' }))
  expect(said).toEqual([{ feature: 'connect', event: { type: 'walletSearchTyped', text: '' } }])
  expect(document.activeElement).toBe(getByRole('searchbox'))
})

it('there is nothing to clear where nothing is typed', () => {
  draw(AllWalletsView, 'AllWallets.ready')
  expect(queryByRole('button', { name: 'Clear' })).toBeNull()
})
