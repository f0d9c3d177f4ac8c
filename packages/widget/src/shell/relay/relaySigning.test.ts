// @vitest-environment happy-dom

import type { SignInClient } from '@portico/walletconnect/sign-in'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CoreEvent } from '../../generated/core.ts'
import type { CreateAppKit } from '../../host/options.ts'
import type { SIWXConfig } from '../../host/siwx.ts'
import { Page } from '../page.ts'
import { SignInRelay } from './relaySigning.ts'
import { ADDRESS, FakeClient, networksOf, sessionOf } from './test-client.ts'

const namespaces = { eip155: { chains: ['eip155:1', 'eip155:10'], methods: ['personal_sign'], events: [] } }
const fields = {
  domain: 'shop.example',
  uri: 'https://shop.example/in',
  version: '1',
  nonce: '12345678',
  statement: 'Hello.',
  resources: ['https://shop.example/terms'],
  requestId: '7',
  expirationTime: '2026-01-02T00:00:00Z',
  notBefore: '2026-01-01T00:00:00Z'
}

class FakeSignInClient extends FakeClient {
  readonly signIns: unknown[] = []
  authenticateNow(asked: unknown) {
    this.signIns.push(asked)
    return { ...this.propose(), uri: 'wc:aa@2?symKey=bb&methods=wc_sessionAuthenticate' }
  }
}

const createMessage = vi.fn(async (input: object) => ({ ...fields, ...input, toString: (): string => '' }))
let client: FakeSignInClient
let told: CoreEvent[]

function start(site: object = { createMessage }, further: object = {}): SignInRelay {
  const options = { projectId: 'demo', networks: [], siwx: site as SIWXConfig, ...further } as unknown as CreateAppKit
  const read = () => Promise.reject(new Error('No reads in this test'))
  const dispatch = (event: CoreEvent) => void told.push(event)
  const parts = { options: () => options, networks: networksOf({}), page: new Page(), dispatch, read }
  return new SignInRelay(parts, client as unknown as SignInClient)
}

beforeEach(() => {
  client = new FakeSignInClient()
  told = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.clearAllMocks()
  localStorage.clear()
})

describe('a pairing', () => {
  it("asks for a sign-in with the fields of the site's message", async () => {
    const relay = start()
    const shown = vi.fn()
    relay.universal.on('display_uri', shown)
    const { uri } = { uri: 'wc:aa@2?symKey=bb&methods=wc_sessionAuthenticate' }
    expect(await relay.pair(namespaces)).toMatchObject({ type: 'answered', value: { uri, topic: 'aa' } })
    expect(shown).toHaveBeenCalledWith(uri)
    const { uri: aud, expirationTime: exp, notBefore: nbf, version: _, ...same } = fields
    expect(client.signIns).toEqual([
      {
        ...same,
        aud,
        exp,
        nbf,
        chains: ['eip155:1', 'eip155:10'],
        methods: ['personal_sign'],
        optionalNamespaces: namespaces
      }
    ])
    expect(createMessage).toHaveBeenCalledWith({ chainId: 'eip155:1', accountAddress: '' })
    expect([client.asked, client.woken]).toEqual([[], 1])
  })

  it('names the active network first', async () => {
    await start({ createMessage }, { defaultNetwork: { id: 10 } }).pair(namespaces)
    localStorage.setItem('@portico/active_network', 'eip155:1')
    await start({ createMessage }, { defaultNetwork: { id: 10 } }).pair(namespaces)
    localStorage.setItem('@portico/active_network', 'eip155:7')
    await start().pair(namespaces)
    const chains = client.signIns.map((asked) => (asked as { chains: string[] }).chains.join())
    expect(chains).toEqual(['eip155:10,eip155:1', 'eip155:1,eip155:10', 'eip155:1,eip155:10'])
  })

  it('works for a siweConfig, whose text no account is written into', async () => {
    const createText = vi.fn(() => 'text')
    const siweConfig = { getNonce: async () => '12345678', createMessage: createText }
    await start(undefined, { siwx: undefined, siweConfig }).pair(namespaces)
    expect(client.signIns).toMatchObject([{ nonce: '12345678', domain: location.host, aud: location.href }])
    expect(createText).not.toHaveBeenCalled()
  })

  const many = Array.from({ length: 11 }, (_, number) => `eip155:${number + 1}`)
  it.each([
    ['the site signs by a function of its own', { createMessage, signMessage: async () => '0x' }, namespaces],
    ['the site has no message', { createMessage: () => Promise.reject(new Error('down')) }, namespaces],
    ['other namespaces are asked for too', { createMessage }, { ...namespaces, solana: namespaces.eip155 }],
    ['the chains are of another namespace', { createMessage }, { solana: namespaces.eip155 }],
    ['the text would be too long', { createMessage }, { eip155: { ...namespaces.eip155, chains: many } }]
  ])('asks for none where %s', async (_, site, namespaces) => {
    expect(await start(site).pair(namespaces)).toMatchObject({ type: 'answered', value: { uri: 'wc:aa@2?symKey=bb' } })
    expect([client.signIns, client.asked]).toEqual([[], [{ optionalNamespaces: namespaces }]])
  })

  it.each([{ headless: true }, { features: { headless: true } }, { siwx: undefined, siweConfig: { enabled: false } }])(
    'asks for none with %o: visitors do not sign in here',
    async (further) => {
      await start({ createMessage }, further).pair(namespaces)
      expect([client.signIns.length, client.asked.length]).toEqual([0, 1])
    }
  )

  it('does not wait long for the message', async () => {
    vi.useFakeTimers()
    const pairing = start({ createMessage: () => new Promise(() => {}) }).pair(namespaces)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await pairing).toMatchObject({ value: { uri: 'wc:aa@2?symKey=bb' } })
  })
})

