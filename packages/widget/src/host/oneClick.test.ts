//! Wallets that connect and sign in by one request, from the first frame to the session.

// @vitest-environment happy-dom

import type { DemoWallet, DemoWalletOptions } from '@portico/testkit'
import { describe, expect, it, vi } from 'vitest'
import { connectsAtOnce } from '../shell/oneClick.ts'
import type { CreateAppKit } from './options.ts'
import type { SIWXConfig } from './siwx.ts'
import { byTestId, freshPage, kitOf, modal, WALLET } from './test-page.ts'

const page = freshPage()

function site(more: Partial<SIWXConfig> = {}): SIWXConfig {
  return {
    createMessage: async (input) => ({
      ...input,
      domain: location.host,
      uri: location.href,
      version: '1',
      nonce: '12345678',
      toString: () => 'text'
    }),
    addSession: vi.fn(async () => {}),
    setSessions: async () => {},
    getSessions: async () => [],
    revokeSession: async () => {},
    ...more
  }
}

/** Requests to the wallet that could show a prompt. */
const asked = ({ controls }: DemoWallet) =>
  controls.requests
    .map(({ method }) => method)
    .filter((method) => ['eth_requestAccounts', 'wallet_connect', 'personal_sign'].includes(method))

/** A visitor who chooses the wallet in the first frame, before the core is there. */
async function choose(siwx: SIWXConfig, more: Partial<DemoWalletOptions>) {
  const wallet = page.wallet(more)
  const kit = kitOf({ siwx })
  const opened = kit.open()
  byTestId(modal(), `wallet-selector-${WALLET}`)?.click()
  await opened
  await vi.waitFor(() => expect(kit.getIsConnectedState()).toBe(true))
  return { wallet, kit }
}

describe('a wallet that the host names', () => {
  it('spec_4_25_connects_and_signs_by_one_request_also_if_it_is_chosen_in_the_first_frame', async () => {
    const siwx = site({ oneClickWallets: [WALLET] })
    const { wallet } = await choose(siwx, { oneClick: 'honest' })
    await vi.waitFor(() => expect(siwx.addSession).toHaveBeenCalledTimes(1))
    expect(asked(wallet)).toEqual(['wallet_connect'])
  })

  it('and that does not know the request is asked to connect at once', async () => {
    const siwx = site({ oneClickWallets: [WALLET] })
    const { wallet } = await choose(siwx, {})
    expect(asked(wallet)).toEqual(['wallet_connect', 'eth_requestAccounts'])
    expect(siwx.addSession).not.toHaveBeenCalled()
  })
})

it('Porto is left to the core, which asks it once', async () => {
  const siwx = site()
  const wallet = page.wallet({ oneClick: 'honest', rdns: 'xyz.ithaca.porto', name: 'Porto' })
  const kit = kitOf({ siwx })
  const opened = kit.open()
  byTestId(modal(), 'wallet-selector-xyz.ithaca.porto')?.click()
  await opened
  await vi.waitFor(() => expect(siwx.addSession).toHaveBeenCalledTimes(1))
  expect(asked(wallet)).toEqual(['wallet_connect'])
})

it('any other wallet is asked to connect alone, even if it knows the request', async () => {
  const { wallet } = await choose(site(), { oneClick: 'honest' })
  expect(asked(wallet)).toEqual(['eth_requestAccounts'])
})

it('wallets whose documentation has the request are asked where there is a sign-in', () => {
  const asks = (more: object, wallet: string | undefined, method = 'eth_requestAccounts') =>
    Boolean(
      connectsAtOnce({ projectId: 'x', networks: [], ...more } as unknown as CreateAppKit, {
        provider: { request: async () => null },
        method,
        params: null,
        wallet
      })
    )
  for (const wallet of ['xyz.ithaca.porto', 'app.base.account', 'baseAccount']) {
    expect([asks({ siwx: site() }, wallet), asks({ siweConfig: {} }, wallet), asks({}, wallet)]).toEqual([
      true,
      true,
      false
    ])
    expect(asks({ siwx: site() }, wallet, 'personal_sign')).toBe(false)
  }
  for (const wallet of ['io.metamask', undefined, '']) expect(asks({ siwx: site() }, wallet)).toBe(false)
})
