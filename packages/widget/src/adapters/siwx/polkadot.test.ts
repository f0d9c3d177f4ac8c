import { readFileSync } from 'node:fs'
import { Keyring } from '@polkadot/keyring'
import { u8aToHex, u8aWrapBytes } from '@polkadot/util'
import { base58Decode, base58Encode, encodeAddress } from '@polkadot/util-crypto'
import { sr25519KeypairFromSeed, sr25519Sign, waitReady } from '@polkadot/wasm-crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { PolkadotVerifier } from './PolkadotVerifier.ts'
import { isSignedBy } from './polkadot.ts'

const POLKADOT = 'polkadot:91b171bb158e2d3848fa23a9f1c25182'
const KUSAMA = 'polkadot:b0a8d493285c2df73290dfb7e61f870f'
/** Astar, whose prefix is 5. */
const ASTAR = 'polkadot:9eb76c5184c4ab8679d2d5d819fdf90b'
const KINDS = ['sr25519', 'ed25519', 'ecdsa'] as const

const verifier = new PolkadotVerifier()

const textOf = (account: string, chainId = POLKADOT) =>
  [
    'shop.example wants you to sign in with your Polkadot account:',
    account,
    '',
    'Straße ₿',
    '',
    'URI: https://shop.example/',
    'Version: 1',
    `Chain ID: ${chainId.split(':')[1]}`,
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00.000Z'
  ].join('\n')

function sessionOf(account: string, signature: string, chainId = POLKADOT, message = textOf(account, chainId)) {
  const data = { accountAddress: account, chainId, domain: 'shop.example', uri: 'https://shop.example/' }
  return { data: { ...data, nonce: '12345678' }, message, signature } as SIWXSession
}

/** Development key of a kind, which signs as extensions do, or without their wrapper. */
function signerOf(kind: (typeof KINDS)[number], path = '//Alice') {
  const pair = new Keyring({ type: kind, ss58Format: 0 }).addFromUri(path)
  const sign = (text: string, { wrapped = true, withType = true } = {}) =>
    u8aToHex(pair.sign(wrapped ? u8aWrapBytes(text) : text, { withType }))
  return { address: pair.address, id: pair.addressRaw, sign }
}

interface Recorded {
  readonly kind: string
  readonly chain: string
  readonly address: string
  readonly message: string
  readonly signature: string
}

/** Signatures on which the server's tests agree. */
const recorded: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../../../../crates/signature/tests/vectors/polkadot.json', import.meta.url), 'utf8')
)

const ofKind = (kind: string) => recorded.find((one) => one.kind === kind) as Recorded

const signedBy = ({ chain, address, message, signature }: Recorded) =>
  isSignedBy(message, address, `polkadot:${chain}`, signature)

beforeAll(() => waitReady())

