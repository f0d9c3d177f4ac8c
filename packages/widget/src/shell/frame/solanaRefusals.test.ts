// @vitest-environment happy-dom

import { base58, base64 } from '@scure/base'
import type { WalletAccount } from '@wallet-standard/core'
import { describe, expect, it, vi } from 'vitest'
import { SolanaAdapter } from '../../adapters/solana/SolanaAdapter.ts'
import {
  ADDRESS,
  connected,
  DEVNET,
  isSigned,
  MAINNET,
  made,
  OTHER_OWN,
  OWN,
  STRANGER,
  unsigned,
  verify
} from './test-solana.ts'

describe('refusals of the embedded wallet on Solana', () => {
  it('refuses other accounts, chains and bytes before the visitor sees anything', async () => {
    const { signMessage, signTransaction, send, account, request } = await connected()
    const own = { account, message: Uint8Array.of(1), transaction: unsigned(), chain: 'solana:devnet' }
    const other = { ...own, account: { ...account, address: STRANGER } }
    for (const run of [signMessage, signTransaction, send]) {
      await expect(run(own, other)).rejects.toMatchObject({ code: 4100 })
      for (const nothing of [undefined, null, 7, {}]) await expect(run(nothing)).rejects.toMatchObject({ code: 4100 })
      await expect(run({ account, chain: own.chain })).rejects.toMatchObject({ code: -32602 })
    }
    for (const chain of ['solana:testnet', 'solana:localnet', DEVNET, 'eip155:1', '', null, 7]) {
      await expect(signTransaction({ ...own, chain })).rejects.toMatchObject({ code: 4902 })
      await expect(send({ ...own, chain })).rejects.toMatchObject({ code: 4902 })
    }
    await expect(send({ ...own, chain: undefined })).rejects.toMatchObject({ code: 4902 })
    await expect(signMessage({ account, message: 'gm' })).rejects.toMatchObject({ code: -32602 })
    await expect(signMessage({ account, message: new Uint8Array(10_000_000) })).rejects.toMatchObject({ code: -32602 })
    await expect(signTransaction({ account, transaction: new Uint8Array(1233) })).rejects.toMatchObject({
      code: -32602
    })
    expect(request).not.toHaveBeenCalled()
  })

  it('signs nothing after a disconnection, until it is connected again', async () => {
    const { signMessage, signTransaction, send, account, request, disconnect, connect } = await connected()
    await disconnect()
    const input = { account, message: Uint8Array.of(1), transaction: unsigned(), chain: 'solana:devnet' }
    for (const run of [signMessage, signTransaction, send])
      await expect(run(input)).rejects.toMatchObject({ code: 4900, message: 'The embedded wallet is disconnected' })
    expect(request).not.toHaveBeenCalled()
    await connect()
    expect(await signMessage(input)).toHaveLength(1)
  })

  it("passes on the frame's refusal", async () => {
    const refused = Object.assign(new Error('Finish the open request first'), { code: -32002 })
    const { signMessage, account } = await connected([DEVNET], () => Promise.reject(refused))
    await expect(signMessage({ account, message: Uint8Array.of(1) })).rejects.toBe(refused)
  })

  it('believes no answer that is no signature, or is one of another transaction', async () => {
    const input = (account: WalletAccount) => ({
      account,
      message: Uint8Array.of(1),
      transaction: unsigned(),
      chain: 'solana:devnet'
    })
    for (const answer of [
      undefined,
      null,
      'ok',
      {},
      { signature: base58.encode(new Uint8Array(63)) },
      { signature: '0' }
    ]) {
      const { signMessage, send, account } = await connected([DEVNET], () => answer)
      await expect(signMessage(input(account))).rejects.toThrow('answered without a signature')
      await expect(send(input(account))).rejects.toThrow('answered without a signature')
    }
    for (const transaction of [undefined, '?', '', base64.encode(unsigned('yo'))]) {
      const { signTransaction, account } = await connected([DEVNET], (method) =>
        method === 'solana_signTransaction' ? { transaction } : { transactions: [transaction, transaction] }
      )
      await expect(signTransaction(input(account))).rejects.toThrow('answered with another transaction')
      await expect(signTransaction(input(account), input(account))).rejects.toThrow('answered with another transaction')
    }
  })

  it("means the active one of several networks of the host's own, and no other", async () => {
    const { wallet, signTransaction, account, request } = await connected([OWN, OTHER_OWN, MAINNET])
    expect(wallet.chains).toEqual(['solana:localnet', 'solana:mainnet'])
    const input = { account, transaction: unsigned(), chain: 'solana:localnet' }
    await signTransaction(input)
    expect(request).toHaveBeenLastCalledWith('solana_signTransaction', expect.anything(), OWN)
    wallet.serve([OTHER_OWN, OWN, MAINNET])
    await signTransaction(input)
    expect(request).toHaveBeenLastCalledWith('solana_signTransaction', expect.anything(), OTHER_OWN)
    wallet.serve([MAINNET, OTHER_OWN, OWN])
    await expect(signTransaction(input)).rejects.toMatchObject({ code: 4902 })
    wallet.serve([MAINNET, OWN])
    await signTransaction(input)
    expect(request).toHaveBeenLastCalledWith('solana_signTransaction', expect.anything(), OWN)
  })
})

