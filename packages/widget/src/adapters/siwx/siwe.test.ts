import { privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { describe, expect, it } from 'vitest'
import {
  createSIWEConfig,
  formatMessage,
  getAddressFromMessage,
  getChainIdFromMessage,
  getDidAddress,
  getDidChainId,
  verifySignature
} from './siwe.ts'

const account = privateKeyToAccount(`0x${'1'.repeat(64)}`)
const iss = `did:pkh:eip155:10:${account.address}`
const args = {
  domain: 'shop.example',
  uri: 'https://shop.example/login',
  version: '1' as const,
  chainId: 10,
  nonce: 'abcdefgh12',
  iat: '2026-01-01T00:00:00.000Z',
  statement: 'Sign in to the shop.',
  exp: '2026-01-02T00:00:00.000Z',
  resources: ['https://shop.example/terms']
}

describe('a sign-in message of an EVM account', () => {
  it('has the fields that another library reads', () => {
    expect(parseSiweMessage(formatMessage(args, iss))).toEqual({
      address: account.address,
      chainId: 10,
      domain: 'shop.example',
      expirationTime: new Date(args.exp),
      issuedAt: new Date(args.iat),
      nonce: args.nonce,
      resources: args.resources,
      statement: args.statement,
      uri: args.uri,
      version: '1'
    })
  })

  it('names account and chain, whatever other addresses its statement has', () => {
    const other = `0x${'2'.repeat(40)}`
    const message = formatMessage({ ...args, statement: `Pay ${other} on Chain ID: 1` }, iss)
    expect([getAddressFromMessage(message), getChainIdFromMessage(message)]).toEqual([account.address, 'eip155:10'])
    expect([getDidAddress(iss), getDidChainId(iss)]).toEqual([account.address, '10'])
  })

  it.each([
    ['no account', () => formatMessage(args, account.address)],
    ['another namespace', () => formatMessage(args, `did:pkh:solana:x:${account.address}`)],
    ['a line break', () => formatMessage({ ...args, statement: 'Yes\nNonce: 12345678' }, iss)],
    ['a line break of Unicode', () => formatMessage({ ...args, statement: 'Yes\u2028Nonce: 12345678' }, iss)],
    ['no nonce', () => formatMessage({ ...args, nonce: undefined as never }, iss)],
    ['another text', () => getAddressFromMessage(`I am ${account.address}`)],
    ['an empty text', () => getChainIdFromMessage('')]
  ])('is refused with %s', (_, act) => {
    expect(act).toThrow(TypeError)
  })

  it('is verified for the account and the chain that it names alone', async () => {
    const message = formatMessage(args, iss)
    const signature = await account.signMessage({ message })
    const right = { address: account.address.toLowerCase(), message, signature, chainId: 'eip155:10' }
    expect(await verifySignature(right)).toBe(true)
    expect(await verifySignature({ ...right, chainId: 'eip155:1' })).toBe(false)
    expect(await verifySignature({ ...right, address: `0x${'2'.repeat(40)}` })).toBe(false)
    expect(await verifySignature({ ...right, message: message.replace('shop.example', 'evil.example') })).toBe(false)
    const other = 'I agree to everything'
    expect(
      await verifySignature({ ...right, message: other, signature: await account.signMessage({ message: other }) })
    ).toBe(false)
  })

  it('is configured with functions and settings apart', () => {
    const methods = {
      getNonce: async () => 'abcdefgh12',
      createMessage: () => '',
      verifyMessage: async () => true,
      getSession: async () => null,
      signOut: async () => true
    }
    const options = { required: false, nonceRefetchIntervalMs: 30_000, sessionRefetchIntervalMs: 60_000 }
    const config = createSIWEConfig({ ...methods, ...options })
    expect([Object.keys(config.methods), config.options]).toEqual([Object.keys(methods), options])
  })
})
