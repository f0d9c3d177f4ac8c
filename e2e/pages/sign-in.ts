//! Sign-in with the connected wallet, and the sessions that the page keeps of it.

import type { Locator } from 'playwright-core'
import type { Visit } from '../world/visit.ts'

export interface StoredSession {
  readonly data: { readonly accountAddress: string; readonly chainId: string }
  readonly message: string
  readonly signature: string
}

/** Button of the sign-in, from when the message is ready to be signed. */
export function signButton({ modal, page }: Visit): Locator {
  return modal.part('w3m-connecting-siwe-sign').and(page.locator(':not([aria-busy])'))
}

export async function signIn(visit: Visit): Promise<void> {
  await signButton(visit).click()
  await visit.wallet.approve('sign')
  await visit.modal.gone()
}

/** Refuses in the wallet; the same button then asks again. */
export async function refuseToSignIn(visit: Visit): Promise<void> {
  await signButton(visit).click()
  await visit.wallet.refuse('sign')
  await visit.modal.snacks('Signature declined')
}

/** Sessions in the page's storage. */
export function storedSessions({ page }: Visit): Promise<readonly StoredSession[]> {
  return page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))
}
