//! Back end of a host that signs its visitors in by itself, below `/siwe` of the page's address. It has one session for each browser, and verifies by
//! the npm package `siwe`, which knows no widget.

import type { Page, Route } from 'playwright-core'
import { generateNonce, SiweMessage } from 'siwe'

export interface Session {
  readonly address: string
  readonly chainId: number
}

export class BackEnd {
  session: Session | null = null
  /** Whether each signature is refused. */
  refuses = false
  /** Whether every request gets a 503. */
  down = false
  /** Paths that were asked for, without `session`, oldest first. */
  readonly asked: string[] = []
  /** Number of questions for the session. */
  looks = 0
  /** Messages that were sent, oldest first. */
  readonly messages: string[] = []
  readonly #nonces = new Set<string>()

  /** Serves this page, and others of its browser profile. */
  async serve(page: Page): Promise<void> {
    await page.context().route('**/siwe/*', (route) => this.#answer(route))
  }

  /** Forgets all nonces, as a back end does after a while. */
  forgetNonces(): void {
    this.#nonces.clear()
  }

  async #answer(route: Route): Promise<void> {
    const { pathname, host } = new URL(route.request().url())
    const path = pathname.replace('/siwe/', '')
    if (path === 'session') this.looks += 1
    else this.asked.push(path)
    if (this.down) return route.fulfill({ status: 503, body: 'Down' })
    return route.fulfill({ json: await this.#result(path, host, route.request().postData() ?? '{}') })
  }

  async #result(path: string, host: string, body: string): Promise<unknown> {
    switch (path) {
      case 'nonce': {
        const nonce = generateNonce()
        this.#nonces.add(nonce)
        return nonce
      }
      case 'verify':
        return this.#verify(host, JSON.parse(body))
      case 'sign-out':
        this.session = null
        return true
      default:
        return this.session
    }
  }

  async #verify(domain: string, { message, signature }: { message: string; signature: string }): Promise<boolean> {
    this.messages.push(message)
    const told = new SiweMessage(message)
    // A nonce counts once.
    if (this.refuses || !this.#nonces.delete(told.nonce)) return false
    const { success } = await told.verify({ signature, domain, nonce: told.nonce }, { suppressExceptions: true })
    if (success) this.session = { address: told.address, chainId: told.chainId }
    return success
  }
}
