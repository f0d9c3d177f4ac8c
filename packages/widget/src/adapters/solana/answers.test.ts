// @vitest-environment happy-dom

//! What a wallet says is untrusted: answers, accounts, and the features that it lists.

import { ed25519 } from '@noble/curves/ed25519'
import type { SolanaWalletOptions } from '@portico/testkit'
import { base58 } from '@scure/base'
import { describe, expect, it, vi } from 'vitest'
import { SolanaAdapter } from './SolanaAdapter.ts'
import { connected, demo, memo, provided } from './test-wallet.ts'

/** Secret keys of the wallet's account, and of another one. */
const [SECRET, OTHER] = [new Uint8Array(32).fill(5), new Uint8Array(32).fill(6)]
const ADDRESS = base58.encode(ed25519.getPublicKey(SECRET))
const MESSAGE = new TextEncoder().encode('gm')
const OTHER_MESSAGE = new TextEncoder().encode('gn')

type Wallet = ReturnType<typeof demo>

/** Changes a feature of a wallet. */
function change({ standard }: Wallet, feature: string, fields: object): void {
  Object.assign(standard.features[feature] as object, fields)
}

/** Transaction with the signature of a key in the place of the first signer. */
function signed(transaction: Uint8Array, secret: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(transaction)
  bytes.set(ed25519.sign(bytes.subarray(65), secret), 1)
  return bytes
}

const one = (options: SolanaWalletOptions = {}) => connected({ keys: [SECRET], ...options })

describe('a signature of a message', () => {
  it('of another message is refused, also where the wallet tells the one that was asked for', async () => {
    const { provider, wallet } = await one({ mode: 'other' })
    await expect(provider.signMessage(MESSAGE)).rejects.toThrow('signed another message')
    const answer = { signedMessage: MESSAGE, signature: ed25519.sign(OTHER_MESSAGE, SECRET) }
    change(wallet, 'solana:signMessage', { signMessage: async () => [answer] })
    await expect(provider.signMessage(MESSAGE)).rejects.toThrow('signed another message')
    const params = { message: base58.encode(MESSAGE), pubkey: ADDRESS }
    await expect(provider.request({ method: 'solana_signMessage', params })).rejects.toThrow('signed another message')
  })

  it('of a message that the wallet overwrites is refused, and the page keeps its own', async () => {
    const { provider, wallet } = await one()
    const signMessage = async ({ message }: { message: Uint8Array }) => {
      message.set(OTHER_MESSAGE)
      return [{ signedMessage: message, signature: ed25519.sign(message, SECRET) }]
    }
    change(wallet, 'solana:signMessage', { signMessage })
    const message = Uint8Array.from(MESSAGE)
    await expect(provider.signMessage(message)).rejects.toThrow('signed another message')
    expect(message).toEqual(MESSAGE)
  })

  it('by another account is refused', async () => {
    const { provider, wallet } = await one()
    const answer = { signedMessage: MESSAGE, signature: ed25519.sign(MESSAGE, OTHER) }
    change(wallet, 'solana:signMessage', { signMessage: async () => [answer] })
    await expect(provider.signMessage(MESSAGE)).rejects.toThrow('signed another message')
  })

  it.each([
    ['of 63 bytes', { signature: ed25519.sign(MESSAGE, SECRET).subarray(1) }],
    ['of 65 bytes', { signature: Uint8Array.of(...ed25519.sign(MESSAGE, SECRET), 0) }],
    ['in base58', { signature: base58.encode(ed25519.sign(MESSAGE, SECRET)) }],
    ['that is missing', {}],
    ['in no answer', null]
  ])('%s is refused', async (_what, answer) => {
    const { provider, wallet } = await one()
    change(wallet, 'solana:signMessage', { signMessage: async () => [answer && { signedMessage: MESSAGE, ...answer }] })
    await expect(provider.signMessage(MESSAGE)).rejects.toThrow('without a signature')
  })
})

describe('a signed transaction', () => {
  const asked = memo(ADDRESS)

  const answered = async (signedTransaction: unknown) => {
    const { provider, wallet } = await one()
    change(wallet, 'solana:signTransaction', { signTransaction: async () => [{ signedTransaction }] })
    return provider.signTransaction(asked)
  }

  it.each(['legacy', 0] as const)('may have instructions that the wallet added: %s', async (version) => {
    const theirs = signed(memo(ADDRESS, { version, text: 'hi, with a check' }), SECRET)
    expect(await answered(theirs)).toEqual(theirs)
  })

  const own = signed(asked, SECRET)
  const changed = (place: number, value: number) => Object.assign(Uint8Array.from(own), { [place]: value })
  it.each([
    ['that is not signed', asked],
    ['that another account signed', signed(asked, OTHER)],
    ['of another account', signed(memo(base58.encode(ed25519.getPublicKey(OTHER))), OTHER)],
    ['that was changed after the signature', changed(own.length - 1, 1)],
    ['with more signatures than signers', changed(0, 2)],
    ['with more signers than keys', changed(69, 0)],
    ['that ends early', own.subarray(0, 100)],
    ['without signatures', Uint8Array.of(0, ...asked.subarray(65))],
    ['of bytes that are none', new Uint8Array(100).fill(255)],
    ['without bytes', new Uint8Array()]
  ])('%s is refused', async (_what, transaction) => {
    await expect(answered(transaction)).rejects.toThrow('a transaction that this account signed')
  })

  it('that is missing is refused', async () => {
    for (const none of [undefined, null, 'AQ==']) await expect(answered(none)).rejects.toThrow('without a transaction')
  })

  it('is found by its signer, also where another account pays', async () => {
    const { provider, wallet } = await one()
    // Two signers, of which the account is the second: the other one pays.
    const [payer, account] = [OTHER, SECRET].map((secret) => ed25519.getPublicKey(secret))
    const message = Uint8Array.of(2, 0, 0, 2, ...(payer ?? []), ...(account ?? []), ...new Uint8Array(32), 0)
    const theirs = Uint8Array.of(2, ...new Uint8Array(64), ...ed25519.sign(message, SECRET), ...message)
    change(wallet, 'solana:signTransaction', { signTransaction: async () => [{ signedTransaction: theirs }] })
    expect(await provider.signTransaction(asked)).toEqual(theirs)
  })
})

