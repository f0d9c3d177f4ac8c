import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useSettled } from './settled.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const typing = () => renderHook(({ text }) => useSettled(text, text ? 'wrong' : null), { initialProps: { text: '' } })

it('a fault does not show while the visitor types, and shows after a pause', () => {
  const { result, rerender } = typing()
  for (const text of ['a', 'al', 'ali']) {
    rerender({ text })
    act(() => vi.advanceTimersByTime(600))
    expect(result.current[0]).toBeNull()
  }
  act(() => vi.advanceTimersByTime(100))
  expect(result.current[0]).toBe('wrong')
  rerender({ text: 'alic' })
  expect(result.current[0]).toBeNull()
})

it('a fault shows at once when the visitor leaves the field', () => {
  const { result, rerender } = typing()
  rerender({ text: 'a' })
  act(() => result.current[1]())
  expect(result.current[0]).toBe('wrong')
})
