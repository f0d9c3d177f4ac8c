//! Code that asks the wallets of a namespace: one file, fetched once the visitor reaches the row of such a wallet.

import { expect, it } from 'vitest'
import { open } from './pages/journey.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

const WALLETS = [
  ['SolanaProvider', 'solana:demo solana wallet'],
  ['bitcoinWallets', 'bitcoin:demo bitcoin wallet'],
  ['PolkadotProvider', 'polkadot:demo polkadot wallet']
] as const
const PAGE = '/?relays=off&solana=11111111111111111111111111111111&bitcoin=mainnet&polkadot=polkadot'

/** Visit whose modal has come to rest, with the code of wallets that was fetched. */
async function opened() {
  const visit = await world.visit(PAGE, { alone: true })
  await open(visit)
  for (const [, wallet] of WALLETS) await visit.modal.wallet(wallet).waitFor()
  const fetched = () => {
    const files = visit.requests.map((request) => /\/assets\/([A-Za-z]+)-[\w-]+\.js$/.exec(request)?.[1])
    return files.filter((file) => WALLETS.some(([code]) => code === file))
  }
  return { visit, fetched }
}

it('comes when the pointer reaches a row, and then for no other wallet', async () => {
  const { visit, fetched } = await opened()
  await visit.modal.wallet().hover()
  expect(fetched()).toEqual([])
  const order = [WALLETS[1], WALLETS[0], WALLETS[2]]
  for (const [index, [code, wallet]] of order.entries()) {
    await visit.modal.wallet(wallet).hover()
    await expect.poll(fetched).toEqual(order.slice(0, index + 1).map(([name]) => name))
    await visit.modal.wallet().hover()
    await visit.modal.wallet(wallet).hover()
    expect(fetched().filter((name) => name === code)).toEqual([code])
  }
})

it('comes when the focus reaches a row, and connects its wallet with no further file', async () => {
  const { visit, fetched } = await opened()
  const row = visit.modal.wallet('bitcoin:demo bitcoin wallet')
  await row.focus()
  await expect.poll(fetched).toEqual(['bitcoinWallets'])
  await row.press('Enter')
  await visit.wallet.approve('connect')
  await visit.modal.gone()
  expect(fetched()).toEqual(['bitcoinWallets'])
  expect(await visit.page.evaluate(() => window.kit?.getAccount('bip122')?.isConnected)).toBe(true)
})
