import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { Lazy, Part } from './lazy.tsx'

const There = () => <p>There</p>
const Skeleton = () => <p role="status">On its way</p>

/** Lazy file that loads only once `way.open` is set. */
function drawn() {
  const way = { open: false }
  const file = vi.fn(async () => {
    if (!way.open) throw new TypeError('Failed to fetch dynamically imported module')
    return There
  })
  const lazy = new Lazy<string>(() => file)
  const view = () => <Part of={lazy} name="view" skeleton={Skeleton} />
  return { way, file, lazy, view }
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByRole('button', { name })))

it('a file that does not come is told in words, and asked for again by a press', async () => {
  const { way, file, view } = drawn()
  draw(view, 'Networks.list')
  expect(screen.getByText('On its way')).toBeTruthy()
  await act(async () => {})
  expect(screen.getByRole('alert').textContent).toContain("Couldn't load this view")
  expect(screen.queryByRole('button', { name: 'Reload the page' })).toBeNull()
  way.open = true
  await press('Try again')
  expect(file).toHaveBeenCalledTimes(2)
  expect(screen.getByText('There')).toBeTruthy()
})

it('where it does not come again either, the page can be loaded anew', async () => {
  const { view } = drawn()
  draw(view, 'Networks.list')
  await act(async () => {})
  await press('Try again')
  expect(screen.getByRole('button', { name: 'Reload the page' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try again' }).getAttribute('aria-busy')).toBeNull()
})

it('coming again asks anew, behind the skeleton', async () => {
  const { way, file, view } = drawn()
  draw(view, 'Networks.list')
  await act(async () => {})
  cleanup()
  way.open = true
  draw(view, 'Networks.list')
  expect(screen.getByText('On its way')).toBeTruthy()
  await act(async () => {})
  expect(file).toHaveBeenCalledTimes(2)
  expect(screen.getByText('There')).toBeTruthy()
})

it('a file that was fetched ahead in vain is no failure before somebody waits for it', async () => {
  const { way, lazy, view } = drawn()
  await lazy.load('view')
  expect(lazy.failures('view')).toBe(0)
  way.open = true
  draw(view, 'Networks.list')
  await act(async () => {})
  expect(screen.getByText('There')).toBeTruthy()
})
