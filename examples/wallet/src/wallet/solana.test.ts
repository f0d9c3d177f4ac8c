import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { expect, it } from 'vitest'
import { metadata, request, session } from '../testing/fakes.ts'
import { accountsOf } from './accounts.ts'
import type { Ask } from './ask.ts'
import { readPeer } from './peer.ts'
import { readRequest } from './request.ts'

const CHAIN = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const BITCOIN = 'bip122:000000000019d6689c085ae165831e93'
const peer = readPeer(metadata(), { origin: 'https://wallet.example', referrer: '' })
const address = accountsOf('solana')[0]?.address ?? ''
const granted = (chain: string, account: string, methods: string[]) => ({
  chains: [chain],
  accounts: [`${chain}:${account}`],
  methods,
  events: []
})
const namespaces = {
  solana: granted(CHAIN, address, ['solana_signMessage', 'solana_signTransaction']),
  bip122: granted(BITCOIN, accountsOf('bip122')[0]?.address ?? '', ['signMessage', 'getAccountAddresses'])
}
const read = (method: string, params: unknown, chainId = CHAIN) =>
  readRequest(request(method, params, { chainId }), session({ namespaces }), { peer, switchTo: async () => undefined })
const encode = (text: string) => base58.encode(new TextEncoder().encode(text))

it('says in words what it does not sign, though the session was granted it', () => {
  expect(() => read('solana_signTransaction', { transaction: 'AA==' })).toThrow('signs messages but not transactions')
  expect(() => read('signMessage', { message: 'hi' }, BITCOIN)).toThrow('signs nothing')
})

it('refuses what is no text, for it could be a transaction', () => {
  const transaction = base58.encode(new Uint8Array([1, 0, 255, 254, 128]))
  expect(() => read('solana_signMessage', { message: transaction, pubkey: address })).toThrow('signs texts only')
  for (const message of [undefined, 7, '0OIl', '1'.repeat(30_000)]) {
    expect(() => read('solana_signMessage', { message, pubkey: address })).toThrow('base58')
  }
  expect(() => read('solana_signMessage', { message: encode('hi'), pubkey: 'somebody' })).toThrow('no such account')
  expect(() => read('solana_signMessage', null)).toThrow('to be an object')
})

it('signs a text with the key of the account', async () => {
  const asked = read('solana_signMessage', { message: encode('hello'), pubkey: address }) as Ask
  expect(asked.body).toEqual({ type: 'message', text: 'hello', bytes: false })
  const { signature } = (await asked.perform()) as { signature: string }
  expect(ed25519.verify(base58.decode(signature), new TextEncoder().encode('hello'), base58.decode(address))).toBe(true)
})

it('tells the address of a Bitcoin account without asking', () => {
  expect(read('getAccountAddresses', {}, BITCOIN)).toEqual({
    result: [{ address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', intention: 'payment' }]
  })
})
