//! The built signer against ethers, viem and Node's cryptography, in cases drawn from a seed.

import { createHmac, createPrivateKey, createPublicKey, verify } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { encodeBase58, HDNodeWallet, Mnemonic, ripemd160, sha256, Transaction, toBeHex, Wallet } from 'ethers'
import { hashTypedData, recoverAddress, recoverMessageAddress } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import initialise, { command } from '../../wasm/signer.js'
import { release, text64 } from './server.ts'

const CASES = 40

/** Numbers from a seed (xorshift), so that a failed case comes again. */
class Draw {
  #state = 0x9e3779b9

  below(bound: number): number {
    this.#state ^= this.#state << 13
    this.#state ^= this.#state >>> 17
    this.#state ^= this.#state << 5
    return (this.#state >>> 0) % bound
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256))
  }

  hex(length: number): `0x${string}` {
    return `0x${Buffer.from(this.bytes(length)).toString('hex')}`
  }

  quantity(length: number): `0x${string}` {
    return `0x${BigInt(this.hex(length)).toString(16)}`
  }
}

const draw = new Draw()
const user = text64(draw.bytes(16))
const recovery = draw.bytes(32)

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes, which the assertions check
function ask(asked: object): any {
  const answer = JSON.parse(command(JSON.stringify(asked)))
  if (answer.type === 'refused') throw new Error(`${answer.reason} ${answer.part}`)
  return answer
}

function device() {
  return { user, thumbprint: text64(draw.bytes(32)), secret: text64(draw.bytes(32)) }
}

function released(thumbprint: string, share: Uint8Array) {
  const { key } = ask({ type: 'keyPair', random: text64(draw.bytes(32)) })
  return release(key, user, thumbprint, { recovery, device: share })
}

function create(own = device(), share = draw.bytes(32)) {
  const asked = {
    type: 'create',
    release: released(own.thumbprint, share),
    device: own,
    random: text64(draw.bytes(184))
  }
  const { wallet } = ask(asked)
  const { words } = ask({ type: 'export' })
  return { wallet, words: String(words), own, share }
}

function sign(method: string, params: unknown, chainId?: string) {
  return ask({ type: 'sign', request: { method, params, chainId } }).result
}

/** Key at a path of hardened children (SLIP-10). */
function slip10(phrase: string, path: number[]): Buffer {
  let node = createHmac('sha512', 'ed25519 seed')
    .update(Buffer.from(Mnemonic.fromPhrase(phrase).computeSeed().slice(2), 'hex'))
    .digest()
  for (const index of path) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(0x80000000 + index)
    node = createHmac('sha512', node.subarray(32))
      .update(Buffer.of(0))
      .update(node.subarray(0, 32))
      .update(number)
      .digest()
  }
  return node.subarray(0, 32)
}

function publicKey(secret: Buffer) {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret])
  return createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }))
}

const rawKey = (secret: Buffer) => Buffer.from(publicKey(secret).export({ format: 'jwk' }).x ?? '', 'base64url')

