import { cleanup, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
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

it('a history that the server cannot know is not called empty', () => {
  draw(TransactionsView, 'Account.activity.unserved')
  expect(getByTestId('empty-activity-state').textContent).toBe(
    "Activity isn't available hereSee your transactions on a block explorer."
  )
})

it('payments that this page saw are listed where the server has no history, with the reason that others are not', () => {
  const picture = pictureOf('Transactions.ready')
  const unserved = picture.activity && { ...picture.activity, state: 'unserved' as const, more: false }
  draw(TransactionsView, { ...picture, activity: unserved })
  expect(getAllByTestId('activity-item').length).toBeGreaterThan(0)
  expect(getByTestId('activity-unserved').textContent).toMatch(/^Activity isn't available here/)
  expect(queryByTestId('empty-activity-state')).toBeNull()
})
