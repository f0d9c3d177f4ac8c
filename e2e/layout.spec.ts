import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { layoutFaults } from './pages/layout.ts'
import { useWorld } from './use-world.ts'
import { repository } from './world/program.ts'

const world = useWorld()

const CASES = readdirSync(join(repository(), 'fixtures/snapshots')).map((file) => file.replace('.json', ''))

/** Windows in CSS pixels. At a zoom of 200 % a window has half of its pixels in both directions. */
const WINDOWS = [
  [320, 568],
  [360, 640],
  [390, 844],
  [1280, 800],
  [160, 284],
  [180, 320],
  [195, 422],
  [640, 400]
] as const

/** Longest values, in texts of the length of German words, and in Arabic; usual values in English. */
const TONGUES = ['stress&words=long', 'stress&dir=rtl&lang=ar', 'lang=en'] as const

describe.each(TONGUES)('every view in every state, %s', (tongue) => {
  let page: Page

  beforeAll(async () => {
    page = await world.browser.newPage({ viewport: { width: 1300, height: 900 }, reducedMotion: 'reduce' })
    // The window is a frame: resizing it takes a fraction of the time that resizing the browser's takes.
    const stage = `/gallery.html?stage&theme=dark&${tongue}`
    const body = `<body style="margin:0"><iframe src="${stage.replaceAll('&', '&amp;')}" style="border:0"></iframe>`
    // The page lets nobody frame it.
    await page.route('**/gallery.html*', async (route) => {
      const response = await route.fetch()
      const { 'content-security-policy': _, 'x-frame-options': __, ...headers } = response.headers()
      await route.fulfill({ response, headers })
    })
    await page.route('**/windows', (route) => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`${world.origin}/windows`)
    await page.waitForFunction(() => frames[0] && 'showCase' in frames[0])
    await page.evaluate(`frames[0].layoutFaults = ${layoutFaults}`)
  })

  afterAll(() => page.context().close())

  it.each(CASES)('%s has room for its texts in every window', async (name) => {
    const found = await page.evaluate(
      async ([name, windows]) => {
        const frame = document.querySelector('iframe') as HTMLIFrameElement
        const stage = frame.contentWindow as Window & {
          showCase(name: string): Promise<void>
          layoutFaults(shadow: ShadowRoot): string[]
        }
        const resize = ([width, height]: readonly number[]) => {
          frame.style.width = `${width}px`
          frame.style.height = `${height}px`
        }
        resize(windows[0] as readonly number[])
        await stage.showCase(name)
        const faults: string[] = []
        for (const size of windows) {
          resize(size)
          const shadow = stage.document.querySelector('w3m-modal')?.shadowRoot
          if (!shadow) continue
          // Folded lists are opened, so that their content is measured too.
          for (const folded of shadow.querySelectorAll('.card details')) (folded as HTMLDetailsElement).open = true
          // A message over the page has no card.
          const measure = () =>
            shadow.querySelector('.card')?.checkVisibility()
              ? stage.layoutFaults(shadow)
              : [...shadow.querySelectorAll('.over-page :is(.alert,.snack,.alert *,.snack *)')]
                  .map((part) => part.getBoundingClientRect())
                  .filter(({ left, right }) => left < 0 || right > stage.innerWidth)
                  .map(({ left, right }) => `a message over the page leaves the window, from ${left} to ${right} px`)
          let found = measure()
          // Titles of cut texts and the styles of narrow windows are files of their own.
          for (let waits = 0; found.length > 0 && waits < 200; waits += 1) {
            await new Promise(stage.requestAnimationFrame)
            found = measure()
          }
          faults.push(...found.map((fault) => `${size.join(' × ')}: ${fault}`))
        }
        return faults
      },
      [name, WINDOWS] as const
    )
    expect(found).toEqual([])
  })
})

