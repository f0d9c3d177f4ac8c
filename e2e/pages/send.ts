//! Page object of the send form and its preview.

import type { SendArguments } from '@portico/widget'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import { openAccount } from './journey.ts'

/** Goes from a connected page to the form. */
export async function openSend(visit: Visit): Promise<void> {
  await openAccount(visit)
  await visit.modal.part('wallet-features-send-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Send')
}

/** Opens the form as the host does, and returns the final result of `open`. */
export async function askToSend({ page }: Visit, wanted: SendArguments): Promise<unknown> {
  const told = page.evaluate((wanted) => {
    const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
    return kit.open({ view: 'WalletSend', arguments: wanted }).catch((error) => ({ refused: String(error.message) }))
  }, wanted)
  // The test may end, or reload the page, before `open` settles.
  return told.catch((error: Error) => {
    if (!/closed|destroyed/.test(error.message)) throw error
  })
}

export async function fill({ modal }: Visit, amount: string, receiver: string): Promise<void> {
  await modal.amount.fill(amount)
  await modal.receiver.fill(receiver)
}

export async function review({ modal }: Visit): Promise<void> {
  await modal.reviewButton.click()
  await expect.poll(() => modal.title.textContent()).toBe('Review Send')
}

/** Confirms in the modal, and approves in the wallet. */
export async function confirm(visit: Visit): Promise<void> {
  await visit.modal.sendButton.click()
  await visit.wallet.approve('send')
}

/** Confirms in the modal, and signs in the wallet of a chain whose signed payment the widget sends. */
export async function confirmAndSign(visit: Visit): Promise<void> {
  await visit.modal.sendButton.click()
  await visit.wallet.approve('transaction')
}

/** Waits until the receipt of the payment has this state. */
export async function inState({ modal }: Visit, state: string): Promise<void> {
  await modal
    .part('send-sent')
    .and(modal.card.locator(`[data-state="${state}"]`))
    .waitFor()
}

/** Fills the open form, goes through its preview, and signs. */
export async function pay(visit: Visit, amount: string, receiver: string): Promise<void> {
  await fill(visit, amount, receiver)
  await review(visit)
  await confirmAndSign(visit)
}

/** Selects a token instead of the chain's native coin. */
export async function chooseToken({ modal }: Visit, symbol: string, name: string): Promise<void> {
  await modal.part('send-token').click()
  await expect.poll(() => modal.title.textContent()).toBe('Select Token')
  await modal.part('send-select-token-search-input').fill(symbol)
  // Another token may have the same symbol.
  await modal.part(`send-select-token-item-${symbol}`).filter({ hasText: name }).click()
  await expect.poll(() => modal.title.textContent()).toBe('Send')
}
