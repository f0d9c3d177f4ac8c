import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { ActivityApproval, ActivityItem, Snapshot } from '../generated/core.ts'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { NftDetailsView } from './NftDetailsView.tsx'
import { TokenDetailsView } from './TokenDetailsView.tsx'
import { TransactionDetailsView } from './TransactionDetailsView.tsx'

const { getByRole, getByTestId, getByText, queryByTestId, queryByText } = screen

it('a token shows its exact amount, its value, its network and its whole contract', () => {
  draw(TokenDetailsView, 'TokenDetails.token')
  expect(getByTestId('detail-amount').textContent).toBe('1,250.004 USDC')
  expect(getByText('$1,250.00')).toBeTruthy()
  expect(getByText('$1.00')).toBeTruthy()
  expect(getByText('Anvil One')).toBeTruthy()
  expect(getByTestId('detail-contract').textContent).toBe('0x0000000000000000000000000000000000000001')
  const link = getByRole('link', { name: 'View on explorer' })
  expect(link.getAttribute('href')).toMatch(/\/token\/0x0{39}1$/)
})

it('the contract is copied, and the button has a tick while it says so', () => {
  const { said } = draw(TokenDetailsView, 'TokenDetails.token')
  const button = getByRole('button', { name: 'Copy contract' })
  fireEvent.click(button)
  const text = '0x0000000000000000000000000000000000000001'
  expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text } }])
  expect(queryByText('Copied')).toBeNull()
})

it.each([
  ['eip155:31337', 'WalletSend'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'SolanaSend'],
  ['bip122:000000000019d6689c085ae165831e93', 'BitcoinSend']
])('the form of the chain %s is fetched before it opens', (chainId, view) => {
  const picture = pictureOf('TokenDetails.coin')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    tokenBalance: account.tokenBalance?.map((token) => ({ ...token, chainId }))
  }))
  draw(TokenDetailsView, { ...picture, account: { ...picture.account, accounts } } as Snapshot)
  expect(getByTestId('detail-send').dataset.ahead).toBe(view)
})

it('what was just copied is said', () => {
  draw(TokenDetailsView, 'TokenDetails.copied')
  expect(getByTestId('detail-contract-copy').dataset.done).toBe('true')
  expect(getByText('Copied').getAttribute('role')).toBe('status')
})

it('a token can be sent and swapped from its details, the coin as well', () => {
  for (const name of ['TokenDetails.token', 'TokenDetails.coin']) {
    const { said } = draw(TokenDetailsView, name)
    fireEvent.click(getByRole('button', { name: 'Send' }))
    fireEvent.click(getByRole('button', { name: 'Swap' }))
    expect(said.map(({ event }) => event.type)).toEqual(['sendAsked', 'swapAsked'])
    cleanup()
  }
})

it('a suspicious token says why, keeps its name to itself and offers no payment', () => {
  draw(TokenDetailsView, 'TokenDetails.suspicious')
  expect(getByTestId('detail-warning').textContent).toMatch(/has a link or code in it/)
  expect(getByText('Suspicious name')).toBeTruthy()
  expect([queryByTestId('detail-send'), queryByTestId('detail-swap')]).toEqual([null, null])
})

it('a token with a suspicious name and the symbol of another warns of both', () => {
  const picture = pictureOf('TokenDetails.suspicious')
  const accounts = picture.account.accounts.map((account) => ({
    ...account,
    tokenBalance: account.tokenBalance.map((token) => (token.mark ? { ...token, mark: 'both' as const } : token))
  }))
  draw(TokenDetailsView, { ...picture, account: { ...picture.account, accounts } })
  expect(getByTestId('detail-warning').textContent).toMatch(
    /has a link or code in it, and another token uses its symbol/
  )
  expect(getByText('Suspicious name')).toBeTruthy()
})

it('a token that left the account says so', () => {
  draw(TokenDetailsView, 'TokenDetails.gone')
  expect(getByText('No longer in your account')).toBeTruthy()
})

