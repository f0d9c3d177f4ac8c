import { devices } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connected, open } from './pages/journey.ts'
import { approve, ONE, signs, usePhones } from './pages/remote.ts'
import { useWorld } from './use-world.ts'
import type { Visit, VisitOptions } from './world/visit.ts'

const world = useWorld({ windows: true })
const phone = usePhones(world)

const { defaultBrowserType: _, ...ANDROID } = devices['Pixel 7']
/** Universal link of a wallet: it opens the wallet's app, or a web page if the app is not installed. */
const WALLET = 'https://wallet.example/app'

/** Visit on a phone, with a foreign server that has a page for every link. */
async function onPhone(options: VisitOptions = {}): Promise<Visit> {
  const visit = await world.visit(`/?phoneWallet=${encodeURIComponent(WALLET)}`, { ...ANDROID, ...options })
  await visit.context.route(`${WALLET}/**`, (route) => route.fulfill({ contentType: 'text/html', body: 'The wallet' }))
  return visit
}

const link = ({ modal }: Visit) =>
  modal.part('w3m-connecting-widget-secondary-button').and(modal.card.locator('[href]'))

/** Goes from a fresh page to the button that opens the wallet, and returns its link. */
async function offered(visit: Visit): Promise<string> {
  await open(visit)
  await visit.modal.wallet('phone').click()
  return (await link(visit).getAttribute('href')) ?? ''
}

/** Pairing URI in a link. */
const uriIn = (href: string) => new URL(href).searchParams.get('uri') ?? ''

/** Records for each opened window whether it was opened in the task of a tap; after that task some browsers block windows. */
function watchWindows(): void {
  const page = window as unknown as { inTap: boolean[] }
  const open = window.open.bind(window)
  let tapped = false
  page.inTap = []
  const begin = () => {
    tapped = true
    setTimeout(() => {
      tapped = false
    })
  }
  addEventListener('click', begin, true)
  window.open = (...args) => {
    page.inTap.push(tapped)
    return open(...args)
  }
}

describe('the browser of these tests', () => {
  it('opens no window that no gesture asked for', async () => {
    const before = () => Object.assign(window, { opened: window.open('about:blank') })
    const visit = await world.visit('/', { before })
    expect(await visit.page.evaluate(() => (window as unknown as { opened: unknown }).opened)).toBeNull()
    expect(visit.context.pages()).toHaveLength(1)
  })
})

describe('on a phone', () => {
  it('a tap opens one page with the code in it, and the wallet behind it connects', async () => {
    const [visit, wallet] = [await onPhone({ before: watchWindows }), await phone()]
    const opened: string[] = []
    const href = await offered(visit)
    visit.context.on('page', (page) => opened.push(page.url()))
    const [page] = await Promise.all([visit.context.waitForEvent('page'), link(visit).tap()])
    await page.waitForURL(`${WALLET}/wc**`)
    expect(page.url()).toBe(href)
    expect(await visit.page.evaluate(() => (window as unknown as { inTap: boolean[] }).inTap)).toEqual([true])
    const topic = await approve(wallet, uriIn(href), ONE)
    await connected(visit)
    expect(opened).toHaveLength(1)
    expect(new URL(visit.page.url()).origin).toBe(world.origin)

    // A request brings the wallet to the front.
    const [again] = await Promise.all([visit.context.waitForEvent('page'), signs(visit, wallet, topic)])
    expect(again.url()).toBe(`${WALLET}/wc?sessionTopic=${topic}`)
  })

  it('a page that was thrown away while the wallet was open is connected when it is back', async () => {
    const [visit, wallet] = [await onPhone(), await phone()]
    const href = await offered(visit)
    await Promise.all([visit.context.waitForEvent('page'), link(visit).tap()])
    await visit.page.goto('about:blank')
    await Promise.all([approve(wallet, uriIn(href), ONE), visit.page.goBack()])
    await connected(visit)
  })

  it('a page that was thrown away before a relay had its proposal sends it when it is back', async () => {
    const [visit, wallet] = [await onPhone({ alone: true }), await phone()]
    let reaches = false
    await visit.page.routeWebSocket(/\/relay/, (socket) => {
      if (reaches) socket.connectToServer()
    })
    await visit.page.reload()
    const href = await offered(visit)
    await Promise.all([visit.context.waitForEvent('page'), link(visit).tap()])
    await visit.page.goto('about:blank')
    reaches = true
    await Promise.all([approve(wallet, uriIn(href), ONE), visit.page.goBack()])
    await connected(visit)
  })

  it('inside Telegram the code is encoded twice, for one layer is taken away there', async () => {
    const visit = await onPhone({ before: () => Object.assign(window, { TelegramWebviewProxy: {} }) })
    const href = await offered(visit)
    expect(uriIn(href)).toMatch(/^wc%3A[0-9a-f]{64}%402%3F/)
    expect(decodeURIComponent(uriIn(href))).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  })
})
