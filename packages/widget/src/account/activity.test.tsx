import { cleanup, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TransactionDetailsView } from '../detail/TransactionDetailsView.tsx'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { Activity } from './Activity.tsx'
import { TransactionsView } from './TransactionsView.tsx'

const { getAllByTestId, getByRole, getByTestId, getByText, queryByTestId, queryByText } = screen

const rows = () => getAllByTestId('activity-item').map((row) => row.textContent)

const months = () => getAllByTestId('group-title').map((title) => title.textContent)

it('spec_2_9_activity_of_solana_stands_by_month_with_tokens_counterparties_and_states', () => {
  draw(Activity, 'Account.activity.solana')
  expect(months()).toEqual(['November 2026', 'October 2026', 'December 2025'])
  const [got, sent, swap, failed, called, little] = rows()
  expect(got).toMatch(/ReceivedNov 2[012]·9xQe…usVFinplus \+250\.500 USDC/)
  expect(sent).toMatch(/SentNov 2[01]·DY5S…kXW4vNminus −40\.500 USDCminus −0\.002 SOL/)
  expect(swap).toMatch(/SwappedNov 1[78]minus −2\.000 SOLplus \+301\.122 USDC/)
  expect(failed).toMatch(/SentFailedNov [34]·9xQe…usVFin$/)
  expect(called).toMatch(/^Program callOct 1[012]$/)
  expect(little).toMatch(/plus \+\u202f<0\.001 SOL/)
})

it('spec_2_9_activity_of_bitcoin_stands_by_month_with_whole_amounts_and_what_is_unconfirmed', () => {
  draw(Activity, 'Account.activity.bitcoin')
  const [sent, got, moved, mined] = rows()
  expect(sent).toMatch(/SentPendingNov 2[012]·bc1p…zk5jj0minus −0\.0125 BTC/)
  expect(got).toMatch(/ReceivedNov (19|20)·3P14…TjiZrGplus \+0\.00150021 BTC/)
  expect(moved).toMatch(/SentNov [12]·bc1q…v8f3t40\.25 BTC$/)
  // Coins of a new block come from nobody.
  expect(mined).toMatch(/ReceivedOct 2[789]plus \+3\.125 BTC/)
})

it('no words of EVM stand in the activity of Solana and Bitcoin', () => {
  const evm = /contract|gas|wei|token id|hash|burn|mint|0x[0-9a-f]{4}/i
  for (const [view, names] of [
    [TransactionsView, ['Transactions.solana', 'Transactions.bitcoin', 'Account.activity.solana.empty']],
    [
      TransactionDetailsView,
      ['TransactionDetails.solana', 'TransactionDetails.solana.failed', 'TransactionDetails.bitcoin']
    ]
  ] as const) {
    for (const name of names) {
      draw(view, name)
      expect(document.body.textContent, name).not.toMatch(evm)
      cleanup()
    }
  }
})

it('spec_4_30_an_empty_list_and_one_that_could_not_be_had_are_told_apart_on_solana', () => {
  draw(Activity, 'Account.activity.solana.empty')
  expect(getByTestId('empty-activity-state').textContent).toMatch(/No activity yet/)
  cleanup()
  const { said } = draw(Activity, 'Account.activity.solana.error')
  expect(queryByTestId('empty-activity-state')).toBeNull()
  getByRole('button', { name: 'Try again' }).click()
  expect(said).toEqual([{ feature: 'activity', event: { type: 'moreAsked', ticket: null } }])
})

it('a page of Bitcoin on its way is said', () => {
  draw(TransactionsView, 'Account.activity.bitcoin.more')
  expect(getByRole('button', { name: 'Loading' }).getAttribute('aria-busy')).toBe('true')
})

it('spec_3_15_a_transaction_of_solana_shows_its_id_its_token_its_fee_and_its_page_on_the_explorer', () => {
  draw(TransactionDetailsView, 'TransactionDetails.solana')
  const item = pictureOf('TransactionDetails.solana').activity?.months[0]?.items[2]
  expect(getByText('Transaction ID')).toBeTruthy()
  expect(getByTestId('detail-hash').textContent).toBe(item?.hash)
  expect(getByText('USDC address')).toBeTruthy()
  expect(getByTestId('detail-token-contract').textContent).toBe('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
  expect(getByText('0.000005 SOL')).toBeTruthy()
  expect(getByRole('link', { name: 'View on explorer' }).getAttribute('href')).toBe(
    `https://solscan.io/tx/${item?.hash}`
  )
})

it('a token of Solana without a trusted symbol has an address of a token', () => {
  const picture = pictureOf('TransactionDetails.solana')
  const marked = JSON.stringify(picture.activity).replaceAll('"mark":null', '"mark":"lookalike"')
  draw(TransactionDetailsView, { ...picture, activity: JSON.parse(marked) })
  expect(getByText('Token address')).toBeTruthy()
  expect(queryByText('USDC address')).toBeNull()
})

it('a payment of Solana that failed shows whom it was for and the fee', () => {
  draw(TransactionDetailsView, 'TransactionDetails.solana.failed')
  expect(getByTestId('detail-other').textContent).toBe('9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin')
  expect(getByText('0.000005 SOL')).toBeTruthy()
  expect(within(document.body).getAllByText('Failed')).toHaveLength(2)
})

it('spec_3_15_a_payment_of_bitcoin_shows_its_id_its_whole_amount_its_fee_and_its_page_on_the_explorer', () => {
  draw(TransactionDetailsView, 'TransactionDetails.bitcoin')
  const id = getByTestId('detail-hash').textContent
  expect(id).toMatch(/^[0-9a-f]{64}$/)
  expect(getByText('Transaction ID')).toBeTruthy()
  expect(document.querySelector('.hero strong')?.textContent).toBe('minus −0.0125 BTC')
  expect(getByText('0.00000423 BTC')).toBeTruthy()
  expect(getByText('Pending')).toBeTruthy()
  expect(getByRole('link', { name: 'View on explorer' }).getAttribute('href')).toBe(`https://mempool.space/tx/${id}`)
})

it('a program call and the id of a transaction are there in Arabic', () => {
  draw(Activity, 'Account.activity.solana', arabic)
  expect(getByText('استدعاء برنامج')).toBeTruthy()
  cleanup()
  draw(TransactionDetailsView, 'TransactionDetails.bitcoin', arabic)
  expect(getByText('معرّف المعاملة')).toBeTruthy()
})
