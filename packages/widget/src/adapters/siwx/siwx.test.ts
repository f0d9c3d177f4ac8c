// @vitest-environment happy-dom

import { SiweMessage } from 'siwe'
import { privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage, parseSiweMessage } from 'viem/siwe'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SIWXMessageData, SIWXSession } from '../../host/siwx.ts'
import { DefaultSIWX } from './DefaultSIWX.ts'
import { InformalMessenger, textOf } from './InformalMessenger.ts'
import { LocalStorage } from './LocalStorage.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NOW = Date.parse('2026-11-27T03:00:00.000Z')
const INPUT = { accountAddress: ADDRESS, chainId: 'eip155:1' }

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  vi.useFakeTimers({ now: NOW })
  localStorage.clear()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const messenger = (own: object = {}) =>
  new InformalMessenger({
    domain: 'shop.example',
    uri: 'https://shop.example/in',
    getNonce: async () => 'abc12345',
    ...own
  })

describe('a message', () => {
  const whole = {
    statement: 'Sign in to the shop.',
    expiration: 60_000,
    resources: ['https://shop.example/terms', 'ipfs://bafy'],
    getRequestId: async () => 'request-7'
  }
  const said = {
    address: ADDRESS,
    chainId: 1,
    domain: 'shop.example',
    uri: 'https://shop.example/in',
    version: '1',
    nonce: 'abc12345',
    issuedAt: new Date(NOW)
  } as const

  it('spec_3_18_is_to_the_letter_the_one_that_viem_and_siwe_write_from_the_same_fields', async () => {
    const notBefore = new Date(NOW + 1_000)
    const message = await messenger(whole).createMessage({ ...INPUT, notBefore: notBefore.toISOString() })
    const fields = {
      ...said,
      statement: whole.statement,
      expirationTime: new Date(NOW + 60_000),
      notBefore,
      requestId: 'request-7',
      resources: whole.resources
    }
    expect(message.toString()).toBe(createSiweMessage(fields))
    expect(new SiweMessage(message.toString()).prepareMessage()).toBe(message.toString())
    expect(parseSiweMessage(message.toString())).toEqual(fields)
  })

  it('without a statement and what is optional has only what it must have', async () => {
    const text = (await messenger().createMessage(INPUT)).toString()
    expect(text).toBe(createSiweMessage(said))
    expect(new SiweMessage(text).prepareMessage()).toBe(text)
    expect(parseSiweMessage(text)).toEqual(said)
  })

  it('names the chain and the account of another namespace', () => {
    const data = { accountAddress: 'So1', chainId: 'solana:5eykt', domain: 'd', uri: 'u', version: '1', nonce: 'n' }
    expect(textOf(data).split('\n')[0]).toBe('d wants you to sign in with your Solana account:')
    expect(textOf(data)).toContain('\nChain ID: 5eykt\n')
    expect(textOf(data, false)).toContain('\nChain ID: solana:5eykt\n')
    expect(textOf({ ...data, chainId: 'eip155:1' }, false)).toContain('\nChain ID: 1\n')
  })

  it('for another page than this one is told to the developer, who reads which domain to set', () => {
    const warn = vi.mocked(console.warn)
    messenger({ domain: location.host })
    new DefaultSIWX()
    expect(warn).not.toHaveBeenCalled()
    messenger()
    expect(warn.mock.calls).toEqual([
      [`Sign-in: set \`domain\` to ${location.host}, the host of this page, instead of shop.example.`]
    ])
    vi.stubGlobal('location', undefined)
    messenger()
    vi.unstubAllGlobals()
    expect(warn).toHaveBeenCalledTimes(1)
  })

  it('has no field with a line break, which could pass for another field', async () => {
    const broken = {
      statement: 'Hi\nURI: https://evil.example',
      resources: ['a\nb'],
      getNonce: async () => 'abc\r12345'
    }
    for (const [name, value] of Object.entries(broken))
      await expect(messenger({ [name]: value }).createMessage(INPUT)).rejects.toThrow('line break')
  })
})

it.each([
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u202a',
  '\u202e',
  '\u2066',
  '\u2069'
])('a message has no field with %j, which could make it look like another one', async (letter) => {
  const asked = messenger({ statement: `Hi${letter}URI: https://evil.example` }).createMessage(INPUT)
  await expect(asked).rejects.toThrow('Use message fields without line breaks and characters that turn the direction')
})

it('a message may have a statement in any script', async () => {
  const statement = 'הירשם. سجل الدخول. Straße ₿ 👋🏽'
  expect((await messenger({ statement }).createMessage(INPUT)).toString()).toContain(`\n${statement}\n`)
})

const sessionOf = (own: Partial<SIWXMessageData> = {}): SIWXSession => ({
  data: { ...INPUT, domain: 'd', uri: 'u', version: '1', nonce: 'n', ...own },
  message: 'text',
  signature: '0x12'
})

