//! What an account of the embedded wallet is used for, by libraries, by the views of the widget, in two tabs, and under something that covers it.

import type { Frame } from 'playwright-core'
import { type Hex, parseEther, verifyMessage } from 'viem'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected, disconnected, openAccount } from './pages/journey.ts'
import { addressOf, logIn } from './pages/login.ts'
import { pay } from './pages/payment.ts'
import { clickInFrame, still } from './pages/still.ts'
import { Swap } from './pages/swap.ts'
import { useWorld } from './use-world.ts'
import { coinOf } from './world/coins.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld({ wallet: 'localhost', mailPause: 1 })

/** Receiver of the demo page's transactions. */
const RECEIVER = '0x00000000000000000000000000000000000c0dE5'
const MESSAGE = 'Portico says hello.'

const button = (visit: Visit, name: string) => frameOf(visit.page).getByRole('button', { name, exact: true })
const fund = (own: Hex) => world.one.request('anvil_setBalance', [own, `0x${parseEther('5').toString(16)}`])

const requestOf = (method: string, params: unknown) =>
  `window.kit.getWalletProvider().request(${JSON.stringify({ method, params })})`

describe('the account of a login', () => {
  it.each(['viem', 'ethers'])('signs and pays through %s', async (library) => {
    const visit = await world.newcomer()
    const address = await logIn(visit, world.wallet, `${library}@example.org`)
    await visit.press(`${library}-sign`)
    await clickInFrame(button(visit, 'Approve'))
    const said = () => visit.fact('library-result')
    await expect.poll(said).toMatch(/^valid signature 0x/)
    const signature = (await said()).split(' ').at(-1) as Hex
    expect(await verifyMessage({ address, message: MESSAGE, signature })).toBe(true)

    await fund(address)
    const before = await world.one.balance(RECEIVER)
    await visit.press(`${library}-send`)
    await clickInFrame(button(visit, 'Approve'))
    await expect.poll(said).toMatch(/^sent 0x[0-9a-f]{64}$/)
    await expect.poll(async () => (await world.one.balance(RECEIVER)) - before).toBe(10n ** 16n)

    await visit.press(`${library}-sign`)
    await clickInFrame(button(visit, 'Decline'))
    await expect.poll(said).toMatch(/reject|denied|refus|abort/i)
  })

  it('is refused what the wallet does not do, in words that say so', async () => {
    const visit = await world.newcomer()
    const address = await logIn(visit, world.wallet, 'refused@example.org')
    const refusals = {
      wallet_sendCalls: "Batches of calls aren't set up in this wallet",
      wallet_grantPermissions: "Permissions aren't set up in this wallet",
      wallet_revokePermissions: "Permissions aren't set up in this wallet",
      eth_sendUserOperation: "Smart accounts aren't set up in this wallet"
    }
    const calls = [{ to: RECEIVER, value: '0x0' }]
    const params = [{ version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: false, calls }]
    for (const [method, message] of Object.entries(refusals)) {
      const told = visit.page.evaluate(
        `${requestOf(method, params)}.then(() => null, ({ code, message }) => ({ code, message }))`
      )
      expect(await told).toEqual({ code: 4200, message })
    }
    expect(await button(visit, 'Approve').count()).toBe(0)
  })

  it('spec_4_41_refuses_a_method_that_is_not_accepted_and_the_modal_says_so', async () => {
    const visit = await world.newcomer()
    const address = await logIn(visit, world.wallet, 'unaccepted@example.org')
    const message = visit.page.evaluate(
      `${requestOf('eth_sign', [address, '0x6869'])}.then(() => null, ({ message }) => message)`
    )
    await visit.modal.snacks('Action not allowed')
    await visit.modal.shown()
    expect(await message).toContain('not allowed')
  })

  it('receives, and swaps what it received', async () => {
    const visit = await world.newcomer()
    const address = await logIn(visit, world.wallet, 'swap@example.org')
    await openAccount(visit)
    await visit.modal.part('wallet-features-receive-button').click()
    await visit.modal.card.locator(`wui-qr-code[uri="${address}"] path`).first().waitFor()
    expect(await visit.modal.part('receive-address').textContent()).toBe(address)
    await visit.page.evaluate(() => window.kit?.close())
    await visit.modal.gone()

    await fund(address)
    await visit.page.reload()
    await connected(visit)
    const swap = new Swap(visit)
    await swap.open()
    await swap.choose('toToken', 'USDC')
    const quoted = await swap.quote('0.75', 6)
    await swap.review()
    await swap.action.click()
    const frame = frameOf(visit.page)
    await frame
      .getByRole('heading', { name: 'Swap' })
      .or(frame.getByRole('heading', { name: 'Call a contract' }))
      .waitFor()
    await clickInFrame(button(visit, 'Approve'))
    await visit.modal.confirmed()
    await visit.modal.says('Swapped')
    expect(await coinOf(world.one, 'usdc').balance(address)).toBe(quoted)
  })
})

