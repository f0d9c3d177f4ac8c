import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, it, vi } from 'vitest'
import { createDemoWallet, type Decision, type DemoWalletOptions, deferred, type KeyValueStorage } from './index.ts'

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
// These tests reach no chain: no process listens on this port.
const chains = [{ chainId: 31337, name: 'Local', rpcUrl: 'http://127.0.0.1:9' }]

function wallet(options: Partial<DemoWalletOptions> = {}) {
  return createDemoWallet({ chains, approval: 'auto', storage: memory(), ...options })
}

function memory(stored: Record<string, string> = {}): KeyValueStorage {
  return {
    getItem: (key) => stored[key] ?? null,
    setItem(key, value) {
      stored[key] = value
    }
  }
}

describe('connecting', () => {
  it('shows no account before permission and the chosen one after', async () => {
    const { provider } = wallet({ approval: () => ({ approved: true, account: SECOND }) })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([SECOND])
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([SECOND])
  })

  it('rejects with 4001 when the visitor refuses, and asks again the next time', async () => {
    const answers = [false, true]
    const { provider } = wallet({ approval: () => answers.shift() ?? false })
    await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([FIRST])
  })

  it('rejects a second request with -32002 while the first waits for the visitor', async () => {
    const visitor = deferred<boolean>()
    const { provider } = wallet({ approval: () => visitor.promise })
    const first = provider.request({ method: 'eth_requestAccounts' })
    await expect(provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: -32002 })
    visitor.resolve(true)
    expect(await first).toEqual([FIRST])
  })

  it('answers requests without asking once permission is given, however many come at once', async () => {
    const { provider, controls } = wallet()
    await provider.request({ method: 'eth_requestAccounts' })
    controls.setApproval(() => {
      throw new Error('asked')
    })
    const both = [0, 1].map(() => provider.request({ method: 'eth_requestAccounts' }))
    expect(await Promise.all(both)).toEqual([[FIRST], [FIRST]])
  })

  it('refuses to sign or send with 4100 before permission and for an account the page was not shown', async () => {
    const { provider } = wallet()
    const asks = (account: string) => [
      { method: 'personal_sign', params: ['0x68690a', account] },
      { method: 'eth_signTypedData_v4', params: [account, { types: { A: [] }, primaryType: 'A', message: {} }] },
      { method: 'eth_sendTransaction', params: [{ from: account, to: SECOND }] }
    ]
    for (const ask of asks(FIRST)) await expect(provider.request(ask)).rejects.toMatchObject({ code: 4100 })
    await provider.request({ method: 'eth_requestAccounts' })
    for (const ask of asks(SECOND)) await expect(provider.request(ask)).rejects.toMatchObject({ code: 4100 })
  })

  it('refuses what it cannot do with 4200 and what it cannot read with -32602', async () => {
    const { provider } = wallet()
    await provider.request({ method: 'eth_requestAccounts' })
    for (const method of [
      'eth_sign',
      'eth_signTypedData_v3',
      'eth_subscribe',
      'wallet_sendCalls',
      'anvil_setBalance'
    ]) {
      await expect(provider.request({ method, params: [] })).rejects.toMatchObject({ code: 4200 })
    }
    const unreadable = [
      { method: 'personal_sign', params: ['0x00', 'me'] },
      { method: 'personal_sign', params: { message: '0x00' } },
      { method: 'eth_signTypedData_v4', params: [FIRST, '{'] },
      { method: 'eth_signTypedData_v4', params: [FIRST, { types: {}, primaryType: 'A', message: {} }] },
      { method: 'eth_sendTransaction', params: [] },
      { method: 'eth_sendTransaction', params: [{ from: FIRST }] },
      { method: 'eth_sendTransaction', params: [{ from: FIRST, to: SECOND, value: '1.5' }] },
      { method: 'eth_sendTransaction', params: [{ from: FIRST, to: SECOND, chainId: '0x1' }] },
      { method: 'wallet_switchEthereumChain', params: [{ chainId: 31337 }] },
      { method: 'wallet_requestPermissions', params: [{ everything: {} }] }
    ]
    for (const ask of unreadable) await expect(provider.request(ask)).rejects.toMatchObject({ code: -32602 })
    await expect(provider.request({ method: '' })).rejects.toMatchObject({ code: -32600 })
  })
})

describe('permissions', () => {
  it('lists, asks for again and revokes the permission of EIP-2255', async () => {
    const { provider } = wallet()
    const accountsChanged: unknown[] = []
    provider.on('accountsChanged', (accounts: unknown) => accountsChanged.push(accounts))
    const params = [{ eth_accounts: {} }]

    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual([])
    const granted = [
      {
        invoker: 'null',
        parentCapability: 'eth_accounts',
        caveats: [{ type: 'restrictReturnedAccounts', value: [FIRST] }]
      }
    ]
    expect(await provider.request({ method: 'wallet_requestPermissions', params })).toEqual(granted)
    expect(await provider.request({ method: 'wallet_getPermissions' })).toEqual(granted)
    expect(await provider.request({ method: 'wallet_revokePermissions', params })).toBeNull()
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    expect(accountsChanged).toEqual([[FIRST], []])
  })

  it('answers after a reload without asking, on the chain it was on', async () => {
    const storage = memory()
    const twoChains = [...chains, { chainId: 31338, name: 'Other', rpcUrl: 'http://127.0.0.1:9' }]
    const before = wallet({ storage, chains: twoChains })
    await before.provider.request({ method: 'eth_requestAccounts' })
    await before.provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })

    const after = wallet({ storage, chains: twoChains, approval: () => false })
    expect(await after.provider.request({ method: 'eth_accounts' })).toEqual([FIRST])
    expect(await after.provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')
    const other = wallet({ storage, chains: twoChains, rdns: 'test.portico.other' })
    expect(await other.provider.request({ method: 'eth_accounts' })).toEqual([])
  })

  it('starts clean from storage that holds nonsense or cannot be used', async () => {
    const key = 'demo-wallet/test.portico.demo'
    const denied = {
      getItem() {
        throw new Error('denied')
      },
      setItem() {
        throw new Error('full')
      }
    }
    const stored = [
      '{',
      'null',
      '[]',
      '{"version":2,"permitted":["x"]}',
      '{"version":1,"permitted":[7,"0x1"],"chainId":"1","addedChains":[{}]}'
    ]
    for (const storage of [...stored.map((text) => memory({ [key]: text })), denied]) {
      const { provider } = wallet({ storage })
      expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
      expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
      expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([FIRST])
    }
  })
})

