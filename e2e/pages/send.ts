//! The send form and its preview.

import type { SendArguments } from '@portico/widget'
import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'
import { openAccount } from './journey.ts'

/** From a connected page to the form. */
export async function openSend(visit: Visit): Promise<void> {
  await openAccount(visit)
  await visit.modal.part('wallet-features-send-button').click()
  await expect.poll(() => visit.modal.title.textContent()).toBe('Send')
}

/** The host opens the form; what it is told in the end. */
export async function askToSend({ page }: Visit, wanted: SendArguments): Promise<unknown> {
  const told = page.evaluate((wanted) => {
    const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
    return kit.open({ view: 'WalletSend', arguments: wanted }).catch((error) => ({ refused: String(error.message) }))
  }, wanted)
  // A test may be over, or load the page anew, before the host is told.
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

/** The visitor confirms, and so does the wallet. */
export async function confirm(visit: Visit): Promise<void> {
  await visit.modal.sendButton.click()
  await visit.wallet.approve('send')
}

/** Another coin than that of the chain. */
export async function chooseToken({ modal }: Visit, symbol: string, name: string): Promise<void> {
  await modal.part('send-token').click()
  await expect.poll(() => modal.title.textContent()).toBe('Select Token')
  await modal.part('send-select-token-search-input').fill(symbol)
  // Another one may call itself the same.
  await modal.part(`send-select-token-item-${symbol}`).filter({ hasText: name }).click()
  await expect.poll(() => modal.title.textContent()).toBe('Send')
}