describe('style sheets of views that were opened before', () => {
  it('change nothing of any view in any state', async () => {
    const context = await world.browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(`${world.origin}/gallery.html?stage&theme=dark`)
    await page.waitForFunction(() => 'showCase' in window)
    const show = (name: string) =>
      page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    // Sheets with the same rules are one object, so each view leaves its own.
    await page.evaluate(() => Object.assign(window, { sheets: new Set<CSSStyleSheet>() }))
    const own = () => {
      const { sheets } = window as unknown as { sheets: Set<CSSStyleSheet> }
      for (const sheet of document.querySelector('w3m-modal')?.shadowRoot?.adoptedStyleSheets ?? []) sheets.add(sheet)
      return sheets.size
    }
    for (const name of CASES) {
      await show(name)
      await page.evaluate(own)
    }
    expect(await page.evaluate(own)).toBeGreaterThan(15)
    const changed: string[] = []
    for (const name of CASES) {
      await show(name)
      const found = await page.evaluate(() => {
        const { sheets } = window as unknown as { sheets: Set<CSSStyleSheet> }
        const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
        const alone = [...shadow.adoptedStyleSheets]
        const look = () =>
          [...shadow.querySelectorAll('*')].map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect()
            const { color, backgroundColor, font, borderRadius, display, opacity } = getComputedStyle(element)
            return [left, top, width, height, color, backgroundColor, font, borderRadius, display, opacity].join()
          })
        const before = look()
        const faults: string[] = []
        for (const sheet of sheets) {
          if (alone.includes(sheet)) continue
          // The first two are those of every view; a view that was opened before has left its sheet after them.
          shadow.adoptedStyleSheets = [...alone.slice(0, 2), sheet, ...alone.slice(2)]
          const after = look()
          const at = before.findIndex((one, index) => one !== after[index])
          const element = shadow.querySelectorAll('*')[at]
          if (element)
            faults.push(`${element.localName}.${element.className}: ${sheet.cssRules[0]?.cssText.slice(0, 60)}`)
        }
        shadow.adoptedStyleSheets = alone
        return faults
      })
      changed.push(...found.map((fault) => `${name}: ${fault}`))
    }
    await context.close()
    expect(changed).toEqual([])
    // Each view is drawn under the styles of each other one.
  }, 120_000)
})

