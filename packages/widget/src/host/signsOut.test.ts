//! Pages whose site could not be told of the end of a session.

// @vitest-environment happy-dom

import { describe, expect, it, vi } from 'vitest'
import { Engine } from './engine.ts'
import { freshPage, kitOf } from './test-page.ts'

freshPage()

const siwx = {
  createMessage: vi.fn(),
  addSession: vi.fn(),
  setSessions: vi.fn(),
  getSessions: vi.fn(async () => []),
  revokeSession: vi.fn()
}

describe('a page after one that could not end a session', () => {
  const store = () => localStorage.setItem('@portico/sign_out/eip155:1:0xab', '1 eip155:1:0xab')

  it('starts the core at load, which tells the site', async () => {
    store()
    const load = vi.spyOn(Engine.prototype, 'load')
    const kit = kitOf({ siwx: siwx as never })
    expect(load).toHaveBeenCalledOnce()
    await vi.waitFor(() => expect(kit.engine.calls).toBeDefined())
    expect(kit.getIsConnectedState()).toBe(false)
  })

  it.each([
    ['has no sign-in', store, {}],
    ['owes nothing', () => undefined, { siwx: siwx as never }]
  ])('that %s starts nothing', (_, prepare, options) => {
    prepare()
    const load = vi.spyOn(Engine.prototype, 'load')
    kitOf(options)
    expect(load).not.toHaveBeenCalled()
  })
})
