import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { SignIn } from './SignIn.tsx'

const page = vi.hoisted(() => ({ address: undefined as string | undefined, chain: 'eip155:1', open: false }))

vi.mock('@portico/widget/react', () => ({
  useAppKitAccount: () => ({ address: page.address }),
  useAppKitNetwork: () => ({ caipNetworkId: page.chain }),
  useAppKitState: () => ({ open: page.open }),
  useAppKitEvents: () => ({ timestamp: 0 })
}))

const ADDRESS = '0x00000000000000000000000000000000000c0e01'

beforeEach(() => {
  Object.assign(page, { address: ADDRESS, chain: 'eip155:1', open: false })
})
afterEach(cleanup)

/** Page whose sign-in keeps sessions of chain and account. */
function kitOf({ required = false, sessions = [] as string[] } = {}) {
  const siwx = {
    getRequired: () => required,
    getSessions: vi.fn(async (chain: string, address: string) =>
      sessions.filter((one) => one === `${chain} ${address}`)
    ),
    revokeSession: vi.fn(async (chain: string, address: string) => {
      sessions.splice(sessions.indexOf(`${chain} ${address}`), 1)
    })
  }
  const kit = { options: { siwx }, open: vi.fn(async (_options?: object) => {}) }
  return { kit: kit as typeof kit & Parameters<typeof SignIn>[0]['kit'], siwx, sessions }
}

const settled = () => act(async () => {})

it('the connected wallet is asked for its signature, and the page says so once there is a session', async () => {
  const { kit, sessions } = kitOf()
  const { rerender } = render(<SignIn kit={kit} />)
  await settled()
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(kit.open).toHaveBeenCalledExactlyOnceWith({ view: 'SIWXSignMessage' })
  page.open = true
  rerender(<SignIn kit={kit} />)
  sessions.push(`eip155:1 ${ADDRESS}`)
  page.open = false
  rerender(<SignIn kit={kit} />)
  await screen.findByText("You're signed in. You have no orders yet.")
  expect(screen.queryByRole('button', { name: 'Sign in' })).toBeNull()
})

it('a visitor without a wallet chooses one first', async () => {
  page.address = undefined
  const { kit, siwx } = kitOf()
  render(<SignIn kit={kit} />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await settled()
  expect(kit.open).toHaveBeenCalledExactlyOnceWith(undefined)
  expect(siwx.getSessions).not.toHaveBeenCalled()
})

it('a visitor who signs out has no session, and another network has none of its own', async () => {
  const { kit, siwx, sessions } = kitOf({ sessions: [`eip155:1 ${ADDRESS}`] })
  const { rerender } = render(<SignIn kit={kit} />)
  await screen.findByRole('button', { name: 'Sign out' })
  page.chain = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
  rerender(<SignIn kit={kit} />)
  await settled()
  expect(screen.getByRole('button', { name: 'Sign in' })).toBeTruthy()
  page.chain = 'eip155:1'
  rerender(<SignIn kit={kit} />)
  fireEvent.click(await screen.findByRole('button', { name: 'Sign out' }))
  await screen.findByRole('button', { name: 'Sign in' })
  expect([siwx.revokeSession.mock.calls, sessions]).toEqual([[['eip155:1', ADDRESS]], []])
})

it('a failure is told, and can be tried again', async () => {
  const told = vi.spyOn(console, 'warn').mockReturnValue()
  const { kit } = kitOf()
  kit.open.mockRejectedValueOnce(new Error('No ActiveCaipNetwork or client found'))
  render(<SignIn kit={kit} />)
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText("That didn't work. Try again.")
  expect(told).toHaveBeenCalledOnce()
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  expect(screen.queryByText("That didn't work. Try again.")).toBeNull()
  await settled()
})

it('nothing is offered where the sign-in is required, or there is none', async () => {
  const { kit } = kitOf({ required: true })
  const { container } = render(<SignIn kit={kit} />)
  await settled()
  expect(container.innerHTML).toBe('')
  cleanup()
  const without = { ...kit, options: {} } as typeof kit
  expect(render(<SignIn kit={without} />).container.innerHTML).toBe('')
})
