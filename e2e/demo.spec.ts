//! The demo's shop, and where its links lead.

import { expect, it } from 'vitest'
import { ACCOUNT, connect, openAccount } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld({ windows: true })

const withExplorer = () => `/?explorer=${encodeURIComponent(world.explorer)}`

it('a visitor without a wallet connects one and mints a print, finds it among the NFTs, and follows the link to its transaction', async () => {
  const visit = await world.visit(withExplorer())
  await visit.press('mint-orbit')
  await visit.modal.ready()
  await visit.modal.wallet().click()
  // The wallet shortens addresses as the widget does.
  await visit.wallet.asks('connect').getByText('0xf3…b92266', { exact: true }).waitFor()
  await visit.wallet.approve('connect')
  await visit.wallet.approve('send')
  const link = visit.page.getByTestId('minted-orbit').getByRole('link')
  await link.waitFor()
  // The page has the balance read again, and the button shows that the fee is paid.
  await expect.poll(() => visit.modal.accountButton.locator('.balance').textContent()).toMatch(/^9,999\./)
  const [opened] = await Promise.all([visit.context.waitForEvent('page'), link.click()])
  await opened.getByText('Confirmed').waitFor()
  expect(await opened.title()).toBe('Transaction | Anvil One explorer')
  await opened.getByText('Orbit #').waitFor()
  await opened.getByText('Minted', { exact: true }).first().waitFor()
  const copy = opened.getByRole('button', { name: 'Copy' }).first()
  await copy.click()
  await opened.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  expect(await copy.locator('svg:visible path').getAttribute('d')).toBe('m4.5 10.5 3.7 3.7 7.3-8.4')
  await openAccount(visit)
  await visit.modal.card.getByRole('tab', { name: 'NFTs' }).click()
  await visit.modal.says('Orbit')
  const minted = visit.modal.card.getByRole('button').filter({ hasText: 'Orbit' })
  await minted.locator('img[src^="data:image/webp"]').waitFor()
})

it.each([
  // On a network of its own, where a wallet of the Wallet Standard is not asked to connect and sign at once.
  ['solana', 'solana:demo solana wallet', '&solana=11111111111111111111111111111111'],
  ['bip122', 'bitcoin:demo bitcoin wallet', '&bitcoin=mainnet'],
  ['polkadot', 'polkadot:demo polkadot wallet', '&polkadot=polkadot'],
  ['eip155', undefined, '']
])('the button to sign in signs in with the connected wallet of %s, and out again', async (namespace, wallet, more) => {
  const visit = await world.visit(`/?relays=off&siwx=optional${more}`, { alone: true })
  const says = (words: string) => visit.page.getByTestId('signed-in').getByText(words).waitFor()
  await visit.press('sign-in')
  await visit.modal.ready()
  await visit.modal.wallet(wallet).click()
  await visit.wallet.approve('connect')
  // The sign-in is optional, and the visitor puts it off.
  await visit.modal.part('w3m-connecting-siwe-cancel').click()
  await visit.modal.gone()
  await says('Sign in with your wallet to see your orders.')
  await visit.press('sign-in')
  await visit.modal.part('w3m-connecting-siwe-sign').and(visit.page.locator(':not([aria-busy])')).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
  await says("You're signed in. You have no orders yet.")
  const stored = () => visit.page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))
  expect((await stored()).map(({ data }: { data: { chainId: string } }) => data.chainId.split(':')[0])).toEqual([
    namespace
  ])
  await visit.press('sign-out')
  await says('Sign in with your wallet to see your orders.')
  expect(await stored()).toEqual([])
})

it.each([320, 360, 390])('at %i the buttons of a row of prints stand at one height', async (width) => {
  const visit = await world.visit('/', { viewport: { width, height: 700 } })
  await visit.page.getByTestId('mint-fern').waitFor()
  const tops = await visit.page.evaluate(() => {
    const top = (selector: string) => (one: Element) =>
      Math.round(one.querySelector(selector)?.getBoundingClientRect().top ?? 0)
    const prints = [...document.querySelectorAll('.print')]
    return { art: prints.map(top('.art')), mint: prints.map(top('.mint')) }
  })
  expect(tops.mint).toHaveLength(6)
  for (const [at, art] of tops.art.entries()) expect(tops.mint[at]).toBe(tops.mint[tops.art.indexOf(art)])
  expect(new Set(tops.mint).size).toBe(3)
})

it('the account button shows the address whole, and is as wide as what it shows', async () => {
  const visit = await world.visit('/')
  await connect(visit)
  await visit.page.getByTestId('account-button').getByText('ETH').waitFor()
  const faults: string[] = []
  for (const width of [320, 340, 360, 375, 390, 430, 480, 500, 520, 530, 540, 560, 580, 600, 620, 640, 700, 800]) {
    await visit.page.setViewportSize({ width, height: 700 })
    const found = await visit.page.evaluate(async () => {
      const frame = () => new Promise(requestAnimationFrame)
      await frame()
      await frame()
      const shadow = document.querySelector('appkit-button')?.shadowRoot
      const button = shadow?.querySelector('button')
      const name = shadow?.querySelector<HTMLElement>('[dir=auto]')
      if (!button || !name) return ['nothing is drawn']
      const { left, right, bottom } = button.getBoundingClientRect()
      const shown = [...button.querySelectorAll<Element>('svg,[dir]')]
        .map((part) => part.getBoundingClientRect())
        .filter((part) => part.width > 0 && part.top < bottom)
      const air = [
        Math.min(...shown.map((part) => part.left)) - left,
        right - Math.max(...shown.map((part) => part.right))
      ]
      const cut = name.scrollWidth > name.clientWidth ? [`cut to ${name.clientWidth}`] : []
      return Math.max(...air) > 20 ? [...cut, `air of ${air}`] : cut
    })
    faults.push(...found.map((fault) => `${width}: ${fault}`))
  }
  expect(faults).toEqual([])
})

