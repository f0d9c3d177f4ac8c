import { describe, expect, it } from 'vitest'
import { ACCOUNT, metadata, request, session } from '../testing/fakes.ts'
import { accountsOf } from './accounts.ts'
import type { Ask } from './ask.ts'
import { readPeer } from './peer.ts'
import { readRequest } from './request.ts'

const peer = readPeer(metadata(), { origin: 'https://wallet.example', referrer: '' })
const read = (method: string, params: unknown, told = {}) =>
  readRequest(request(method, params, told), session(), { peer, switchTo: async () => undefined })
const ask = (method: string, params: unknown) => read(method, params) as Ask

const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

const MAIL = {
  domain: { name: 'Mail', chainId: 31337 },
  types: {
    Mail: [
      { name: 'to', type: 'Person' },
      { name: 'lines', type: 'string[]' }
    ],
    Person: [{ name: 'wallet', type: 'address' }]
  },
  primaryType: 'Mail',
  message: { to: { wallet: ACCOUNT }, lines: ['hello', 'you'], hidden: 'is not signed' }
}

describe('a request that nobody is asked about', () => {
  it('is refused outside of what the session grants', () => {
    expect(() => read('personal_sign', ['0x00', ACCOUNT], { chainId: 'eip155:1' })).toThrow(
      "doesn't support that network"
    )
    expect(() => read('personal_sign', ['0x00', ACCOUNT], { chainId: 'eip155:31338' })).toThrow(
      'no account on Anvil Two'
    )
    expect(() => read('eth_sign', [ACCOUNT, '0x00'])).toThrow("doesn't allow that method")
    const [, second] = accountsOf('eip155')
    expect(() => read('personal_sign', ['0x00', second?.address])).toThrow('no such account')
  })

  it.each([
    ['no list', 'personal_sign', null],
    ['no message', 'personal_sign', [7, ACCOUNT]],
    ['no account', 'personal_sign', ['hi']],
    ['no typed data', 'eth_signTypedData_v4', [ACCOUNT, '{']],
    ['typed data without types', 'eth_signTypedData_v4', [ACCOUNT, { message: {}, primaryType: 'Mail' }]],
    ['a type from the prototype', 'eth_signTypedData_v4', [ACCOUNT, { ...MAIL, primaryType: 'toString' }]],
    [
      'a value that does not fit',
      'eth_signTypedData_v4',
      [ACCOUNT, { ...MAIL, message: { to: { wallet: 'me' }, lines: [] } }]
    ],
    ['a list in typed data of version 3', 'eth_signTypedData_v3', [ACCOUNT, MAIL]],
    ['another chain', 'eth_signTypedData_v4', [ACCOUNT, { ...MAIL, domain: { chainId: 1 } }]],
    ['no transaction', 'eth_sendTransaction', ['send']],
    ['no receiver', 'eth_sendTransaction', [{ from: ACCOUNT, value: '0x1' }]],
    ['a wrong receiver', 'eth_sendTransaction', [{ from: ACCOUNT, to: '0x12' }]],
    ['a value below nothing', 'eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, value: '-0x1' }]],
    ['a chain of another network', 'eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, chainId: '0x1' }]],
    ['odd data', 'eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, data: '0x123' }]]
  ])('is refused with %s', (_, method, params) => {
    expect(() => read(method, params)).toThrow(expect.objectContaining({ name: 'Refusal', code: expect.any(Number) }))
  })

  it('is refused where nobody could read all of it', () => {
    const lines = Array.from({ length: 5000 }, () => 'x')
    expect(() => read('eth_signTypedData_v4', [ACCOUNT, { ...MAIL, message: { ...MAIL.message, lines } }])).toThrow(
      'too large'
    )
  })

  it('is answered where there is nothing to decide', () => {
    expect(read('eth_accounts', [])).toEqual({ result: [ACCOUNT] })
  })
})

describe('a message', () => {
  it('is shown as a text, in both orders of the parameters', () => {
    const body = { type: 'message', text: 'hello\nyou', bytes: false }
    expect(ask('personal_sign', [hex('hello\nyou'), ACCOUNT]).body).toEqual(body)
    expect(ask('personal_sign', [ACCOUNT, 'hello\nyou']).body).toEqual(body)
  })

  it('of bytes is shown as bytes, with a warning', () => {
    const { body, warnings } = ask('personal_sign', ['0xfffefd', ACCOUNT])
    expect(body).toEqual({ type: 'message', text: '0xfffefd', bytes: true })
    expect(warnings).toEqual(["These are bytes, not text. You can't see what you agree to."])
  })

  it('that signs in elsewhere is warned of', () => {
    const signIn = (domain: string) =>
      `${domain} wants you to sign in with your Ethereum account:\n${ACCOUNT}\n\nURI: x`
    const warnings = (text: string) => ask('personal_sign', [hex(text), ACCOUNT]).warnings
    expect(warnings(signIn('evil.example'))).toEqual([
      'This message signs you in at evil.example, but shop.example asks for it.'
    ])
    expect(warnings(signIn('shop.example').replace(ACCOUNT, '0x1'))).toEqual([
      'This message names a different account from the one signing.'
    ])
    expect(warnings(signIn('https://shop.example'))).toEqual([])
  })

  it('is signed as it was sent', async () => {
    await expect(ask('personal_sign', [hex('hello'), ACCOUNT]).perform()).resolves.toMatch(/^0x[0-9a-f]{130}$/)
  })
})

describe('typed data', () => {
  it('is a tree of what is signed, and of nothing else', () => {
    const { body } = ask('eth_signTypedData_v4', [ACCOUNT, JSON.stringify(MAIL)])
    expect(body).toMatchObject({
      type: 'typedData',
      domain: {
        fields: [
          { name: 'name', value: 'Mail' },
          { name: 'chainId', value: '31337' }
        ]
      },
      message: {
        type: 'Mail',
        fields: [
          { name: 'to', fields: [{ name: 'wallet', value: ACCOUNT }] },
          { name: 'lines', fields: [{ value: 'hello' }, { value: 'you' }] }
        ]
      }
    })
    expect(JSON.stringify(body)).not.toContain('hidden')
  })

  it('of version 3 is signed as that of version 4, for there are no lists in it', async () => {
    const types = { Note: [{ name: 'text', type: 'string' }] }
    const note = { domain: { chainId: 31337 }, types, primaryType: 'Note', message: { text: 'hi' } }
    const signed = (method: string) => ask(method, [ACCOUNT, note]).perform()
    expect(await signed('eth_signTypedData_v3')).toBe(await signed('eth_signTypedData_v4'))
  })

  it('that hands out coins is warned of', () => {
    const types = { Permit: [{ name: 'value', type: 'uint256' }] }
    const permit = { domain: {}, types, primaryType: 'Permit', message: { value: '1' } }
    expect(ask('eth_signTypedData_v4', [ACCOUNT, permit]).warnings).toHaveLength(1)
    expect(ask('eth_signTypedData_v4', [ACCOUNT, MAIL]).warnings).toEqual([])
  })
})

describe('a transaction', () => {
  it('tells its receiver and the exact amount', () => {
    const { title, body } = ask('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, value: '0xde0b6b3a7640001' }])
    expect(title).toBe('Send a transaction')
    expect(body).toMatchObject({ to: ACCOUNT, value: '1.000000000000000001 ETH', data: '0x', call: null })
  })

  it('that lets somebody take coins says so', () => {
    const spender = ACCOUNT.slice(2).toLowerCase().padStart(64, '0')
    const approve = `0x095ea7b3${spender}${'f'.repeat(64)}`
    const { body, warnings } = ask('eth_sendTransaction', [{ from: ACCOUNT, to: ACCOUNT, data: approve }])
    expect(body).toMatchObject({
      call: { name: 'approve', fields: [{ name: 'spender', value: ACCOUNT }, { name: 'amount' }] }
    })
    expect(warnings).toEqual(['This lets the spender take all your coins of this kind, now and later.'])
  })
})
