//! Tests of sign-in and connection with one response (CAIP-222): the signed messages, the session, and wallets without support for it.

import { recoverMessageAddress, toHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGNING_PAIRS } from './sides/pairs.ts'
import type { Cacao, SignInAsked, SigningDapp, Wallet } from './sides/side.ts'
import { account, CHAIN, granted, SECOND } from './world/granted.ts'
import { type Relay, startRelay } from './world/relay.ts'

const asked: SignInAsked = {
  chains: [CHAIN, SECOND],
  domain: 'app.example',
  aud: 'https://app.example/login',
  nonce: 'a1b2c3d4e5',
  statement: 'Sign in to the test.',
  methods: ['personal_sign', 'eth_sendTransaction'],
  resources: ['https://app.example/terms']
}

const AUTHORISED =
  'Sign in to the test. I further authorize the stated URI to perform the following actions on my behalf: ' +
  "(1) 'request': 'eth_sendTransaction', 'personal_sign' for 'eip155'."

let relay: Relay

beforeAll(async () => {
  relay = await startRelay()
})

afterAll(() => relay?.stop())

describe.each(SIGNING_PAIRS)('%s', (_, startDapp, startWallet) => {
  let dapp: SigningDapp
  let wallet: Wallet
  let plain: Wallet

  beforeAll(async () => {
    ;[dapp, wallet, plain] = await Promise.all([
      startDapp(relay.url),
      startWallet(relay.url, { signIn: true }),
      startWallet(relay.url)
    ])
  })

  afterAll(() => Promise.all([dapp?.stop(), wallet?.stop(), plain?.stop()]))

  /** Signer that records the messages it signs, in order. */
  function signer() {
    const signed: string[] = []
    const sign = (message: string) => {
      signed.push(message)
      return account.signMessage({ message })
    }
    return { signed, signing: { address: account.address, sign } }
  }

  async function ask(wishes: SignInAsked) {
    const { uri, signedIn } = await dapp.signIn(wishes)
    await wallet.pair(uri)
    const { id, name, chains } = await wallet.inbox.next('signInAsked')
    expect(name).toMatch(/dapp$/)
    expect(chains).toEqual(wishes.chains)
    return { id, signedIn }
  }

  async function expectServed(topic: string, signs: Wallet): Promise<void> {
    const answer = dapp.request(topic, CHAIN, 'personal_sign', [toHex('on'), account.address])
    const { id } = await signs.inbox.next('requested')
    await signs.answer(topic, id, 'signed')
    expect(await answer).toBe('signed')
  }

  it('a wallet that refuses is heard, and nothing is left', async () => {
    const { id, signedIn } = await ask(asked)
    await Promise.all([expect(signedIn).rejects.toMatchObject({ message: 'User rejected.' }), wallet.refuseSignIn(id)])
    expect([dapp.topics(), wallet.topics()]).toEqual([[], []])
  })

  it('one signature signs in, and is a session on each chain and with each method that it authorises', async () => {
    const { id, signedIn } = await ask(asked)
    const { signed, signing } = signer()
    const [{ cacaos, topic = '' }, settled] = await Promise.all([
      signedIn,
      wallet.signIn(id, { ...signing, signs: [CHAIN], chains: [CHAIN, SECOND], methods: asked.methods })
    ])
    expect(settled).toBe(topic)
    const [cacao] = cacaos as [Cacao]
    expect(cacaos).toHaveLength(1)
    await expectMessage(cacao, signed[0] ?? '', AUTHORISED)
    expect(recapOf(cacao)).toEqual({
      att: {
        eip155: {
          'request/eth_sendTransaction': [{ chains: [CHAIN, SECOND] }],
          'request/personal_sign': [{ chains: [CHAIN, SECOND] }]
        }
      }
    })
    expect(cacao.p.resources).toHaveLength(2)
    for (const side of [dapp, wallet]) {
      const { accounts, methods, events } = side.granted(topic)?.eip155 ?? {}
      expect([...(accounts ?? [])].sort()).toEqual([`${SECOND}:${account.address}`, `${CHAIN}:${account.address}`])
      expect([...(methods ?? [])].sort()).toEqual(['eth_sendTransaction', 'personal_sign'])
      expect([...(events ?? [])].sort()).toEqual(['accountsChanged', 'chainChanged'])
    }
    await expectServed(topic, wallet)
  })

  it('a wallet authorises less than it is asked for', async () => {
    const { id, signedIn } = await ask(asked)
    const { signed, signing } = signer()
    const [{ cacaos, topic = '' }] = await Promise.all([
      signedIn,
      wallet.signIn(id, { ...signing, signs: [CHAIN], chains: [CHAIN], methods: ['personal_sign'] })
    ])
    const [cacao] = cacaos as [Cacao]
    await expectMessage(cacao, signed[0] ?? '', AUTHORISED.replace("'eth_sendTransaction', ", ''))
    expect(recapOf(cacao)).toEqual({ att: { eip155: { 'request/personal_sign': [{ chains: [CHAIN] }] } } })
    for (const side of [dapp, wallet]) {
      expect(side.granted(topic)?.eip155).toMatchObject({
        accounts: [`${CHAIN}:${account.address}`],
        methods: ['personal_sign']
      })
    }
    await expectServed(topic, wallet)
  })

  it.each([
    ['no list of resources', undefined],
    ['an empty one', []],
    ['one of the application alone', asked.resources]
  ])('a signature that authorises nothing says who signs and makes no session, with %s', async (_, resources) => {
    const { resources: __, ...plainly } = { ...asked, methods: [] }
    const { id, signedIn } = await ask({ ...plainly, ...(resources && { resources }) })
    const { signed, signing } = signer()
    const [{ cacaos, topic }, settled] = await Promise.all([
      signedIn,
      wallet.signIn(id, { ...signing, signs: [CHAIN], chains: [CHAIN], methods: [] })
    ])
    const [cacao] = cacaos as [Cacao]
    await expectMessage(cacao, signed[0] ?? '', asked.statement)
    expect(cacao.p.resources ?? []).toEqual(resources ?? [])
    expect([topic, settled]).toEqual([undefined, undefined])
  })

  it('each chain is signed for where each is asked for', async () => {
    const { id, signedIn } = await ask(asked)
    const { signed, signing } = signer()
    const [{ cacaos, topic = '' }] = await Promise.all([
      signedIn,
      wallet.signIn(id, { ...signing, signs: [CHAIN, SECOND], chains: [CHAIN, SECOND], methods: asked.methods })
    ])
    expect(cacaos.map(({ p }) => p.iss)).toEqual([CHAIN, SECOND].map((chain) => `did:pkh:${chain}:${account.address}`))
    for (const [at, cacao] of cacaos.entries()) await expectMessage(cacao, signed[at] ?? '', AUTHORISED)
    await expectServed(topic, wallet)
  })

  it('a wallet that has never heard of sign-ins settles the plain proposal beside it', async () => {
    const { uri, signedIn } = await dapp.signIn(asked)
    await plain.pair(uri)
    const { id } = await plain.inbox.next('proposed')
    const [{ cacaos, topic = '' }] = await Promise.all([signedIn, plain.approve(id, granted(CHAIN))])
    expect(cacaos).toEqual([])
    await expectServed(topic, plain)
  })
})

