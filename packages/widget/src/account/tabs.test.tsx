import { cleanup, fireEvent, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { AccountView } from './AccountView.tsx'
import { panels } from './panels.ts'

const { getAllByRole, getByRole, getByTestId, getByText, queryByRole, queryByTestId, getAllByTestId, queryByText } =
  screen

beforeAll(() => Promise.all([panels.load('nfts'), panels.load('activity')]))

it('spec_3_12_tokens_have_a_name_an_amount_and_what_they_are_worth', () => {
  draw(AccountView, 'Account.tokens.ready')
  const rows = getAllByRole('listitem').map((row) => row.textContent)
  expect(rows[0]).toBe('Ether10,000.00 ETH$31,205,000.00')
  // Without a list and a price it is hidden.
  expect(rows.at(-1)).toBe('DDai Stablecoin88.50 DAI$88.52')
  expect(getByTestId('total-value').textContent).toMatch(/^Total \$31,207,/)
})

it('tokens on their way have a shape under the coin that is known', () => {
  draw(AccountView, 'Account.tokens.loading')
  expect(getByText('10,000.00 ETH')).toBeTruthy()
  expect(getByRole('status', { name: 'Loading' })).toBeTruthy()
})

it('spec_8_1_tokens_that_could_not_be_had_can_be_asked_for_again', () => {
  const { said } = draw(AccountView, 'Account.tokens.error')
  expect(getByText("Couldn't load tokens")).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(said).toEqual([{ feature: 'account', event: { type: 'tokensAsked' } }])
})

it('a picture that cannot be drawn gives way to a letter', () => {
  const picture = pictureOf('Account.tokens.ready')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    profileImage: '/face.webp',
    tokenBalance: account.tokenBalance.slice(1, 2).map((token) => ({ ...token, iconUrl: '/usdc.webp' }))
  }))
  draw(AccountView, { ...picture, account: { accounts } })
  const coin = getByRole('tabpanel').querySelector('img')
  expect([coin?.getAttribute('src'), coin?.getAttribute('loading')]).toEqual(['/usdc.webp', 'lazy'])
  const face = getByTestId('single-account-avatar')
  expect(face.tagName).toBe('IMG')
  if (coin) fireEvent.error(coin)
  fireEvent.error(face)
  expect(getByRole('tabpanel').querySelector('img')).toBeNull()
  expect(getByTestId('single-account-avatar').tagName).toBe('svg')
})

it('spec_4_40_a_name_stands_above_the_shortened_address', () => {
  draw(AccountView, 'Account.named')
  expect(getByTestId('account-name').textContent).toBe('alice.portico.eth')
  expect(getByTestId('account-settings-address').textContent).toBe('0xf3…b92266')
})

it('spec_2_9_activity_stands_under_its_months_the_newest_first', () => {
  draw(AccountView, 'Account.activity.ready')
  expect(getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent)).toEqual([
    'November 2026',
    'October 2026',
    'February 2026',
    'December 2025',
    'November 2025'
  ])
})

it('spec_2_10_and_2_13_a_transaction_says_what_it_did_with_whom_when_and_what_moved', () => {
  draw(AccountView, 'Account.activity.ready')
  const [got, swap, sent] = getAllByTestId('activity-item')
  expect(got?.textContent).toMatch(/ReceivedNov 19·0x70…dc79C8plus \+1,250\.004 USDC/)
  expect(swap?.textContent).toMatch(/SwappedNov 12·Uniswapminus −1\.200 ETHplus \+3,744\.600 USDC/)
  expect(sent?.textContent).toMatch(/SentFailedNov 2·0x70…dc79C8/)
})

it('rows open their details', () => {
  for (const [name, testid, event] of [
    ['Account.tokens.ready', 'account-token-coin', { type: 'tokenAsked', address: null }],
    ['Account.activity.ready', 'activity-0', { type: 'transactionAsked', id: '0' }],
    [
      'Account.nfts.ready',
      'nft-eip155:31337:0x0000000000000000000000000000000000000000/0',
      { type: 'nftAsked', id: 'eip155:31337:0x0000000000000000000000000000000000000000/0' }
    ]
  ] as const) {
    const { said } = draw(AccountView, name)
    fireEvent.click(getByTestId(testid))
    expect(said).toEqual([{ feature: 'detail', event }])
    cleanup()
  }
})

