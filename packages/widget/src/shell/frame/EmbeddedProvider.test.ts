// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from 'vitest'
import { EmbeddedProvider } from './EmbeddedProvider.ts'

const ADDRESS = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const OTHER = '0x0000000000000000000000000000000000000001'
const USER = { address: ADDRESS, chainId: 1, accounts: [{ address: ADDRESS, type: 'eoa' }], userName: 'alice' }

function provider(request: (method: string, params: unknown, chain: string | null) => Promise<unknown>) {
  const { provider, parts } = made({ request })
  return { log: parts.log, disconnect: parts.disconnect, provider }
}

/** A provider whose core answers these methods, and refuses others. */
function made({
  request = async () => null,
  answers = {},
  address
}: {
  request?: (method: string, params: unknown, chain: string | null) => Promise<unknown>
  answers?: Record<string, unknown>
  address?: string
} = {}) {
  const parts = {
    request: vi.fn(request),
    call: vi.fn(async (method: string, _payload: unknown) => {
      if (!(method in answers)) throw new Error(`refused: ${method}`)
      return answers[method]
    }),
    address: () => address,
    chains: () => [1, 31337],
    change: vi.fn(),
    disconnect: vi.fn(async () => {}),
    log: vi.fn()
  }
  return { parts, provider: new EmbeddedProvider(parts) }
}

afterEach(() => localStorage.clear())

it('each request goes to the core, with big numbers as hexadecimal ones', async () => {
  const request = vi.fn(async () => '0x1')
  const { provider: ours } = provider(request)
  expect(await ours.request({ method: 'eth_sendTransaction', params: [{ value: 255n, list: [1n] }] })).toBe('0x1')
  expect(request).toHaveBeenCalledWith('eth_sendTransaction', [{ value: '0xff', list: ['0x1'] }], null)
  await ours.request({ method: 'eth_accounts' })
  expect(request).toHaveBeenLastCalledWith('eth_accounts', null, null)
})

it('a request may name its network, and the account on Solana is asked for without a switch', async () => {
  const chain = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
  const { provider: ours, parts } = made({ answers: { getUser: USER } })
  const params = { message: '2g', pubkey: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi' }
  await ours.request({ method: 'solana_signMessage', params }, chain)
  expect(parts.request.mock.calls).toEqual([['solana_signMessage', params, chain]])
  expect(await ours.getUser({ chainId: chain })).toBe(USER)
  expect(parts.call.mock.calls).toEqual([['getUser', { chainId: chain }]])
  expect(parts.request).toHaveBeenCalledTimes(1)
})

it('a chosen chain is an event for the page', async () => {
  const heard = vi.fn()
  const { provider: ours } = provider(async () => null)
  ours.on('chainChanged', heard)
  await ours.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] })
  expect(heard).toHaveBeenCalledExactlyOnceWith('0x1')
  ours.removeListener('chainChanged', heard)
  await ours.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x2' }] })
  expect(heard).toHaveBeenCalledOnce()
})

it('spec_4_41_a_method_that_is_not_accepted_is_logged', async () => {
  const refused = Object.assign(new Error('Requested RPC call is not allowed'), { code: 4200 })
  const { provider: ours, log } = provider(() => Promise.reject(refused))
  await expect(ours.request({ method: 'eth_sign' })).rejects.toBe(refused)
  expect(log).toHaveBeenCalledExactlyOnceWith(refused, 'eth_sign')
  const declined = Object.assign(new Error('Declined'), { code: 4001 })
  const other = provider(() => Promise.reject(declined))
  await expect(other.provider.request({ method: 'personal_sign' })).rejects.toBe(declined)
  expect(other.log).not.toHaveBeenCalled()
})

