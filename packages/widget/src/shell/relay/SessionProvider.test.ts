import type { Session } from '@portico/walletconnect/dapp'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SessionProvider } from './SessionProvider.ts'
import { ADDRESS, FakeClient, networksOf, SOLANA, SOLANA_OF_OLD, sessionOf } from './test-client.ts'

let client: FakeClient
const read = vi.fn(async (..._: unknown[]): Promise<unknown> => '0x10')
const summon = vi.fn()
const end = vi.fn(async () => {})
const networks = networksOf({ [SOLANA]: { deprecatedCaipNetworkId: SOLANA_OF_OLD } })

function providerOf(session: Session = sessionOf(), namespace = 'eip155'): SessionProvider {
  const relay = { reached: () => true, read, summon, silent: vi.fn(), end }
  return new SessionProvider({ client: client.client, namespace, session, networks, ...relay })
}

/** Session of an older wallet, in two namespaces. */
function ofOld(methods = ['solana_signMessage', 'solana_getAccounts']): Session {
  const solana = { accounts: [`${SOLANA_OF_OLD}:abc`], methods, events: [], chains: null }
  return sessionOf({ namespaces: { ...sessionOf().namespaces, solana } })
}

const switchTo = (chainId: unknown) => ({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })

beforeEach(() => {
  client = new FakeClient()
})
afterEach(() => {
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

describe('a host that expects more than EIP-1193', () => {
  it('is connected already, ends the session, and may tell its own listeners', async () => {
    const provider = providerOf()
    const heard = vi.fn()
    provider.on('message', heard)
    provider.emit('message', 7)
    expect(heard).toHaveBeenCalledExactlyOnceWith(7)
    await provider.connect()
    await provider.disconnect()
    expect(end).toHaveBeenCalledOnce()
  })

  it('connects to no session that is over, and ends none twice', async () => {
    const provider = providerOf()
    provider.end()
    await expect(provider.connect()).rejects.toMatchObject({ code: 4900 })
    await provider.disconnect()
    expect(end).not.toHaveBeenCalled()
  })
})

describe('what the session knows', () => {
  it('is of chains with a number', async () => {
    const accounts = [`eip155:abc:${ADDRESS}`, `eip155:10:${ADDRESS}`]
    const eip155 = { accounts, methods: [], events: [], chains: null }
    expect(await providerOf(sessionOf({ namespaces: { eip155 } })).request({ method: 'eth_chainId' })).toBe('0xa')
  })

  it('is answered without the wallet', async () => {
    const provider = providerOf()
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([ADDRESS])
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([ADDRESS])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(await provider.request({ method: 'net_version' })).toBe('1')
    expect(client.asked).toEqual([])
    expect(summon).not.toHaveBeenCalled()
  })

  it('stands where the core says, of which nobody is told, and nowhere that the session does not grant', async () => {
    const provider = providerOf()
    const moved = vi.fn()
    provider.on('chainChanged', moved)
    provider.stand('eip155:10')
    provider.stand('eip155:5')
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0xa')
    await provider.request({ method: 'personal_sign' })
    expect(client.asked).toMatchObject([{ chainId: 'eip155:10' }])
    expect(moved).not.toHaveBeenCalled()
  })

  it('is asked under the name that the wallet has for a chain, and told under that of today', async () => {
    const provider = providerOf(ofOld(), 'solana')
    const moved = vi.fn()
    provider.on('chainChanged', moved)
    provider.stand(SOLANA)
    await provider.request({ method: 'solana_signMessage' })
    await provider.request({ method: 'solana_signMessage' }, SOLANA)
    expect(client.asked).toMatchObject([{ chainId: SOLANA_OF_OLD }, { chainId: SOLANA_OF_OLD }])
    const renamed = { accounts: [`${SOLANA}:abc`], methods: [], events: [], chains: null }
    provider.update(sessionOf({ namespaces: { solana: renamed } }))
    expect(moved).not.toHaveBeenCalled()
  })

  it('are the capabilities that the wallet told when it made the session', async () => {
    const ask = { method: 'wallet_getCapabilities', params: [ADDRESS] }
    const told = { '0x1': { atomic: { status: 'supported' } } }
    const provider = providerOf(sessionOf({ sessionProperties: { capabilities: JSON.stringify(told) } }))
    expect(await provider.request(ask)).toEqual(told)
    for (const capabilities of ['nonsense', 'null', 7, {}]) {
      await expect(providerOf(sessionOf({ sessionProperties: { capabilities } })).request(ask)).rejects.toMatchObject({
        code: 4200
      })
    }
    expect(client.asked).toEqual([])
  })

  it('is read of namespaces that name single chains as well', async () => {
    const namespace = { accounts: [`eip155:137:${ADDRESS}`], methods: ['personal_sign'], events: [], chains: null }
    const provider = providerOf(sessionOf({ namespaces: { 'eip155:137': namespace } }))
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x89')
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([ADDRESS])
  })

  it('is a switch to a chain that it grants', async () => {
    const provider = providerOf()
    const moved = vi.fn()
    provider.on('chainChanged', moved)
    expect(await provider.request(switchTo('0xa'))).toBeNull()
    expect(moved).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(client.asked).toEqual([])
  })
})

describe('what the wallet is asked', () => {
  it('goes to it on the chain in use, and brings it to the front in the same stack', async () => {
    const provider = providerOf()
    const answer = provider.request({ method: 'personal_sign', params: ['0x00', ADDRESS] })
    expect(summon).toHaveBeenCalledOnce()
    expect(await answer).toBe('answered')
    expect(client.asked).toEqual([
      { topic: 'dd', chainId: 'eip155:1', method: 'personal_sign', params: ['0x00', ADDRESS] }
    ])
  })

  it('leaves the app of the wallet where it is, when nobody has to look at it', async () => {
    const methods = ['wallet_getAssets', 'wallet_getCallsStatus', 'wallet_getPermissions', 'wallet_getCapabilities']
    const eip155 = { accounts: [`eip155:1:${ADDRESS}`], methods, events: [], chains: null }
    const provider = providerOf(sessionOf({ namespaces: { eip155 } }))
    for (const method of methods) await provider.request({ method })
    await providerOf(ofOld(), 'solana').request({ method: 'solana_getAccounts' })
    expect(client.asked).toHaveLength(5)
    expect(summon).not.toHaveBeenCalled()
  })

  it('goes to another chain where the caller names one', async () => {
    await providerOf().request({ method: 'personal_sign' }, 'eip155:10')
    expect(client.asked).toMatchObject([{ chainId: 'eip155:10', params: [] }])
  })

  it('that its user refuses is refused as EIP-1193 says', async () => {
    client.answer = () => Promise.reject({ code: 5000, message: 'User rejected.' })
    await expect(providerOf().request({ method: 'personal_sign' })).rejects.toMatchObject({
      code: 4001,
      message: 'User rejected.'
    })
  })

  it('when the session has just ended fails as for every wallet that is gone', async () => {
    for (const code of [6000, 7001]) {
      client.answer = () => Promise.reject({ code, message: 'User disconnected.' })
      await expect(providerOf().request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 4900 })
    }
  })

  it('and not answered in time, or answered with nonsense, is told as it came', async () => {
    client.answer = () => Promise.reject({ code: 8000, message: 'Request expired' })
    await expect(providerOf().request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 8000 })
    client.answer = () => Promise.reject(undefined)
    await expect(providerOf().request({ method: 'personal_sign' })).rejects.toBeUndefined()
  })

  it('does not wait for a wallet whose session has ended', async () => {
    client.answer = () => new Promise(() => {})
    const provider = providerOf()
    const gone = vi.fn()
    provider.on('disconnect', gone)
    const waiting = provider.request({ method: 'personal_sign' })
    provider.end()
    provider.end()
    await expect(waiting).rejects.toMatchObject({ code: 4900 })
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4900 })
    expect(gone).toHaveBeenCalledOnce()
  })

  it('is never what the session does not allow', async () => {
    for (const method of ['eth_sendTransaction', 'eth_signTypedData_v4', 'wallet_sendCalls']) {
      const params = [{ calls: [] }]
      await expect(providerOf().request({ method, params })).rejects.toMatchObject({ code: 4200 })
    }
    expect(client.asked).toEqual([])
    expect(read).not.toHaveBeenCalled()
  })

  it('spec_5_28_is_no_batch_with_a_call_whose_to_or_data_does_not_start_with_0x', async () => {
    const eip155 = { ...sessionOf().namespaces.eip155, methods: ['wallet_sendCalls'] }
    const provider = providerOf(sessionOf({ namespaces: { eip155 } } as Partial<Session>))
    const send = (...calls: unknown[]) => provider.request({ method: 'wallet_sendCalls', params: [{ calls }] })
    const wrong = [null, '0x1', {}, { to: null }, { to: 'alice.eth' }, { data: '0x' }, { to: '0x1', data: 'ab' }]
    for (const call of [...wrong, { to: '0x1', data: null }]) {
      const text = 'Use 0x in front of the `to` and the `data` of each call'
      await expect(send({ to: '0x1' }, call)).rejects.toMatchObject({ code: -32602, message: text })
    }
    for (const params of [undefined, null, [], [{}], [{ calls: {} }], { calls: [] }])
      await expect(provider.request({ method: 'wallet_sendCalls', params })).rejects.toMatchObject({ code: -32602 })
    expect(client.asked).toEqual([])
    await send({ to: '0x1' }, { to: '0x1', data: '0xab', value: '0x0' })
    expect(client.asked).toMatchObject([{ method: 'wallet_sendCalls' }])
  })

  it('spec_9_19_is_no_transaction_with_a_blob_versioned_hash_that_is_not_32_bytes', async () => {
    const eip155 = { ...sessionOf().namespaces.eip155, methods: ['eth_sendTransaction'] }
    const provider = providerOf(sessionOf({ namespaces: { eip155 } } as Partial<Session>))
    const send = (blobVersionedHashes?: unknown) =>
      provider.request({ method: 'eth_sendTransaction', params: [{ to: '0x1', blobVersionedHashes }] })
    const hash = (bytes: number, version = '01') => `0x${version}${'ab'.repeat(bytes - 1)}`
    const wrong = [hash(31), hash(33), hash(32, '02'), hash(32).slice(2), `${hash(31)}zz`, `${hash(32)}\n`, '', 1, null]
    for (const one of wrong) {
      const text = 'Each of the blobVersionedHashes is 32 bytes and starts with 0x01'
      await expect(send([hash(32), one]), String(one)).rejects.toMatchObject({ code: -32602, message: text })
    }
    for (const hashes of [hash(32), {}, 7]) await expect(send(hashes)).rejects.toMatchObject({ code: -32602 })
    expect(client.asked).toEqual([])
    for (const hashes of [undefined, null, [], [hash(32), hash(32).toUpperCase().replace('0X', '0x')]])
      await send(hashes)
    await provider.request({ method: 'eth_sendTransaction' })
    expect(client.asked).toHaveLength(5)
  })
})

