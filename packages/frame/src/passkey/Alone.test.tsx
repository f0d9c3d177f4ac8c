import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { en } from '../text/en.ts'
import { Alone } from './Alone.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('the window of a passkey answers the frame that opened it alone, and closes', async () => {
  const opener = { postMessage: vi.fn() }
  const close = vi.spyOn(window, 'close').mockImplementation(() => {})
  render(<Alone opener={opener as unknown as Window} />)
  expect(opener.postMessage).toHaveBeenCalledWith({ type: 'ready' }, location.origin)
  const button = screen.getByRole('button', { name: en.settings.goOn })
  const wish = { type: 'wish', wish: { type: 'get', challenge: 'AAAA', passkeys: [] } }
  const hear = (source: unknown, origin: string) =>
    act(() => {
      window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data: wish }))
    })
  hear({}, location.origin)
  hear(opener, 'https://evil.example')
  expect(button.hasAttribute('disabled')).toBe(true)
  hear(opener, location.origin)
  expect(button.hasAttribute('disabled')).toBe(false)
  fireEvent.click(button)
  // This browser has no passkeys.
  await waitFor(() => expect(close).toHaveBeenCalledOnce())
  expect(opener.postMessage).toHaveBeenLastCalledWith(
    { type: 'answer', answer: { fault: expect.stringContaining("wasn't used") } },
    location.origin
  )
})