it('an NFT shows its name, collection, number and contract', () => {
  draw(NftDetailsView, 'NftDetails.nft')
  expect(getByText('Ticket')).toBeTruthy()
  expect(getByText('Lanterns of the Harbour')).toBeTruthy()
  expect(getByText('12')).toBeTruthy()
  expect(getByTestId('detail-token-id').textContent).toBe('4')
})

it('spec_3_15_a_transaction_shows_what_it_moved_its_state_its_time_and_its_whole_hash', () => {
  draw(TransactionDetailsView, 'TransactionDetails.trade')
  expect(getByText('Swapped')).toBeTruthy()
  expect(getByText('Confirmed')).toBeTruthy()
  expect(getByText('Uniswap')).toBeTruthy()
  expect(getByTestId('detail-hash').textContent).toBe(`0x${'0'.repeat(63)}1`)
  // In the visitor's time zone, which needs no name.
  expect(getByText(/^Nov 1[123], 2026, \d+:\d\d [AP]M$/)).toBeTruthy()
  expect(getByText('0.000184 ETH')).toBeTruthy()
  const link = getByRole('link', { name: 'View on explorer' })
  expect(link.getAttribute('href')).toMatch(/^https:\/\/scan-31337\.example\/tx\/0x0+1$/)
  expect([link.getAttribute('target'), link.getAttribute('rel')]).toEqual(['_blank', 'noreferrer'])
})

it('spec_2_12_the_other_party_is_shown_with_all_its_characters', () => {
  draw(TransactionDetailsView, 'TransactionDetails.failed')
  expect(getByTestId('detail-other').textContent).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
})

it('a transaction that failed is headed by that, and not by what it was meant to do', () => {
  for (const moves of [[], pictureOf('TransactionDetails.trade').activity?.months[0]?.items[0]?.moves ?? []]) {
    const picture = pictureOf('TransactionDetails.failed')
    const months = picture.activity?.months.map((month) => ({
      ...month,
      items: month.items.map((item) => ({ ...item, moves }))
    }))
    draw(TransactionDetailsView, { ...picture, activity: { ...picture.activity, months } } as never)
    expect(screen.getAllByText('Failed').map(({ className }) => className)).toEqual(['failed', 'failed'])
    expect(screen.queryByText('Sent')).toBeNull()
    cleanup()
  }
})

it('one number format: an amount is cut to eight decimals, with its exact value in the title, and no amount fills the view', () => {
  const picture = pictureOf('TokenDetails.token')
  const shown = (numeric: string) => {
    const accounts = picture.account.accounts.map((account) => ({
      ...account,
      tokenBalance: account.tokenBalance.map((token) => ({ ...token, quantity: { ...token.quantity, numeric } }))
    }))
    draw(TokenDetailsView, { ...picture, account: { accounts } })
    const { textContent, title } = getByTestId('detail-amount')
    cleanup()
    return [textContent, title]
  }
  expect(shown('5')).toEqual(['5.00 USDC', ''])
  expect(shown('1.123456789')).toEqual(['1.12345678 USDC', '1.123456789 USDC'])
  expect(shown(`0.${'0'.repeat(200)}1`)[0]).toBe('<0.00000001 USDC')
  expect(shown('9'.repeat(78))[0]).toBe('>999,999,999,999,999,999 USDC')
})

it('what moved stands with its decimals in the details', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const months = picture.activity?.months.map((month) => ({
    ...month,
    items: month.items.map((item) => ({
      ...item,
      moves: item.moves.map((move) => ({ ...move, amount: '<0.001', exact: '0.0004' }))
    }))
  }))
  draw(TransactionDetailsView, {
    ...picture,
    activity: picture.activity && { ...picture.activity, months: months ?? [] }
  })
  expect(screen.getAllByText(/0\.0004 (ETH|USDC)$/).length).toBeGreaterThan(0)
  expect(queryByText(/<0\.001/)).toBeNull()
})

