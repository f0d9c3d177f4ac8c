import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { base64 } from '@scure/base'
import { NETWORK, p2pkh, p2sh, p2tr, p2wpkh, TEST_NETWORK } from '@scure/btc-signer'
import { Signer, Verifier } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import type { SIWXSession } from '../../host/siwx.ts'
import { BIP122Verifier } from './BIP122Verifier.ts'
import { isSignedBy } from './bitcoin.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SIGNET = 'bip122:00000008819873e925422c1ff0f99f7c'
/** Key of BIP-322's own vectors. */
const WIF = 'L3VFeEujGtevx9w18HD1fhRbCH67Az2dpCymeRE1SoPK6XQtaN2k'
const P2WPKH = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l'
const P2TR = 'bc1ppv609nr0vr25u07u95waq5lucwfm6tde4nydujnu8npg4q75mr5sxq8lt3'

const LONG = 'Straße ₿ '.repeat(40)

/** Address of each kind of the key of the vectors, whose public key is known from its signatures. */
function addresses() {
  const key = recovered('Hello World')
  const [pkh, wpkh] = [p2pkh(key, NETWORK), p2wpkh(key, NETWORK)]
  return {
    key,
    p2pkh: pkh.address as string,
    p2sh: p2sh(wpkh, NETWORK).address as string,
    p2wpkh: P2WPKH,
    p2tr: p2tr(key.slice(1), undefined, NETWORK).address as string
  }
}

/** Public key of the vectors, out of a witness by the other library. */
function recovered(message: string): Uint8Array {
  const witness = base64.decode(String(Signer.sign(WIF, P2WPKH, message)))
  return witness.subarray(-33)
}

function sessionOf(account: string, chainId: string, message: string, signature: string): SIWXSession {
  const data = {
    accountAddress: account,
    chainId,
    domain: 'shop.example',
    uri: 'https://shop.example/',
    nonce: '12345678'
  }
  return { data: data as SIWXSession['data'], message, signature }
}

const textOf = (account: string, chainId: string) =>
  [
    'shop.example wants you to sign in with your Bitcoin account:',
    account,
    '',
    '',
    'URI: https://shop.example/',
    'Version: 1',
    `Chain ID: ${chainId.split(':')[1]}`,
    'Nonce: 12345678',
    'Issued At: 2026-01-01T00:00:00.000Z'
  ].join('\n')

