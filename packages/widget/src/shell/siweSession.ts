//! Asks the site of a `siweConfig` now and then whether the visitor's session is still open, as `sessionRefetchIntervalMs` says.

import type { CoreEvent, SignInCall } from '../generated/core.ts'
import type { SIWEConfig, SIWXConfig, SIWXMessageInput } from '../host/siwx.ts'
import { isSessionOf, lifeOfNonce, mapToSIWX, partsOfSiwe, pauseOfSession } from './siwe.ts'
import type { Store } from './store.ts'

/** Page of a kit whose visitor signs in. */
export interface SignInPage {
  readonly store: Pick<Store, 'get'>
  dispatch(event: CoreEvent): void
}

/** The site's answer to a call about an account. */
export interface Told {
  readonly call: SignInCall
  readonly subject: SIWXMessageInput
  readonly answer: unknown
}

/** A `siweConfig` as a sign-in for every namespace. */
export interface SiweSite extends SIWXConfig {
  /** Age in milliseconds from which a nonce is replaced before it is signed; `undefined` for the widget's own. */
  readonly life: number | undefined
  /** Starts to ask about a session that the site just told of, or saved; stops where there is none. */
  follow(told: Told, page: SignInPage): void
}

/** `undefined` for a sign-in that is not enabled. */
export function siteOfSiwe(config: SIWEConfig): SiweSite | undefined {
  if (partsOfSiwe(config).options.enabled === false) return undefined
  const follow = (told: Told, page: SignInPage) => followSession(config, told, page)
  return { ...mapToSIWX(config), life: lifeOfNonce(config), follow }
}

/** Running timers, by the state of their kit. */
const timers = new WeakMap<SignInPage['store'], ReturnType<typeof setTimeout>>()

function followSession(config: SIWEConfig, { call, subject, answer }: Told, page: SignInPage): void {
  if (call === 'createMessage' || call === 'signMessage') return
  clearTimeout(timers.get(page.store))
  timers.delete(page.store)
  if (call === 'addSession' || (call === 'getSessions' && isFilled(answer))) begin(config, subject, page)
}

function begin(config: SIWEConfig, subject: SIWXMessageInput, page: SignInPage): void {
  const timer = setTimeout(async () => {
    // A page in the background asks when it is shown again, and one whose wallet is not back yet the next time.
    const lost = !document.hidden && isConnected(page, subject) && !(await isOpen(config, subject))
    // Meanwhile the visitor may have signed in again, or with another account.
    if (timers.get(page.store) !== timer) return
    begin(config, subject, page)
    // The core asks the site once more, and tells the visitor.
    if (lost && isConnected(page, subject)) page.dispatch({ feature: 'account', event: { type: 'pageShown' } })
  }, pauseOfSession(config))
  timers.set(page.store, timer)
}

/** Only reads: meanwhile the site may have a session of another account, which is not this one's to end. A site that can't tell ends none. */
async function isOpen(config: SIWEConfig, { chainId, accountAddress }: SIWXMessageInput): Promise<boolean> {
  try {
    const session = await partsOfSiwe(config).methods.getSession()
    return !!session && isSessionOf(config, session, chainId, accountAddress)
  } catch {
    return true
  }
}

function isConnected({ store }: SignInPage, { accountAddress }: SIWXMessageInput): boolean {
  return store.get().account.accounts.some((account) => account.isConnected && account.address === accountAddress)
}

function isFilled(sessions: unknown): boolean {
  return Array.isArray(sessions) && sessions.length > 0
}