describe('the sessions in the browser', () => {
  const storage = () => new LocalStorage({ key: 'sessions' })

  it('are of one account on one chain, the last of which counts', async () => {
    const [first, second, other] = [sessionOf(), sessionOf({ nonce: 'm' }), sessionOf({ chainId: 'eip155:10' })]
    for (const session of [first, other, second]) await storage().add(session)
    expect(await storage().get('eip155:1', ADDRESS.toLowerCase())).toEqual([second])
    expect(await storage().get('eip155:10', ADDRESS)).toEqual([other])
    expect(await storage().get('eip155:1', OTHER)).toEqual([])
    await storage().delete('eip155:1', ADDRESS)
    expect(await storage().get('eip155:1', ADDRESS)).toEqual([])
    expect(await storage().get('eip155:10', ADDRESS)).toHaveLength(1)
    await storage().set([])
    expect(localStorage.length).toBe(0)
  })

  it('of another namespace mind the case of an address', async () => {
    await storage().add(sessionOf({ chainId: 'solana:5eykt', accountAddress: 'So1' }))
    expect(await storage().get('solana:5eykt', 'so1')).toEqual([])
    expect(await storage().get('solana:5eykt', 'So1')).toHaveLength(1)
  })

  it('are valid from their beginning to their end', async () => {
    const at = (time: number) => new Date(NOW + time).toISOString()
    for (const [own, count] of [
      [{ expirationTime: at(1) }, 1],
      [{ expirationTime: at(0) }, 0],
      [{ expirationTime: 'soon' }, 0],
      [{ notBefore: at(0) }, 1],
      [{ notBefore: at(1) }, 0]
    ] as const) {
      await storage().set([sessionOf(own)])
      expect(await storage().get('eip155:1', ADDRESS), JSON.stringify(own)).toHaveLength(count)
    }
  })

  it('are the last hundred, also where ten thousand are stored or set', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => sessionOf({ chainId: `eip155:${index + 1}` }))
    localStorage.setItem('sessions', JSON.stringify(many))
    await storage().add(sessionOf({ chainId: 'eip155:20000' }))
    const left = () => JSON.parse(localStorage.getItem('sessions') ?? '[]') as SIWXSession[]
    expect(left()).toHaveLength(100)
    expect(await storage().get('eip155:20000', ADDRESS)).toHaveLength(1)
    expect(await storage().get('eip155:10000', ADDRESS)).toHaveLength(1)
    expect(await storage().get('eip155:1', ADDRESS)).toEqual([])
    await storage().set(many)
    expect(left()).toEqual(many.slice(-100))
  })

  it.each(['{', '7', 'null', '[null,7,{}]', '[{"data":{}}]'])('are none where %s is stored', async (stored) => {
    localStorage.setItem('sessions', stored)
    expect(await storage().get('eip155:1', ADDRESS)).toEqual([])
    await storage().add(sessionOf())
    expect(await storage().get('eip155:1', ADDRESS)).toHaveLength(1)
  })
})

describe('the default sign-in', () => {
  const verifier = (verify: () => Promise<boolean>) => ({ chainNamespace: 'eip155', verify })

  it('writes a message with eight digits as its nonce, other ones each time, for the page', async () => {
    const [one, two] = [await new DefaultSIWX().createMessage(INPUT), await new DefaultSIWX().createMessage(INPUT)]
    expect(one.nonce).toMatch(/^\d{8}$/)
    expect(one.nonce).not.toBe(two.nonce)
    expect([one.domain, one.uri]).toEqual([location.host, location.href])
  })

  it('spec_6_3_is_required_unless_the_page_says_otherwise', () => {
    expect([new DefaultSIWX().getRequired(), new DefaultSIWX({ required: false }).getRequired()]).toEqual([true, false])
  })

  it('saves a session that the verifiers of its namespace accept, and no other', async () => {
    const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
    const message = (await messenger().createMessage({ ...INPUT, accountAddress: account.address })).toString()
    const signed = {
      ...sessionOf({ accountAddress: account.address, domain: location.host }),
      message,
      signature: await account.signMessage({ message })
    }
    const good = new DefaultSIWX({ verifiers: [verifier(async () => true)] })
    await good.addSession(signed)
    expect(await good.getSessions('eip155:1', account.address)).toEqual([signed])
    await good.revokeSession('eip155:1', account.address)
    for (const refuse of [async () => false, async () => 'yes' as never, () => Promise.reject(new Error('down'))]) {
      const bad = new DefaultSIWX({ verifiers: [verifier(async () => true), verifier(refuse)] })
      await expect(bad.addSession(signed)).rejects.toThrow()
      await expect(bad.setSessions([signed])).rejects.toThrow()
      expect(await bad.getSessions('eip155:1', account.address)).toEqual([])
    }
  })

  it('believes no account of a namespace that has no verifier, where others have', async () => {
    const verify = vi.fn(async () => true)
    const others = ['eip1', 'solana'].map((chainNamespace) => ({ chainNamespace, verify }))
    const siwx = new DefaultSIWX({ verifiers: others })
    const polkadot = sessionOf({ chainId: 'polkadot:91b171bb158e2d3848fa23a9f1c25182' })
    for (const [session, name] of [
      [sessionOf(), 'Ethereum'],
      [polkadot, 'Polkadot'],
      [sessionOf({ chainId: 'sui:mainnet' }), 'sui']
    ] as const) {
      const refused = `This site can't verify ${name} accounts. Sign in with another one.`
      await expect(siwx.addSession(session)).rejects.toThrow(refused)
      await expect(siwx.setSessions([session])).rejects.toThrow(refused)
    }
    expect(verify).not.toHaveBeenCalled()
    expect(localStorage.length).toBe(0)
  })

  it('believes what a wallet answers where there are no verifiers', async () => {
    await new DefaultSIWX({ verifiers: [] }).addSession(sessionOf())
    expect(await new DefaultSIWX().getSessions('eip155:1', ADDRESS)).toEqual([sessionOf()])
  })

  it('signs by the signer of the page if there is one', async () => {
    const signer = { signMessage: vi.fn(async () => '0x34') }
    const input = { message: 'text', ...INPUT }
    expect(await new DefaultSIWX({ signer }).signMessage?.(input)).toBe('0x34')
    expect(new DefaultSIWX().signMessage).toBeUndefined()
  })
})
