// @vitest-environment happy-dom

import { base58, base64 } from '@scure/base'
import {
  type Address,
  address,
  createSignableMessage,
  getAddressDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type MessageModifyingSigner,
  signAndSendTransactionMessageWithSigners,
  signTransactionMessageWithSigners,
  type TransactionModifyingSigner,
  type TransactionSendingSigner
} from '@solana/kit'
import { ReadonlyWalletAccount } from '@wallet-standard/core'
import { describe, expect, it, vi } from 'vitest'
import { ADDRESS, connected, DEVNET, isSigned, MAINNET, made, memo, sign, unsigned, verify } from './test-solana.ts'

describe('the embedded wallet on Solana as a wallet of the standard', () => {
  it('has the members of the standard, and registers itself nowhere', async () => {
    const registered = vi.fn()
    window.addEventListener('wallet-standard:register-wallet', registered)
    const { wallet, account } = await connected()
    expect(registered).not.toHaveBeenCalled()
    expect(wallet).toMatchObject({
      version: '1.0.0',
      name: 'Embedded wallet',
      chains: ['solana:devnet', 'solana:mainnet']
    })
    const [kind, picture] = wallet.icon.split(',')
    expect(kind).toBe('data:image/svg+xml;base64')
    expect(atob(picture as string)).toMatch(/^<svg .*<\/svg>$/)
    expect(Object.keys(wallet.features).sort()).toEqual([
      'solana:signAndSendTransaction',
      'solana:signMessage',
      'solana:signTransaction',
      'standard:connect',
      'standard:disconnect',
      'standard:events'
    ])
    for (const name of ['solana:signTransaction', 'solana:signAndSendTransaction'])
      expect(wallet.features[name]).toMatchObject({ version: '1.0.0', supportedTransactionVersions: ['legacy', 0] })
    expect(new ReadonlyWalletAccount(account)).toMatchObject({ address: ADDRESS, chains: wallet.chains })
    expect(getAddressDecoder().decode(account.publicKey)).toBe(ADDRESS)
    expect([...account.features]).toEqual([
      'solana:signMessage',
      'solana:signTransaction',
      'solana:signAndSendTransaction'
    ])
  })

  it("cannot be changed by the page's other code", async () => {
    const { wallet, account } = await connected()
    const change = (target: object, name: string) => () => Object.assign(target, { [name]: () => [] })
    const feature = wallet.features['solana:signMessage'] as object
    expect(change(wallet.features, 'solana:signMessage')).toThrow(TypeError)
    expect(change(feature, 'signMessage')).toThrow(TypeError)
    expect(change(account, 'address')).toThrow(TypeError)
    expect(change(wallet.accounts, '0')).toThrow(TypeError)
    expect(change(wallet, 'accounts')).toThrow(TypeError)
    ;(account.publicKey as Uint8Array).fill(0)
    expect(base58.encode(Uint8Array.from(account.publicKey))).toBe(ADDRESS)
  })

  it('connects the account of the login once, on the active network', async () => {
    const { wallet, connect, find } = made()
    expect(wallet.accounts).toEqual([])
    const [account] = await connect()
    expect(await connect(true)).toEqual([account])
    expect((await connect())[0]).toBe(account)
    expect(wallet.accounts[0]).toBe(account)
    expect(find.mock.calls).toEqual([[DEVNET]])
  })

  it('gives no account silently while nobody is logged in, and an error otherwise', async () => {
    const { connect, find } = made()
    const nobody = Object.assign(new Error('Address or auth connector not found'), { code: 4100 })
    find.mockRejectedValue(nobody)
    expect(await connect(true)).toEqual([])
    await expect(connect()).rejects.toBe(nobody)
    const late = new Error('Something went wrong')
    find.mockRejectedValue(late)
    await expect(connect(true)).rejects.toBe(late)
  })

  it('connects nothing by a question that is answered after a disconnection', async () => {
    const { wallet, connect, disconnect } = made()
    const late = connect()
    await disconnect()
    await expect(late).rejects.toMatchObject({ code: 4900 })
    expect(wallet.accounts).toEqual([])
  })
})

