//! Measures what a login by e-mail and a signature keep a visitor waiting for: the widget and the frame in a browser, the server, its vault and
//! its mails.

import type { Page } from 'playwright-core'
import { frameOf } from '../pages/frame.ts'
import type { Visit } from '../world/visit.ts'
import { mailsOf } from '../world/wallet.ts'
import type { World } from '../world/world.ts'
import { SLOWDOWN } from './typing.ts'

/** Times of one visitor, in milliseconds. */
export interface LoginTimes {
  /** From the frame's element in the page to its ready message. */
  readonly frame: number
  /** From the press of the button to a code field with the focus, on a processor four times slower. */
  readonly field: number
  /** Part of `field` in which a response of the server was awaited. */
  readonly fieldServer: number
  /** From the last digit of the code to a connected account. */
  readonly entry: number
  /** Part of `entry` in which a response of the server was awaited. */
  readonly entryServer: number
  /** From the approval to the signature of a message, with a warm worker. */
  readonly signature: number
  /** Part of `signature` in which a response of the server was awaited: the vault allows each signature. */
  readonly signatureServer: number
}

/** Cooldown between two mails to an address, in milliseconds (spec 9.11). */
const COOLDOWN = 30_000
const PATIENCE = 30_000

type Marks = Record<string, number>
declare global {
  interface Window {
    marks: Marks
  }
}

/** Notes the times of what happens in the page and in the frame. Both have the same clock. */
function watch(): void {
  window.marks = {}
  const now = () => performance.timeOrigin + performance.now()
  const at = (event: Event) => performance.timeOrigin + event.timeStamp
  const mark = (name: string, time = now()) => {
    window.marks[name] ??= time
  }
  addEventListener('click', (event) => mark('clicked', at(event)), true)
  addEventListener('input', (event) => Object.assign(window.marks, { typed: at(event) }), true)
  addEventListener('message', ({ data }) => data?.type === '@w3m-frame/READY' && mark('ready'), true)
  const look = () => {
    const modal = document.querySelector('w3m-modal')
    if (document.getElementById('w3m-iframe')) mark('frame')
    const focused = modal?.shadowRoot?.activeElement
    if (focused?.getAttribute('data-testid') === 'otp-input') mark('field')
    if (window.kit?.getAccount()?.isConnected) mark('connected')
    requestAnimationFrame(look)
  }
  if (window === top) addEventListener('DOMContentLoaded', look)
}

const marksOf = (page: Page): Promise<Marks> => page.evaluate(() => window.marks)
const forget = (page: Page): Promise<void> => page.evaluate(() => Object.assign(window, { marks: {} }) && undefined)