describe('what a node can answer', () => {
  it('is asked of the node of the chain', async () => {
    expect(await providerOf().request({ method: 'eth_blockNumber' })).toBe('0x10')
    expect(read).toHaveBeenCalledExactlyOnceWith('eip155:1', 'eth_blockNumber', undefined)
  })

  it('is not asked with parameters by name, which no node takes', async () => {
    const asked = providerOf().request({ method: 'eth_getBalance', params: { address: ADDRESS } })
    await expect(asked).rejects.toMatchObject({ code: -32602 })
    expect(read).not.toHaveBeenCalled()
  })

  it('is not asked in a namespace whose nodes speak otherwise', async () => {
    const namespace = {
      accounts: ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:abc'],
      methods: [],
      events: [],
      chains: null
    }
    const provider = providerOf(sessionOf({ namespaces: { solana: namespace } }), 'solana')
    await expect(provider.request({ method: 'getBlockHeight' })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('a switch to a chain that the session does not grant', () => {
  const wider = sessionOf({
    namespaces: {
      eip155: {
        accounts: [`eip155:1:${ADDRESS}`, `eip155:137:${ADDRESS}`],
        methods: ['wallet_switchEthereumChain'],
        events: [],
        chains: null
      }
    }
  })

  it('is asked of the wallet, and made once the session grants it', async () => {
    const provider = providerOf()
    const done = provider.request(switchTo('0x89'))
    provider.update(wider)
    expect(await done).toBeNull()
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x89')
  })

  it('waits for a wallet that answers before it has widened the session', async () => {
    const provider = providerOf()
    const done = provider.request(switchTo('0x89'))
    await vi.waitFor(() => expect(client.asked).toHaveLength(1))
    await Promise.resolve()
    provider.update(wider)
    expect(await done).toBeNull()
  })

  it('fails with 4902 where the wallet says yes and does nothing', async () => {
    vi.useFakeTimers()
    const refused = expect(providerOf().request(switchTo('0x89'))).rejects.toMatchObject({ code: 4902 })
    await vi.advanceTimersByTimeAsync(10_000)
    await refused
  })

  it('fails with what the wallet says', async () => {
    client.answer = () => Promise.reject({ code: 4902, message: 'Unrecognized chain ID' })
    await expect(providerOf().request(switchTo('0x89'))).rejects.toMatchObject({ code: 4902 })
  })

  it('fails with 4902 at once where the wallet cannot be asked', async () => {
    const namespace = { accounts: [`eip155:1:${ADDRESS}`], methods: [], events: [], chains: null }
    const provider = providerOf(sessionOf({ namespaces: { eip155: namespace } }))
    await expect(provider.request(switchTo('0x89'))).rejects.toMatchObject({ code: 4902 })
    expect(client.asked).toEqual([])
  })

  it.each([undefined, null, '', 'x', -1, {}])('to %j is refused as nonsense', async (chainId) => {
    await expect(providerOf().request(switchTo(chainId))).rejects.toMatchObject({ code: -32602 })
  })
})

describe('what the wallet tells', () => {
  it('moves the chain, by number, by hexadecimal number and by CAIP-2 id', () => {
    for (const data of [10, '0xa', '10', 'eip155:10']) {
      const provider = providerOf()
      const moved = vi.fn()
      provider.on('chainChanged', moved)
      provider.hear('chainChanged', data, 'eip155:1')
      expect(moved, String(data)).toHaveBeenCalledExactlyOnceWith('0xa')
    }
  })

  it('moves it to no chain that the session does not grant', () => {
    const provider = providerOf()
    const moved = vi.fn()
    provider.on('chainChanged', moved)
    for (const data of [137, 'nonsense', {}, null]) provider.hear('chainChanged', data, 'eip155:137')
    expect(moved).not.toHaveBeenCalled()
  })

  it('of accounts is told as the addresses that the session grants', () => {
    const provider = providerOf()
    const told = vi.fn()
    provider.on('accountsChanged', told)
    provider.hear('accountsChanged', [`eip155:1:${ADDRESS.toLowerCase()}`, ADDRESS, 7, '0xab'], 'eip155:1')
    expect(told).toHaveBeenCalledExactlyOnceWith([ADDRESS])
    for (const data of [['0xab'], [7], null, {}]) provider.hear('accountsChanged', data, 'eip155:1')
    expect(told).toHaveBeenCalledOnce()
    provider.hear('accountsChanged', [], 'eip155:1')
    expect(told).toHaveBeenLastCalledWith([])
  })

  it('of its own coming and going is not believed: a session is there, or it is not', async () => {
    const provider = providerOf()
    const told = vi.fn()
    provider.on('connect', told).on('disconnect', told)
    for (const name of ['connect', 'disconnect']) provider.hear(name, {}, 'eip155:1')
    expect(told).not.toHaveBeenCalled()
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
  })

  it('of a chain by its older name is told by that of today', () => {
    const solana = { accounts: [`${SOLANA_OF_OLD}:abc`, 'solana:other:abc'], methods: [], events: [], chains: null }
    const provider = providerOf(sessionOf({ namespaces: { solana } }), 'solana')
    const moved = vi.fn()
    provider.on('chainChanged', moved)
    provider.hear('chainChanged', 'other', 'solana:other')
    provider.hear('chainChanged', SOLANA, SOLANA)
    expect(moved.mock.calls).toEqual([['solana:other'], [SOLANA]])
  })

  it('of a narrower session moves to what is left, and stays where nothing changes', () => {
    const provider = providerOf()
    const [moved, told] = [vi.fn(), vi.fn()]
    provider.on('chainChanged', moved).on('accountsChanged', told)
    provider.update(sessionOf())
    expect([moved, told].flatMap(({ mock }) => mock.calls)).toEqual([])
    const namespace = { accounts: ['eip155:10:0xab'], methods: [], events: [], chains: null }
    provider.update(sessionOf({ namespaces: { eip155: namespace } }))
    expect(moved).toHaveBeenCalledExactlyOnceWith('0xa')
    expect(told).toHaveBeenCalledExactlyOnceWith(['0xab'])
  })

  it('reaches every listener, where one throws and one has left', () => {
    const report = vi.fn()
    vi.stubGlobal('reportError', report)
    const provider = providerOf()
    const [left, heard] = [vi.fn(), vi.fn()]
    provider.on('message', () => {
      throw new Error('mine')
    })
    provider.on('message', left).on('message', heard).removeListener('message', left)
    provider.hear('message', 1, 'eip155:1')
    expect(heard).toHaveBeenCalledOnce()
    expect(left).not.toHaveBeenCalled()
    expect(report).toHaveBeenCalledOnce()
  })
})