it('a visitor who closed the modal and connects later is asked for nothing else', async () => {
  const visit = await world.visit(withExplorer())
  await visit.press('mint-orbit')
  await visit.modal.ready()
  await visit.modal.close()
  await connect(visit)
  await visit.press('mint-fern')
  await visit.wallet.refuse('send')
  expect(
    await visit.control(({ requests }) => requests.filter(({ method }) => method === 'eth_sendTransaction').length)
  ).toBe(1)
})

it('a visitor who refuses is told so, and may mint again', async () => {
  const visit = await world.comeBack(withExplorer())
  await visit.press('mint-fern')
  await visit.wallet.refuse('send')
  await visit.page.getByTestId('minted-fern').getByText('You declined in your wallet. Nothing was minted.').waitFor()
  expect(await visit.page.getByTestId('mint-fern').isEnabled()).toBe(true)
})

it('a mint that fails says so in words for its visitor', async () => {
  const visit = await world.visit(`${withExplorer()}&wallet=throws@eth_sendTransaction`)
  await connect(visit)
  await visit.press('mint-orbit')
  await visit.page.getByTestId('minted-orbit').getByText("Couldn't mint. Try again.", { exact: true }).waitFor()
})

it('the heading of the panel for developers turns its switch, and a button names the theme that it brings', async () => {
  const visit = await world.visit('/?theme=light')
  for (const shown of ['false', 'true']) {
    await visit.page.getByText('For developers', { exact: true }).click()
    await expect.poll(() => visit.page.getByTestId('developers').getAttribute('aria-checked')).toBe(shown)
  }
  const theme = visit.page.getByTestId('theme')
  expect(await theme.textContent()).toBe('Dark theme')
  await theme.click()
  await visit.page.getByRole('button', { name: 'Light theme', exact: true }).waitFor()
  expect(await theme.getAttribute('aria-pressed')).toBeNull()
})

it.each(['/gallery.html', '/'])('%s is not wider than a phone', async (path) => {
  const page = await world.browser.newPage({ viewport: { width: 390, height: 800 } })
  await page.goto(`${world.origin}${path}`)
  await page
    .locator(path === '/' ? '.print' : '.cases iframe')
    .first()
    .waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.context().close()
})

it('a link of the activity leads to a page about the transaction', async () => {
  const visit = await world.comeBack(withExplorer())
  await openAccount(visit)
  await visit.modal.card.getByRole('tab', { name: 'Activity' }).click()
  await visit.modal.card.getByTestId('activity-item').getByRole('button').first().click()
  const link = visit.modal.card.getByRole('link', { name: 'View on explorer' })
  await link.waitFor()
  const [opened] = await Promise.all([visit.context.waitForEvent('page'), link.click()])
  await opened.getByRole('heading', { name: 'Transaction', exact: true }).waitFor()
  expect(
    await opened.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  ).toContain(`/address/${ACCOUNT}`)
})

it('the panels for developers are behind a switch, which is kept for the tab', async () => {
  const visit = await world.visit()
  const panels = visit.page.getByTestId('account-status')
  await panels.waitFor()
  await visit.press('developers')
  expect(await panels.count()).toBe(0)
  const shown = await visit.page.evaluate(() => sessionStorage.getItem('demo.developers'))
  expect(shown).toBe('off')
})

it.each([320, 390])('the header is one row in a window of %i px, before and after connecting', async (width) => {
  const visit = await world.visit('/', { viewport: { width, height: 700 } })
  const rows = () =>
    visit.page.locator('.bar').evaluate((bar) => {
      const things = [bar.querySelector('.brand'), ...bar.querySelectorAll('.controls > *')]
      const boxes = things.flatMap((one) => one?.getBoundingClientRect() ?? []).filter(({ width }) => width > 0)
      const middles = boxes.map(({ top, height }) => top + height / 2)
      const inside = boxes.every(({ left, right }) => left >= 0 && right <= innerWidth)
      return {
        apart: Math.max(...middles) - Math.min(...middles) < 4 ? 'one row' : 'several rows',
        inside,
        tall: bar.clientHeight > 90
      }
    })
  const one = { apart: 'one row', inside: true, tall: false }
  await visit.modal.connectButton.waitFor()
  expect(await rows()).toEqual(one)
  await connect(visit)
  await expect.poll(rows).toEqual(one)
})

it('a mint tells its end and where to read about it on one line of a phone', async () => {
  const visit = await world.comeBack(withExplorer(), { viewport: { width: 390, height: 844 } })
  await visit.press('mint-orbit')
  await visit.wallet.approve('send')
  const note = visit.page.getByTestId('minted-orbit')
  await note.getByRole('link', { name: 'Details of the transaction' }).waitFor()
  const lines = await note.evaluate((element) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size
  })
  expect(lines).toBe(1)
})