it('the host ends the session of a connected account as a disconnect, and another one in the frame', async () => {
  const connected = made({ address: ADDRESS })
  await connected.provider.disconnect()
  expect([connected.parts.disconnect.mock.calls.length, connected.parts.call.mock.calls]).toEqual([1, []])
  const other = made({ answers: { signOut: null } })
  await other.provider.disconnect()
  expect(other.parts.disconnect).not.toHaveBeenCalled()
  expect(other.parts.call).toHaveBeenCalledExactlyOnceWith('signOut', null)
})

it('spec_7_14_to_7_16_a_login_by_email_is_three_calls', async () => {
  const step = { action: 'VERIFY_DEVICE', number: '42' }
  const { provider: ours, parts } = made({ answers: { connectEmail: step, connectDevice: null, connectOtp: USER } })
  expect(await ours.connectEmail({ email: 'a@example.org' })).toEqual(step)
  expect(await ours.connectDevice()).toBeUndefined()
  expect(await ours.connectOtp({ otp: '123456' })).toBeUndefined()
  expect(parts.call.mock.calls).toEqual([
    ['connectEmail', { email: 'a@example.org' }],
    ['connectDevice', null],
    ['connectOtp', { otp: '123456' }]
  ])
})

it('an address with a session on this device is connected at once', async () => {
  const { provider: ours } = made({ answers: { connectEmail: { address: ADDRESS } } })
  expect(await ours.connectEmail({ email: 'a@example.org' })).toEqual({ action: 'CONNECT' })
})

it('spec_7_17_to_7_20_logins_at_services_end_with_the_user', async () => {
  const answers = {
    getSocialRedirectUri: { uri: 'https://login.example/' },
    connectSocial: {},
    getFarcasterUri: { url: 'https://farcaster.example/' },
    connectFarcaster: {},
    getUser: USER
  }
  const { provider: ours, parts } = made({ answers })
  expect(await ours.getSocialRedirectUri({ provider: 'google' })).toBe(answers.getSocialRedirectUri)
  expect(await ours.connectSocial({ uri: 'https://wallet.example/wallet/callback/google?code=a' })).toBe(USER)
  expect(await ours.getFarcasterUri()).toBe(answers.getFarcasterUri)
  expect(await ours.connectFarcaster()).toEqual({ userName: 'alice' })
  expect(parts.call).toHaveBeenCalledWith('getSocialRedirectUri', { provider: 'google' })
})

it('the login of the site is added by its token', async () => {
  const { provider: ours, parts } = made({ answers: { addLogin: null } })
  expect(await ours.addLogin({ jwt: 'a.b.c' })).toBeUndefined()
  expect(parts.call.mock.calls).toEqual([['addLogin', { jwt: 'a.b.c' }]])
})

it('spec_7_13_and_7_21_another_network_of_the_user_is_switched_to_as_by_a_request', async () => {
  const { provider: ours, parts } = made({ answers: { getUser: USER } })
  for (const chainId of [31337, '31337', '0x7a69', 'eip155:31337'])
    expect(await ours.switchNetwork({ chainId })).toEqual({ chainId: 31337 })
  const switched = ['wallet_switchEthereumChain', [{ chainId: '0x7a69' }], null]
  expect(parts.request.mock.calls).toEqual(Array(4).fill(switched))
  await ours.getUser()
  expect(parts.request).toHaveBeenCalledTimes(4)
  expect(await ours.getUser({ chainId: 1 })).toBe(USER)
  expect(parts.request).toHaveBeenLastCalledWith('wallet_switchEthereumChain', [{ chainId: '0x1' }], null)
})

it('what is no chain is left to the core to refuse', async () => {
  const refused = new Error('Check the parameters of this request')
  const { provider: ours, parts } = made({ request: () => Promise.reject(refused) })
  await expect(ours.switchNetwork({ chainId: 'mainnet' })).rejects.toBe(refused)
  expect(parts.request).toHaveBeenCalledWith('wallet_switchEthereumChain', [{ chainId: 'mainnet' }], null)
})

