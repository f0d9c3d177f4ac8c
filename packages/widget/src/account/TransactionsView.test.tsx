import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '../testing/draw.tsx'
import { TransactionsView } from './TransactionsView.tsx'

const { getAllByTestId, getByTestId, getByText, queryByTestId } = screen

it('spec_2_9_lists_what_was_done_by_month_the_newest_first', () => {
  draw(TransactionsView, 'Transactions.ready')
  expect(getAllByTestId('month-indexes')).toHaveLength(5)
  expect(getAllByTestId('group-title').map((title) => title.textContent)).toEqual([
    'November 2026',
    'October 2026',
    'February 2026',
    'December 2025',
    'November 2025'
  ])
  expect(queryByTestId('w3m-account-default-activity-button')).toBeNull()
})

it('spec_4_30_says_that_there_is_nothing_and_that_it_could_not_be_had', () => {
  draw(TransactionsView, 'Transactions.empty')
  expect(getByTestId('empty-activity-state').textContent).toMatch(/No activity yet/)
  cleanup()
  draw(TransactionsView, 'Transactions.error')
  expect(getByText("Couldn't load activity")).toBeTruthy()
})
