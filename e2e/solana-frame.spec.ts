//! The Solana account of the embedded wallet, by the provider's requests, through the real frame, server and vault.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { afterAll, describe, expect, it } from 'vitest'
import { frameOf } from './pages/frame.ts'
import { connected } from './pages/journey.ts'
import { decide } from './pages/login.ts'
import { codeOf, LINK, mailed } from './pages/mail.ts'
import { call, listening, refusal } from './pages/provider.ts'
import { clickInFrame } from './pages/still.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

const FIRST = 'First time sending to this address from this browser. Check every character.'
const DEVNET = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { wallet: true, mailPause: 1, solana }
})

afterAll(() => solana?.stop())

/** Unsigned transaction of one transfer, in base64: its form is that of the network's documentation. */
function transfer(from: string, to: Uint8Array, lamports: bigint, block: string): string {
  const amount = Buffer.alloc(8)
  amount.writeBigUInt64LE(lamports)
  const instruction = [1, 2, 2, 0, 1, 12, 2, 0, 0, 0, ...amount]
  const keys = [...base58.decode(from), ...to, ...new Uint8Array(32)]
  const message = [1, 0, 1, 3, ...keys, ...base58.decode(block), ...instruction]
  return Buffer.from([1, ...new Uint8Array(64), ...message]).toString('base64')
}

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
    await clickInFrame(frame.getByRole('button', { name: 'Approve' }))
    const { signature } = await signed
    expect(ed25519.verify(base58.decode(signature), bytes, base58.decode(pubkey))).toBe(true)
    await visit.modal.gone()
    const declined = refusal(visit, 'request', { method: 'solana_signMessage', params })
    await clickInFrame(frame.getByRole('button', { name: 'Decline' }))
    expect(await declined).toBe('Request was aborted')
    await visit.modal.gone()
  })

  it('spec_5_31_sends_a_transfer_that_is_mined_under_the_signature_that_the_page_gets', async () => {
    const visit = await loggedIn('sender@example.org')
    const from = await accountOf(visit)
    await solana.rpc('requestAirdrop', from, 2_000_000_000)
    const balance = async (account: string) => (await solana.rpc<{ value: number }>('getBalance', account)).value
    await expect.poll(() => balance(from)).toBe(2_000_000_000)
    const to = ed25519.utils.randomPrivateKey()
    const receiver = base58.encode(to)
    const { value } = await solana.rpc<{ value: { blockhash: string } }>('getLatestBlockhash')
    const params = { transaction: transfer(from, to, 1_500_000_000n, value.blockhash) }
    const asked = { method: 'solana_signAndSendTransaction', params }
    const sent = call<{ signature: string }>(visit, 'request', asked, solana.id)
    const frame = frameOf(visit.page)
    await frame.getByText('1.5 SOL').waitFor()
    expect(await frame.getByText(receiver).count()).toBe(1)
    expect(await frame.getByText('0.000005 SOL').count()).toBe(1)
    await expect.poll(() => frame.locator('.flags p').allTextContents()).toEqual([FIRST])
    // The long id of a network without a name stays inside the frame.
    expect(await frame.locator('body').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
    await clickInFrame(frame.getByRole('button', { name: 'Approve' }))
    const { signature } = await sent
    await expect.poll(() => balance(receiver)).toBe(1_500_000_000)
    expect(await balance(from)).toBe(499_995_000)
    const { value: statuses } = await solana.rpc<{ value: unknown[] }>('getSignatureStatuses', [signature])
    expect(statuses).toEqual([expect.objectContaining({ err: null })])
    await visit.modal.gone()
  })

  it('tells a receiver of a first payment, not one of a second, and one that looks like it', async () => {
    const visit = await loggedIn('again@example.org')
    const from = await accountOf(visit)
    await solana.rpc('requestAirdrop', from, 2_000_000_000)
    const balance = async (account: string) => (await solana.rpc<{ value: number }>('getBalance', account)).value
    await expect.poll(() => balance(from)).toBe(2_000_000_000)
    const frame = frameOf(visit.page)
    const to = ed25519.utils.randomPrivateKey()
    const receiver = base58.encode(to)
    const shown = async (key: Uint8Array, lamports: bigint) => {
      const { value } = await solana.rpc<{ value: { blockhash: string } }>('getLatestBlockhash')
      const params = { transaction: transfer(from, key, lamports, value.blockhash) }
      const sent = refusal(visit, 'request', { method: 'solana_signAndSendTransaction', params }, solana.id)
      await frame.getByText('0.000005 SOL').waitFor()
      // The status is empty once node and browser have told.
      await frame.locator('[role=status]:empty').waitFor({ state: 'attached' })
      const flags = await frame.locator('.flags p').allTextContents()
      const named = await frame.locator('[data-row=paidBefore]').allTextContents()
      const end = async (button: string) => {
        await clickInFrame(frame.getByRole('button', { name: button }))
        const told = await sent
        await visit.modal.gone()
        return told
      }
      return { told: [...flags, ...named], end }
    }
    const declined = await shown(to, 100_000_000n)
    expect(declined.told).toEqual([FIRST])
    expect(await declined.end('Decline')).toBe('Request was aborted')
    const first = await shown(to, 100_000_000n)
    // A payment that was not signed makes nobody known.
    expect(first.told).toEqual([FIRST])
    expect(await first.end('Approve')).toBe('done')
    await expect.poll(() => balance(receiver)).toBe(100_000_000)
    const second = await shown(to, 200_000_000n)
    expect(second.told).toEqual([])
    expect(await second.end('Approve')).toBe('done')
    await expect.poll(() => balance(receiver)).toBe(300_000_000)
    const middle = receiver[20] === 'z' ? 'y' : 'z'
    const alike = await shown(base58.decode(receiver.slice(0, 20) + middle + receiver.slice(21)), 100_000_000n)
    expect(alike.told).toEqual([
      "Looks like an address you've paid, but it's different. Possible scam.",
      `You paid${receiver}`
    ])
    expect(await alike.end('Decline')).toBe('Request was aborted')
  })

  it('spec_8_41_refuses_a_network_of_another_namespace_and_bytes_that_are_no_transaction', async () => {
    const visit = await loggedIn('stray@example.org')
    const of = (transaction: string, chain: string) =>
      refusal(visit, 'request', { method: 'solana_signTransaction', params: { transaction } }, chain)
    expect(await of('AQID', solana.id)).toBe("The transaction can't be read")
    await visit.modal.gone()
    expect(await of('AQID', 'eip155:1')).toBe('Chain is not supported')
  })
})
