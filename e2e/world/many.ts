//! Responses for an account with very many tokens and transactions, in place of the server's.

import type { Page } from 'playwright-core'
import { contractOf } from './coins.ts'

/** Number of the account's tokens, and of the tokens that can be swapped; including the native coin, whose balance the chain reports. */
export const TOKENS = 2_000
export const DEEDS = 5_000
export const PAGE_OF_DEEDS = 250

/** Hexadecimal form of a number, padded to `digits`. */
export const hex = (number: number, digits: number) => `0x${number.toString(16).padStart(digits, '0')}`

const indices = (length: number) => Array.from({ length }, (_, index) => index)

const addressOf = (index: number) => `eip155:31337:${hex(index + 1, 40)}`

function balances() {
  const token = (index: number) => ({
    name: `Token ${index}`,
    symbol: `T${index}`,
    chainId: 'eip155:31337',
    address: addressOf(index),
    price: 1,
    quantity: { decimals: '18', numeric: String(TOKENS - index) },
    iconUrl: ''
  })
  return { balances: indices(TOKENS - 1).map(token) }
}

/** Tokens that can be swapped: those of the account, and a real one of the test chain. */
function swappable() {
  const coin = { name: 'Ether', symbol: 'ETH', address: `eip155:31337:0x${'e'.repeat(40)}`, decimals: 18 }
  const usdc = { name: 'USD Coin', symbol: 'USDC', address: `eip155:31337:${contractOf('usdc')}`, decimals: 6 }
  const token = (index: number) => ({
    name: `Token ${index}`,
    symbol: `T${index}`,
    address: addressOf(index),
    decimals: 18
  })
  const all = [coin, usdc, ...indices(TOKENS - 2).map(token)]
  return { tokens: all.map((one) => ({ ...one, logoUri: '', eip2612: false })), provider: 'onchain' }
}

/** Page of transactions, three a day, newest first. */
function history(cursor: string | null) {
  const from = Number(cursor ?? 0)
  const deed = (index: number) => ({
    id: String(index),
    metadata: {
      operationType: 'send',
      hash: hex(index, 64),
      minedAt: new Date(Date.UTC(2026, 10, 20) - index * 28_800_000).toISOString(),
      sentFrom: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      sentTo: hex(index + 1, 40),
      status: 'confirmed',
      nonce: index,
      application: null,
      chain: 'eip155:31337'
    },
    transfers: [
      { fungible_info: { name: 'Ether', symbol: 'ETH', icon: null }, direction: 'out', quantity: { numeric: '1.5' } }
    ]
  })
  const data = indices(Math.min(PAGE_OF_DEEDS, DEEDS - from)).map((index) => deed(from + index))
  return { data, next: from + PAGE_OF_DEEDS < DEEDS ? String(from + PAGE_OF_DEEDS) : null }
}

/** Makes the page receive these responses from now on. */
export async function giveMuch(page: Page): Promise<void> {
  await page.route(/\/balance\?/, (route) => route.fulfill({ json: balances() }))
  await page.route(/\/history\?/, (route) =>
    route.fulfill({ json: history(new URL(route.request().url()).searchParams.get('cursor')) })
  )
  await page.route(/\/convert\/tokens\?/, (route) => route.fulfill({ json: swappable() }))
}
