import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDemoWallet, type DemoWalletOptions, parseMode } from './index.ts'

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const CONNECT = { method: 'eth_requestAccounts' }
const CHAIN_ID = { method: 'eth_chainId' }

function wallet(mode: DemoWalletOptions['mode']) {
  const chains = [
    { chainId: 31337, name: 'Local', rpcUrl: 'http://127.0.0.1:9' },
    { chainId: 31338, name: 'Other', rpcUrl: 'http://127.0.0.1:9' }
  ]
  return createDemoWallet({ chains, approval: 'auto', mode })
}

/** State of a promise after all queued tasks have run. */
async function settled(promise: Promise<unknown>): Promise<string> {
  let state = 'pending'
  promise.then(
    () => (state = 'resolved'),
    () => (state = 'rejected')
  )
  await vi.advanceTimersByTimeAsync(0)
  return state
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('modes', () => {
  it('refuses with 4001 what it would ask, after the checks a wallet makes first', async () => {
    const { provider, controls } = wallet('refuse')
    await expect(provider.request(CONNECT)).rejects.toMatchObject({ code: 4001 })
    const unknown = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x1' }] }
    await expect(provider.request(unknown)).rejects.toMatchObject({ code: 4902 })
    expect(await provider.request(CHAIN_ID)).toBe('0x7a69')
    controls.setMode('normal')
    expect(await provider.request(CONNECT)).toEqual([FIRST])
  })

  it('refuses only the methods named', async () => {
    const { provider } = wallet('refuse@personal_sign')
    expect(await provider.request(CONNECT)).toEqual([FIRST])
    const sign = provider.request({ method: 'personal_sign', params: ['hi', FIRST] })
    await expect(sign).rejects.toMatchObject({ code: 4001 })
  })

  it('answers late when slow', async () => {
    const { provider } = wallet('slow:2000')
    const request = provider.request(CONNECT)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(await settled(request)).toBe('pending')
    await vi.advanceTimersByTimeAsync(1)
    expect(await request).toEqual([FIRST])
  })

  it('never answers when silent, but answers the rest when silent only in asking', async () => {
    const { provider, controls } = wallet('silent')
    const requests = [provider.request(CONNECT), provider.request(CHAIN_ID)]
    await vi.advanceTimersByTimeAsync(3_600_000)
    for (const request of requests) expect(await settled(request)).toBe('pending')
    controls.setMode('silent@asking')
    expect(await provider.request(CHAIN_ID)).toBe('0x7a69')
    expect(await settled(provider.request(CONNECT))).toBe('pending')
  })

  it('answers what no wallet should', async () => {
    const { provider, controls } = wallet('nonsense')
    expect(await provider.request(CONNECT)).toEqual({ nonsense: true })
    expect(await provider.request(CHAIN_ID)).toBe('not-hexadecimal')
    const cases: [string, unknown, unknown][] = [
      ['nonsense:object', { nonsense: true }, { nonsense: true }],
      ['nonsense:chainId', [FIRST], 'not-hexadecimal'],
      ['nonsense:empty', [], '0x7a69'],
      ['nonsense:address', ['0x123', 7], '0x7a69'],
      ['nonsense:number', 42, 42],
      ['nonsense:null', null, null],
      ['nonsense:string', 'nonsense', 'nonsense']
    ]
    for (const [mode, accounts, chainId] of cases) {
      controls.setMode(mode)
      expect(await provider.request(CONNECT)).toEqual(accounts)
      expect(await provider.request(CHAIN_ID)).toEqual(chainId)
    }
    controls.setMode('nonsense:bare')
    expect(provider.request(CONNECT)).toBe(42)
  })

  it('tells everything twice', async () => {
    const { provider, controls } = wallet('twice')
    const heard: unknown[] = []
    provider.on('accountsChanged', (accounts: unknown) => heard.push(accounts))
    provider.on('chainChanged', (chainId: unknown) => heard.push(chainId))
    await provider.request(CONNECT)
    controls.switchChain(31338)
    expect(heard).toEqual([[FIRST], [FIRST], '0x7a6a', '0x7a6a'])
  })

  it('throws before it gives a promise, and rejects with what is no proper error', async () => {
    const { provider, controls } = wallet('throws')
    expect(() => provider.request(CONNECT)).toThrow('The wallet broke.')
    controls.setMode('throws:string')
    await expect(provider.request(CONNECT)).rejects.toBe('The wallet broke.')
    controls.setMode('throws:codeless')
    await expect(provider.request(CONNECT)).rejects.not.toHaveProperty('code')
    controls.setMode({ type: 'throws', how: 'undefined' })
    await expect(provider.request(CONNECT)).rejects.toBeUndefined()
  })
})

describe('the text of a mode', () => {
  it('carries an argument and the methods it is about', () => {
    expect(parseMode('slow')).toMatchObject({ type: 'slow', delay: 3_000 })
    expect(parseMode('slow:250@eth_accounts+eth_chainId')).toEqual({
      type: 'slow',
      delay: 250,
      methods: ['eth_accounts', 'eth_chainId']
    })
  })

  it('is refused when it says nothing known', () => {
    for (const text of ['', 'fast', 'slow:soon', 'slow:-1', 'nonsense:poem', 'throws:up', 'refuse@']) {
      expect(() => parseMode(text)).toThrow(TypeError)
    }
  })
})