it('hidden tokens stand behind a row with their number, which opens and closes', () => {
  const { said } = draw(AccountView, 'Account.tokens.hidden')
  const row = getByRole('button', { name: /^Hidden \(4\)/ })
  expect([row.getAttribute('aria-expanded'), getAllByRole('listitem').length]).toEqual(['false', 4])
  fireEvent.click(row)
  expect(said).toEqual([{ feature: 'account', event: { type: 'hiddenAsked' } }])
  cleanup()
  draw(AccountView, 'Account.tokens.revealed')
  expect(getByRole('button', { name: /^Hidden/ }).getAttribute('aria-expanded')).toBe('true')
  const rows = getAllByRole('listitem').map((one) => one.textContent)
  expect(rows).toHaveLength(8)
  expect(rows.some((text) => text?.startsWith('CSuspicious name'))).toBe(true)
  expect(rows.some((text) => text?.includes('Lookalike'))).toBe(true)
  expect(getByRole('tabpanel').textContent).not.toContain('site.com')
})

it('an account that others sent tokens to and that has nothing else may still be funded', () => {
  const picture = pictureOf('Account.poor')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    tokenBalance: account.tokenBalance.flatMap((token) => [
      token,
      { ...token, address: 'eip155:31337:0x1', hidden: true, quantity: { decimals: '18', numeric: '1000' } }
    ])
  }))
  draw(AccountView, { ...picture, account: { accounts } })
  expect(getByTestId('receive-funds')).toBeTruthy()
})

it('what is less than can be written keeps its sign', () => {
  const picture = pictureOf('Account.activity.ready')
  const months = picture.activity?.months.map((month) => ({
    ...month,
    items: month.items.map((item) => ({ ...item, moves: item.moves.map((move) => ({ ...move, amount: '<0.001' })) }))
  }))
  draw(AccountView, { ...picture, activity: picture.activity && { ...picture.activity, months: months ?? [] } })
  expect(getAllByTestId('activity-item')[0]?.textContent).toMatch(/plus \+\u202f<0\.001 USDC/)
})

it('spec_4_30_the_next_page_is_asked_for_at_the_end_of_the_list', () => {
  const picture = pictureOf('Account.activity.ready')
  const activity = picture.activity && { ...picture.activity, more: true }
  const { said } = draw(AccountView, { ...picture, activity })
  fireEvent.click(getByRole('button', { name: 'Show more' }))
  expect(said).toEqual([{ feature: 'activity', event: { type: 'moreAsked', ticket: null } }])
})

it('a page on its way is said and not asked for twice', () => {
  const { said } = draw(AccountView, 'Account.activity.more')
  const button = getByRole('button', { name: 'Loading' })
  expect(button.getAttribute('aria-busy')).toBe('true')
  fireEvent.click(button)
  expect(said).toEqual([])
})

it('spec_4_30_an_empty_list_and_one_that_could_not_be_had_are_told_apart', () => {
  draw(AccountView, 'Account.activity.empty')
  expect(getByTestId('empty-activity-state').textContent).toMatch(/No activity yet/)
})

it('a list that could not be had can be asked for again', () => {
  const { said } = draw(AccountView, 'Account.activity.error')
  expect(queryByTestId('empty-activity-state')).toBeNull()
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(said).toEqual([{ feature: 'activity', event: { type: 'moreAsked', ticket: null } }])
})

it('all transactions on their way stand on top, the newest first', () => {
  draw(AccountView, 'Account.activity.pending')
  const rows = getAllByTestId('activity-pending').map((row) => row.textContent)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatch(/Transaction pending.*minus −0\.250 ETH/)
  expect(rows[1]).toMatch(/minus −1\.500 ETH/)
  expect(getAllByTestId('activity-item')).toHaveLength(10)
})

it('spec_2_9_swaps_and_sends_on_their_way_stand_together_the_newest_first', () => {
  const picture = pictureOf('Account.activity.pending')
  const [first] = picture.send.pending
  if (!first) throw new Error('Nothing is on its way')
  const sends = [30, 10].map((since) => ({ ...first, hash: `0x${since}`, amount: `${since}`, since }))
  const swaps = [40, 20].map((since) => ({
    ...first,
    step: 'swap' as const,
    hash: `0x${since}`,
    amount: `${since}`,
    toAmount: '1',
    toSymbol: 'USDC',
    since
  }))
  draw(AccountView, {
    ...picture,
    send: { ...picture.send, pending: sends },
    swap: { ...picture.swap, pending: swaps }
  })
  const amounts = getAllByTestId('activity-pending').map((row) => /−(\d+)/.exec(row.textContent ?? '')?.[1])
  expect(amounts).toEqual(['40', '30', '20', '10'])
})

it('a payment on its way on Solana or Bitcoin is listed too, and opens its details', () => {
  const picture = pictureOf('Account.activity.pending')
  const [first] = picture.send.pending
  if (!first) throw new Error('The picture has a pending transaction')
  const { solana } = pictureOf('SolanaSend.filled')
  const one = { ...first, hash: 'signature', amount: '0.5', symbol: 'SOL' }
  const { said } = draw(AccountView, {
    ...picture,
    send: { ...picture.send, pending: [] },
    solana: solana && { ...solana, pending: [one] }
  })
  fireEvent.click(getByRole('button', { name: /Transaction pending.*0\.5 SOL/ }))
  expect(said).toEqual([{ feature: 'detail', event: { type: 'transactionAsked', id: 'signature' } }])
})

