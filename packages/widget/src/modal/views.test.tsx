import { act, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { loadView, useView } from './views.ts'

function Networks() {
  const View = useView('Networks')
  return <View />
}

it('a view whose file is on its way has a shape, and then is there', async () => {
  draw(Networks, 'Networks.list')
  expect(screen.getByRole('status', { name: 'Loading' })).toBeTruthy()
  await act(() => loadView('Networks'))
  expect(screen.getByText('Anvil Two')).toBeTruthy()
})
