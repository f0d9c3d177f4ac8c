import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Long } from './Long.tsx'

type Seen = (near: boolean, height: number) => void

let blocks = new Map<Element, Seen>()

beforeEach(() => {
  blocks = new Map()
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly tell: IntersectionObserverCallback
      element?: Element

      constructor(tell: IntersectionObserverCallback) {
        this.tell = tell
      }

      observe(element: Element) {
        this.element = element
        blocks.set(element, (isIntersecting, height) => {
          const entry = { isIntersecting, boundingClientRect: { height } } as IntersectionObserverEntry
          act(() => this.tell([entry], this as unknown as IntersectionObserver))
        })
      }

      disconnect() {
        if (this.element) blocks.delete(this.element)
      }
    }
  )
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

function Numbers({ count }: { count: number }) {
  return <Long items={numbers(count)} keyOf={String} row={(number) => <a href={`#${number}`}>{number}</a>} />
}

const rows = () => screen.getAllByRole('listitem').map((row) => Number(row.textContent))

const block = (index: number) => [...blocks].at(index) as [HTMLElement, Seen]

it('a list that fits is drawn whole and follows nothing', () => {
  render(<Numbers count={20} />)
  expect([rows().length, blocks.size]).toEqual([20, 0])
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBeNull()
})

it('of thousands of rows those that are near are drawn, and each says its place among all', () => {
  render(<Numbers count={2_000} />)
  expect([rows(), blocks.size]).toEqual([numbers(20), 100])
  block(-1)[1](true, 1_272)
  const last = screen.getAllByRole('listitem').at(-1)
  expect([last?.textContent, last?.getAttribute('aria-posinset'), last?.getAttribute('aria-setsize')]).toEqual([
    '1999',
    '2000',
    '2000'
  ])
})

it('what leaves keeps its height, so that nothing jumps', () => {
  render(<Numbers count={100} />)
  const [element, seen] = block(1)
  expect(element.style.height).toBe('1272px')
  seen(true, 1_272)
  expect(element.style.height).toBe('')
  seen(false, 1_500)
  expect([element.style.height, rows().length]).toEqual(['1500px', 20])
})

it('a row that has the focus stays', () => {
  render(<Numbers count={100} />)
  const [element, seen] = block(0)
  element.querySelector('a')?.focus()
  seen(false, 1_272)
  expect(rows()).toHaveLength(20)
  element.querySelector('a')?.blur()
  seen(false, 1_272)
  expect(screen.queryAllByRole('listitem')).toHaveLength(0)
})

it('a list that grows goes on below', () => {
  const { rerender } = render(<Numbers count={20} />)
  rerender(<Numbers count={50} />)
  expect([rows().length, blocks.size]).toEqual([20, 3])
})

it('of what a search found the top is drawn, and each row says its place among all; another search begins there again', () => {
  const found = (from: number) => (
    <Long items={numbers(40).map((number) => from + number)} keyOf={String} row={(number) => number} found={2_000} />
  )
  const { rerender } = render(found(0))
  expect(rows()).toEqual(numbers(10))
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('2000')
  block(1)[1](true, 632)
  rerender(found(0))
  expect(rows()).toEqual(numbers(20))
  rerender(found(100))
  expect(rows()).toEqual(numbers(10).map((number) => 100 + number))
})
