import { describe, expect, it } from 'vitest'
import { addressOf, isOn } from './address.ts'
import { psbtOf, signatureOf } from './bytes.ts'
import { chainOf } from './chains.ts'

const chain = (reference: string) => chainOf(`bip122:${reference}`) as NonNullable<ReturnType<typeof chainOf>>
const MAINNET = chain('000000000019d6689c085ae165831e93')
const SIGNET = chain('00000008819873e925422c1ff0f99f7c')
const REGTEST = chain('0f9188f13cb7b2c71f2a335e3a4fc328')

describe('addresses of Bitcoin', () => {
  it.each([
    ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'main', 'p2wpkh'],
    ['BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'main', 'p2wpkh'],
    ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 'test', 'p2wsh'],
    ['bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0', 'main', 'p2tr'],
    ['tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c', 'test', 'p2tr'],
    ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080', 'regtest', 'p2wpkh'],
    ['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'main', 'p2pkh'],
    ['3P14159f73E4gFr7JterCCQh9QjiTjiZrG', 'main', 'p2sh'],
    ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'test', 'p2pkh'],
    ['2MzQwSSnBHWHqSAqtTVQ6v47XtaisrJa1Vc', 'test', 'p2sh']
  ])('%s is of a network and a kind (BIP-173, BIP-350)', (text, form, kind) => {
    expect(addressOf(text)).toMatchObject({ form, kind })
  })

  it.each([
    // The invalid ones of BIP-350.
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1gmk9yu',
    // A version that has no meaning yet, a wrong checksum in base58, and other chains.
    'BC1SW50QGDZ25J',
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb',
    'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
    '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    '',
    null,
    7,
    'bc1q'.padEnd(100_000, 'q')
  ])('%s is none', (text) => {
    expect(addressOf(text)).toBeUndefined()
  })

  it('are on the networks of their form; base58 of the test networks is of regtest too', () => {
    const on = (text: string) => [MAINNET, SIGNET, REGTEST].map((one) => isOn(addressOf(text) as never, one))
    expect(on('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4')).toEqual([true, false, false])
    expect(on('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')).toEqual([false, true, false])
    expect(on('mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn')).toEqual([false, true, true])
  })
})

describe('bytes of a wallet', () => {
  it('are a signature of the older form, or a whole witness', () => {
    const old = Uint8Array.of(31, ...new Uint8Array(64))
    expect(signatureOf(old)?.protocol).toBe('ecdsa')
    expect(signatureOf(Uint8Array.of(1, 2, 7, 7))?.protocol).toBe('bip322')
    expect(signatureOf(Uint8Array.of(1, 0xfd, 2, 0, 7, 7))?.protocol).toBe('bip322')
    for (const nonsense of [
      Uint8Array.of(26, ...new Uint8Array(64)),
      Uint8Array.of(),
      Uint8Array.of(0),
      Uint8Array.of(1, 2, 7),
      Uint8Array.of(1, 2, 7, 7, 7),
      Uint8Array.of(0xff, 1, 1),
      Uint8Array.of(0xfe, 255, 255, 255, 255),
      new Uint8Array(100_000),
      'x',
      null,
      {}
    ])
      expect(signatureOf(nonsense), String(nonsense).slice(0, 40)).toBeUndefined()
  })

  it('are a partially signed transaction with the transaction in it', () => {
    const magic = [0x70, 0x73, 0x62, 0x74, 0xff]
    expect(psbtOf(Uint8Array.of(...magic, 1, 5, 1, 9, 1, 0, 2, 7, 8, 0))?.transaction).toEqual(Uint8Array.of(7, 8))
    for (const nonsense of [
      Uint8Array.of(...magic),
      Uint8Array.of(...magic, 0),
      Uint8Array.of(...magic, 1, 5, 1, 9, 0),
      Uint8Array.of(...magic, 1, 0, 200, 7),
      Uint8Array.of(...magic.slice(1), 1, 0, 1, 7),
      'cHNidP8=',
      undefined
    ])
      expect(psbtOf(nonsense), String(nonsense)).toBeUndefined()
  })
})
