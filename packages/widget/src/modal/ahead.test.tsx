//! Files that are fetched before they are needed.

import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { NotedShell, pictureOf } from '../testing/draw.tsx'
import { mountModal } from './mount.tsx'
import { views } from './views.ts'

let leave = () => {}

afterEach(() => {
  act(() => leave())
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('the account is fetched while a wallet takes its time, and not while one answers at once', () => {
  vi.useFakeTimers()
  const load = vi.spyOn(views, 'load').mockResolvedValue()
  const host = document.createElement('w3m-modal')
  const shadow = host.attachShadow({ mode: 'open' })
  const dialog = document.createElement('dialog')
  shadow.append(dialog)
  document.body.replaceChildren(host)
  const waiting = pictureOf('ConnectingExternal.waiting')
  const shell = new NotedShell(waiting)
  act(() => {
    leave = mountModal({ host, shadow, dialog }, shell)
  })
  vi.advanceTimersByTime(100)
  shell.tell({ modal: { ...waiting.modal, open: false } })
  vi.advanceTimersByTime(1_000)
  expect(load.mock.calls).toEqual([])
  shell.tell({ modal: waiting.modal })
  vi.advanceTimersByTime(1_000)
  expect(load.mock.calls).toEqual([['Account']])
})