it('an approval on its way is told as one, and an approved swap can be gone on with', () => {
  draw(AccountView, 'Account.activity.approving')
  expect(getAllByTestId('activity-pending').map((row) => row.textContent)).toEqual([
    expect.stringMatching(/^Approval pendingWaiting for the network/)
  ])
  cleanup()
  const { said } = draw(AccountView, 'Account.activity.unfinished')
  const row = getByTestId('activity-unfinished')
  expect(row.textContent).toBe('Finish your swapApproved: \u20661,000 USDC → ETH\u2069')
  fireEvent.click(row)
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'Swap' } }])
})

it('a transaction on its way does not stand in the list as well, nor does a month without others', () => {
  const picture = pictureOf('Account.activity.pending')
  const months = picture.activity?.months ?? []
  const hashes = months.flatMap(({ items }) => items.map(({ hash }) => hash ?? ''))
  const [first] = picture.send.pending
  const sent = (hashes: string[]) => hashes.flatMap((hash) => (first ? [{ ...first, hash }] : []))
  const shell = draw(AccountView, { ...picture, send: { ...picture.send, pending: sent(hashes.slice(0, 4)) } })
  expect(getAllByTestId('activity-pending')).toHaveLength(4)
  expect(getAllByTestId('activity-item')).toHaveLength(6)
  expect(queryByText('November 2026')).toBeNull()
  // Once mined, it is in the list, and only there.
  shell.tell({ send: { ...picture.send, pending: [] } })
  expect(queryByTestId('activity-pending')).toBeNull()
  expect(getAllByTestId('activity-item')).toHaveLength(10)
})

it('tokens that could not be had anew stay, and it is said and can be tried again', () => {
  const shell = draw(AccountView, 'Account.tokens.outdated')
  expect(getAllByRole('listitem').length).toBeGreaterThan(1)
  expect(getByText("Couldn't load tokens")).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(shell.said).toEqual([{ feature: 'account', event: { type: 'tokensAsked' } }])
})

it('a list that could not be had anew stays, says so and can be asked for again', () => {
  const shell = draw(AccountView, 'Account.activity.outdated')
  expect(getAllByTestId('activity-item')).toHaveLength(10)
  expect(getByText("Couldn't load activity")).toBeTruthy()
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(shell.said).toEqual([{ feature: 'activity', event: { type: 'moreAsked', ticket: null } }])
  const { activity } = pictureOf('Account.activity.outdated')
  shell.tell({ activity: activity && { ...activity, state: 'loading' } })
  expect(getAllByTestId('activity-item')).toHaveLength(10)
  expect(getByRole('button', { name: 'Loading' }).getAttribute('aria-busy')).toBe('true')
})

it('collectibles are tiles with a name and a collection', () => {
  draw(AccountView, 'Account.nfts.ready')
  const tiles = getAllByRole('listitem').map((tile) => tile.textContent)
  expect(tiles[0]).toBe('LLantern #12Lanterns of the Harbour')
  expect(tiles.at(-1)).toBe('T×12TicketLanterns of the Harbour')
})

it('collectibles that could not be had can be asked for again', () => {
  const { said } = draw(AccountView, 'Account.nfts.error')
  fireEvent.click(getByRole('button', { name: 'Try again' }))
  expect(said).toEqual([{ feature: 'account', event: { type: 'nftsAsked' } }])
  expect(queryByText('No NFTs yet')).toBeNull()
})

it('where there are no collectibles that is said, and while they come a shape is shown', () => {
  draw(AccountView, 'Account.nfts.empty')
  expect(getByText('No NFTs yet')).toBeTruthy()
  expect(queryByRole('status', { name: 'Loading' })).toBeNull()
})

it('months and days are written in the language of the page, with digits of amounts', () => {
  draw(AccountView, 'Account.activity.ready', arabic)
  const heading = getAllByRole('heading', { level: 2 })[0]?.textContent
  expect(heading).toMatch(/2026/)
  expect(heading).not.toMatch(/November/)
})

it('Home and End go to the first and the last tab', () => {
  const { said } = draw(AccountView, 'Account.nfts.ready')
  const tab = getByRole('tab', { name: 'NFTs' })
  fireEvent.keyDown(tab, { key: 'End' })
  fireEvent.keyDown(tab, { key: 'Home' })
  expect(said.map(({ event }) => event)).toEqual([
    { type: 'tabChosen', tab: 'activity' },
    { type: 'tabChosen', tab: 'tokens' }
  ])
})