it.each([
  ['deploy', true, 'New contract', 'To'],
  ['receive', false, 'Mint', 'From'],
  ['send', true, 'Burn address', 'To'],
  ['mint', false, null, 'From'],
  ['burn', true, null, 'To']
] as const)(
  'the zero address of a %s is said in words, and where the kind says it already not at all',
  (kind, own, words, side) => {
    const picture = pictureOf('TransactionDetails.trade')
    const otherAddress = `0x${'0'.repeat(40)}`
    const months = picture.activity?.months.map((month) => ({
      ...month,
      items: month.items.map((item) => ({ ...item, kind, own, otherAddress, contract: null }))
    }))
    draw(TransactionDetailsView, {
      ...picture,
      activity: picture.activity && { ...picture.activity, months: months ?? [] }
    })
    if (words) expect(getByText(words).closest('div')?.textContent).toBe(`${side}${words}`)
    else expect(queryByText(side)).toBeNull()
    expect(queryByText(otherAddress)).toBeNull()
  }
)

it('a transaction of a suspicious token warns, as its row does', () => {
  draw(TransactionDetailsView, 'TransactionDetails.suspicious')
  expect(getByTestId('detail-warning').textContent).toMatch(/has a link or code in it/)
  expect(document.querySelector('.hero .gain')).toBeNull()
})

it('a transaction of a name with a link keeps it to itself', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const months = picture.activity?.months.map((month) => ({
    ...month,
    items: month.items.map((item) => ({ ...item, moves: item.moves.map((move) => ({ ...move, name: '' })) }))
  }))
  draw(TransactionDetailsView, {
    ...picture,
    activity: picture.activity && { ...picture.activity, months: months ?? [] }
  })
  expect(screen.getAllByText(/Suspicious name/)).toHaveLength(2)
})

it('the details speak Arabic', () => {
  draw(TokenDetailsView, 'TokenDetails.token', arabic)
  expect(getByText('العقد')).toBeTruthy()
  expect(getByText('1,250.004 USDC').dir).toBe('ltr')
})

it('a transaction that is not mined yet shows what is known of it', () => {
  const picture = pictureOf('Account.activity.pending')
  const [one] = picture.send.pending
  if (!one) throw new Error('Nothing is on its way')
  const detail = { id: one.hash, contract: null, tokenId: null, url: null, network: 'Anvil One' }
  draw(TransactionDetailsView, { ...picture, detail })
  expect(getByTestId('detail-pending').textContent).toMatch(/−\d.*StatusPending/)
  expect(getByTestId('detail-hash').textContent).toBe(one.hash)
  expect(getByRole('link', { name: 'View on explorer' }).getAttribute('href')).toBe(one.url)
  cleanup()
  // An approval moves nothing, and a transaction without an explorer has no link.
  const approval = { ...one, url: null, step: 'approval' as const, toAmount: '1', toSymbol: 'USDC' }
  draw(TransactionDetailsView, {
    ...picture,
    detail,
    send: { ...picture.send, pending: [] },
    swap: { ...picture.swap, pending: [approval] }
  })
  expect(getByTestId('detail-pending').textContent).not.toContain('−')
  expect(queryByText('View on explorer')).toBeNull()
})

it.each(['solana', 'bitcoin'])(
  'a payment on %s that is on its way has an id, as one that is in a block',
  (namespace) => {
    draw(TransactionDetailsView, `TransactionDetails.${namespace}Pending`)
    expect(getByText('Transaction ID')).toBeTruthy()
    expect(queryByText('Transaction hash')).toBeNull()
  }
)

it('a token of Solana has an address and no contract', () => {
  draw(TokenDetailsView, 'TokenDetails.solana')
  expect(getByText('Token address')).toBeTruthy()
  expect(queryByText('Contract')).toBeNull()
})

it('an approval tells the token, how much of it may be spent, and by whom', () => {
  draw(TransactionDetailsView, 'TransactionDetails.approval')
  const lines = [...document.querySelectorAll('dl > div')].map((line) => line.textContent)
  expect(lines).toContain('TokenUSDC')
  expect(lines).toContain('Amount1,250 USDC')
  expect(lines).toContain('AppUniswap')
  expect(getByTestId('detail-spender').textContent).toBe(`0x${'0'.repeat(39)}9`)
  expect(getByTestId('detail-token-contract').textContent).toBe('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')
  expect(queryByText('To')).toBeNull()
})