describe("the wallet's own side", () => {
  it('tells the page of another account, of a revocation, of the lock and of the unlock', async () => {
    const { provider, controls } = wallet()
    const heard: unknown[] = []
    provider.on('accountsChanged', (accounts: unknown) => heard.push(accounts))
    controls.switchAccount(1)
    await provider.request({ method: 'eth_requestAccounts' })
    controls.switchAccount(1)
    controls.switchAccount(1)
    controls.lock()
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
    controls.unlock()
    controls.revoke()
    expect(heard).toEqual([[FIRST], [SECOND], [], [SECOND], []])
  })

  it('asks to be unlocked before it asks to connect', async () => {
    const asked: string[] = []
    const { provider } = wallet({
      locked: true,
      approval: ({ kind }) => {
        asked.push(kind)
        return true
      }
    })
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([FIRST])
    expect(asked).toEqual(['unlock', 'connect'])
  })

  it('puts one question at a time and can answer from its controls', async () => {
    const { provider, controls } = wallet()
    await provider.request({ method: 'eth_requestAccounts' })
    const closed: string[] = []
    controls.setApproval((approval, signal) => {
      signal.addEventListener('abort', () => closed.push(approval.kind))
      return new Promise<Decision>(() => {})
    })
    const first = provider.request({ method: 'personal_sign', params: ['one', FIRST] })
    const second = provider.request({ method: 'personal_sign', params: ['two', FIRST] })
    await expect.poll(() => controls.pending.length).toBe(2)
    expect(controls.pending).toMatchObject([{ message: 'one' }, { message: 'two' }])
    controls.refuse()
    await expect(first).rejects.toMatchObject({ code: 4001 })
    controls.approve()
    expect(await second).toMatch(/^0x[0-9a-f]{130}$/)
    expect(closed).toEqual(['sign', 'sign'])
    expect(controls.approve()).toBe(false)
  })

  it('emits whatever a test wants heard, and keeps other listeners from one that was removed', async () => {
    const { provider, controls } = wallet()
    const heard: unknown[] = []
    const listener = (payload: unknown) => heard.push(payload)
    provider.on('message', listener).on('chainChanged', listener)
    controls.emit('message', { type: 'eth_subscription', data: 1 })
    provider.removeListener('message', listener)
    controls.emit('message', 'unheard')
    controls.emit('chainChanged', 31337)
    expect(heard).toEqual([{ type: 'eth_subscription', data: 1 }, 31337])
  })
})

describe('connecting with a sign-in (ERC-7846)', () => {
  const signInWithEthereum = {
    nonce: '12345678',
    chainId: '0x7a69',
    domain: 'shop.example',
    uri: 'https://shop.example/',
    statement: 'Hello.',
    issuedAt: '2026-01-01T00:00:00.000Z'
  }
  const request = {
    method: 'wallet_connect',
    params: [{ version: '1', capabilities: { signInWithEthereum } }]
  }
  type Answer = { accounts: { address: string; capabilities: { signInWithEthereum?: Record<string, string> } }[] }

  it('asks once, and answers with the account and its signature of the text', async () => {
    const approval = vi.fn(() => true)
    const { provider } = wallet({ oneClick: 'honest', approval })
    const { accounts } = (await provider.request(request)) as Answer
    const { message = '', signature } = accounts[0]?.capabilities.signInWithEthereum ?? {}
    const { issuedAt, chainId: _, ...same } = signInWithEthereum
    expect(parseSiweMessage(message)).toMatchObject({ ...same, chainId: 31337, issuedAt: new Date(issuedAt) })
    expect(await verifyMessage({ address: FIRST, message, signature: signature as '0x' })).toBe(true)
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([FIRST])
    expect(approval).toHaveBeenCalledTimes(1)
  })

  it('gives no permission when the visitor refuses, nor for a request that it cannot read', async () => {
    const { provider } = wallet({ oneClick: 'honest', approval: () => false })
    await expect(provider.request(request)).rejects.toMatchObject({ code: 4001 })
    for (const params of [[], [{ version: '1' }], [{ capabilities: { signInWithEthereum: { nonce: '12345678' } } }]])
      await expect(provider.request({ ...request, params })).rejects.toMatchObject({ code: -32602 })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  })

  it('is unknown to other wallets, and may sign another text or nothing', async () => {
    await expect(wallet().provider.request(request)).rejects.toMatchObject({ code: 4200 })
    const { accounts } = (await wallet({ oneClick: 'domain' }).provider.request(request)) as Answer
    expect(accounts[0]?.capabilities.signInWithEthereum?.message).toMatch(/^thief\.example wants/)
    expect(await wallet({ oneClick: 'none' }).provider.request(request)).toEqual({
      accounts: [{ address: FIRST, capabilities: {} }]
    })
  })
})
