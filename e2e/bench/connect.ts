//! Measures the time from the choice of a browser wallet to its connected account, without the wallet's own time.

import type { Browser, Page } from 'playwright-core'
import { quiet } from './page.ts'

/** Namespaces with a demo wallet. */
export type Namespace = 'solana' | 'bip122' | 'polkadot' | 'eip155'

export interface Choice {
  readonly namespace: Namespace
  /** Parameters of the demo's page. */
  readonly page: string
  /** Connector of the wallet that is chosen. */
  readonly connector: string
}

/** Times of one connection in milliseconds. */
export interface Connection {
  /** From the click on the wallet's row to the frame in which the page's button shows the account and the modal has closed. */
  readonly total: number
  /** Time of it in which the wallet's own functions ran. */
  readonly own: number
  /** Number of files and answers that were fetched in it. */
  readonly fetched: number
}

/** Connects twice in a fresh page with an empty cache: cold, and once more after a disconnection. */
export async function connectTwice(
  browser: Browser,
  origin: string,
  choice: Choice
): Promise<[Connection, Connection]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } })
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.goto(`${origin}/?relays=off&${choice.page}`)
  await page.getByTestId('connect-button').waitFor()
  await page.evaluate((namespace) => window.connections.watchWallet(namespace), choice.namespace)
  const cold = await connect(page, choice)
  await page.evaluate(() => window.kit?.disconnect())
  await page.getByTestId('connect-button').waitFor()
  const warm = await connect(page, choice)
  await context.close()
  return [cold, warm]
}

async function connect(page: Page, { connector, namespace }: Choice): Promise<Connection> {
  await page.evaluate((namespace) => window.connections.approve(namespace), namespace)
  const idle = quiet(page)
  await page.getByTestId('connect-button').click()
  const row = page.locator('w3m-modal .card[role]').getByTestId(`wallet-selector-${connector}`)
  await row.hover()
  await idle
  await page.evaluate((namespace) => window.connections.expect(namespace), namespace)
  await page.mouse.down()
  await page.mouse.up()
  return page.evaluate(() => window.connections.next)
}

declare global {
  interface Window {
    connections: {
      /** Measures the time of the functions that the wallet runs while it connects. */
      watchWallet(namespace: Namespace): void
      /** Lets the wallet answer at once, without a dialog: its time is then that of its functions alone. */
      approve(namespace: Namespace): Promise<unknown>
      /** Measures the connection that the next click begins. */
      expect(namespace: Namespace): void
      next: Promise<Connection>
    }
  }
}

/** Runs in the page. */
function watch(): void {
  // The extension of Polkadot answers without a dialog only to a page that it knows.
  localStorage.setItem('demo-wallet/Demo Polkadot Wallet', '0')

  /** Time in which the wallet's functions ran. They run one inside of another at times: only the outermost counts. */
  let own = 0
  let depth = 0
  function timed<T>(work: () => T): T {
    const begun = performance.now()
    depth += 1
    try {
      return work()
    } finally {
      depth -= 1
      if (depth === 0) own += performance.now() - begun
    }
  }
  function watchFunction(object: object, name: string): void {
    const work: unknown = Reflect.get(object, name)
    if (typeof work !== 'function') throw new Error(`The wallet has no ${name}`)
    Reflect.set(object, name, (...given: readonly unknown[]) => timed(() => work.apply(object, given)))
  }
  function watchProperty(object: object, name: string): void {
    const get = Object.getOwnPropertyDescriptor(object, name)?.get
    if (get === undefined) throw new Error(`The wallet computes no ${name}`)
    Object.defineProperty(object, name, { get: () => timed(() => get.call(object)) })
  }

  /** Functions and computed properties of each demo wallet, by object. */
  const wallets: Record<Namespace, () => void> = {
    solana() {
      const { standard, controls } = window.demoSolana ?? missing()
      controls.setApproval('auto')
      watchFunction(standard.features['standard:connect'] ?? missing(), 'connect')
      watchProperty(standard, 'accounts')
    },
    bip122() {
      const { standard, controls } = window.demoBitcoin ?? missing()
      controls.setApproval('auto')
      watchFunction(standard.features['bitcoin:connect'], 'connect')
      watchProperty(standard, 'accounts')
    },
    polkadot: () => watchFunction((window.demoPolkadot ?? missing()).entry, 'enable'),
    eip155() {
      const [{ provider, controls } = missing()] = window.demoWallets
      controls.setApproval('auto')
      watchFunction(provider, 'request')
    }
  }
  function missing(): never {
    throw new Error('The page has no such wallet')
  }
  const approvals: Record<Namespace, () => unknown> = {
    solana() {
      const { standard } = window.demoSolana ?? missing()
      return (standard.features['standard:connect'] as { connect(): unknown }).connect()
    },
    bip122: () => window.demoBitcoin?.standard.features['bitcoin:connect'].connect({ purposes: ['payment'] }),
    polkadot: () => {},
    eip155: () => window.demoWallets[0]?.provider.request({ method: 'eth_requestAccounts' })
  }

  const roots = (): (Document | ShadowRoot)[] => {
    const found: (Document | ShadowRoot)[] = [document]
    for (const root of found)
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot)
    return found
  }
  const find = (selector: string) => roots().flatMap((root) => [...root.querySelectorAll(selector)])
  /** Resolves with the time of the first frame of which this holds. */
  const frame = (holds: () => boolean): Promise<number> =>
    new Promise((resolve) => {
      const look = () =>
        requestAnimationFrame(() => {
          if (!holds()) return look()
          // A task after the frame, when the frame has been presented.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(performance.now())
          port2.postMessage(0)
        })
      look()
    })
  const arrived = (namespace: Namespace): boolean => {
    const shown = find('[data-testid="account-button"]').some((button) => button.getBoundingClientRect().height > 0)
    const open = find('dialog').some((dialog) => (dialog as HTMLDialogElement).open)
    return shown && !open && window.kit?.getAccount(namespace)?.isConnected === true
  }
  window.connections = {
    watchWallet: (namespace) => wallets[namespace](),
    approve: async (namespace) => approvals[namespace](),
    expect(namespace) {
      window.connections.next = new Promise((resolve) => {
        addEventListener('click', ({ timeStamp }) => void measure(namespace, timeStamp).then(resolve), {
          capture: true,
          once: true
        })
      })
    },
    next: Promise.reject(new Error('No connection is expected'))
  }
  window.connections.next.catch(() => {})

  async function measure(namespace: Namespace, clicked: number): Promise<Connection> {
    own = 0
    const end = await frame(() => arrived(namespace))
    const during = ({ startTime }: PerformanceEntry) => startTime >= clicked && startTime < end
    return { total: end - clicked, own, fetched: performance.getEntriesByType('resource').filter(during).length }
  }
}