it('another visitor of another tab is an event for the page, and the same one is none', async () => {
  const told: unknown[] = []
  const heard = vi.fn((accounts) => told.push(accounts))
  const same = made({ answers: { getUser: USER, reload: null }, address: ADDRESS }).provider
  await same.on('accountsChanged', heard).getUser()
  expect(heard).not.toHaveBeenCalled()
  const other = made({ answers: { getUser: USER, reload: null }, address: OTHER }).provider
  await other.on('accountsChanged', heard).getUser()
  expect(told).toEqual([[ADDRESS]])
  await same.reload()
  expect(told).toHaveLength(1)
  await other.reload()
  expect(told).toEqual([[ADDRESS], [ADDRESS]])
})

it('a frame that starts anew without a session tells no other visitor', async () => {
  const heard = vi.fn()
  const refused = new Error('Address or auth connector not found')
  const { provider: ours, parts } = made({ address: ADDRESS })
  parts.call.mockImplementation(async (method: string) => (method === 'getUser' ? Promise.reject(refused) : null))
  await ours.on('accountsChanged', heard).reload()
  expect(heard).not.toHaveBeenCalled()
})

it('spec_7_23_and_7_24_session_and_chain_are_those_of_the_frame', async () => {
  const answers = { isConnected: { isConnected: true }, getChainId: { chainId: 1 }, connect: null, getUser: USER }
  const { provider: ours, parts } = made({ answers })
  expect(await ours.isConnected()).toEqual({ isConnected: true })
  expect(await ours.getChainId()).toEqual({ chainId: 1 })
  expect(await ours.connect()).toBe(USER)
  expect(await ours.init()).toBeUndefined()
  expect(parts.call.mock.calls.map(([method]) => method)).toEqual([
    'isConnected',
    'getChainId',
    'connect',
    'getUser',
    'isConnected'
  ])
})

it('spec_7_25_a_frame_that_does_not_say_has_no_smart_accounts', async () => {
  expect(await made().provider.getSmartAccountEnabledNetworks()).toEqual({ smartAccountEnabledNetworks: [] })
  const strange = made({ answers: { getSmartAccountEnabledNetworks: { smartAccountEnabledNetworks: 'all' } } }).provider
  expect(await strange.getSmartAccountEnabledNetworks()).toEqual({ smartAccountEnabledNetworks: [] })
  const right = made({ answers: { getSmartAccountEnabledNetworks: { smartAccountEnabledNetworks: [1] } } }).provider
  expect(await right.getSmartAccountEnabledNetworks()).toEqual({ smartAccountEnabledNetworks: [1] })
})

it('spec_7_27_to_7_30_and_7_33_the_account_is_changed_by_the_core', async () => {
  const answers = {
    setPreferredAccount: { type: 'eoa', address: ADDRESS },
    updateEmail: { action: 'VERIFY_PRIMARY_OTP' },
    updateEmailPrimaryOtp: null,
    updateEmailSecondaryOtp: { newEmail: 'b@example.org' },
    reload: null,
    rejectRpcRequests: null
  }
  const { provider: ours, parts } = made({ answers })
  expect(await ours.setPreferredAccount('eoa')).toBe(answers.setPreferredAccount)
  expect(await ours.updateEmail({ email: 'b@example.org' })).toBe(answers.updateEmail)
  expect(await ours.updateEmailPrimaryOtp({ otp: '123456' })).toBeUndefined()
  expect(await ours.updateEmailSecondaryOtp({ otp: '654321' })).toBe(answers.updateEmailSecondaryOtp)
  await ours.reload()
  await ours.rejectRpcRequests()
  expect(parts.call.mock.calls).toEqual([
    ['setPreferredAccount', { type: 'eoa' }],
    ['updateEmail', { email: 'b@example.org' }],
    ['updateEmailPrimaryOtp', { otp: '123456' }],
    ['updateEmailSecondaryOtp', { otp: '654321' }],
    ['reload', null],
    ['rejectRpcRequests', null]
  ])
})

