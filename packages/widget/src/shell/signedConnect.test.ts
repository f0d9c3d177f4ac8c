// @vitest-environment happy-dom

import { createSolanaWallet, type SolanaWalletMode } from '@portico/testkit'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SolanaVerifier } from '../adapters/siwx/SolanaVerifier.ts'
import { SolanaAdapter } from '../adapters/solana/SolanaAdapter.ts'
import type { CoreEvent } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWXSession } from '../host/siwx.ts'
import { connectSigned } from './signedConnect.ts'

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const fields = {
  domain: 'shop.example',
  uri: 'https://shop.example/in',
  version: '1',
  nonce: '12345678',
  issuedAt: '2026-01-01T00:00:00Z'
}
const whole = {
  ...fields,
  statement: 'Hello.',
  resources: ['https://shop.example/terms'],
  requestId: '7',
  expirationTime: '2026-01-02T00:00:00Z',
  notBefore: '2026-01-01T00:00:00Z'
}

afterEach(() => void vi.useRealTimers())

/** A wallet of the testkit, whose texts another library writes, and what the page does with it. */
function page({ message = whole as object, mode = 'normal' as SolanaWalletMode, site = {} as object } = {}) {
  const storage = { getItem: () => null, setItem: () => {} }
  const wallet = createSolanaWallet({ approval: 'auto', storage, mode })
  const [known] = new SolanaAdapter({ wallets: [wallet.standard as never] }).connectors
  const createMessage = vi.fn(async (input: object) => ({ ...message, ...input, toString: (): string => 'text' }))
  const options = { projectId: 'demo', networks: [], siwx: { createMessage, ...site } } as unknown as CreateAppKit
  const told: CoreEvent[] = []
  const connect = (network = MAINNET, silent = false) =>
    connectSigned(
      { provider: known?.provider as never, params: { silent, network } },
      { options, dispatch: (event) => void told.push(event) }
    )
  const sessions = () => told.flatMap(({ event }) => (event as { sessions: SIWXSession[] }).sessions)
  return { wallet, address: wallet.controls.addresses[0], createMessage, told, connect, sessions }
}

describe('connecting a Solana wallet with a sign-in', () => {
  it.each([
    ['all fields', whole],
    ['no statement', fields]
  ])('spec_4_25_is_one_approval_whose_session_verifies, with %s', async (_which, message) => {
    const { connect, told, address, sessions } = page({ message })
    expect(await connect()).toEqual({ accounts: [address] })
    expect(told).toHaveLength(1)
    const [session] = sessions()
    expect(session).toMatchObject({ chainId: MAINNET, accountAddress: address })
    expect(session?.data).toEqual({ ...message, chainId: MAINNET, accountAddress: address })
    expect(session?.message).toContain('Chain ID: solana:mainnet\n')
    expect(await new SolanaVerifier().verify(session as SIWXSession)).toBe(true)
  })

  it('is not tried where the site signs by itself, has no message, or the network is not of the standard, or nobody asked', async () => {
    for (const site of [
      { signMessage: async () => '' },
      { createMessage: async () => Promise.reject(new Error('down')) }
    ])
      expect(await page({ site }).connect()).toBeUndefined()
    const { connect, createMessage } = page()
    expect(await connect('solana:11111111111111111111111111111111')).toBeUndefined()
    expect(await connect(MAINNET, true)).toBeUndefined()
    expect(createMessage).not.toHaveBeenCalled()
  })

  it('does not wait for a site that never answers', async () => {
    vi.useFakeTimers()
    const answer = page({ site: { createMessage: () => new Promise(() => {}) } }).connect()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await answer).toBeUndefined()
  })

  it('is refused by the visitor', async () => {
    const { connect, told } = page({ mode: 'refuse' })
    await expect(connect()).rejects.toMatchObject({ code: 4001 })
    expect(told).toEqual([])
  })

  it('takes no other text than the one of the site, and asks such a wallet once', async () => {
    const { connect, told, address, createMessage } = page({ mode: 'other' })
    expect(await connect()).toEqual({ accounts: [address] })
    expect(told).toEqual([])
    expect(await connect()).toBeUndefined()
    expect(createMessage).toHaveBeenCalledTimes(1)
  })

  it('falls back to connecting alone if the wallet fails', async () => {
    for (const signIn of [
      async () => Promise.reject(new Error('InvalidChainId')),
      async () => [],
      async () => [{ account: { address: 'x' }, signature: new Uint8Array(64), signedMessage: new Uint8Array(2) }]
    ]) {
      const { connect, wallet, told } = page()
      Object.assign(wallet.standard.features['solana:signIn'] as object, { signIn })
      expect(await connect()).toBeUndefined()
      expect(told).toEqual([])
    }
  })
})
