//! Tests each dapp with each wallet over our relay: a session from its pairing URI to its end.

import { type Anvil, startAnvil } from '@portico/testkit/anvil'
import {
  createPublicClient,
  createWalletClient,
  http,
  recoverMessageAddress,
  recoverTypedDataAddress,
  toHex
} from 'viem'
import { anvil as chain } from 'viem/chains'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PAIRS } from './sides/pairs.ts'
import type { Dapp, Wallet } from './sides/side.ts'
import { account, asked, CHAIN, granted, OTHER, SECOND, typedData, typedDataText } from './world/granted.ts'
import { type Relay, startRelay } from './world/relay.ts'

const REFUSED = { code: 5000, message: 'User rejected.' }

let relay: Relay
let anvil: Anvil

beforeAll(async () => {
  ;[relay, anvil] = await Promise.all([startRelay(), startAnvil()])
})

afterAll(() => Promise.all([relay?.stop(), anvil?.stop()]))

describe.each(PAIRS)('%s', (_, startDapp, startWallet) => {
  let dapp: Dapp
  let wallet: Wallet

  beforeAll(async () => {
    ;[dapp, wallet] = await Promise.all([startDapp(relay.url), startWallet(relay.url)])
  })

  afterAll(() => Promise.all([dapp?.stop(), wallet?.stop()]))

  async function connect(...chains: readonly string[]): Promise<string> {
    const { uri, session } = await dapp.offer(asked)
    await wallet.pair(uri)
    const { id } = await wallet.inbox.next('proposed')
    const [topic, approved] = await Promise.all([session, wallet.approve(id, granted(...chains))])
    expect(approved).toBe(topic)
    return topic
  }

  /** Sends a request that the wallet receives unchanged and answers. Returns the dapp's result. */
  async function ask(
    topic: string,
    method: string,
    params: unknown,
    answer: (params: readonly `0x${string}`[]) => Promise<unknown>
  ) {
    const result = dapp.request(topic, CHAIN, method, params)
    const { id, ...request } = await wallet.inbox.next('requested')
    expect(request).toMatchObject({ type: 'requested', topic, chainId: CHAIN, method, params })
    await wallet.answer(topic, id, await answer(request.params as readonly `0x${string}`[]))
    return result
  }

  const sign = (topic: string, text: string) =>
    ask(topic, 'personal_sign', [toHex(text), account.address], ([raw = '0x']) =>
      account.signMessage({ message: { raw } })
    )

  async function expectSigned(topic: string, text: string): Promise<void> {
    const signature = (await sign(topic, text)) as `0x${string}`
    expect(await recoverMessageAddress({ message: text, signature })).toBe(account.address)
  }

  it('a wallet that refuses the proposal is heard with its code', async () => {
    const { uri, session } = await dapp.offer(asked)
    await wallet.pair(uri)
    const { id, name } = await wallet.inbox.next('proposed')
    expect(name).toMatch(/dapp$/)
    await Promise.all([wallet.reject(id, REFUSED), expect(session).rejects.toMatchObject({ code: 5000 })])
    expect([dapp.topics(), wallet.topics()]).toEqual([[], []])
  })

  it('a request that the wallet refuses is heard with its code, and the next one is answered', async () => {
    const topic = await connect(CHAIN)
    const refused = dapp.request(topic, CHAIN, 'personal_sign', [toHex('no'), account.address])
    const { id } = await wallet.inbox.next('requested')
    await Promise.all([expect(refused).rejects.toMatchObject({ code: 5000 }), wallet.refuse(topic, id, REFUSED)])
    await expectSigned(topic, 'Grüße, Welt')
  })

  it('a message and typed data are signed, and a transaction is sent', async () => {
    const topic = await connect(CHAIN)
    await expectSigned(topic, 'hello')
    const params = [account.address, typedDataText]
    const signature = await ask(topic, 'eth_signTypedData_v4', params, () => account.signTypedData(typedData))
    const signer = await recoverTypedDataAddress({ ...typedData, signature: signature as `0x${string}` })
    expect(signer).toBe(account.address)

    const client = createWalletClient({ account, chain, transport: http(anvil.rpcUrl) })
    const before = BigInt((await anvil.request('eth_getBalance', [OTHER, 'latest'])) as string)
    const transaction = { from: account.address, to: OTHER, value: toHex(42n) }
    const send = () => client.sendTransaction({ to: OTHER, value: 42n })
    const hash = (await ask(topic, 'eth_sendTransaction', [transaction], send)) as `0x${string}`
    // The chain answers with the hash before it has mined the block.
    const reader = createPublicClient({ chain, transport: http(anvil.rpcUrl), pollingInterval: 50 })
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ status: 'success' })
    const after = BigInt((await anvil.request('eth_getBalance', [OTHER, 'latest'])) as string)
    expect(after - before).toBe(42n)
  })

  it('the wallet grants more, tells of a switch, and prolongs', async () => {
    const topic = await connect(CHAIN)
    const more = granted(CHAIN, SECOND)
    const [updated] = await Promise.all([dapp.inbox.next('updated'), wallet.update(topic, more)])
    expect(updated.topic).toBe(topic)
    expect(updated.namespaces.eip155?.accounts).toEqual(more.eip155?.accounts)

    expect([dapp.granted(topic), wallet.granted(topic)]).toMatchObject([more, more])

    const switched = dapp.request(topic, CHAIN, 'wallet_switchEthereumChain', [{ chainId: '0x1' }])
    const { id, params } = await wallet.inbox.next('requested')
    expect(params).toEqual([{ chainId: '0x1' }])
    await wallet.answer(topic, id, null)
    expect(await switched).toBe(null)
    const [emitted] = await Promise.all([dapp.inbox.next('emitted'), wallet.emit(topic, SECOND, 'chainChanged', 1)])
    expect(emitted).toEqual({ type: 'emitted', topic, chainId: SECOND, name: 'chainChanged', data: 1 })

    const before = dapp.expiry(topic)
    await Promise.all([dapp.inbox.next('extended'), wallet.extend(topic)])
    expect(dapp.expiry(topic)).toBeGreaterThanOrEqual(before)
    await dapp.ping(topic)
    await wallet.ping(topic)
  })

  it('a session that the dapp ends is over at the wallet', async () => {
    const topic = await connect(CHAIN)
    await dapp.delete(topic)
    await wallet.inbox.next('deleted', (event) => event.topic === topic)
    expect([dapp.topics(), wallet.topics()].flat()).not.toContain(topic)
    await expect(dapp.request(topic, CHAIN, 'personal_sign', [])).rejects.toThrow()
  })

  it('a session that the wallet ends is over at the dapp', async () => {
    const topic = await connect(CHAIN)
    await wallet.delete(topic)
    await dapp.inbox.next('deleted', (event) => event.topic === topic)
    expect([dapp.topics(), wallet.topics()].flat()).not.toContain(topic)
  })

  it('a wallet that comes back finds what was asked while it was away', async () => {
    const topic = await connect(CHAIN)
    await wallet.offline()
    const signature = dapp.request(topic, CHAIN, 'personal_sign', [toHex('later'), account.address])
    // The relay has stored the request when it responds to a later message of the same client.
    await wallet.online()
    const { id } = await wallet.inbox.next('requested')
    await wallet.answer(topic, id, await account.signMessage({ message: 'later' }))
    expect(await recoverMessageAddress({ message: 'later', signature: (await signature) as `0x${string}` })).toBe(
      account.address
    )
  })

  it('a relay that is killed and comes back carries on where it was', async () => {
    const topic = await connect(CHAIN)
    const signature = dapp.request(topic, CHAIN, 'personal_sign', [toHex('again'), account.address])
    const { id } = await wallet.inbox.next('requested')
    await relay.kill()
    const answered = account.signMessage({ message: 'again' }).then((result) => wallet.answer(topic, id, result))
    await relay.start()
    await answered
    expect(await recoverMessageAddress({ message: 'again', signature: (await signature) as `0x${string}` })).toBe(
      account.address
    )
    await expectSigned(topic, 'and on')
  })
})