it('spec_7_31_and_7_32_theme_and_metadata_change_in_the_page_and_then_in_the_frame', async () => {
  const { provider: ours, parts } = made({ answers: { syncTheme: null, syncDappData: null } })
  await ours.syncTheme({ themeMode: 'light' })
  await ours.syncDappData({ metadata: { name: 'Shop', url: 'https://shop.example' } })
  expect(parts.change.mock.calls).toEqual([
    [{ themeMode: 'light' }],
    [{ metadata: { name: 'Shop', url: 'https://shop.example' } }]
  ])
  expect(parts.call.mock.calls.map(([method]) => method)).toEqual(['syncTheme', 'syncDappData'])
  expect(parts.change.mock.invocationCallOrder[1]).toBeLessThan(parts.call.mock.invocationCallOrder[1] as number)
})

it('capabilities are those of the account', async () => {
  const { provider: ours, parts } = made({ request: async () => ({ '0x1': {} }), address: ADDRESS })
  expect(await ours.getCapabilities()).toEqual({ '0x1': {} })
  expect(parts.request).toHaveBeenCalledWith('wallet_getCapabilities', [ADDRESS], null)
})

it('spec_3_31_what_is_stored_of_a_login_is_told_without_waiting', () => {
  const { provider: ours } = made()
  const told = () => [ours.getLoginEmailUsed(), ours.getEmail(), ours.getUsername(), ours.getLastUsedChainId()]
  expect(told()).toEqual([false, undefined, undefined, undefined])
  const entries = { EMAIL_LOGIN_USED_KEY: 'true', EMAIL: 'a@example.org', SOCIAL_USERNAME: 'alice' }
  for (const [name, value] of Object.entries({ ...entries, LAST_USED_CHAIN_KEY: 'eip155:31337' }))
    localStorage.setItem(`@appkit-wallet/${name}`, value)
  expect(told()).toEqual([true, 'a@example.org', 'alice', 31337])
  expect(ours.getAvailableChainIds()).toEqual([1, 31337])
})

it('listeners hear requests with their ends, until they stop', async () => {
  const declined = new Error('Declined')
  const { provider: ours } = made({
    request: async (method) => {
      if (method === 'eth_sign') throw declined
      return '0x1'
    }
  })
  const heard: unknown[] = []
  const stops = [
    ours.onRpcRequest((request) => heard.push(['request', request.method])),
    ours.onRpcSuccess((answer, request) => heard.push(['success', answer, request.method])),
    ours.onRpcError((error) => heard.push(['error', error]))
  ]
  await ours.request({ method: 'eth_chainId' })
  await expect(ours.request({ method: 'eth_sign' })).rejects.toBe(declined)
  expect(heard).toEqual([
    ['request', 'eth_chainId'],
    ['success', '0x1', 'eth_chainId'],
    ['request', 'eth_sign'],
    ['error', declined]
  ])
  for (const stop of stops) stop()
  await ours.request({ method: 'eth_chainId' })
  expect(heard).toHaveLength(4)
})

it('spec_4_35_and_4_36_listeners_hear_of_the_session', () => {
  const { provider: ours } = made()
  const heard: unknown[] = []
  const note = (name: string) => (payload?: unknown) => void heard.push([name, payload])
  ours.onIsConnected(note('isConnected'))
  ours.onNotConnected(note('notConnected'))
  ours.onConnect(note('connect'))
  ours.onSocialConnected(note('socialConnected'))
  ours.onSetPreferredAccount(note('setPreferredAccount'))
  ours.on('connect', note('an event of EIP-1193'))
  const events = ['isConnected', 'notConnected', 'connect', 'socialConnected', 'setPreferredAccount'] as const
  for (const event of events) ours.tell(event, event)
  expect(heard).toEqual(events.map((event) => [event, event]))
})
