// @vitest-environment happy-dom

import { createDemoWallet, type DemoWalletOptions } from '@portico/testkit'
import { describe, expect, it, vi } from 'vitest'
import { EIP155Verifier } from '../adapters/siwx/EIP155Verifier.ts'
import type { CoreEvent } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWXSession } from '../host/siwx.ts'
import { connectSigned } from './evmSignedConnect.ts'

const CHAIN = 'eip155:31337'
const ACCOUNT = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const fields = {
  domain: 'shop.example',
  uri: 'https://shop.example/in',
  version: '1',
  nonce: '12345678',
  issuedAt: '2026-01-01T00:00:00.000Z'
}
const whole = {
  ...fields,
  statement: 'Hello.',
  resources: ['https://shop.example/terms'],
  requestId: '7',
  expirationTime: '2026-01-02T00:00:00.000Z',
  notBefore: '2026-01-01T00:00:00.000Z'
}

interface Given extends Pick<DemoWalletOptions, 'mode' | 'oneClick'> {
  readonly message?: object
  readonly site?: object
  /** Chains of the site. */
  readonly chains?: readonly string[]
}

/** A wallet of the testkit, whose texts another library writes, and what the page does with it. */
function page({ message = whole, site = {}, chains = [CHAIN], ...more }: Given = {}) {
  const storage = { getItem: () => null, setItem: () => {} }
  const local = { chainId: 31337, name: 'Local', rpcUrl: 'http://127.0.0.1:9' }
  const given: DemoWalletOptions = { chains: [local], approval: 'auto', storage, oneClick: 'honest', ...more }
  const wallet = createDemoWallet(given)
  const createMessage = vi.fn(async (input: object) => ({ ...message, ...input, toString: (): string => 'text' }))
  const options = { projectId: 'demo', networks: [], siwx: { createMessage, ...site } } as unknown as CreateAppKit
  const told: CoreEvent[] = []
  const asked = () => wallet.controls.requests.filter(({ method }) => method === 'wallet_connect').length
  return {
    wallet,
    createMessage,
    told,
    asked,
    connect: (provider = wallet.provider as never) =>
      connectSigned({ provider }, { options, networks: new Set(chains), dispatch: (event) => void told.push(event) }),
    sessions: () => told.flatMap(({ event }) => (event as { sessions: SIWXSession[] }).sessions)
  }
}

/** A wallet that answers so. */
const answering = (answer: () => unknown) =>
  ({ request: async ({ method }: { method: string }) => (method === 'eth_chainId' ? '0x7a69' : answer()) }) as never

const failing = (code?: number) =>
  answering(() => {
    throw Object.assign(new Error('No'), code === undefined ? {} : { code })
  })

describe('connecting an EVM wallet with a sign-in', () => {
  it.each([
    ['all fields', whole],
    ['no statement', fields]
  ])('spec_4_25_is_one_approval_whose_session_verifies, with %s', async (_which, message) => {
    const { connect, told, sessions, asked } = page({ message })
    expect(await connect()).toEqual([ACCOUNT.toLowerCase()])
    expect([told.length, asked()]).toEqual([1, 1])
    const [session] = sessions()
    expect(session?.data).toEqual({ ...message, chainId: CHAIN, accountAddress: ACCOUNT })
    expect(session).toMatchObject({ chainId: CHAIN, accountAddress: ACCOUNT })
    expect(await new EIP155Verifier().verify(session as SIWXSession)).toBe(true)
  })

  it('asks for the times in the form in which wallets write them, and for one of its own where the site has none', async () => {
    const { issuedAt: _, ...timeless } = fields
    const { connect, sessions } = page({ message: { ...timeless, expirationTime: '2027-01-01T02:00:00+02:00' } })
    await connect()
    const [session] = sessions()
    expect(session?.data.expirationTime).toBe('2027-01-01T00:00:00.000Z')
    expect(Math.abs(Date.now() - Date.parse(session?.data.issuedAt ?? ''))).toBeLessThan(60_000)
  })

  it.each(['nonce', 'domain', 'uri', 'statement', 'chain', 'account', 'none'] as const)(
    'takes no other text than the one of the site (%s), and asks such a wallet once',
    async (oneClick) => {
      const { connect, told, asked } = page({ oneClick })
      expect(await connect()).toEqual([ACCOUNT.toLowerCase()])
      expect(await connect()).toBeUndefined()
      expect([told, asked()]).toEqual([[], 1])
    }
  )

  it('falls back to connecting alone if the wallet does not know the method, and asks it once', async () => {
    const { connect, createMessage, told, asked } = page({ oneClick: undefined })
    expect(await connect()).toBeUndefined()
    expect(await connect()).toBeUndefined()
    expect([told, asked(), createMessage.mock.calls.length]).toEqual([[], 1, 1])
  })

  it('falls back if the wallet fails or answers with nonsense', async () => {
    const hostile = {
      get accounts(): never {
        throw new Error('x')
      }
    }
    const answers = [null, 7, 'no', [], {}, { accounts: 7 }, { accounts: [] }, { accounts: 'no' }, hostile]
    for (const provider of [...answers.map((answer) => answering(() => answer)), failing(-32_601), failing()]) {
      const { connect, told } = page()
      expect(await connect(provider)).toBeUndefined()
      expect(told).toEqual([])
    }
  })

  it('is refused by the visitor, and not asked again while the wallet shows a request', async () => {
    const { connect, told } = page({ mode: 'refuse' })
    for (const _ of [1, 2]) await expect(connect()).rejects.toMatchObject({ code: 4001 })
    await expect(connect(failing(-32_002))).rejects.toMatchObject({ code: -32_002 })
    expect(told).toEqual([])
  })

  it('does not hold up a visitor who tries again with a wallet that never answers', async () => {
    const { connect, asked } = page({ mode: 'silent@wallet_connect' })
    void connect()
    await expect.poll(asked).toBe(1)
    expect(await connect()).toBeUndefined()
    expect(asked()).toBe(1)
  })

  it('is not tried where the site signs by itself or has no message, or the wallet is on a chain of another site', async () => {
    for (const given of [
      { site: { signMessage: async () => '' } },
      { site: { createMessage: async () => Promise.reject(new Error('down')) } },
      { message: { ...fields, issuedAt: 'yesterday' } },
      { chains: ['eip155:1'] },
      { mode: 'nonsense:chainId' },
      { mode: 'throws@eth_chainId' }
    ]) {
      const { connect, asked } = page(given)
      expect(await connect()).toBeUndefined()
      expect(asked()).toBe(0)
    }
  })

  it('does not wait for a wallet that never tells its chain', async () => {
    vi.useFakeTimers()
    const { connect, asked } = page({ mode: 'silent@eth_chainId' })
    const answer = connect()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await answer).toBeUndefined()
    expect(asked()).toBe(0)
    vi.useRealTimers()
  })
})
