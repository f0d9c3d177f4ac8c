//! Tests each dapp with each wallet after expiry: messages that the relay has dropped, and expired sessions.

import { toHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { PAIRS } from './sides/pairs.ts'
import type { Dapp, Wallet } from './sides/side.ts'
import { account, asked, CHAIN, granted } from './world/granted.ts'
import { type Passage, startPassage } from './world/passage.ts'
import { type Relay, startRelay } from './world/relay.ts'

const WEEK_MS = 7 * 86_400_000
/** Polling limits: WalletConnect's own clients check for expiry every five seconds. */
const LOOKS = { timeout: 20_000 }

let relay: Relay
let passage: Passage

beforeAll(async () => {
  relay = await startRelay()
  passage = await startPassage(relay.url)
})

afterAll(async () => {
  await passage?.stop()
  await relay?.stop()
})

describe.each(PAIRS)('%s', (_, startDapp, startWallet) => {
  let dapp: Dapp
  let wallet: Wallet
  let topic: string

  beforeEach(async () => {
    ;[dapp, wallet] = await Promise.all([startDapp(passage.url), startWallet(passage.url)])
    const { uri, session } = await dapp.offer(asked)
    await wallet.pair(uri)
    const { id } = await wallet.inbox.next('proposed')
    ;[topic] = await Promise.all([session, wallet.approve(id, granted(CHAIN))])
  })

  afterEach(async () => {
    vi.useRealTimers()
    await Promise.all([dapp?.stop(), wallet?.stop()])
  })

  const personalSign = (text: string) => dapp.request(topic, CHAIN, 'personal_sign', [toHex(text), account.address])

  it('a wallet that comes back when the relay has forgotten the request serves the next one', async () => {
    await wallet.offline()
    await passage.spoil(() => {
      // The request times out long after this test.
      personalSign('forgotten').catch(() => undefined)
    })
    await wallet.online()
    const answer = personalSign('in time')
    const { id, params } = await wallet.inbox.next('requested')
    expect(params).toEqual([toHex('in time'), account.address])
    await wallet.answer(topic, id, 'signed')
    expect(await answer).toBe('signed')
    expect(wallet.inbox.count('requested')).toBe(0)
  })

  it('a session that is over its time is over on both sides, and a request on it ends at once', async () => {
    // Our wallet lists the session once the dapp has confirmed it.
    await expect.poll(() => [dapp.topics(), wallet.topics()], LOOKS).toEqual([[topic], [topic]])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + WEEK_MS + 1000 })
    dapp.wake()
    wallet.wake()
    await expect.poll(() => [dapp.topics(), wallet.topics()], LOOKS).toEqual([[], []])
    await expect(personalSign('over')).rejects.toThrow()
  })
})