describe('signatures of the embedded wallet on Solana', () => {
  it('signs each of several messages by a decision of its own', async () => {
    const { signMessage, account, request } = await connected()
    const messages = ['one', 'two'].map((text) => new TextEncoder().encode(text))
    const outputs = await signMessage(...messages.map((message) => ({ account, message })))
    expect(outputs.map(({ signedMessage }) => signedMessage)).toEqual(messages)
    for (const { signature, signedMessage } of outputs) expect(await verify(signature, signedMessage)).toBe(true)
    expect(request.mock.calls).toEqual(
      messages.map((message) => ['solana_signMessage', { pubkey: ADDRESS, message: base58.encode(message) }, DEVNET])
    )
    expect(await signMessage()).toEqual([])
  })

  it("is a signer of messages and of transactions for Solana's own library", async () => {
    const { signMessage, signTransaction, account } = await connected()
    const messages: MessageModifyingSigner = {
      address: address(ADDRESS),
      async modifyAndSignMessages(given) {
        const outputs = await signMessage(...given.map(({ content }) => ({ account, message: content })))
        return given.map((one, index) => ({
          ...one,
          signatures: Object.freeze({ [ADDRESS]: outputs[index].signature })
        }))
      }
    }
    const [signed] = await messages.modifyAndSignMessages([createSignableMessage('gm')])
    expect(await verify(signed?.signatures[ADDRESS as Address], new TextEncoder().encode('gm'))).toBe(true)
    const transactions: TransactionModifyingSigner = {
      address: address(ADDRESS),
      async modifyAndSignTransactions(given) {
        const inputs = given.map((one) => ({ account, transaction: getTransactionEncoder().encode(one) }))
        const outputs = await signTransaction(...inputs)
        return outputs.map(({ signedTransaction }, index) => ({
          ...given[index],
          ...getTransactionDecoder().decode(signedTransaction)
        })) as never
      }
    }
    const { messageBytes, signatures } = await signTransactionMessageWithSigners(memo(transactions))
    const signature = signatures[ADDRESS as Address] ?? undefined
    expect(await verify(signature, messageBytes as unknown as Uint8Array)).toBe(true)
  })

  it('signs all transactions of one network by one decision, and gives them in their order', async () => {
    const { signTransaction, account, request } = await connected()
    const asked = ['a', 'b', 'c'].map(unsigned)
    const chains = ['solana:mainnet', 'solana:devnet', 'solana:mainnet']
    const outputs = await signTransaction(
      ...asked.map((transaction, index) => ({ account, transaction, chain: chains[index] }))
    )
    for (const [index, { signedTransaction }] of outputs.entries())
      expect(await isSigned(signedTransaction, asked[index] as Uint8Array)).toBe(true)
    const [a, b, c] = asked.map((one) => base64.encode(one))
    expect(request.mock.calls).toEqual([
      ['solana_signAllTransactions', { transactions: [a, c] }, MAINNET],
      ['solana_signTransaction', { transaction: b }, DEVNET]
    ])
  })

  it("sends for Solana's own library, with the options that nodes know", async () => {
    const { send, account, request } = await connected()
    const options = { skipPreflight: true, maxRetries: 2, commitment: 'confirmed', encoding: 'base58' }
    const signer: TransactionSendingSigner = {
      address: address(ADDRESS),
      async signAndSendTransactions(given) {
        const of = (one: (typeof given)[number]) => getTransactionEncoder().encode(one)
        const inputs = given.map((one) => ({ account, transaction: of(one), chain: 'solana:mainnet', options }))
        return (await send(...inputs)).map(({ signature }) => signature)
      }
    }
    const signature = await signAndSendTransactionMessageWithSigners(memo(signer))
    const asked = unsigned()
    expect(await verify(signature, asked.subarray(65))).toBe(true)
    const params = { transaction: base64.encode(asked), sendOptions: { skipPreflight: true, maxRetries: 2 } }
    expect(request.mock.calls).toEqual([['solana_signAndSendTransaction', params, MAINNET]])
  })

  it('names the transactions that were sent before one that the visitor declined', async () => {
    const declined = () => Object.assign(new Error('Request was aborted'), { code: 4001 })
    let count = 0
    const { send, account } = await connected([DEVNET], (method, params) => {
      count += 1
      if (count > 1) throw declined()
      return sign(method, params)
    })
    const input = { account, chain: 'solana:devnet', transaction: unsigned() }
    const error = (await send(input, input).catch((error: unknown) => error)) as { data: { signatures: string[] } }
    expect(error).toMatchObject({ code: 4001, data: { signatures: [expect.any(String)] } })
    expect(await verify(base58.decode(error.data.signatures[0] as string), unsigned().subarray(65))).toBe(true)
    const first = (await send(input).catch((error: unknown) => error)) as object
    expect(first).toMatchObject({ code: 4001 })
    expect(first).not.toHaveProperty('data')
  })

  it('signs the bytes as they were at the call', async () => {
    const { signMessage, signTransaction, account } = await connected()
    const [message, transaction] = [new TextEncoder().encode('pay 1'), unsigned('pay 1')]
    const signed = signMessage({ account, message })
    message.set(new TextEncoder().encode('9'), 4)
    expect(new TextDecoder().decode((await signed)[0].signedMessage)).toBe('pay 1')
    const other = signTransaction({ account, transaction })
    transaction.fill(9, 70)
    expect(await isSigned((await other)[0].signedTransaction, unsigned('pay 1'))).toBe(true)
  })
})
