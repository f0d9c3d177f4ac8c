//! Settings of the wallet for tests: drawn with defaults, clicked as by a visitor.

import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { FrameUiEvent, SettingsView as Shown } from '../generated/frame.ts'
import { Secrets } from '../secrets.ts'
import { SettingsView } from '../settings/SettingsView.tsx'
import { speak } from '../text/words.ts'

export const recovery = { id: 'r', kind: 'recovery', created: 1, mark: null } as const
export const kit = { id: 'k', kind: 'kit', created: 1, mark: '0102' } as const
export const passkey = { id: 'p', kind: 'passkey', created: 1, mark: null } as const
export const password = { id: 'w', kind: 'password', created: 1, mark: null } as const
export const device = (id: string, current: boolean) =>
  ({ id, label: `Browser ${id}`, host: 'h', place: '203.0.113.x', approved: 1, used: 2, current }) as const

/** Events of the settings in this test, the first one first. */
export const told: FrameUiEvent[] = []
export let secrets: Secrets

beforeEach(() => {
  told.length = 0
  secrets = new Secrets()
})
afterEach(async () => {
  await speak('en')
  cleanup()
  vi.unstubAllGlobals()
})

/** Draws the settings; the function that it returns draws others in their place. */
export function show(shown: Partial<Shown>): (shown: Partial<Shown>) => void {
  const { rerender } = render(drawn(shown))
  return (shown) => rerender(drawn(shown))
}

function drawn(shown: Partial<Shown>): ReactElement {
  const settings: Shown = {
    page: 'overview',
    act: null,
    number: null,
    email: 'a@example.org',
    ways: [recovery],
    logins: [{ id: 'email', provider: 'email', name: 'a@example.org' }],
    services: [],
    chosen: null,
    newEmail: null,
    url: null,
    code: null,
    rest: 0,
    devices: [device('here', true), device('there', false)],
    frozen: false,
    held: false,
    strict: false,
    blocked: false,
    fault: null,
    confirmed: false,
    busy: false,
    armed: true,
    ...shown
  }
  return (
    <SettingsView
      settings={settings}
      host="https://shop.example.org"
      secrets={secrets}
      dispatch={(event) => told.push(event)}
    />
  )
}

export function press(name: string, type = 'click', isTrusted = true): void {
  const event = new MouseEvent(type, { bubbles: true })
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  fireEvent(screen.getByRole('button', { name }), event)
}

export const has = (name: string) => screen.queryByRole('button', { name }) !== null
