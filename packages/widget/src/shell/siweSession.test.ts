// @vitest-environment happy-dom

import { afterEach, beforeEach, expect, describe as group, it, vi } from 'vitest'
import type { CoreEvent } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import { askSite } from './signIn.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const subject = { chainId: 'eip155:1', accountAddress: ADDRESS }
const session = { ...subject, data: subject, message: 'text', signature: '0x12' }
const FIVE_MINUTES = 300_000
const LOST = [{ feature: 'account', event: { type: 'pageShown' } }]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A page whose visitor signed in. `site.session` is the one that the site has. */
async function signedIn(own: object = {}) {
  const site = { session: { address: ADDRESS, chainId: 1 } as object | null, connected: true }
  const getSession = vi.fn(async () => site.session)
  const signOut = vi.fn(async () => true)
  const siweConfig = {
    getNonce: async () => '12345678',
    createMessage: () => 'text',
    verifyMessage: async () => true,
    signOut,
    getSession,
    ...own
  }
  const options = { projectId: 'abc', networks: [{}], siweConfig } as unknown as CreateAppKit
  const told: CoreEvent[] = []
  const page = {
    store: { get: () => ({ account: { accounts: [{ isConnected: site.connected, address: ADDRESS }] } }) as never },
    dispatch: (event: CoreEvent) => void told.push(event)
  }
  const ask = (call: 'getSessions' | 'addSession' | 'revokeSession') => askSite(options, page, call, session)
  await ask('addSession')
  getSession.mockClear()
  return { site, told, ask, getSession, signOut }
}

group('the session of a siweConfig', () => {
  it('is asked for every five minutes, or as often as the host says', async () => {
    for (const [own, pause] of [
      [{}, FIVE_MINUTES],
      [{ sessionRefetchIntervalMs: 20_000 }, 20_000],
      [{ sessionRefetchIntervalMs: 0 }, FIVE_MINUTES],
      [{ sessionRefetchIntervalMs: 'often' }, FIVE_MINUTES]
    ] as const) {
      const { getSession, told, ask } = await signedIn(own)
      await vi.advanceTimersByTimeAsync(pause - 1)
      expect(getSession).not.toHaveBeenCalled()
      await vi.advanceTimersByTimeAsync(1)
      expect(getSession).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(2 * pause)
      expect([getSession.mock.calls.length, told]).toEqual([3, []])
      await ask('revokeSession')
    }
  })

  it('spec_4_25_that_ended_is_told_to_the_core_which_asks_the_site_itself', async () => {
    const { site, told } = await signedIn()
    site.session = null
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    expect(told).toEqual(LOST)
  })

  it('goes on where the site cannot tell', async () => {
    const { getSession, told } = await signedIn()
    getSession.mockRejectedValueOnce(new Error('down'))
    await vi.advanceTimersByTimeAsync(2 * FIVE_MINUTES)
    expect([getSession.mock.calls.length, told]).toEqual([2, []])
  })

  it('is not asked for from a page in the background, and then when that is in front again', async () => {
    const { site, getSession, told } = await signedIn()
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
    site.session = null
    await vi.advanceTimersByTimeAsync(2 * FIVE_MINUTES)
    expect([getSession.mock.calls.length, told]).toEqual([0, []])
    hidden.mockReturnValue(false)
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    expect(told).toEqual(LOST)
  })

  it('is not asked for any more once it is known to have ended, or the wallet is gone', async () => {
    for (const end of [
      async ({ site, ask }: Awaited<ReturnType<typeof signedIn>>) => {
        site.session = null
        await ask('getSessions')
      },
      ({ ask }: Awaited<ReturnType<typeof signedIn>>) => ask('revokeSession'),
      ({ site }: Awaited<ReturnType<typeof signedIn>>) => {
        site.connected = false
      }
    ]) {
      const signed = await signedIn()
      await end(signed)
      signed.getSession.mockClear()
      await vi.advanceTimersByTimeAsync(3 * FIVE_MINUTES)
      expect([signed.getSession.mock.calls.length, signed.told]).toEqual([0, []])
    }
  })

  it('is asked for again once the wallet is back', async () => {
    const { site, getSession } = await signedIn()
    site.connected = false
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    site.connected = true
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    expect(getSession).toHaveBeenCalledTimes(1)
  })

  it('of an account that signs in meanwhile is not ended by a late answer about the one before', async () => {
    const { site, told, ask, getSession, signOut } = await signedIn()
    site.session = { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 1 }
    let answer = (_: object | null) => {}
    getSession.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    await ask('addSession')
    answer(site.session)
    await vi.advanceTimersByTimeAsync(1)
    expect([signOut.mock.calls, told]).toEqual([[], []])
  })

  it('that a late answer finds ended, while the visitor signed in again, is not told', async () => {
    const { getSession, told, ask } = await signedIn()
    let answer = (_: null) => {}
    getSession.mockReturnValueOnce(
      new Promise((resolve) => {
        answer = resolve
      })
    )
    await vi.advanceTimersByTimeAsync(FIVE_MINUTES)
    await ask('addSession')
    answer(null)
    await vi.advanceTimersByTimeAsync(1)
    expect(told).toEqual([])
  })

  it('of a siwx is not asked for by the clock', async () => {
    const getSessions = vi.fn(async () => [{}])
    const options = { projectId: 'abc', networks: [{}], siwx: { getSessions } } as unknown as CreateAppKit
    await askSite(options, { store: { get: () => ({}) as never }, dispatch() {} }, 'getSessions', session)
    await vi.advanceTimersByTimeAsync(3 * FIVE_MINUTES)
    expect(getSessions).toHaveBeenCalledTimes(1)
  })
})
