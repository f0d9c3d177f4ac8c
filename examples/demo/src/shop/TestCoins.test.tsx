import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { giveCoins, isEmpty } from './coins.ts'
import { TestCoins } from './TestCoins.tsx'

const page = vi.hoisted(() => ({ address: undefined as string | undefined, chainId: 31337, fetchBalance: vi.fn() }))

vi.mock('@portico/widget/react', () => ({
  useAppKitAccount: () => ({ address: page.address }),
  useAppKitNetwork: () => ({ chainId: page.chainId }),
  useAppKitState: () => ({ open: false }),
  useAppKitBalance: () => ({ fetchBalance: page.fetchBalance })
}))
vi.mock('../networks.ts', () => ({ networks: [{ id: 31337, name: 'Anvil One' }] }))
vi.mock('./coins.ts', () => ({ GIFT: '10', isEmpty: vi.fn(), giveCoins: vi.fn() }))

const ADDRESS = '0x00000000000000000000000000000000000c0e01'

beforeEach(() => {
  vi.clearAllMocks()
  Object.assign(page, { address: ADDRESS, chainId: 31337 })
  vi.mocked(isEmpty).mockResolvedValue(true)
})
afterEach(cleanup)

it('an empty account gets test coins, sees that they are on their way, and the widget reads the balance', async () => {
  let arrive = () => {}
  vi.mocked(giveCoins).mockReturnValue(
    new Promise((resolve) => {
      arrive = resolve
    })
  )
  render(<TestCoins />)
  fireEvent.click(await screen.findByRole('button', { name: 'Get test ETH' }))
  expect(screen.getByText('10 test ETH are on their way.')).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
  expect(page.fetchBalance).not.toHaveBeenCalled()
  arrive()
  await screen.findByText(/10 test ETH arrived/)
  expect(screen.queryByRole('button')).toBeNull()
  expect(giveCoins).toHaveBeenCalledExactlyOnceWith({ id: 31337, name: 'Anvil One' }, ADDRESS)
  expect(page.fetchBalance).toHaveBeenCalledOnce()
})

it('a transfer that fails is told, and can be tried again', async () => {
  const told = vi.spyOn(console, 'warn').mockReturnValue()
  vi.mocked(giveCoins).mockRejectedValueOnce(new Error('no node')).mockResolvedValueOnce()
  render(<TestCoins />)
  fireEvent.click(await screen.findByRole('button', { name: 'Get test ETH' }))
  await screen.findByText(/Couldn't get test ETH/)
  expect(told).toHaveBeenCalledOnce()
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText(/10 test ETH arrived/)
})

it('nothing is offered to an account with coins, on a network of others, without an account, or without an answer', async () => {
  const nothing = async () => {
    const { container } = render(<TestCoins />)
    await Promise.resolve()
    expect(container.innerHTML).toBe('')
    cleanup()
  }
  vi.mocked(isEmpty).mockResolvedValueOnce(false)
  await nothing()
  vi.mocked(isEmpty).mockRejectedValueOnce(new Error('no node'))
  await nothing()
  page.chainId = 5
  await nothing()
  Object.assign(page, { chainId: 31337, address: undefined })
  await nothing()
  expect(isEmpty).toHaveBeenCalledTimes(2)
})
