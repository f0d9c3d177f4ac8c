import { afterEach, expect, it, vi } from 'vitest'
import { isAlone } from './alone.ts'

/** Fake lock manager that all pages of a site share. */
function site() {
  const held: { name: string }[] = [{ name: 'of something else' }]
  return {
    async request(name: string, { mode }: LockOptions, hold: () => Promise<void>) {
      expect(mode).toBe('shared')
      held.push({ name })
      return hold()
    },
    query: async () => ({ held })
  }
}

afterEach(() => vi.unstubAllGlobals())

it('is the first page of a site, and no other one after it', async () => {
  vi.stubGlobal('navigator', { locks: site() })
  expect(await isAlone()).toBe(true)
  expect(await isAlone()).toBe(false)
})

it('is no page where nobody can tell', async () => {
  vi.stubGlobal('navigator', {})
  expect(await isAlone()).toBe(false)
  const denied = () => Promise.reject(new Error('denied'))
  vi.stubGlobal('navigator', { locks: { ...site(), request: denied } })
  expect(await isAlone()).toBe(false)
  vi.stubGlobal('navigator', { locks: { ...site(), query: denied } })
  expect(await isAlone()).toBe(false)
})

it('waits a second for a lock that nobody grants, and holds it once it is granted', async () => {
  vi.useFakeTimers()
  const locks = site()
  let grant: () => void = () => undefined
  const granted = new Promise<void>((resolve) => {
    grant = resolve
  })
  const request: typeof locks.request = async (...asked) => {
    await granted
    return locks.request(...asked)
  }
  vi.stubGlobal('navigator', { locks: { ...locks, request } })
  const answer = isAlone()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await answer).toBe(false)
  grant()
  await vi.advanceTimersByTimeAsync(0)
  vi.stubGlobal('navigator', { locks })
  expect(await isAlone()).toBe(false)
  vi.useRealTimers()
})
