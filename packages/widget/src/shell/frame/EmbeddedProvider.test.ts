import { expect, it, vi } from 'vitest'
import { EmbeddedProvider } from './EmbeddedProvider.ts'

function provider(request: (method: string, params: unknown) => Promise<unknown>) {
  const log = vi.fn()
  const disconnect = vi.fn(async () => {})
  return { log, disconnect, provider: new EmbeddedProvider({ request, disconnect, log }) }
}

it('each request goes to the core, with big numbers as hexadecimal ones', async () => {
  const request = vi.fn(async () => '0x1')
  const { provider: ours } = provider(request)
  expect(await ours.request({ method: 'eth_sendTransaction', params: [{ value: 255n, list: [1n] }] })).toBe('0x1')
  expect(request).toHaveBeenCalledWith('eth_sendTransaction', [{ value: '0xff', list: ['0x1'] }])
  await ours.request({ method: 'eth_accounts' })
  expect(request).toHaveBeenLastCalledWith('eth_accounts', null)
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

it('the host can end the session', async () => {
  const { provider: ours, disconnect } = provider(async () => null)
  await ours.disconnect()
  expect(disconnect).toHaveBeenCalledOnce()
})