it('a passkey is offered once the account holds coins, in a row that is dismissed once and for all', async () => {
  const visit = await world.newcomer()
  const address = await logIn(visit, world.wallet, 'offer@example.org')
  const offer = visit.modal.part('passkey-offer')
  await openAccount(visit)
  await visit.modal.part('disconnect-button').waitFor()
  expect(await offer.count()).toBe(0)
  await fund(address)
  await visit.page.reload()
  await connected(visit)
  await openAccount(visit)
  await visit.modal.part('passkey-offer-settings').click()
  await frameOf(visit.page).getByText('Wallet settings').waitFor()
  await clickInFrame(button(visit, 'Done'))
  await visit.modal.part('disconnect-button').waitFor()
  expect(await offer.count()).toBe(0)

  // The same in a browser whose visitor dismisses it.
  const other = await world.newcomer()
  await logIn(other, world.wallet, 'dismissed@example.org')
  await pay(other, world.one)
  await other.page.reload()
  await connected(other)
  await openAccount(other)
  const row = other.modal.part('passkey-offer')
  await row.waitFor()
  await other.modal.part('passkey-offer-dismiss').click()
  await row.waitFor({ state: 'detached' })
  await other.page.evaluate(() => window.kit?.close())
  await other.modal.gone()
  await pay(other, world.one)
  await openAccount(other)
  await other.modal.part('disconnect-button').waitFor()
  expect(await other.modal.part('passkey-offer').count()).toBe(0)
})

it('something that covers the approval keeps Approve disabled, and what uncovers it arms it after a second', async () => {
  const visit = await world.newcomer()
  const address = await logIn(visit, world.wallet, 'covered@example.org')
  const signature = visit.page.evaluate(requestOf('personal_sign', ['0x6869', address])) as Promise<Hex>
  const approve = button(visit, 'Approve')
  await approve.waitFor()
  await still(visit.page.locator('#w3m-iframe'))
  await expect.poll(() => approve.isEnabled()).toBe(true)
  // A layer that lets each click through, above the page's own dialog.
  await visit.page.evaluate(() => {
    const cover = document.createElement('div')
    cover.id = 'cover'
    cover.popover = 'manual'
    cover.style.cssText =
      'position:fixed;inset:0;width:100vw;height:100vh;border:0;background:rgb(0 128 0 / .9);pointer-events:none'
    document.body.append(cover)
    cover.showPopover()
  })
  await expect.poll(() => approve.isEnabled()).toBe(false)
  const box = await approve.boundingBox()
  if (!box) throw new Error('The button has no place')
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
  for (let click = 0; click < 3; click += 1) await visit.page.mouse.click(...middle)
  expect(await approve.isEnabled()).toBe(false)
  await visit.page.evaluate(() => document.querySelector('#cover')?.remove())
  await expect.poll(() => approve.isEnabled()).toBe(true)
  await visit.page.mouse.click(...middle)
  expect(await verifyMessage({ address, message: 'hi', signature: await signature })).toBe(true)
})

/** Frame of the wallet in the page. */
async function frameIn({ page }: Visit): Promise<Frame> {
  const find = () => page.frames().find((frame) => frame.url().startsWith(world.wallet))
  await expect.poll(find).toBeDefined()
  return find() as Frame
}

/** Ends the access token of this browser's session, as time does. */
async function expire(visit: Visit): Promise<void> {
  await (await frameIn(visit)).evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opened = indexedDB.open('portico-wallet')
        opened.onerror = () => reject(opened.error)
        opened.onsuccess = () => {
          const transaction = opened.result.transaction('records', 'readwrite')
          const store = transaction.objectStore('records')
          const read = store.get('session')
          read.onsuccess = () => store.put({ ...read.result, access: 'expired', accessExpires: 0 }, 'session')
          transaction.oncomplete = () => resolve()
        }
      })
  )
}

