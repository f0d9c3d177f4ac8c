//! First steps of most tests.

import { expect } from 'vitest'
import type { Visit } from '../world/visit.ts'

/** The demo wallet's first account. */
export const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const SECOND_ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Opens the modal with the page's own button, and waits until it is loaded. */
export async function open({ modal }: Visit): Promise<void> {
  await modal.connectButton.click()
  await modal.ready()
}

/** Chooses a wallet and approves there. The account is connected, or asked to sign in, soon after. */
export async function choose(visit: Visit, connector?: string): Promise<void> {
  await open(visit)
  await visit.modal.wallet(connector).click()
  await visit.wallet.approve('connect')
}

/** Goes from a fresh page to a connected account. */
export async function connect(visit: Visit, connector?: string): Promise<void> {
  await choose(visit, connector)
  await visit.modal.gone()
  await connected(visit)
}

/** Goes from a fresh page to a connected account, by way of a refusal in the wallet. */
export async function connectAfterRefusal(visit: Visit, connector?: string): Promise<void> {
  await open(visit)
  await visit.modal.wallet(connector).click()
  await visit.wallet.refuse('connect')
  await visit.modal.tryAgain.click()
  await visit.wallet.approve('connect')
  await connected(visit)
}

export async function connected(visit: Visit): Promise<void> {
  await visit.modal.accountButton.waitFor()
  await expect.poll(() => visit.fact('account-status')).toBe('connected')
}

export async function disconnected(visit: Visit): Promise<void> {
  await visit.modal.connectButton.waitFor()
  await expect.poll(() => visit.fact('account-status')).toBe('disconnected')
}

/** Goes from a connected page to the account view. */
export async function openAccount({ modal }: Visit): Promise<void> {
  await modal.accountButton.click()
  await modal.part('disconnect-button').waitFor()
}

/** Goes from a connected page, by way of the account view, to the use of another account that the wallet shares. */
export async function chooseAccount(visit: Visit, name: string): Promise<void> {
  await openAccount(visit)
  await visit.modal.part('w3m-profile-button').click()
  await visit.modal.part('switch-address-item').filter({ hasText: name }).click()
}