describe('events of the embedded wallet on Solana', () => {
  it('tells of the account, of the networks and of the end, until the listener stops', async () => {
    const { wallet, on, connect, disconnect } = made()
    const told: unknown[] = []
    const note = (properties: unknown) => void told.push(properties)
    const stop = on('change', note)
    const [first] = await connect()
    wallet.serve([DEVNET, MAINNET])
    wallet.serve([MAINNET, DEVNET])
    const [moved] = wallet.accounts
    expect(moved).toMatchObject({ address: ADDRESS, chains: ['solana:mainnet', 'solana:devnet'] })
    await disconnect()
    await disconnect()
    wallet.serve([DEVNET])
    expect(told).toEqual([
      { accounts: [first] },
      { chains: ['solana:mainnet', 'solana:devnet'], accounts: [moved] },
      { accounts: [] },
      { chains: ['solana:devnet'] }
    ])
    stop()
    await connect()
    expect(told).toHaveLength(4)
  })

  it('a listener that fails or stops another does not keep the others from hearing', async () => {
    const { on, connect } = made()
    const reported = vi.fn()
    vi.stubGlobal('reportError', reported)
    const heard = vi.fn()
    const failure = new Error('of the page')
    on('change', () => {
      throw failure
    })
    const stopOne = on('change', heard)
    on('change', heard)
    stopOne()
    await connect()
    expect(heard).toHaveBeenCalledOnce()
    expect(reported).toHaveBeenCalledExactlyOnceWith(failure)
    vi.unstubAllGlobals()
  })
})

describe("the host's provider of the embedded wallet on Solana", () => {
  it('is the provider of any Solana wallet', async () => {
    const { wallet, request, disconnect } = made()
    const adapter = new SolanaAdapter()
    adapter.follow(() => DEVNET)
    const provider = adapter.provide(wallet)
    await provider.request({ method: 'standard:connect' })
    expect(provider.publicKey?.toBase58()).toBe(ADDRESS)
    expect(provider.wallet).toBe(wallet)
    const message = new TextEncoder().encode('gm')
    expect(await verify(await provider.signMessage(message), message)).toBe(true)
    expect(await isSigned(await provider.signTransaction(unsigned()), unsigned())).toBe(true)
    expect(await provider.signAllTransactions([unsigned('a'), unsigned('b')])).toHaveLength(2)
    const id = await provider.signAndSendTransaction(unsigned(), { skipPreflight: true })
    expect(await verify(base58.decode(id), unsigned().subarray(65))).toBe(true)
    const sendRawTransaction = vi.fn(async (_bytes: Uint8Array) => 'sent')
    expect(await provider.sendTransaction(unsigned(), { sendRawTransaction })).toBe('sent')
    expect(await isSigned(sendRawTransaction.mock.calls[0]?.[0] as Uint8Array, unsigned())).toBe(true)
    const params = { message: base58.encode(message), pubkey: ADDRESS }
    expect(await provider.request({ method: 'solana_signMessage', params })).toHaveProperty('signature')
    expect(request.mock.calls.map(([method, , network]) => [method, network])).toEqual([
      ['solana_signMessage', DEVNET],
      ['solana_signTransaction', DEVNET],
      ['solana_signAllTransactions', DEVNET],
      ['solana_signAndSendTransaction', DEVNET],
      ['solana_signTransaction', DEVNET],
      ['solana_signMessage', DEVNET]
    ])
    await expect(provider.request({ method: 'eth_accounts' })).rejects.toMatchObject({ code: 4200 })
    const told: unknown[] = []
    provider.on('accountsChanged', (accounts: unknown) => told.push(accounts))
    await disconnect()
    expect(told).toEqual([[]])
    expect(provider.publicKey).toBeUndefined()
    await expect(provider.signMessage(message)).rejects.toMatchObject({ code: 4100 })
  })
})