const cacao = {
  h: { t: 'caip122' },
  p: {
    iss: `did:pkh:eip155:1:${ADDRESS}`,
    domain: 'shop.example',
    aud: 'https://shop.example/in',
    version: '1',
    nonce: '12345678',
    iat: '2026-01-01T00:00:00Z',
    statement: 'Hello.'
  },
  s: { t: 'eip191', s: '0x12' }
}

const authenticated = { type: 'authenticated', pairingTopic: 'aa', cacaos: [cacao], messages: ['text'] } as const

describe('an answer', () => {
  it('is told as a signature before the session', () => {
    start()
    client.tell<'authenticated'>({ ...authenticated, session: sessionOf() })
    const data = {
      accountAddress: ADDRESS,
      chainId: 'eip155:1',
      domain: 'shop.example',
      uri: 'https://shop.example/in',
      version: '1',
      nonce: '12345678',
      statement: 'Hello.',
      issuedAt: '2026-01-01T00:00:00Z'
    }
    const session = { chainId: 'eip155:1', accountAddress: ADDRESS, data, message: 'text', signature: '0x12', cacao }
    expect(JSON.parse(JSON.stringify(told))).toEqual([
      { feature: 'siwx', event: { type: 'walletSigned', sessions: [session] } },
      { feature: 'connect', event: { type: 'sessionSettled', session: sessionOf() } }
    ])
  })

  it('without a session is a failed pairing, and the next one is plain', async () => {
    const relay = start()
    client.tell<'authenticated'>({ ...authenticated, session: null })
    expect(told).toMatchObject([{ feature: 'connect', event: { type: 'pairingRejected', topic: 'aa', code: 11_001 } }])
    await relay.pair(namespaces)
    expect([client.signIns.length, client.asked.length]).toEqual([0, 1])
  })

  it('that does not match the request is a failed pairing, and the next one is plain', async () => {
    const relay = start()
    client.tell<'rejected'>({ type: 'rejected', pairingTopic: 'aa', code: 11_001, message: 'wrong' })
    expect(told).toMatchObject([{ event: { type: 'pairingRejected', code: 11_001, message: 'wrong' } }])
    await relay.pair(namespaces)
    expect([client.signIns.length, client.asked.length]).toEqual([0, 1])
  })

  it('that refuses the sign-in refuses the connection, and the next one asks again', async () => {
    const relay = start()
    client.tell<'rejected'>({ type: 'rejected', pairingTopic: 'aa', code: 12_001, message: 'User rejected.' })
    expect(told).toMatchObject([{ event: { type: 'pairingRejected', topic: 'aa', code: 5_000 } }])
    await relay.pair(namespaces)
    expect(client.signIns.length).toBe(1)
  })
})
