import type { WebSocketRoute } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connected, disconnected, open } from './pages/journey.ts'
import { approve, ask, code, codeOf, ONE, paired, signs, usePhones } from './pages/remote.ts'
import { account } from './peers/world/granted.ts'
import { type Relay, startRelay } from './peers/world/relay.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()
const phone = usePhones(world)

/** Relay in a server of its own, which can be stopped without the page's server. */
let relay: Relay
beforeAll(async () => {
  relay = await startRelay('demo')
})
afterAll(() => relay.stop())

/** Visit of a page that uses that relay. */
const overRelay = () => world.visit(`/?relays=${encodeURIComponent(relay.url)}`, { bypassCSP: true })

describe('a relay that refuses', () => {
  it('is asked again when the visitor tries again', async () => {
    const [visit, wallet] = [await world.visit('/', { alone: true }), await phone()]
    let refuses = true
    await visit.page.routeWebSocket(/\/relay/, (socket: WebSocketRoute) => {
      if (refuses) socket.close({ code: 3000, reason: 'Project not found' })
      else socket.connectToServer()
    })
    await visit.page.reload()
    await open(visit)
    await visit.modal.wallet('walletconnect').click()
    await visit.modal.says("This site can't use WalletConnect yet")
    refuses = false
    await visit.modal.tryAgain.click()
    await code(visit).waitFor()
    await approve(wallet, await codeOf(visit), ONE)
    await connected(visit)
  })
})

describe('a relay that is killed in the middle of a session', () => {
  it('loses nothing: what was asked meanwhile is answered when it is back', async () => {
    const [visit, wallet] = [await overRelay(), await phone(relay.url)]
    const topic = await paired(visit, wallet, ONE)
    expect(await signs(visit, wallet, topic)).toBe(ONE)
    await relay.kill()
    const answer = ask(visit, 'personal_sign', ['0x68656c6c6f', account.address])
    await relay.start()
    const { id } = await wallet.inbox.next('requested')
    await wallet.answer(topic, id, '0xlate')
    expect(await answer).toBe('0xlate')
    await connected(visit)
    expect(wallet.topics()).toEqual([topic])
  })
})

describe('a page without a network', () => {
  it('hears afterwards what the wallet said meanwhile', async () => {
    const [visit, wallet] = [await overRelay(), await phone(relay.url)]
    const topic = await paired(visit, wallet, ONE)
    await visit.context.setOffline(true)
    const answer = ask(visit, 'personal_sign', ['0x68656c6c6f', account.address])
    await visit.context.setOffline(false)
    const { id } = await wallet.inbox.next('requested')
    await visit.context.setOffline(true)
    await wallet.answer(topic, id, '0xmeanwhile')
    await visit.context.setOffline(false)
    expect(await answer).toBe('0xmeanwhile')
  })

  it('is told then that the wallet ended the session', async () => {
    const [visit, wallet] = [await overRelay(), await phone(relay.url)]
    const topic = await paired(visit, wallet, ONE)
    await visit.context.setOffline(true)
    await wallet.delete(topic)
    expect(await visit.fact('account-status')).toBe('connected')
    await visit.context.setOffline(false)
    await disconnected(visit)
  })

  it('finds the relay again that was started anew meanwhile', async () => {
    const [visit, wallet] = [await overRelay(), await phone(relay.url)]
    const topic = await paired(visit, wallet, ONE)
    await visit.context.setOffline(true)
    await relay.kill()
    await relay.start()
    await visit.context.setOffline(false)
    expect(await signs(visit, wallet, topic)).toBe(ONE)
  })
})