describe('the features of a wallet', () => {
  it('that sign no transactions of a version are not asked to', async () => {
    const { provider, wallet } = await one()
    const ask = vi.fn()
    const legacy = { supportedTransactionVersions: ['legacy'], signTransaction: ask, signAndSendTransaction: ask }
    for (const name of ['solana:signTransaction', 'solana:signAndSendTransaction']) change(wallet, name, legacy)
    const refused = { code: 4200, message: "Demo Solana Wallet doesn't support transactions of version 0" }
    const transaction = memo(ADDRESS)
    await expect(provider.signTransaction(transaction)).rejects.toMatchObject(refused)
    await expect(provider.signAllTransactions([transaction])).rejects.toMatchObject(refused)
    await expect(provider.signAndSendTransaction(transaction)).rejects.toMatchObject(refused)
    const connection = { sendRawTransaction: ask }
    await expect(provider.sendTransaction(transaction, connection)).rejects.toMatchObject(refused)
    expect(ask).not.toHaveBeenCalled()
  })

  it('that sign transactions of the first form alone sign these', async () => {
    const { provider, wallet } = await one()
    change(wallet, 'solana:signTransaction', { supportedTransactionVersions: ['legacy'] })
    const transaction = memo(ADDRESS, { version: 'legacy' })
    expect(await provider.signTransaction(transaction)).toEqual(signed(transaction, SECRET))
  })

  it('are not asked for a version that has its signatures elsewhere, even if the wallet lists it', async () => {
    const { provider, wallet } = await one()
    const signTransaction = vi.fn()
    change(wallet, 'solana:signTransaction', { supportedTransactionVersions: ['legacy', 0, 1], signTransaction })
    const later = Uint8Array.of(129, ...memo(ADDRESS).subarray(66))
    await expect(provider.signTransaction(later)).rejects.toMatchObject({ code: 4200 })
    expect(signTransaction).not.toHaveBeenCalled()
  })

  it.each([['2.0.0'], ['10.0.0'], [undefined], [1]])('of version %s are none', async (version) => {
    const { provider, wallet } = await one()
    const signMessage = vi.fn()
    change(wallet, 'solana:signMessage', { version, signMessage })
    await expect(provider.signMessage(MESSAGE)).rejects.toMatchObject({ code: 4200 })
    expect(signMessage).not.toHaveBeenCalled()
    const later = demo({ name: 'Later' })
    change(later, 'standard:connect', { version })
    expect(new SolanaAdapter({ wallets: [later.standard as never] }).connectors).toEqual([])
  })
})

describe('the accounts of a wallet', () => {
  it.each([
    ['no list', null],
    ['a list of nothing', [null, undefined, 7]],
    ['accounts without chains', [{ address: ADDRESS, chains: null }]],
    ['accounts of no text', [{ address: ADDRESS, chains: [7] }]],
    ['accounts of another namespace', [{ address: ADDRESS, chains: ['sui:mainnet'] }]]
  ])('are none where it tells %s', async (_what, accounts) => {
    const { provider, wallet } = provided({ keys: [SECRET] })
    Object.defineProperty(wallet.standard, 'accounts', { get: () => accounts })
    expect(await provider.request({ method: 'standard:connect' })).toEqual({ accounts: [] })
    expect(provider.publicKey).toBeUndefined()
  })

  it('that change after a disconnection change nothing', async () => {
    const { provider, wallet } = await connected()
    const told = vi.fn()
    provider.on('accountsChanged', told)
    // A wallet that keeps its permission goes on telling of its accounts.
    change(wallet, 'standard:disconnect', { disconnect: async () => {} })
    await provider.request({ method: 'standard:disconnect' })
    wallet.controls.switchAccount(1)
    expect(wallet.standard.accounts[0]?.address).toBe(wallet.controls.addresses[1])
    expect(provider.publicKey).toBeUndefined()
    expect(told).not.toHaveBeenCalled()
  })

  it('have the one that signs in among them, or nobody is signed in', async () => {
    const { provider, wallet } = await one()
    const stranger = { address: base58.encode(ed25519.getPublicKey(OTHER)), chains: ['solana:devnet'] }
    for (const account of [stranger, {}, null]) {
      const answer = { account, signedMessage: MESSAGE, signature: ed25519.sign(MESSAGE, OTHER) }
      change(wallet, 'solana:signIn', { signIn: async () => [answer] })
      await expect(provider.request({ method: 'solana:signIn' })).rejects.toMatchObject({ code: 4100 })
    }
    for (const answer of [null, {}, { account: stranger, signedMessage: MESSAGE, signature: MESSAGE }]) {
      change(wallet, 'solana:signIn', { signIn: async () => [answer] })
      await expect(provider.request({ method: 'solana:signIn' })).rejects.toThrow('without a signature')
    }
    expect(provider.publicKey?.toBase58()).toBe(ADDRESS)
  })
})
