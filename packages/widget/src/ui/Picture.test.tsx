import { fireEvent, render } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { coins, marks, networks } from '../generated/marks.ts'
import * as predefined from '../networks.ts'
import { Medal } from './Moves.tsx'
import { Picture } from './Picture.tsx'

const drawnIn = (container: HTMLElement) => ({
  image: container.querySelector('img')?.getAttribute('src'),
  ground: container.querySelector('svg path')?.getAttribute('fill'),
  initial: container.querySelector('.letter')?.textContent
})

it('a network and a coin without a picture are drawn by their marks', async () => {
  const { container, rerender } = render(<Picture name="Polygon" of={{ network: 'eip155:137' }} />)
  await vi.waitFor(() => expect(drawnIn(container).ground).toBe(marks.polygon[0]))
  rerender(<Picture name="ETH" of={{ coin: 'ETH' }} />)
  expect(drawnIn(container)).toEqual({ image: undefined, ground: marks.ether[0], initial: undefined })
})

it('a given picture wins over the mark, which takes its place if it fails to load', async () => {
  const { container } = render(<Picture src="/mine.png" name="Ethereum" of={{ network: 'eip155:1' }} />)
  expect(drawnIn(container)).toEqual({ image: '/mine.png', ground: undefined, initial: undefined })
  const image = container.querySelector('img')
  if (image) fireEvent.error(image)
  await vi.waitFor(() => expect(drawnIn(container).ground).toBe(marks.ether[0]))
})

it('a coin that we know has its own mark and not the picture of its network, and any other has the given picture', async () => {
  const { container, rerender } = render(<Picture src="/rollup.png" name="ETH" of={{ coin: 'ETH' }} />)
  await vi.waitFor(() => expect(drawnIn(container)).toMatchObject({ image: undefined, ground: marks.ether[0] }))
  rerender(<Picture src="/rollup.png" name="XYZ" of={{ coin: 'XYZ' }} />)
  expect(drawnIn(container)).toEqual({ image: '/rollup.png', ground: undefined, initial: undefined })
})

it('a network of Solana that is not listed has the mark of Solana', async () => {
  const { container } = render(<Picture name="Solana" of={{ network: 'solana:AaBbCc' }} />)
  await vi.waitFor(() => expect(drawnIn(container).ground).toBe(marks.solana[0]))
})

it('an unknown network keeps its initial, and a token has no mark, whatever its symbol', async () => {
  const { container, rerender } = render(<Picture name="Another" of={{ network: 'eip155:987654' }} />)
  await vi.waitFor(() => expect(drawnIn(container).initial).toBe('A'))
  rerender(<Picture name="ETH" />)
  expect(drawnIn(container)).toEqual({ image: undefined, ground: undefined, initial: 'E' })
})

it('a transfer of a coin without a picture has the mark of the coin, and one of a token of its symbol has none', async () => {
  const coin = {
    sign: '-',
    amount: '1.000',
    exact: '1',
    name: 'ETH',
    picture: null,
    nft: false,
    count: null,
    atMost: false
  }
  const move = { ...coin, address: null, contract: null, mark: null } as const
  const { container, rerender } = render(<Medal icon="send" moves={[move]} />)
  await vi.waitFor(() => expect(drawnIn(container).ground).toBe(marks.ether[0]))
  rerender(<Medal icon="send" moves={[{ ...move, contract: '0x1' }]} />)
  expect(drawnIn(container).initial).toBe('E')
})

it('each list of the sprite names marks of the sprite, and the predefined networks have one', () => {
  for (const name of Object.keys({ ...networks, ...coins })) expect(marks).toHaveProperty(name)
  const known = Object.values(networks).flatMap((ids) => ids.split(' '))
  expect(new Set(known).size).toBe(known.length)
  const ids = Object.values(predefined).flatMap((one) => ('caipNetworkId' in one ? [one.caipNetworkId] : []))
  expect(ids.filter((id) => !known.includes(id))).toEqual([])
})