it('two tabs of one login sign with an access token that ended, renew it once, and both stay logged in', async () => {
  const visit = await world.newcomer()
  const address = await logIn(visit, world.wallet, 'tabs@example.org')
  const renewals: string[] = []
  visit.context.on('request', (request) => {
    if (request.url().endsWith('/wallet/v1/session/refresh')) renewals.push(request.url())
  })
  const second = await visit.context.newPage()
  await second.goto(visit.page.url())
  await expect.poll(() => second.evaluate(() => window.kit?.getAddress())).toBe(address)
  await expire(visit)
  const tabs = [visit.page, second]
  const signatures = tabs.map((page) => page.evaluate(requestOf('personal_sign', ['0x6869', address])) as Promise<Hex>)
  for (const page of tabs) {
    await page.bringToFront()
    await clickInFrame(frameOf(page).getByRole('button', { name: 'Approve', exact: true }))
  }
  for (const signature of await Promise.all(signatures))
    expect(await verifyMessage({ address, message: 'hi', signature })).toBe(true)
  expect(renewals).toHaveLength(1)
  for (const page of tabs) {
    await page.reload()
    await expect.poll(() => page.evaluate(() => window.kit?.getAddress())).toBe(address)
  }
  expect(await addressOf(visit)).toBe(address)
})

it('the demo links to the mails of the wallet that it is started with', async () => {
  const visit = await world.visit('/?login=demo&testkit=off&relays=off', { alone: true })
  const link = visit.page.getByRole('link', { name: 'this outbox' })
  const port = Number(new URL(visit.page.url()).port) + 2
  expect(await link.getAttribute('href')).toBe(`http://localhost:${port}/outbox`)
  // A wallet of the demo serves the mails at that path.
  const mails = await visit.context.newPage()
  expect((await mails.goto(`${world.wallet}/outbox`))?.status()).toBe(200)
  const other = await world.newcomer()
  await other.page.waitForLoadState()
  expect(await other.page.getByRole('link', { name: 'this outbox' }).count()).toBe(0)
})

/** Records of the wallet's frame that can be copied: all but its keys, which no script can export. Records that are given are put in. */
async function records(visit: Visit, given: readonly [string, unknown][] = []): Promise<[string, unknown][]> {
  return (await frameIn(visit)).evaluate(
    (given) =>
      new Promise((resolve, reject) => {
        const isKey = (value: unknown): boolean =>
          value instanceof CryptoKey || (value instanceof Object && Object.values(value).some(isKey))
        const opened = indexedDB.open('portico-wallet')
        opened.onerror = () => reject(opened.error)
        opened.onupgradeneeded = () => opened.result.createObjectStore('records')
        opened.onsuccess = () => {
          const transaction = opened.result.transaction('records', 'readwrite')
          const store = transaction.objectStore('records')
          for (const [key, value] of given) store.put(value, key)
          const [keys, values] = [store.getAllKeys(), store.getAll()]
          transaction.oncomplete = () => {
            const all = keys.result.map((key, index): [string, unknown] => [String(key), values.result[index]])
            resolve(all.filter(([, value]) => !isKey(value)))
          }
        }
      }),
    given as [string, unknown][]
  )
}

it('storage that is copied to another browser opens nothing there', async () => {
  const [own, other] = [await world.newcomer(), await world.newcomer()]
  const address = await logIn(own, world.wallet, 'copied@example.org')
  const copied = await records(own)
  expect(copied.map(([key]) => key)).toContain('session')
  const stored = await own.page.evaluate(() => ({ ...localStorage }))

  await other.page.evaluate((stored) => Object.assign(localStorage, stored), stored)
  await other.page.reload()
  await records(other, copied)
  const refused = other.page.waitForResponse(
    (response) => response.url().includes('/wallet/v1/') && response.status() === 401
  )
  await other.page.reload()
  await refused
  await disconnected(other)
  expect(await records(other).then((all) => all.map(([key]) => key))).not.toContain('session')

  await own.page.reload()
  await connected(own)
  expect(await addressOf(own)).toBe(address)
})