describe('the verifier of Polkadot accounts', () => {
  it.each(KINDS)(
    'accepts the signature of an %s key, with and without wrapper and kind, and of nobody else',
    async (kind) => {
      const [alice, bob] = [signerOf(kind), signerOf(kind, '//Bob')]
      const text = textOf(alice.address)
      for (const wrapped of [true, false]) {
        for (const withType of [true, false]) {
          const signature = alice.sign(text, { wrapped, withType })
          expect(signature).toHaveLength(2 + 2 * ((withType ? 1 : 0) + (kind === 'ecdsa' ? 65 : 64)))
          expect(await verifier.verify(sessionOf(alice.address, signature))).toBe(true)
          expect(await verifier.verify(sessionOf(alice.address, signature.toUpperCase().replace('0X', '0x')))).toBe(
            true
          )
          expect(await verifier.verify(sessionOf(bob.address, signature))).toBe(false)
          expect(isSignedBy(text, bob.address, POLKADOT, signature)).toBe(false)
        }
      }
      expect(await verifier.verify(sessionOf(alice.address, bob.sign(text)))).toBe(false)
      const inside = alice.sign(`${text} `)
      expect(await verifier.verify(sessionOf(alice.address, inside))).toBe(false)
      expect(await verifier.verify(sessionOf(alice.address, alice.sign('hello'), POLKADOT, 'hello'))).toBe(false)
    }
  )

  it('accepts what the other implementation of sr25519 signs', async () => {
    const pair = sr25519KeypairFromSeed(new Uint8Array(32).fill(7))
    const [secret, key] = [pair.subarray(0, 64), pair.subarray(64)]
    const address = encodeAddress(key, 0)
    const signature = u8aToHex(sr25519Sign(key, secret, u8aWrapBytes(textOf(address))))
    expect(await verifier.verify(sessionOf(address, signature))).toBe(true)
    expect(await verifier.verify(sessionOf(address, signature.replace('0x', '0x01')))).toBe(true)
    expect(await verifier.verify(sessionOf(address, signature.replace('0x', '0x00')))).toBe(false)
  })

  it('accepts the signatures that the server accepts', () => {
    expect(recorded).toHaveLength(24)
    for (const one of recorded) {
      expect(signedBy(one), one.kind).toBe(true)
      expect(signedBy({ ...one, message: one.message.slice(1) }), one.kind).toBe(false)
      expect(signedBy({ ...one, message: `<Bytes>${one.message}</Bytes>x` }), one.kind).toBe(false)
    }
  })

  it('refuses a signature with any changed byte', () => {
    for (const kind of ['sr25519 raw polkadot', 'ed25519 raw polkadot', 'ecdsa raw polkadot']) {
      const one = ofKind(kind)
      for (let at = 2; at < one.signature.length; at += 2) {
        const byte = (Number.parseInt(one.signature.slice(at, at + 2), 16) ^ 1).toString(16).padStart(2, '0')
        const signature = one.signature.slice(0, at) + byte + one.signature.slice(at + 2)
        expect(signedBy({ ...one, signature }), `${kind} ${at}`).toBe(false)
      }
    }
  })

  it('refuses everything that is no signature', () => {
    const one = ofKind('sr25519 wrapped polkadot')
    const { signature } = one
    const texts = ['', '0x', 'hello', signature.slice(2), signature.slice(0, -2), `${signature}0`, `${signature}000000`]
    const kinds = ['00', '02', '03', '0202'].map((kind) => signature.replace('0x', `0x${kind}`))
    const bytes = [64, 65, 66].flatMap((length) => ['00', '01', '7f', 'ff'].map((byte) => `0x${byte.repeat(length)}`))
    const others = [signature.replace('0x', '0xzz'), `0x${'f'.repeat(100_000)}`, `${signature}\n`]
    for (const nonsense of [...texts, ...kinds, ...bytes, ...others])
      expect(signedBy({ ...one, signature: nonsense }), nonsense.slice(0, 60)).toBe(false)
  })

  it('refuses the second form of an ecdsa signature', () => {
    const one = ofKind('ecdsa wrapped polkadot')
    // Order of secp256k1 less the number `s`, and the other recovery.
    const higher = 'ff6302cdf24b6be45752553c937f8a26846b15d3a9f7f24c1d8ab7d81b63a53b01'
    expect(signedBy({ ...one, signature: one.signature.slice(0, 66) + higher })).toBe(false)
  })

  it('refuses keys that nobody owns', () => {
    const westend = ofKind('sr25519 wrapped westend')
    // The account of zeros, whose sr25519 key is the neutral point, and the neutral point of ed25519.
    const [zeros, neutral] = [new Uint8Array(32), Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0))]
    const marked = Uint8Array.from({ length: 64 }, (_, at) => (at === 63 ? 0x80 : 0))
    for (const key of [zeros, neutral])
      for (const forged of [marked, Uint8Array.of(...neutral, ...zeros), Uint8Array.of(...zeros, ...zeros)])
        expect(signedBy({ ...westend, address: encodeAddress(key, 42), signature: u8aToHex(forged) })).toBe(false)
  })

  it('accepts an address of the network alone, and on networks that it does not know with any prefix', async () => {
    const { id, sign } = signerOf('sr25519')
    const signed = (prefix: number, chainId: string) => {
      const address = encodeAddress(id, prefix)
      return verifier.verify(sessionOf(address, sign(textOf(address, chainId)), chainId))
    }
    expect(await Promise.all([0, 2, 42].map((prefix) => signed(prefix, POLKADOT)))).toEqual([true, false, false])
    expect(await Promise.all([0, 2, 42].map((prefix) => signed(prefix, KUSAMA)))).toEqual([false, true, false])
    for (const prefix of [0, 5, 63, 64, 255, 16_383]) expect(await signed(prefix, ASTAR), String(prefix)).toBe(true)
    for (const none of ['polkadot:1', POLKADOT.toUpperCase(), `${POLKADOT}0`, POLKADOT.replace('polkadot', 'solana')])
      expect(await signed(0, none), none).toBe(false)
  })

  it('reads an address with its checksum, in one spelling, of 32 bytes', () => {
    const one = ofKind('sr25519 wrapped other')
    const bytes = base58Decode(one.address)
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
      expect(signedBy({ ...one, address: base58Encode(changed) }), String(at)).toBe(false)
    }
    // The public key of an ecdsa account has 33 bytes, its account 32.
    const ecdsa = new Keyring({ type: 'ecdsa' }).addFromUri('//Alice')
    const lengths = [encodeAddress(ecdsa.publicKey, 42), encodeAddress(ecdsa.addressRaw.subarray(0, 8), 42)]
    for (const nobody of ['', '1', 'nobody', '1'.repeat(100_000), `1${one.address}`, one.address.slice(1), ...lengths])
      expect(signedBy({ ...one, address: nobody }), nobody.slice(0, 60)).toBe(false)
  })
})