/** Waits for the page, or for another program. */
async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + PATIENCE
  for (;;) {
    const found = await read()
    if (found !== undefined) return found
    if (Date.now() > end) throw new Error(`Waited too long for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const marked = (page: Page, name: string): Promise<number> => until(name, async () => (await marksOf(page))[name])

/** Text in the mails to an address, once there are more mails with it than before. */
async function mailed(wallet: string, to: string, form: RegExp, before = 0): Promise<string> {
  return until(`a mail to ${to}`, async () => {
    const texts = (await mailsOf(wallet))
      .filter((mail) => mail.to === to)
      .flatMap(({ text }) => form.exec(text)?.[0] ?? [])
    return texts.length > before ? texts[0] : undefined
  })
}

const LINK = /http:\/\/\S+\/approve\S+/
const CODE = /\b\d{3} ?\d{3}\b/

/** Time within `[from, to]` in which at least one of the requests was answered by nobody yet. */
function awaited(spans: readonly (readonly [number, number])[], from: number, to: number): number {
  let [sum, end] = [0, from]
  for (const [start, stop] of [...spans].sort(([one], [other]) => one - other)) {
    const begin = Math.max(start, end)
    const finish = Math.min(stop, to)
    if (finish > begin) sum += finish - begin
    end = Math.max(end, finish)
  }
  return sum
}

/** Visitors who approved their browser and logged out again: all of them at once, because each has to wait for the cooldown. */
export async function loginTimes(world: World, rounds: number): Promise<LoginTimes[]> {
  const { wallet } = world
  if (!wallet) throw new Error('The world has no embedded wallet')
  const visitors: { visit: Visit; email: string; frame: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const email = `visitor${round}@example.org`
    const visit = await world.visit(`/?login=${encodeURIComponent(wallet)}&testkit=off&relays=off`, {
      alone: true,
      before: watch
    })
    const frame = await enterFirst(visit, wallet, email)
    visitors.push({ visit, email, frame })
  }
  await new Promise((resolve) => setTimeout(resolve, COOLDOWN))
  const times: LoginTimes[] = []
  for (const { visit, email, frame } of visitors) {
    times.push({ frame, ...(await again(visit, wallet, email)) })
    await visit.close()
  }
  return times
}

async function askForMail(visit: Visit, email: string): Promise<void> {
  await visit.modal.connectButton.click()
  await visit.modal.part('email-input').fill(email)
}

async function enterFirst(visit: Visit, wallet: string, email: string): Promise<number> {
  const { page, modal } = visit
  await askForMail(visit, email)
  await modal.part('email-continue').click()
  await modal.part('device-number').waitFor()
  const frame = (await marked(page, 'ready')) - (await marked(page, 'frame'))
  const tab = await visit.context.newPage()
  await tab.goto(await mailed(wallet, email, LINK))
  await tab.getByRole('button', { name: 'Approve' }).click()
  await tab.getByRole('button', { name: 'Approve' }).waitFor({ state: 'detached' })
  await tab.close()
  await modal.part('otp-input').waitFor()
  await modal.part('otp-input').fill(await mailed(wallet, email, CODE))
  await marked(page, 'connected')
  await modal.gone()
  await page.evaluate(() => window.kit?.disconnect())
  await until('the end of the session', async () =>
    (await page.evaluate(() => window.kit?.getAccount()?.isConnected)) ? undefined : true
  )
  return frame
}

async function again(visit: Visit, wallet: string, email: string): Promise<Omit<LoginTimes, 'frame'>> {
  const { page, modal, context } = visit
  const spans: (readonly [number, number])[] = []
  page.on('requestfinished', (request) => {
    const { startTime, responseEnd } = request.timing()
    spans.push([startTime, startTime + responseEnd])
  })
  const before = (await mailsOf(wallet)).filter(({ to, text }) => to === email && CODE.test(text)).length
  await askForMail(visit, email)
  await forget(page)
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await modal.part('email-continue').click()
  const field = await marked(page, 'field')
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  const { clicked = 0 } = await marksOf(page)

  const code = await mailed(wallet, email, CODE, before)
  await forget(page)
  await modal.part('otp-input').pressSequentially(code.replace(' ', ''))
  const connected = await marked(page, 'connected')
  const { typed = 0 } = await marksOf(page)
  await modal.gone()
  // The first signature warms the worker.
  await sign(page)
  const { approved, signed } = await sign(page)
  return {
    field: field - clicked,
    fieldServer: awaited(spans, clicked, field),
    entry: connected - typed,
    entryServer: awaited(spans, typed, connected),
    signature: signed - approved,
    signatureServer: awaited(spans, approved, signed)
  }
}

async function sign(page: Page): Promise<{ approved: number; signed: number }> {
  const signing = page.evaluate(`(async () => {
    const provider = window.kit.getWalletProvider()
    await provider.request({ method: 'personal_sign', params: ['0x68656c6c6f', window.kit.getAddress()] })
    return performance.timeOrigin + performance.now()
  })()`) as Promise<number>
  const frame = page.frames().find((frame) => frame !== page.mainFrame())
  if (!frame) throw new Error('The page has no frame')
  await frame.evaluate(() => Object.assign(window, { marks: {} }))
  await frameOf(page).getByRole('button', { name: 'Approve' }).click()
  const signed = await signing
  const { clicked: approved = 0 } = await frame.evaluate(() => window.marks)
  return { approved, signed }
}
