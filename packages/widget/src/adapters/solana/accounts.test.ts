// @vitest-environment happy-dom

//! Which account of a wallet signs, on which network, and how the wallet is called.

import { ed25519 } from '@noble/curves/ed25519'
import { base58, base64 } from '@scure/base'
import { Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js'
import { describe, expect, it, vi } from 'vitest'
import { SolanaAdapter } from './SolanaAdapter.ts'
import type { Provider } from './SolanaProvider.ts'
import { connected, demo, instructionsOf, memo } from './test-wallet.ts'

const MESSAGE = new TextEncoder().encode('gm')

/** Whether the first signature of a transaction is one by an address. */
function isSignedBy(transaction: Uint8Array, address: string | undefined): boolean {
  return ed25519.verify(transaction.subarray(1, 65), transaction.subarray(65), base58.decode(address ?? ''))
}

describe('a wallet that shares several accounts', () => {
  /** The account in use is the second one of the wallet from the beginning. */
  async function second() {
    let active: string | undefined
    const given = await connected({ sharesAll: true }, () => active)
    const [first = '', address = ''] = given.wallet.controls.addresses
    active = address
    const setActive = (next: string) => {
      active = next
    }
    return { ...given, first, address, setActive }
  }

  it('signs with the one in use by default, and shows its key', async () => {
    const { provider, first, address, setActive } = await second()
    expect(provider.publicKey?.toBase58()).toBe(address)
    expect(ed25519.verify(await provider.signMessage(MESSAGE), MESSAGE, base58.decode(address))).toBe(true)
    expect(isSignedBy(await provider.signTransaction(memo(address)), address)).toBe(true)
    setActive(first)
    expect(provider.publicKey?.toBase58()).toBe(first)
    // The account in use may be one of another wallet.
    setActive('11111111111111111111111111111111')
    expect(provider.publicKey?.toBase58()).toBe(first)
  })

  it('signs with the one that a request names, and with no other one', async () => {
    const { provider, wallet, first, address } = await second()
    const send = vi.fn(async ({ account, transaction }) => {
      expect(account.address).toBe(first)
      return [{ signature: transaction.slice(1, 65) }]
    })
    Object.assign(wallet.standard.features['solana:signAndSendTransaction'] as object, { signAndSendTransaction: send })
    for (const pubkey of [first, address]) {
      const transaction = base64.encode(memo(pubkey))
      const one = { method: 'solana_signTransaction', params: { transaction, pubkey } }
      const signed = (await provider.request(one)) as { transaction: string; signature: string }
      expect(isSignedBy(base64.decode(signed.transaction), pubkey)).toBe(true)
      const all = { method: 'solana_signAllTransactions', params: { transactions: [transaction], pubkey } }
      expect(await provider.request(all)).toEqual({ transactions: [signed.transaction] })
    }
    const params = { transaction: base64.encode(memo(first)), pubkey: first }
    await provider.request({ method: 'solana_signAndSendTransaction', params })
    expect(send).toHaveBeenCalledTimes(1)
    const unknown = { ...params, transactions: [params.transaction], pubkey: base58.encode(new Uint8Array(32)) }
    for (const method of ['solana_signTransaction', 'solana_signAllTransactions', 'solana_signAndSendTransaction'])
      await expect(provider.request({ method, params: unknown })).rejects.toMatchObject({ code: 4100 })
    expect(send).toHaveBeenCalledTimes(1)
  })
})

describe('a transaction that another one pays for', () => {
  const sponsor = Keypair.fromSeed(new Uint8Array(32).fill(9))

  function sponsored(address: string): Transaction {
    const from = new PublicKey(address)
    const blockhash = base58.encode(new Uint8Array(32).fill(3))
    const transaction = new Transaction({ feePayer: sponsor.publicKey, blockhash, lastValidBlockHeight: 1 })
    return transaction.add(SystemProgram.transfer({ fromPubkey: from, toPubkey: sponsor.publicKey, lamports: 1 }))
  }

  it.each([false, true])("comes back with the account's signature; signed by the sponsor: %s", async (isSigned) => {
    const { provider, wallet } = await connected()
    const [address = ''] = wallet.controls.addresses
    const given = sponsored(address)
    if (isSigned) given.partialSign(sponsor)
    const bytes = Uint8Array.from(given.serialize({ requireAllSignatures: false, verifySignatures: false }))
    const params = { transaction: base64.encode(bytes), pubkey: address }
    const answer = (await provider.request({ method: 'solana_signTransaction', params })) as Record<string, string>
    const signed = Transaction.from(base64.decode(answer.transaction as string))
    const own = signed.signatures.find(({ publicKey }) => publicKey.toBase58() === address)
    expect(base58.decode(answer.signature as string)).toEqual(Uint8Array.from(own?.signature ?? []))
    expect(
      ed25519.verify(base58.decode(answer.signature as string), given.serializeMessage(), base58.decode(address))
    ).toBe(true)
    expect(signed.verifySignatures()).toBe(isSigned)
  })
})

it('a wallet whose features are objects with a state of their own is called as their methods', async () => {
  const { standard, controls } = demo()
  const bound: unknown[] = []
  const features = Object.fromEntries(
    Object.entries(standard.features).map(([name, feature]) => {
      const methods = Object.entries(feature).filter(([, value]) => typeof value === 'function')
      const own: Record<string, unknown> = { ...feature }
      for (const [method, run] of methods)
        own[method] = function (this: unknown, ...given: unknown[]) {
          if (this !== own) throw new TypeError(`${name} without its object`)
          bound.push(method)
          return (run as (...given: unknown[]) => unknown)(...given)
        }
      return [name, own]
    })
  )
  const accounts = { get: () => standard.accounts }
  const wallet = Object.defineProperty({ ...standard, features }, 'accounts', accounts)
  const adapter = new SolanaAdapter({ wallets: [wallet as never] })
  adapter.follow(() => 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')
  const provider = adapter.connectors.find(({ name }) => name === wallet.name)?.provider as unknown as Provider
  await provider.request({ method: 'standard:connect', params: { silent: true } })
  await provider.request({ method: 'standard:connect' })
  await provider.signMessage(MESSAGE)
  await provider.signTransaction(memo(controls.addresses[0] as string))
  await provider.request({ method: 'solana:signIn' })
  await provider.request({ method: 'standard:disconnect' })
  expect(bound).toEqual(['connect', 'on', 'connect', 'signMessage', 'signTransaction', 'signIn', 'disconnect'])
})

it.each([
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:mainnet'],
  ['solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'solana:devnet'],
  ['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'solana:testnet'],
  ['solana:11111111111111111111111111111111', 'solana:localnet']
])('a wallet is asked on %s by the name %s, whether it signs or sends', async (network, chain) => {
  const wallet = demo()
  const asked: unknown[] = []
  for (const method of ['signTransaction', 'signAndSendTransaction']) {
    const refuse = async (...inputs: readonly { chain: unknown }[]) => {
      asked.push(...inputs.map((input) => input.chain))
      throw new Error('Refused')
    }
    Object.assign(wallet.standard.features[`solana:${method}`] as object, { [method]: refuse })
  }
  const adapter = new SolanaAdapter({ wallets: [wallet.standard as never] })
  adapter.follow(() => network)
  const provider = adapter.connectors.find(({ name }) => name === wallet.standard.name)?.provider as unknown as Provider
  await provider.request({ method: 'standard:connect' })
  const bytes = memo(wallet.controls.addresses[0] as string)
  await expect(provider.signAllTransactions([bytes, bytes])).rejects.toThrow('Refused')
  await expect(provider.signAndSendTransaction(bytes)).rejects.toThrow('Refused')
  expect(asked).toEqual([chain, chain, chain])
})

it('a transaction to which the wallet adds assertions comes back with them, signed', async () => {
  const { provider, wallet } = await connected({ mode: 'assert' })
  const [address = ''] = wallet.controls.addresses
  for (const version of ['legacy', 0] as const) {
    const signed = await provider.signTransaction(memo(address, { version }))
    expect(isSignedBy(signed, address)).toBe(true)
    expect(instructionsOf(signed).map(({ programAddress }) => programAddress)).toEqual([
      'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95',
      'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
      'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95'
    ])
  }
})

it('the names that a wallet gave to its accounts are told with them, as far as they are texts of a bearable length', async () => {
  const { wallet, provider } = await connected({ sharesAll: true })
  const [first, second, third] = wallet.controls.addresses
  const labels = ['Savings', 7, 'x'.repeat(1_000_000)]
  wallet.standard.accounts.forEach((account, index) => {
    Object.assign(account, { label: labels[index] })
  })
  expect(await provider.request({ method: 'standard:connect', params: { silent: true } })).toEqual({
    accounts: [{ address: first, name: 'Savings' }, second, { address: third, name: 'x'.repeat(400) }]
  })
})
