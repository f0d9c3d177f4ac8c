//! Tests of reloads, late reconnections, and expired sessions and requests.

import { toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dappOf, Ours, ourDapp, ourWallet, walletOf } from './sides/ours.ts'
import type { Dapp, Wallet } from './sides/side.ts'
import { signClient, walletKit } from './sides/theirs.ts'
import { account, asked, CHAIN, granted } from './world/granted.ts'
import { type Relay, startRelay } from './world/relay.ts'

const WEEK = 7 * 86_400
/** Time in seconds that exceeds the default lifetime of a request. */
const TOO_LATE = 301

let relay: Relay
const sides: { stop(): Promise<void> }[] = []

beforeAll(async () => {
  relay = await startRelay()
})

afterAll(async () => {
  await Promise.all(sides.map((side) => side.stop()))
  await relay?.stop()
})

function stopped<Side extends { stop(): Promise<void> }>(side: Side): Side {
  sides.push(side)
  return side
}

async function connect(dapp: Dapp, wallet: Wallet): Promise<string> {
  const { uri, session } = await dapp.offer(asked)
  await wallet.pair(uri)
  const { id } = await wallet.inbox.next('proposed')
  const [topic] = await Promise.all([session, wallet.approve(id, granted(CHAIN))])
  return topic
}

const personalSign = (dapp: Dapp, topic: string, text: string) =>
  dapp.request(topic, CHAIN, 'personal_sign', [toHex(text), account.address])

async function expectSigned(dapp: Dapp, wallet: Wallet, topic: string, text: string): Promise<void> {
  const answer = personalSign(dapp, topic, text)
  const { id } = await wallet.inbox.next('requested')
  await wallet.answer(topic, id, `signed ${text}`)
  expect(await answer).toBe(`signed ${text}`)
}

describe.each([
  ['our wallet', ourWallet],
  ['WalletKit', walletKit]
] as const)('our dapp with %s', (_, startWallet) => {
  it('is refused with 8000 when the wallet does not come back in time, and a late answer disturbs nothing', async () => {
    const dapp = stopped(await ourDapp(relay.url))
    const wallet = stopped(await startWallet(relay.url))
    const topic = await connect(dapp, wallet)
    await wallet.offline()
    const answer = personalSign(dapp, topic, 'too late')
    const refused = expect(answer).rejects.toMatchObject({ code: 8000 })
    dapp.ours.later(TOO_LATE)
    await refused
    dapp.ours.later(-TOO_LATE)
    await wallet.online()
    const { id } = await wallet.inbox.next('requested')
    await wallet.answer(topic, id, 'late')
    await expectSigned(dapp, wallet, topic, 'in time')
  })

  it('takes its sessions up again after a reload', async () => {
    const first = await ourDapp(relay.url)
    const wallet = stopped(await startWallet(relay.url))
    const topic = await connect(first, wallet)
    await first.stop()
    const second = stopped(dappOf(await Ours.dapp('Our dapp', { relays: [relay.url], records: first.ours.records })))
    expect(second.topics()).toEqual([topic])
    await expectSigned(second, wallet, topic, 'after a reload')
  })

  it('forgets a session that is over its time', async () => {
    const dapp = stopped(await ourDapp(relay.url))
    const wallet = stopped(await startWallet(relay.url))
    const topic = await connect(dapp, wallet)
    const expired = new Promise((resolve) => dapp.ours.client.on('expired', (event) => resolve(event.topic)))
    dapp.ours.later(WEEK + 1)
    expect(await expired).toBe(topic)
    expect(dapp.topics()).toEqual([])
    await expect(personalSign(dapp, topic, 'over')).rejects.toMatchObject({ code: expect.any(Number) })
  })
})

describe.each([
  ['our dapp', (url: string) => ourDapp(url) as Promise<Dapp>],
  ['sign-client', signClient]
] as const)('our wallet with %s', (_, startDapp) => {
  it('takes back from its user what is over its time', async () => {
    const dapp = stopped(await startDapp(relay.url))
    const wallet = stopped(await ourWallet(relay.url))
    const topic = await connect(dapp, wallet)
    personalSign(dapp, topic, 'too late').catch(() => undefined)
    const { id } = await wallet.inbox.next('requested')
    const expired = new Promise((resolve) => wallet.ours.client.on('requestExpired', (event) => resolve(event.id)))
    wallet.ours.later(TOO_LATE)
    expect(await expired).toBe(id)
    expect(wallet.ours.client.requests).toEqual([])
    await expect(wallet.answer(topic, id, 'late')).rejects.toMatchObject({ code: expect.any(Number) })
    wallet.ours.later(-TOO_LATE)
    await expectSigned(dapp, wallet, topic, 'in time')
  })

  it('still has the request that it was asked before a reload', async () => {
    const dapp = stopped(await startDapp(relay.url))
    const first = await ourWallet(relay.url)
    const topic = await connect(dapp, first)
    const answer = personalSign(dapp, topic, 'hold on')
    const { id } = await first.inbox.next('requested')
    await first.stop()
    const second = stopped(
      walletOf(await Ours.wallet('Our wallet', { relays: [relay.url], records: first.ours.records }))
    )
    expect(second.ours.client.requests.map((request) => request.id)).toEqual([id])
    await second.answer(topic, id, 'held')
    expect(await answer).toBe('held')
  })
})

describe('an offer on two relays at once', () => {
  it('is answered on the relay that the wallet uses, whichever it is, and the session stays there', async () => {
    const other = await startRelay()
    try {
      for (const used of [relay, other]) {
        const dapp = stopped(await ourDapp(relay.url, other.url))
        const wallet = stopped(await ourWallet(used.url))
        const topic = await connect(dapp, wallet)
        expect(dapp.ours.client.sessions.map(({ relayUrl }) => relayUrl)).toEqual([used.url])
        await expectSigned(dapp, wallet, topic, 'on one of two')
      }
    } finally {
      await other.stop()
    }
  })

  it('comes through when one of the relays is away', async () => {
    const other = await startRelay()
    await other.stop()
    const dapp = stopped(await ourDapp(other.url, relay.url))
    const wallet = stopped(await ourWallet(relay.url))
    await expectSigned(dapp, wallet, await connect(dapp, wallet), 'on the other')
  })
})