/** Hash in an address of Bitcoin, whose checksum the tests in Rust cover. */
function bech32Hash(address: string): string {
  const values = [...address.slice(4, -6)].map((letter) => 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'.indexOf(letter))
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return `0x${BigInt(`0b${bits}`).toString(16).padStart(40, '0')}`
}

beforeAll(async () => {
  await initialise({ module_or_path: await readFile(new URL('../../wasm/signer_bg.wasm', import.meta.url)) })
})

describe('a wallet', () => {
  test('has the words and addresses that other libraries derive', () => {
    for (let index = 0; index < CASES / 4; index++) {
      const { wallet, words } = create()
      expect(words.split(' ')).toHaveLength(24)
      expect(wallet.addresses.eip155).toBe(HDNodeWallet.fromPhrase(words, '', "m/44'/60'/0'/0/0").address)
      expect(wallet.addresses.solana).toBe(encodeBase58(rawKey(slip10(words, [44, 501, 0, 0]))))
      const bitcoin = HDNodeWallet.fromPhrase(words, '', "m/84'/0'/0'/0/0").publicKey
      expect(bech32Hash(wallet.addresses.bip122)).toBe(ripemd160(sha256(bitcoin)))
    }
  })

  test('opens on its device, and on another one by the recovery share', () => {
    const { wallet, words, own, share } = create()
    const record = { ...wallet, frozen: false }
    const unlock = (by = own, with_ = share) => ({
      type: 'unlock',
      release: released(by.thumbprint, with_),
      record,
      device: by,
      random: text64(draw.bytes(40))
    })
    expect(ask({ type: 'lock' })).toEqual({ type: 'locked' })
    expect(() => ask({ type: 'export' })).toThrow('locked')
    expect(ask(unlock())).toEqual({ type: 'unlocked', addresses: wallet.addresses, deviceSlot: null })
    expect(ask({ type: 'export' }).words).toBe(words)
    const other = device()
    expect(ask(unlock(other, draw.bytes(32))).deviceSlot).toMatchObject({ kind: 'device', device: other.thumbprint })
  })
})

describe('a signature', () => {
  test('of a message is that of ethers', async () => {
    const { words } = create()
    const wallet = HDNodeWallet.fromPhrase(words, '', "m/44'/60'/0'/0/0")
    for (let index = 0; index < CASES; index++) {
      const message = draw.bytes(draw.below(200))
      const hex: `0x${string}` = `0x${Buffer.from(message).toString('hex')}`
      const signature = sign('personal_sign', [hex, wallet.address.toLowerCase()])
      expect(signature).toBe(await wallet.signMessage(message))
      expect(await recoverMessageAddress({ message: { raw: hex }, signature })).toBe(wallet.address)
    }
    expect(sign('personal_sign', ['Grüße', wallet.address])).toBe(await wallet.signMessage('Grüße'))
  })

  test('of a transaction is that of ethers', () => {
    const { words } = create()
    const { address, privateKey } = HDNodeWallet.fromPhrase(words, '', "m/44'/60'/0'/0/0")
    const wallet = new Wallet(privateKey)
    for (let index = 0; index < CASES; index++) {
      const isLegacy = index % 2 === 0
      const tip = BigInt(draw.quantity(5))
      const most = tip + BigInt(draw.quantity(6))
      const fee = isLegacy
        ? { gasPrice: draw.quantity(6) }
        : { maxFeePerGas: `0x${most.toString(16)}`, maxPriorityFeePerGas: `0x${tip.toString(16)}` }
      const given = {
        to: draw.hex(20),
        nonce: draw.quantity(1 + draw.below(6)),
        gas: draw.quantity(3),
        value: draw.quantity(draw.below(31) + 1),
        data: draw.hex(draw.below(300)),
        chainId: `0x${(1n + BigInt(draw.quantity(1 + draw.below(4)))).toString(16)}`,
        ...fee
      }
      const { gas, ...rest } = given
      const expected = Transaction.from({ ...rest, nonce: Number(given.nonce), gasLimit: gas, type: isLegacy ? 0 : 2 })
      expected.signature = wallet.signingKey.sign(expected.unsignedHash)
      const signed = sign('eth_sendTransaction', [{ from: address, ...given }], `eip155:${BigInt(given.chainId)}`)
      expect(signed).toEqual({ raw: expected.serialized, hash: expected.hash })
    }
  })

  test('of typed data is that of viem', async () => {
    const { words } = create()
    const { address } = HDNodeWallet.fromPhrase(words, '', "m/44'/60'/0'/0/0")
    for (let index = 0; index < CASES; index++) {
      const data = typedData()
      const hash = hashTypedData(data as Parameters<typeof hashTypedData>[0])
      const signature = sign('eth_signTypedData_v4', [address, index % 2 ? data : JSON.stringify(data)])
      expect(await recoverAddress({ hash, signature }), JSON.stringify(data)).toBe(address)
    }
  })

  test('of Solana verifies', () => {
    const { wallet, words } = create()
    const key = publicKey(slip10(words, [44, 501, 0, 0]))
    for (let index = 0; index < CASES; index++) {
      const message = draw.bytes(1 + draw.below(100))
      const { signature } = sign('solana_signMessage', {
        message: base58(message),
        pubkey: wallet.addresses.solana
      })
      expect(verify(null, message, key, fromBase58(signature, 64))).toBe(true)
    }
    const message = transfer(key.export({ format: 'jwk' }).x ?? '')
    const transaction = Buffer.concat([Buffer.of(1), Buffer.alloc(64), message]).toString('base64')
    const signed = sign('solana_signTransaction', { transaction })
    const bytes = Buffer.from(signed.transaction, 'base64')
    expect(bytes.subarray(65)).toEqual(message)
    expect(bytes.subarray(1, 65)).toEqual(fromBase58(signed.signature, 64))
    expect(verify(null, message, key, bytes.subarray(1, 65))).toBe(true)
    const all = sign('solana_signAllTransactions', { transactions: [transaction, transaction] })
    expect(all).toEqual({ transactions: [signed.transaction, signed.transaction] })
    expect(() => sign('solana_signMessage', { message: base58(message), pubkey: wallet.addresses.solana })).toThrow(
      'method'
    )
  })
})

/** Message of a transfer of the system program. */
function transfer(own: string): Buffer {
  const keys = [Buffer.from(own, 'base64url'), Buffer.from(draw.bytes(32)), Buffer.alloc(32)]
  const instruction = [1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0]
  return Buffer.concat([Buffer.of(1, 0, 1, 3), ...keys, Buffer.from(draw.bytes(32)), Buffer.from(instruction)])
}

/** Base58 keeps leading zeros, which the function of ethers drops. */
function base58(bytes: Uint8Array): string {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros === -1) return '1'.repeat(bytes.length)
  return '1'.repeat(zeros) + encodeBase58(bytes.subarray(zeros))
}

