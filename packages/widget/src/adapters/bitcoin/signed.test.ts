import { BITCOIN_TEST_KEYS, type BitcoinKey, bitcoinKeysOf, type PaymentKind, signBitcoinText } from '@portico/testkit'
import { base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { BitcoinProvider } from './BitcoinProvider.ts'
import type { Protocol } from './bytes.ts'
import { LeatherWay, SatsConnectWay } from './RequestWay.ts'
import { StandardWay } from './StandardWay.ts'
import { MAIN_ALONE, UnisatWay } from './UnisatWay.ts'
import type { Way } from './way.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const MESSAGE = 'gm ₿'

/** Way to a wallet with one address, which answers with this signature whatever it is asked to sign. */
const WAYS: Readonly<Record<string, (key: BitcoinKey, signature: Uint8Array) => Way>> = {
  'the Wallet Standard': ({ address, publicKey }, signature) => {
    const features = {
      'standard:connect': { version: '1.0.0', connect: async () => ({}) },
      'bitcoin:signMessage': {
        version: '1.0.0',
        signMessage: async ({ message }: { message: Uint8Array }) => [{ signedMessage: message, signature }]
      }
    }
    const accounts = [{ address, publicKey, chains: ['bitcoin:mainnet'], features: [] }]
    return new StandardWay({ name: 'Sly', accounts, features } as never)
  },
  'sats-connect': ({ address }, signature) => new SatsConnectWay(answering(address, signature)),
  Leather: ({ address }, signature) => new LeatherWay(answering(address, signature)),
  UniSat: ({ address }, signature) =>
    new UnisatWay(
      { requestAccounts: async () => [address], signMessage: async () => base64.encode(signature) },
      MAIN_ALONE
    )
}

/** Object with `request`, which names the address that it was asked for. */
function answering(address: string, signature: Uint8Array) {
  const addresses = [{ address, purpose: 'payment' }]
  const result = { addresses, address, signature: base64.encode(signature) }
  return { request: async () => ({ result }) }
}

/** Signature in the answer of a wallet that has one key, and signed so. */
async function signed(way: string, kind: PaymentKind, protocol: Protocol, text: string, account = 0) {
  const [own, signer] = [keyOf(0, kind), keyOf(account, kind)]
  const provider = new BitcoinProvider(
    'Wallet',
    (WAYS[way] as (typeof WAYS)[string])(own, signBitcoinText(text, signer, protocol)),
    () => MAINNET
  )
  await provider.request({ method: 'getAccountAddresses' })
  return provider.signMessage({ message: MESSAGE, protocol })
}

const keyOf = (account: number, kind: PaymentKind) =>
  bitcoinKeysOf(BITCOIN_TEST_KEYS[account] as Uint8Array, 'mainnet', kind)[0] as BitcoinKey

describe.each(Object.keys(WAYS))('the signature of a wallet of the way %s', (way) => {
  it.each([
    ['p2wpkh', 'ecdsa'],
    ['p2wpkh', 'bip322'],
    ['p2sh', 'ecdsa'],
    ['p2sh', 'bip322'],
    ['p2tr', 'bip322']
  ] as const)('of %s by %s counts if it is of the account and over the text', async (kind, protocol) => {
    expect(await signed(way, kind, protocol, MESSAGE)).toMatch(/^[\w+/]+=*$/)
    await expect(signed(way, kind, protocol, `${MESSAGE}.`)).rejects.toThrow("doesn't fit this account and message")
    await expect(signed(way, kind, protocol, MESSAGE, 1)).rejects.toThrow("doesn't fit this account and message")
  })
})

it('a wallet that shares several addresses signs with the one in use by default', async () => {
  const keys = [0, 1].map((account) => keyOf(account, 'p2wpkh'))
  const [first = '', second = ''] = keys.map(({ address }) => address)
  const asked: string[] = []
  const request = async (method: string, params: { address?: string }) => {
    if (method !== 'signMessage')
      return { result: { addresses: [first, second].map((address) => ({ address, purpose: 'payment' })) } }
    const { address = '' } = params
    asked.push(address)
    const signature = base64.encode(signBitcoinText(MESSAGE, keys[address === first ? 0 : 1] as BitcoinKey, 'ecdsa'))
    return { result: { address, signature } }
  }
  let active = second
  const provider = new BitcoinProvider(
    'Both',
    new SatsConnectWay({ request }),
    () => MAINNET,
    undefined,
    () => active
  )
  await provider.request({ method: 'getAccountAddresses' })
  await provider.signMessage({ message: MESSAGE })
  active = first
  await provider.signMessage({ message: MESSAGE })
  // The account in use may be one of another wallet.
  active = 'bc1qelsewhere'
  await provider.signMessage({ message: MESSAGE })
  expect(asked).toEqual([second, first, first])
})