it('an account that has nothing is led to what helps, under either of the names that hosts know', () => {
  const { said } = draw(AccountView, 'Account.poor')
  for (const [outer, inner, view] of [
    ['w3m-account-onramp-button', 'buy-crypto', 'OnRampProviders'],
    ['w3m-account-receive-button', 'receive-funds', 'WalletReceive']
  ] as const) {
    expect(getByTestId(outer).contains(getByTestId(inner))).toBe(true)
    fireEvent.click(getByTestId(inner))
    expect(said.at(-1)).toEqual({ feature: 'modal', event: { type: 'viewAsked', view } })
  }
  cleanup()
  draw(AccountView, 'Account.tokens.ready')
  expect(queryByTestId('receive-funds')).toBeNull()
})

it('spec_2_9_the_list_leads_to_itself_on_a_page_of_its_own_where_more_is_behind_it', () => {
  const picture = pictureOf('Account.activity.ready')
  if (!picture.activity) throw new Error('There is no list')
  draw(AccountView, { ...picture, activity: { ...picture.activity, more: false } })
  expect(queryByTestId('w3m-account-default-activity-button')).toBeNull()
  cleanup()
  const { said } = draw(AccountView, { ...picture, activity: { ...picture.activity, more: true } })
  fireEvent.click(getByTestId('w3m-account-default-activity-button'))
  expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'Transactions' } }])
})

it('a row says what to distrust: a suspicious name, a lookalike, and what stands among the hidden tokens', () => {
  draw(AccountView, 'Account.activity.ready')
  const tags = () => getAllByTestId('activity-item').map((row) => row.querySelector('wui-tag')?.textContent)
  expect(tags().at(-1)).toBe('Suspicious name')
  cleanup()
  const picture = pictureOf('Account.tokens.hidden')
  const tokens = picture.account.accounts[0]?.tokenBalance ?? []
  const hidden = tokens.find((token) => token.hidden && !token.mark)
  const bait = tokens.find(({ mark }) => mark === 'suspicious')
  const accounts = picture.account.accounts.map((account) => ({ ...account, currentTab: 'activity' as const }))
  const { activity } = pictureOf('Account.activity.ready')
  const [month] = activity?.months ?? []
  const [item] = month?.items ?? []
  const [move] = item?.moves ?? []
  if (!activity || !month || !item || !move || !hidden?.address || !bait?.address)
    throw new Error('The pictures lack a part')
  const row = (id: string, change: Partial<typeof move>) => ({ ...item, id, hash: id, moves: [{ ...move, ...change }] })
  const items = [
    row('1', { mark: 'lookalike' }),
    row('2', { address: hidden.address.toUpperCase() }),
    row('3', { address: 'eip155:1:0x2' }),
    row('4', { address: bait.address, name: 'USDC' }),
    row('5', { mark: 'both' })
  ]
  draw(AccountView, { ...picture, account: { accounts }, activity: { ...activity, months: [{ ...month, items }] } })
  expect(tags()).toEqual(['Lookalike', 'Unknown token', undefined, 'Suspicious name', 'Suspicious name'])
  const last = getAllByTestId('activity-item').at(-1)?.querySelectorAll('wui-tag') ?? []
  expect([...last].map((tag) => tag.textContent)).toEqual(['Suspicious name', 'Lookalike'])
  // Doubtful tokens are not green, and their rows are quieter.
  const rows = getAllByTestId('activity-item')
  expect(rows.map((row) => row.querySelector('.gain') !== null)).toEqual([false, false, true, false, false])
  expect(rows.map((row) => row.classList.contains('quiet'))).toEqual([true, true, false, true, true])
})

it('a token with a suspicious name and the symbol of another carries both marks', () => {
  const picture = pictureOf('Account.tokens.revealed')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    tokenBalance: account.tokenBalance.map((token) =>
      token.mark === 'suspicious' ? { ...token, mark: 'both' as const, symbol: 'USDC' } : token
    )
  }))
  draw(AccountView, { ...picture, account: { accounts } })
  const row = screen.getAllByRole('listitem').find(({ textContent }) => textContent?.includes('Suspicious name'))
  expect(row?.textContent).toMatch(/USDC\s*Lookalike/)
})

it.each([
  ['Account.nfts.error', 'nfts', "NFTs aren't available here"],
  ['Account.activity.error', 'activity', "Activity isn't available here"]
] as const)('a server without a source for %s says so, and nothing can be tried again', (name, list, words) => {
  const picture = pictureOf(name)
  draw(AccountView, { ...picture, [list]: { ...picture[list], state: 'unserved' } })
  expect(screen.getByText(words)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})
