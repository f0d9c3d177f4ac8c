import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { AccountView } from './AccountView.tsx'
import { panels } from './panels.ts'

it('a tab whose file is on its way has a shape, and then its rows', async () => {
  draw(AccountView, 'Account.activity.ready')
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  expect(screen.queryByTestId('activity-item')).toBeNull()
  await act(() => panels.load('activity'))
  expect(screen.getAllByTestId('activity-item')).toHaveLength(10)
  expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
})

it.each(['pointerEnter', 'focus'] as const)('the file of a tab is fetched at %s, before the click', (way) => {
  const load = vi.spyOn(panels, 'load')
  draw(AccountView, 'Account.tokens.ready')
  expect(load).not.toHaveBeenCalled()
  fireEvent[way](screen.getByRole('tab', { name: 'NFTs' }))
  expect(load).toHaveBeenCalledWith('nfts')
  load.mockRestore()
})
