import { Keyring } from '@polkadot/keyring'
import { hexToU8a, u8aToHex, u8aWrapBytes } from '@polkadot/util'
import { describe, expect, it } from 'vitest'
import { PolkadotProvider } from './PolkadotProvider.ts'

const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const MESSAGE = 'Straße ₿'
const DATA = '0x00ff01'

type Kind = 'sr25519' | 'ed25519'

const pairOf = (kind: Kind, path: string) => new Keyring({ type: kind, ss58Format: 0 }).addFromUri(path)

/** Provider of an extension with Alice's account, which answers with this signature whatever it is asked to sign. */
async function provided(kind: Kind, signature: string): Promise<PolkadotProvider> {
  const accounts = { get: async () => [{ address: pairOf(kind, '//Alice').address, type: kind }] }
  const signer = { signRaw: async () => ({ id: 1, signature }) }
  const around = { origin: 'shop.example', prefixes: {}, network: () => POLKADOT }
  const provider = new PolkadotProvider('Sly', () => ({ enable: async () => ({ accounts, signer }) }), around)
  await provider.request({ method: 'getAccounts' })
  return provider
}

/** Signature of a text or bytes as extensions make it, of Alice unless told. */
function signed(kind: Kind, text: string | Uint8Array, { path = '//Alice', withType = true } = {}): string {
  return u8aToHex(pairOf(kind, path).sign(u8aWrapBytes(text), { withType }))
}

describe.each(['sr25519', 'ed25519'] as const)('the signature of an extension by an %s key', (kind) => {
  it.each([true, false])('counts if it is of the account and over the text; with its kind: %s', async (withType) => {
    const right = signed(kind, MESSAGE, { withType })
    expect(await (await provided(kind, right)).signMessage({ message: MESSAGE })).toBe(right)
    for (const wrong of [
      signed(kind, `${MESSAGE}.`, { withType }),
      signed(kind, MESSAGE, { withType, path: '//Bob' })
    ]) {
      const provider = await provided(kind, wrong)
      await expect(provider.signMessage({ message: MESSAGE })).rejects.toThrow("doesn't fit this account and message")
      const remote = { method: 'polkadot_signMessage', params: { message: MESSAGE } }
      await expect(provider.request(remote)).rejects.toThrow("doesn't fit this account and message")
    }
  })

  it('counts over bytes that are no text, and over none', async () => {
    for (const [data, bytes] of [
      [DATA, Uint8Array.of(0, 255, 1)],
      ['0x', new Uint8Array()]
    ] as const) {
      const right = signed(kind, bytes)
      expect(await (await provided(kind, right)).signRaw({ data })).toEqual({ id: 1, signature: right })
    }
    for (const wrong of [
      signed(kind, Uint8Array.of(0, 255)),
      signed(kind, Uint8Array.of(0, 255, 1), { path: '//Bob' })
    ])
      await expect((await provided(kind, wrong)).signRaw({ data: DATA })).rejects.toThrow(
        "doesn't fit this account and message"
      )
  })
})

it('an extension that shows several accounts signs with the one in use by default', async () => {
  const pairs = ['//Alice', '//Bob'].map((path) => pairOf('sr25519', path))
  const [alice = '', bob = ''] = pairs.map(({ address }) => address)
  const accounts = { get: async () => pairs.map(({ address }) => ({ address, type: 'sr25519' })) }
  const signRaw = async ({ address }: { address: string }) => {
    const path = address === bob ? '//Bob' : '//Alice'
    return { id: 1, signature: signed('sr25519', MESSAGE, { path }) }
  }
  let active = bob
  const around = { origin: 'shop.example', prefixes: {}, network: () => POLKADOT, address: () => active }
  const entry = { enable: async () => ({ accounts, signer: { signRaw } }) }
  const provider = new PolkadotProvider('Both', () => entry, around)
  await provider.request({ method: 'getAccounts' })
  const isSigned = async (address: string) => {
    const signature = await provider.signMessage({ message: MESSAGE })
    const pair = pairs.find((one) => one.address === address)
    return pair?.verify(u8aWrapBytes(MESSAGE), hexToU8a(signature), pair.publicKey)
  }
  expect(await isSigned(bob)).toBe(true)
  active = alice
  expect(await isSigned(alice)).toBe(true)
  // The account in use may be one of another wallet.
  active = '1'
  expect(await isSigned(alice)).toBe(true)
})