it('an approval without a limit says so, and one of an unknown token has no amount', () => {
  const picture = pictureOf('TransactionDetails.approval')
  const approved = (change: Partial<ActivityApproval>) => {
    cleanup()
    draw(TransactionDetailsView, {
      ...picture,
      activity: withItems(picture, (item) => ({ ...item, approval: item.approval && { ...item.approval, ...change } }))
    })
  }
  approved({ amount: null, unlimited: true })
  expect(getByText('Unlimited')).toBeTruthy()
  approved({ amount: null, symbol: null, spenderName: null })
  expect([queryByText('Amount'), queryByText('App'), queryByText('Token')]).toEqual([null, null, null])
  expect(getByTestId('detail-token-contract').closest('div')?.textContent).toMatch(/^Contract0x/)
})

it('the contract of a lookalike does not have the name that it borrows', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const borrowed = (item: ActivityItem) => ({
    ...item,
    moves: item.moves.map((move) => ({ ...move, contract: `0x${'A'.repeat(40)}`, mark: 'lookalike' as const }))
  })
  draw(TransactionDetailsView, { ...picture, activity: withItems(picture, borrowed) })
  expect(getByTestId('detail-token-contract').closest('div')?.textContent).toMatch(/^Contract0x/)
})

it('several NFTs of one id are counted', () => {
  draw(TransactionDetailsView, 'TransactionDetails.nfts')
  expect(document.querySelector('.hero strong')?.textContent).toMatch(/\+2 × Lantern #12$/)
})

it('an amount that may be smaller says so', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const doubted = (item: ActivityItem) => ({
    ...item,
    moves: item.moves.map((move) => ({ ...move, atMost: move.sign === '-' }))
  })
  draw(TransactionDetailsView, { ...picture, activity: withItems(picture, doubted) })
  expect(screen.getByText(/1\.200 ETH$/).textContent).toBe('up to minus −1.200 ETH')
  expect(screen.getByText(/3,744\.600 USDC$/).textContent).not.toContain('up to')
})

it('the sign of an amount too small to show stands apart from its mark', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const tiny = (item: ActivityItem) => ({
    ...item,
    moves: item.moves.map((move) => ({ ...move, amount: '<0.001', exact: null }))
  })
  draw(TransactionDetailsView, { ...picture, activity: withItems(picture, tiny) })
  expect(screen.getByText(/<0\.001 ETH$/).textContent).toBe('minus −\u202f<0.001 ETH')
  expect(screen.getByText(/<0\.001 USDC$/).textContent).toBe('plus +\u202f<0.001 USDC')
})

it('each moved token has its whole contract, and the called contract stands beside it where it is another', () => {
  const picture = pictureOf('TransactionDetails.trade')
  const usdc = `0x${'A'.repeat(40)}`
  const known = (contract: string | null) => (item: ActivityItem) => ({
    ...item,
    contract,
    moves: item.moves.map((move) => ({ ...move, contract: move.name === 'USDC' ? usdc : null }))
  })
  draw(TransactionDetailsView, { ...picture, activity: withItems(picture, known(usdc)) })
  expect(getByTestId('detail-token-contract').closest('div')?.textContent).toBe(`USDC contract${usdc}`)
  expect(getByRole('button', { name: 'Copy USDC contract' })).toBeTruthy()
  expect(getByRole('button', { name: 'Copy transaction hash' })).toBeTruthy()
  expect(queryByTestId('detail-contract')).toBeNull()
  cleanup()
  draw(TransactionDetailsView, { ...picture, activity: withItems(picture, known(`0x${'B'.repeat(40)}`)) })
  expect(getByTestId('detail-contract').textContent).toBe(`0x${'B'.repeat(40)}`)
})

/** Activity of a snapshot with each transaction changed. */
function withItems({ activity }: Snapshot, change: (item: ActivityItem) => ActivityItem): Snapshot['activity'] {
  return (
    activity && { ...activity, months: activity.months.map((month) => ({ ...month, items: month.items.map(change) })) }
  )
}
