//! The Solana account of the embedded wallet, by the provider's requests, through the real frame, server and vault.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected } from './pages/journey.ts'
import { decide } from './pages/login.ts'
import { codeOf, LINK, mailed } from './pages/mail.ts'
import { call, listening, refusal } from './pages/provider.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

const world = useWorld({ wallet: true, mailPause: 1 })

/** Page whose visitor is logged in. */
async function loggedIn(email: string): Promise<Visit> {
  const { wallet } = world
  if (wallet === undefined) throw new Error('This world has no embedded wallet')
  const visit = await world.visit(`/?login=${encodeURIComponent(wallet)}&testkit=off&relays=off`, { alone: true })
  await listening(visit)
  const { number } = await call<{ number: string }>(visit, 'connectEmail', { email })
  const approved = call(visit, 'connectDevice')
  await decide(visit, await mailed(wallet, email, LINK), number, 'Approve')
  await approved
  await call(visit, 'connectOtp', { otp: await codeOf(wallet, email) })
  await connected(visit)
  return visit
}

/** Address of the visitor's account on Solana. */
async function accountOf(visit: Visit): Promise<string> {
  const { address } = await call<{ address: string }>(visit, 'getUser', { chainId: DEVNET })
  return address
}

describe('the Solana account of the embedded wallet', () => {
  it('spec_5_31_signs_a_message_that_the_visitor_approved_and_the_signature_verifies', async () => {
    const visit = await loggedIn('sol@example.org')
    const pubkey = await accountOf(visit)
    expect(pubkey).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    // The connected account stays that of the EVM chain.
    expect(await visit.page.evaluate('window.kit.getAddress()')).toMatch(/^0x/)
    const bytes = new TextEncoder().encode('Hello from Solana')
    const params = { message: base58.encode(bytes), pubkey }
    const signed = call<{ signature: string }>(visit, 'request', { method: 'solana_signMessage', params }, DEVNET)
    const frame = frameOf(visit.page)
    await frame.getByText('Hello from Solana').waitFor()
    expect(await frame.getByText('Solana Devnet').count()).toBe(1)
    expect(await frame.getByText(pubkey).count()).toBe(1)
    await frame.getByRole('button', { name: 'Approve' }).click({ timeout: 15_000 })
    const { signature } = await signed
    expect(ed25519.verify(base58.decode(signature), bytes, base58.decode(pubkey))).toBe(true)
    await visit.modal.gone()
    const declined = refusal(visit, 'request', { method: 'solana_signMessage', params })
    await frame.getByRole('button', { name: 'Cancel' }).click({ timeout: 15_000 })
    expect(await declined).toBe('Request was aborted')
    await visit.modal.gone()
  })
})