it.each([
  ['Uniswap V2 with a name that no row has room for', 'ltr'],
  ['تطبيق مبادلة باسم طويل لا يتسع له أي صف في القائمة', 'rtl']
])('in an Arabic row %s is cut at its own end', async (name, direction) => {
  const page = await world.browser.newPage({ viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' })
  await page.goto(`${world.origin}/gallery.html?stage&theme=dark&dir=rtl&lang=ar`)
  await page.waitForFunction(() => 'showCase' in window)
  const found = await page.evaluate(async (name) => {
    await (window as unknown as { showCase(name: string): Promise<void> }).showCase('Transactions.ready')
    const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
    const party = [...shadow.querySelectorAll('.when bdi')].find(({ textContent }) => textContent === 'Uniswap')
    const row = party?.closest('.row')
    if (!party || !row) throw new Error('No row has this party')
    party.textContent = name
    const [own, whole] = [party.getBoundingClientRect(), row.getBoundingClientRect()]
    const { direction, textOverflow } = getComputedStyle(party)
    const inside = own.left >= whole.left && own.right <= whole.right
    return { cut: party.scrollWidth > party.clientWidth, inside, direction, textOverflow }
  }, name)
  await page.context().close()
  expect(found).toEqual({ cut: true, inside: true, direction, textOverflow: 'ellipsis' })
})

it.each(['Connect.emailFault', 'UpdateEmailWallet.fault'])(
  'in Arabic the address of %s stands at the side of its error',
  async (name) => {
    const page = await world.browser.newPage({ viewport: { width: 390, height: 640 }, reducedMotion: 'reduce' })
    await page.goto(`${world.origin}/gallery.html?stage&theme=dark&dir=rtl&lang=ar`)
    await page.waitForFunction(() => 'showCase' in window)
    await page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    const field = page.locator('input[type=email]')
    await field.waitFor()
    const style = () =>
      field.evaluate((input) => [getComputedStyle(input).textAlign, getComputedStyle(input).direction])
    await expect.poll(style).toEqual(['right', 'ltr'])
    await page.context().close()
  }
)

it('in Arabic the percent sign stands close behind an own slippage', async () => {
  const page = await world.browser.newPage({ viewport: { width: 360, height: 640 }, reducedMotion: 'reduce' })
  await page.goto(`${world.origin}/gallery.html?stage&theme=dark&dir=rtl&lang=ar`)
  await page.waitForFunction(() => 'showCase' in window)
  await page.evaluate(`showCase('Swap.slippageWrong')`)
  const input = page.getByTestId('swap-slippage-own')
  const found = await input.evaluate((input) => {
    const [own, sign] = [input, input.nextElementSibling].map((one) => one?.getBoundingClientRect())
    return { gap: Math.round((sign?.left ?? 0) - (own?.right ?? 0)), align: getComputedStyle(input).textAlign }
  })
  await page.context().close()
  expect(found).toEqual({ gap: 2, align: 'end' })
})

describe('the account in a small window', () => {
  const opened = async (width: number, height: number) => {
    const page = await world.browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce' })
    await page.goto(`${world.origin}/gallery.html?stage&theme=dark`)
    await page.waitForFunction(() => 'showCase' in window)
    await page.evaluate(() =>
      (window as unknown as { showCase(name: string): Promise<void> }).showCase('Account.tokens.ready')
    )
    return page
  }

  it('has at least three whole rows of tokens in sight at 390 × 640', async () => {
    const page = await opened(390, 640)
    const whole = await page.evaluate(() => {
      const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
      const ends = shadow.querySelector('.ends')?.getBoundingClientRect().top ?? 0
      const rows = [...shadow.querySelectorAll('[role=tabpanel] .row')].map((row) => row.getBoundingClientRect().bottom)
      return rows.filter((bottom) => bottom <= ends).length
    })
    await page.context().close()
    expect(whole).toBeGreaterThanOrEqual(3)
  })

  it('has a token in sight below its tabs at 640 × 320', async () => {
    const page = await opened(640, 320)
    // The styles of low windows load after the first drawing.
    await page.waitForFunction(() => {
      const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
      const row = shadow.querySelector('[role=tabpanel] .row .name')?.getBoundingClientRect().bottom ?? Number.NaN
      return row < (shadow.querySelector('.card')?.getBoundingClientRect().bottom ?? 0)
    })
    await page.context().close()
  })

  it.each(['ConnectingWalletConnect.generic', 'WalletReceive.ready', 'ConnectingFarcaster.scan'])(
    '%s has a code that can be seen whole at 640 × 360',
    async (name) => {
      const page = await opened(640, 360)
      await page.evaluate(
        (name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name),
        name
      )
      const [code, body] = await page.evaluate(() => {
        const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
        return ['wui-qr-code', '.body'].map((query) => shadow.querySelector(query)?.getBoundingClientRect().height ?? 0)
      })
      await page.context().close()
      expect(code).toBeGreaterThan(150)
      expect(code).toBeLessThanOrEqual(body as number)
    }
  )

  it('has its foot below the last token at 320 × 568, and not over the list', async () => {
    const page = await opened(320, 568)
    const [ends, last, card] = await page.evaluate(() => {
      const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
      const box = (query: string) => [...shadow.querySelectorAll(query)].at(-1)?.getBoundingClientRect()
      return [box('.ends')?.top, box('[role=tabpanel] .row')?.bottom, box('.card')?.bottom].map(
        (at) => at ?? Number.NaN
      )
    })
    await page.context().close()
    expect(ends).toBeGreaterThanOrEqual(last as number)
    expect(last).toBeGreaterThan(card as number)
  })

  it.each([
    ['WalletSend.max', 'input.big', 'value'],
    ['OnRampFiatSelect.list', '.search input', 'placeholder']
  ] as const)('%s has the whole text of %s in sight at 195 px', async (name, query, text) => {
    const page = await opened(195, 560)
    await page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    const widths = await page.evaluate(
      ([query, text]) => {
        const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
        const field = shadow.querySelector<HTMLInputElement>(query) as HTMLInputElement
        const copy = Object.assign(document.createElement('span'), { textContent: field[text] })
        // A computed `font` is empty where its figures are tabular, so its parts are taken.
        const { fontFamily, fontSize, fontWeight, fontVariantNumeric, letterSpacing } = getComputedStyle(field)
        const style = { fontFamily, fontSize, fontWeight, fontVariantNumeric, letterSpacing }
        Object.assign(copy.style, { position: 'absolute', whiteSpace: 'nowrap', ...style })
        field.after(copy)
        return { text: copy.getBoundingClientRect().width, field: field.clientWidth }
      },
      [query, text] as const
    )
    await page.context().close()
    expect(widths.text).toBeGreaterThan(0)
    expect(widths.text).toBeLessThanOrEqual(widths.field + 1)
  })

  it.each([
    ['Account.tokens.hidden', '.veiled small'],
    ['Account.activity.ready', '.when'],
    ['WalletSend.empty', 'textarea']
  ])('%s has its small text %s on one line at 320 px', async (name, query) => {
    const page = await opened(320, 568)
    await page.evaluate((name) => (window as unknown as { showCase(name: string): Promise<void> }).showCase(name), name)
    const lines = await page.evaluate((query) => {
      const shadow = document.querySelector('w3m-modal')?.shadowRoot as ShadowRoot
      return [...shadow.querySelectorAll<HTMLElement>(query)].map((one) => {
        // A field keeps the height of two lines, so its placeholder is measured as its text.
        if (one instanceof HTMLTextAreaElement) {
          one.style.minHeight = '0'
          Object.assign(one, { rows: 1, value: one.placeholder })
        }
        return one.scrollHeight / Number.parseFloat(getComputedStyle(one).lineHeight)
      })
    }, query)
    await page.context().close()
    expect(lines.length).toBeGreaterThan(0)
    expect(Math.max(...lines)).toBeLessThan(2)
  })
})
