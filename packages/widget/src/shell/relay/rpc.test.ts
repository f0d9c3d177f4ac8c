import { afterEach, expect, it, vi } from 'vitest'
import type { CreateAppKit } from '../../host/options.ts'
import { readChain, urlsOf } from './rpc.ts'
import { networksOf } from './test-client.ts'

const options = {
  projectId: 'demo',
  endpoints: '/portico/',
  customRpcUrls: { 'eip155:1': [{ url: 'https://own.example' }, { url: 7 }] },
  universalProviderConfigOverride: { rpcMap: { 'eip155:1': 'https://session.example', 'eip155:2': 7 } }
} as unknown as CreateAppKit

const networks = networksOf({
  'eip155:1': { rpcUrls: { default: { http: ['https://chain.example'] } } },
  'eip155:2': { rpcUrls: { default: { http: 'nonsense' } } }
})

afterEach(() => vi.unstubAllGlobals())

function answerWith(...answers: unknown[]) {
  const asked = vi.fn(async (..._: unknown[]) => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return { json: async () => answer }
  })
  vi.stubGlobal('fetch', asked)
  return asked
}

it('the addresses of a chain are asked in the order of the core, after that for sessions', () => {
  expect(urlsOf(options, networks, 'eip155:1')).toEqual([
    'https://session.example',
    'https://own.example',
    '/portico/v1?chainId=eip155:1&projectId=demo',
    'https://chain.example'
  ])
  expect(urlsOf({} as CreateAppKit, networks, 'eip155:2')).toEqual([])
  expect(urlsOf({} as CreateAppKit, networks, 'eip155:3')).toEqual([])
})

it('an address that fails, or answers nonsense, gives way to the next', async () => {
  const asked = answerWith(new TypeError('offline'), { nothing: true }, { result: '0x1' })
  expect(await readChain(['a', 'b', 'c'], 'eth_blockNumber', undefined)).toBe('0x1')
  expect(asked.mock.calls.map(([url]) => url)).toEqual(['a', 'b', 'c'])
})

it('what a node refuses is an answer', async () => {
  answerWith({ error: { code: 3, message: 'execution reverted', data: '0x08' } })
  await expect(readChain(['a', 'b'], 'eth_call', [])).rejects.toMatchObject({ code: 3, data: '0x08' })
})

it('without a node that answers it says so', async () => {
  answerWith(null)
  await expect(readChain(['a'], 'eth_call', [])).rejects.toMatchObject({ code: -32603 })
  await expect(readChain([], 'eth_call', [])).rejects.toMatchObject({ code: -32603 })
})
