//! Payments on Solana, as a visitor makes them: from the account's Send button to a transaction that a real node confirmed.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { afterAll, describe, expect, it } from 'vitest'
import { connected, open } from './pages/journey.ts'
import { fill, openSend, review } from './pages/send.ts'
import { useWorld } from './use-world.ts'
import { type Solana, startSolana } from './world/solana.ts'
import type { Visit } from './world/visit.ts'

const WALLET = 'solana:demo solana wallet'

let solana: Solana

const world = useWorld(async () => {
  solana = await startSolana()
  return { solana }
})

afterAll(() => solana?.stop())

const page = () => world.visit(`/?relays=off&solana=${solana.id.slice('solana:'.length)}`, { alone: true })

/** Connects the wallet, whose account has two coins. */
async function connect(visit: Visit): Promise<string> {
  const [address] = await visit.page.evaluate(() => window.demoSolana?.controls.addresses ?? [])
  await solana.rpc('requestAirdrop', address, 2_000_000_000)
  await open(visit)
  await visit.modal.wallet(WALLET).click()
  await visit.wallet.approve('connect')
  await visit.modal.gone()
  await connected(visit)
  return address as string
}

/** Address that nobody used before. */
const stranger = (byte: number) => base58.encode(ed25519.getPublicKey(new Uint8Array(32).fill(byte)))

const balanceOf = async (address: string) => (await solana.rpc<{ value: number }>('getBalance', address)).value

/** Waits for the network's word about the sent transaction. */
async function confirmed({ modal }: Visit): Promise<void> {
  await modal.part('send-sent').and(modal.card.locator('[data-state="confirmed"]')).waitFor()
}

describe('a payment on Solana', () => {
  it('spec_1_4_coins_go_from_the_send_button_to_a_confirmed_transaction', async () => {
    const visit = await page()
    const from = await connect(visit)
    const receiver = stranger(71)
    await openSend(visit)
    await fill(visit, '0.5', receiver)
    await review(visit)
    await visit.modal.says(receiver)
    await visit.modal.sendButton.click()
    await visit.wallet.approve('sign')
    await confirmed(visit)
    expect(await balanceOf(receiver)).toBe(500_000_000)
    // The fee of a signature, and less than a thousandth of it for the units.
    expect(await balanceOf(from)).toBeGreaterThan(1_499_994_000)
  })
})