function fromBase58(text: string, length: number): Buffer {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const number = [...text].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
  return Buffer.from(toBeHex(number, length).slice(2), 'hex')
}

type Fields = { name: string; type: string }[]

/** Random typed data: structs in structs, lists, and all atomic types. */
function typedData() {
  const types: Record<string, Fields> = {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'chainId', type: 'uint256' }
    ]
  }
  const struct = (depth: number): { type: string; make: () => unknown } => {
    const type = `T${Object.keys(types).length}`
    const members: { name: string; type: string; make: () => unknown }[] = []
    types[type] = []
    for (let index = 0; index <= draw.below(4); index++) members.push({ name: `f${index}`, ...member(depth) })
    types[type] = members.map(({ name, type }) => ({ name, type }))
    return { type, make: () => Object.fromEntries(members.map(({ name, make }) => [name, make()])) }
  }
  const member = (depth: number) => {
    const inner = depth > 0 && draw.below(3) === 0 ? struct(depth - 1) : atomic()
    if (draw.below(3) > 0) return inner
    const length = draw.below(3)
    const suffix = length === 0 ? '[]' : `[${length}]`
    return { type: inner.type + suffix, make: () => Array.from({ length }, inner.make) }
  }
  const { type, make } = struct(3)
  return { types, primaryType: type, domain: { name: 'n', chainId: draw.below(9) + 1 }, message: make() }
}

function atomic(): { type: string; make: () => unknown } {
  const size = 1 + draw.below(32)
  const bits = 8 * size
  const number = () => BigInt(draw.hex(size))
  return [
    { type: `uint${bits}`, make: () => number().toString() },
    { type: `int${bits}`, make: () => BigInt.asIntN(bits, number()).toString() },
    { type: `bytes${size}`, make: () => draw.hex(size) },
    { type: 'bytes', make: () => draw.hex(draw.below(70)) },
    { type: 'string', make: () => `ü${draw.hex(draw.below(40))}` },
    { type: 'bool', make: () => draw.below(2) === 1 },
    { type: 'address', make: () => draw.hex(20) }
  ][draw.below(7)] as { type: string; make: () => unknown }
}