describe('signatures of texts by Bitcoin keys', () => {
  it('accept the vectors of BIP-322', () => {
    for (const [message, signature] of [
      [
        '',
        'AkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI='
      ],
      [
        'Hello World',
        'AkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI='
      ]
    ] as const) {
      expect(isSignedBy(message, P2WPKH, MAINNET, signature), message).toBe(true)
      expect(isSignedBy(`${message}.`, P2WPKH, MAINNET, signature)).toBe(false)
    }
    const taproot = 'AUHd69PrJQEv+oKTfZ8l+WROBHuy9HKrbFCJu7U1iK2iiEy1vMU5EfMtjc+VSHM7aU0SDbak5IUZRVno2P5mjSafAQ=='
    expect(isSignedBy('Hello World', P2TR, MAINNET, taproot)).toBe(true)
    expect(isSignedBy('Hello World!', P2TR, MAINNET, taproot)).toBe(false)
  })

  it('agree with another library on what its signer signs, for each kind of address and length of text', () => {
    const all = addresses()
    for (const message of ['', 'Hello World', LONG]) {
      for (const address of [all.p2pkh, all.p2sh, all.p2wpkh, all.p2tr]) {
        const signature = String(Signer.sign(WIF, address, message))
        expect(Verifier.verifySignature(address, message, signature), address).toBe(true)
        expect(isSignedBy(message, address, MAINNET, signature), address).toBe(true)
        expect(isSignedBy(message, address, MAINNET, Buffer.from(signature, 'base64').toString('hex'))).toBe(true)
        expect(isSignedBy(`${message} `, address, MAINNET, signature)).toBe(false)
        for (const other of [all.p2pkh, all.p2sh, all.p2wpkh, all.p2tr].filter((one) => one !== address)) {
          const known = [all.p2sh, all.p2wpkh].includes(other) && address === all.p2pkh
          if (!known) expect(isSignedBy(message, other, MAINNET, signature), `${address} for ${other}`).toBe(false)
        }
      }
    }
  })

  it('accept "Bitcoin Signed Message" with every header that wallets write for an address', () => {
    const secret = new Uint8Array(32).fill(21)
    const key = secp256k1.getPublicKey(secret, true)
    const own = [p2pkh(key), p2wpkh(key), p2sh(p2wpkh(key))].map(({ address }) => address as string)
    const signed = (message: string, first: number) => {
      const bytes = new TextEncoder().encode(message)
      const prefixed = Buffer.concat([Buffer.from('\x18Bitcoin Signed Message:\n'), Buffer.from([bytes.length]), bytes])
      const hash = Buffer.from(sha256(sha256(prefixed)))
      const signature = secp256k1.sign(hash, secret)
      return { header: first + signature.recovery, bytes: signature.toCompactRawBytes() }
    }
    for (const first of [31, 35, 39]) {
      const { header, bytes } = signed('gm', first)
      for (const address of own)
        expect(isSignedBy('gm', address, MAINNET, base64.encode(Uint8Array.of(header, ...bytes)))).toBe(true)
      // The other recovery, and the higher form of the same signature.
      expect(isSignedBy('gm', own[0] as string, MAINNET, base64.encode(Uint8Array.of(header ^ 1, ...bytes)))).toBe(
        false
      )
    }
    const { header, bytes } = signed('gm', 39)
    const { r, s } = secp256k1.Signature.fromCompact(bytes)
    const high = new secp256k1.Signature(r, secp256k1.CURVE.n - s).toCompactRawBytes()
    const flipped = base64.encode(Uint8Array.of(((header - 39) ^ 1) + 39, ...high))
    expect(isSignedBy('gm', own[1] as string, MAINNET, flipped)).toBe(false)
    // A key in its long form has no address of SegWit.
    const long = signed('gm', 27)
    const bare = base64.encode(Uint8Array.of(long.header, ...long.bytes))
    const uncompressed = p2pkh(secp256k1.getPublicKey(secret, true)).address as string
    expect([uncompressed, ...own].map((address) => isSignedBy('gm', address, MAINNET, bare))).toEqual(
      Array(4).fill(false)
    )
  })

  it('are refused for an address of another network, and for anything that is no signature', () => {
    const signature = String(Signer.sign(WIF, P2WPKH, 'gm'))
    expect(isSignedBy('gm', P2WPKH, MAINNET, signature)).toBe(true)
    expect(isSignedBy('gm', P2WPKH, SIGNET, signature)).toBe(false)
    expect(isSignedBy('gm', P2WPKH, 'bip122:ffffffffffffffffffffffffffffffff', signature)).toBe(false)
    const test = p2wpkh(addresses().key, TEST_NETWORK).address as string
    expect(isSignedBy('gm', test, MAINNET, signature)).toBe(false)
    expect(isSignedBy('gm', test, SIGNET, signature)).toBe(true)
    for (const nonsense of ['', '0x12', 'hello', signature.slice(4), `${signature}AAAA`, 'A'.repeat(100_000), 'AQE='])
      expect(isSignedBy('gm', P2WPKH, MAINNET, nonsense), nonsense.slice(0, 20)).toBe(false)
    for (const nobody of ['', 'nobody', `${P2WPKH}q`, P2WPKH.replace('bc1q', 'bc1p')])
      expect(isSignedBy('gm', nobody, MAINNET, signature), nobody).toBe(false)
  })

  it('of Taproot are refused with another type of signature or a script', () => {
    const { p2tr: address } = addresses()
    const witness = base64.decode(String(Signer.sign(WIF, address, 'gm')))
    const bytes = witness.subarray(2)
    const typed = (type: number) => base64.encode(Uint8Array.of(1, 65, ...bytes.subarray(0, 64), type))
    expect(isSignedBy('gm', address, MAINNET, typed(0))).toBe(false)
    expect(isSignedBy('gm', address, MAINNET, typed(0x83))).toBe(false)
    const more = base64.encode(Uint8Array.of(2, ...witness.subarray(1), 1, 0x51))
    expect(isSignedBy('gm', address, MAINNET, more)).toBe(false)
  })
})

describe('the verifier of Bitcoin accounts', () => {
  it('accepts the sign-in of the account on its chain and no other text', async () => {
    const verifier = new BIP122Verifier()
    const text = textOf(P2WPKH, MAINNET)
    const signature = String(Signer.sign(WIF, P2WPKH, text))
    expect(await verifier.verify(sessionOf(P2WPKH, MAINNET, text, signature))).toBe(true)
    expect(await verifier.verify(sessionOf(P2WPKH, MAINNET, `${text}\n`, signature))).toBe(false)
    expect(await verifier.verify(sessionOf(P2WPKH, SIGNET, text, signature))).toBe(false)
    expect(await verifier.verify(sessionOf(addresses().p2tr, MAINNET, text, signature))).toBe(false)
    const other = String(Signer.sign(WIF, P2WPKH, 'hello'))
    expect(await verifier.verify(sessionOf(P2WPKH, MAINNET, 'hello', other))).toBe(false)
  })
})