/** Expects that the CACAO matches the signed message, which an independent EIP-4361 implementation rebuilds from the request. */
async function expectMessage({ h, p, s }: Cacao, signed: string, statement: string): Promise<void> {
  expect(h.t).toBe('caip122')
  expect(s.t).toBe('eip191')
  expect(p).toMatchObject({ domain: asked.domain, aud: asked.aud, nonce: asked.nonce })
  const chain = p.iss.split(':')[3]
  const message = createSiweMessage({
    address: account.address,
    chainId: Number(chain),
    domain: asked.domain,
    issuedAt: new Date(p.iat),
    nonce: asked.nonce,
    ...(p.resources && { resources: [...p.resources] }),
    statement,
    uri: asked.aud,
    version: '1'
  })
  // The time is in the dapp's format, with or without milliseconds.
  expect(signed).toBe(message.replace(/^Issued At: .*$/m, `Issued At: ${p.iat}`))
  expect(await recoverMessageAddress({ message: signed, signature: s.s as `0x${string}` })).toBe(account.address)
}

/** Decoded ReCap of the last resource (ERC-5573). */
function recapOf({ p }: Cacao): unknown {
  const text = /^urn:recap:([\w+/-]+)$/.exec(p.resources?.at(-1) ?? '')?.[1] ?? ''
  return JSON.parse(Buffer.from(text, 'base64').toString())
}
