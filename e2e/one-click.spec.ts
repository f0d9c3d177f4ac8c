//! Sign-in together with the connection, by wallets that know `wc_sessionAuthenticate` or `wallet_connect`, and by others.

import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { ACCOUNT, connected, disconnected, open } from './pages/journey.ts'
import { code, codeOf, grant, ONE, scan, shown, TWO, usePhones } from './pages/remote.ts'
import type { SigningIn, Wallet } from './peers/sides/side.ts'
import { walletKit } from './peers/sides/theirs.ts'
import { account } from './peers/world/granted.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()
const phone = usePhones(world)

const REQUIRED = '/?siwx=required'

/** Their wallets ask their vendor for the key of attestations, which the server's relay makes with another one. */
beforeAll(async () => {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'verify',
    'sign'
  ])
  const key = { publicKey: await crypto.subtle.exportKey('jwk', publicKey), expiresAt: Date.now() / 1000 + 3_600 }
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (...asked: Parameters<typeof fetch>) =>
    String(asked[0]).includes('//verify.walletconnect.') ? Promise.resolve(Response.json(key)) : fetch(...asked)
  )
})
afterAll(() => void vi.unstubAllGlobals())

const kits: Wallet[] = []
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.stop()
})

/** WalletKit 1.2.10 with sign-ins. */
async function kit(): Promise<Wallet> {
  // It adds a slash to the address, so the server's own address is its relay.
  const wallet = await walletKit(world.origin.replace('http', 'ws'), { signIn: true, projectId: 'demo' })
  kits.push(wallet)
  return wallet
}

const signing = (further: Partial<SigningIn> = {}): SigningIn => ({
  signs: [ONE],
  chains: [ONE, TWO],
  methods: ['personal_sign', 'eth_sendTransaction'],
  address: account.address,
  sign: (message) => account.signMessage({ message }),
  ...further
})

/** The wallet scans the code and is asked to sign in. */
async function asked(wallet: Wallet, uri: string): Promise<number> {
  await wallet.pair(uri)
  return (await wallet.inbox.next('signInAsked')).id
}

interface Session {
  readonly data: { readonly chainId: string; readonly accountAddress: `0x${string}`; readonly nonce: string }
  readonly message: string
  readonly signature: `0x${string}`
  readonly cacao?: object
}

const sessions = ({ page }: Visit): Promise<Session[]> =>
  page.evaluate(() => JSON.parse(localStorage.getItem('@appkit/siwx') ?? '[]'))

const twoSteps = ({ modal }: Visit) => expect.poll(() => modal.title.textContent()).toBe('Sign In')

describe.each([
  ['our wallet', () => phone(undefined, { signIn: true })],
  ['WalletKit', kit]
])('%s', (_, start: () => Promise<Wallet>) => {
  it('connects and signs in with one approval', async () => {
    const [visit, wallet] = [await world.visit(REQUIRED), await start()]
    const uri = await shown(visit)
    expect(uri).toContain('methods=wc_sessionAuthenticate')
    const topic = await wallet.signIn(await asked(wallet, uri), signing())
    await visit.modal.gone()
    await connected(visit)
    expect(await visit.fact('account-address')).toBe(account.address)
    const [session, ...others] = await sessions(visit)
    expect(others).toEqual([])
    if (!session) throw new Error('There is no session')
    const { message, signature, data, cacao } = session
    expect(await verifyMessage({ address: account.address, message, signature })).toBe(true)
    expect(parseSiweMessage(message)).toMatchObject({
      address: account.address,
      chainId: 31337,
      domain: new URL(world.origin).host,
      uri: `${world.origin}/`,
      nonce: data.nonce,
      requestId: 'halcyon-1'
    })
    expect(message).toContain('Sign in to see your orders.')
    expect([data.chainId, data.accountAddress, typeof cacao]).toEqual([ONE, account.address, 'object'])
    expect(wallet.topics()).toEqual([topic])
    expect([wallet.inbox.count('proposed'), wallet.inbox.count('signInAsked')]).toEqual([0, 0])

    await visit.page.reload()
    await connected(visit)
    await visit.modal.gone()
  })

  it('that refuses is told of, and another code can be had', async () => {
    const [visit, wallet] = [await world.visit(REQUIRED), await start()]
    const uri = await shown(visit)
    await wallet.refuseSignIn(await asked(wallet, uri))
    await visit.modal.says('Request declined')
    await visit.modal.tryAgain.click()
    await code(visit).waitFor()
    expect(await codeOf(visit)).toContain('methods=wc_sessionAuthenticate')
    await visit.modal.close()
    await disconnected(visit)
  })
})

it('the server verifies both signatures of one approval and opens a session for each network', async () => {
  const [visit, wallet] = [await world.visit('/?siwx=server'), await phone(undefined, { signIn: true })]
  const id = await asked(wallet, await shown(visit))
  await wallet.signIn(id, signing({ signs: [ONE, TWO] }))
  await visit.modal.gone()
  await connected(visit)
  const tokens = await visit.page.evaluate(() =>
    JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]').map(({ token }: { token: string }) => token)
  )
  /** Account of each session as the server tells it, or the status of its refusal. */
  const told = () =>
    Promise.all(
      tokens.map(async (token: string) => {
        const headers = { authorization: `Bearer ${token}`, origin: world.origin }
        const answer = await fetch(`${world.origin}/auth/v1/me?projectId=demo`, { headers })
        return answer.ok ? (await answer.json()).sub : answer.status
      })
    )
  expect((await told()).sort()).toEqual([ONE, TWO].map((chain) => `${chain}:${account.address}`))
  await visit.modal.networkButton.click()
  await visit.modal.network('Anvil Two').click()
  await visit.modal.gone()
  await expect.poll(() => visit.page.evaluate(() => window.kit?.getCaipNetworkId())).toBe(TWO)
  await visit.page.reload()
  await connected(visit)
  await visit.modal.gone()
  expect(wallet.inbox.count('requested')).toBe(0)
  await visit.page.evaluate(() => window.kit?.disconnect())
  await expect.poll(told).toEqual([401, 401])
  expect(await visit.page.evaluate(() => localStorage.getItem('@portico/siwx'))).toBeNull()
})

it('a wallet that signs for two networks has signed in on both with one approval', async () => {
  const [visit, wallet] = [await world.visit(REQUIRED), await phone(undefined, { signIn: true })]
  const id = await asked(wallet, await shown(visit))
  await wallet.signIn(id, signing({ signs: [ONE, TWO] }))
  await visit.modal.gone()
  await connected(visit)
  const signed = async () => (await sessions(visit)).map(({ data }) => data.chainId).sort()
  await expect.poll(signed).toEqual([ONE, TWO])
  for (const { data, message, signature } of await sessions(visit)) {
    expect(await verifyMessage({ address: account.address, message, signature })).toBe(true)
    expect(parseSiweMessage(message).chainId).toBe(Number(data.chainId.split(':')[1]))
  }
  await visit.modal.networkButton.click()
  await visit.modal.network('Anvil Two').click()
  await visit.modal.gone()
  await expect.poll(() => visit.page.evaluate(() => window.kit?.getCaipNetworkId())).toBe(TWO)
  await visit.page.reload()
  await connected(visit)
  await visit.modal.gone()
  expect(wallet.inbox.count('requested')).toBe(0)
})

it('a wallet that knows no sign-in is asked for the signature after the connection', async () => {
  const [visit, wallet] = [await world.visit(REQUIRED), await phone()]
  await grant(wallet, await scan(wallet, await shown(visit)), ONE, TWO)
  await twoSteps(visit)
  expect(await sessions(visit)).toEqual([])
})

it('a wallet that signs by another key is connected, and asked for the signature again', async () => {
  const [visit, wallet] = [await world.visit(REQUIRED), await phone(undefined, { signIn: true })]
  const id = await asked(wallet, await shown(visit))
  await wallet.signIn(id, signing({ sign: () => account.signMessage({ message: 'something else' }) }))
  await twoSteps(visit)
  await visit.modal.says("The signature isn't from this account. Sign again.")
  expect(await sessions(visit)).toEqual([])
})

it.each([{ nonce: '00000000' }, { domain: 'thief.example' }, { statement: 'Give everything away.' }])(
  'a wallet that signs %o is refused, and signs in after the next connection',
  async (lie) => {
    const [visit, wallet] = [await world.visit(REQUIRED), await kit()]
    const id = await asked(wallet, await shown(visit))
    await wallet.signIn(id, signing({ lie })).catch(() => {})
    await visit.modal.tryAgain.waitFor()
    expect(await sessions(visit)).toEqual([])
    await disconnected(visit)
    await visit.modal.tryAgain.click()
    await code(visit).waitFor()
    expect(await codeOf(visit)).not.toContain('methods=')
    await grant(wallet, await scan(wallet, await codeOf(visit)), ONE, TWO)
    await twoSteps(visit)
  }
)

describe('a browser wallet that the site names', () => {
  const named = (wallet: string) => world.visit(`${REQUIRED}&oneClick=test.portico.demo&wallet=${wallet}`)

  /** Requests to the wallet that ask its visitor. */
  const requests = async (visit: Visit) => {
    const methods = await visit.control(({ requests }) => requests.map(({ method }) => method))
    return methods.filter((method) => /^(eth_requestAccounts|wallet_connect|personal_sign)$/.test(method))
  }

  async function choose(visit: Visit): Promise<void> {
    await open(visit)
    await visit.modal.wallet().click()
  }

  /** The visitor signs in the second step, which the first one left. */
  async function signs(visit: Visit): Promise<void> {
    await twoSteps(visit)
    expect(await sessions(visit)).toEqual([])
    await visit.modal.part('w3m-connecting-siwe-sign').click()
    await visit.wallet.approve('sign')
    await visit.modal.gone()
    expect(await sessions(visit)).toHaveLength(1)
  }

  it('spec_4_25_connects_and_signs_in_with_one_approval', async () => {
    const visit = await named('normal,oneClick')
    const seen = await visit.page.evaluateHandle(() => {
      const events: string[] = []
      window.kit?.subscribeEvents(({ data }) => events.push(data.event))
      return events
    })
    await choose(visit)
    await visit.wallet.approve('sign')
    await visit.modal.gone()
    await connected(visit)
    expect(await requests(visit)).toEqual(['wallet_connect'])
    const [session, ...others] = await sessions(visit)
    expect(others).toEqual([])
    if (!session) throw new Error('There is no session')
    const { message, signature, data } = session
    expect(await verifyMessage({ address: ACCOUNT, message, signature })).toBe(true)
    expect(parseSiweMessage(message)).toMatchObject({
      address: ACCOUNT,
      chainId: 31337,
      domain: new URL(world.origin).host,
      uri: `${world.origin}/`,
      nonce: data.nonce,
      statement: 'Sign in to see your orders.',
      resources: [`${world.origin}/shop.svg`]
    })
    expect([data.chainId, data.accountAddress]).toEqual([ONE, ACCOUNT])
    expect(await seen.jsonValue()).toContain('SIWX_AUTH_SUCCESS')

    await visit.page.reload()
    await connected(visit)
    await visit.modal.gone()
    expect(await requests(visit)).toEqual([])
  })

  it('opens the session at the server, which verifies the signature', async () => {
    const visit = await world.visit('/?siwx=server&oneClick=test.portico.demo&wallet=normal,oneClick')
    await choose(visit)
    await visit.wallet.approve('sign')
    await visit.modal.gone()
    const kept = await visit.page.evaluate(() => localStorage.getItem('@portico/siwx') ?? '[]')
    expect(JSON.parse(kept)).toHaveLength(1)
  })

  it('is asked to connect and then to sign if it does not know the request', async () => {
    const visit = await named('normal')
    await choose(visit)
    await visit.wallet.approve('connect')
    await signs(visit)
    expect(await requests(visit)).toEqual(['wallet_connect', 'eth_requestAccounts', 'personal_sign'])
  })

  it('that refuses is asked again when the visitor wants it', async () => {
    const visit = await named('normal,oneClick')
    await choose(visit)
    await visit.wallet.refuse('sign')
    await visit.modal.says('Request declined')
    await visit.modal.tryAgain.click()
    await visit.wallet.approve('sign')
    await visit.modal.gone()
    expect(await requests(visit)).toEqual(['wallet_connect', 'wallet_connect'])
    expect(await sessions(visit)).toHaveLength(1)
  })

  it.each(['nonce', 'domain', 'uri', 'statement', 'chain', 'account'])(
    'that signs another %s is connected, and asked for the signature again',
    async (lie) => {
      const visit = await named(`normal,oneClick=${lie}`)
      await choose(visit)
      await visit.wallet.approve('sign')
      await signs(visit)
      expect(await requests(visit)).toEqual(['wallet_connect', 'personal_sign'])
    }
  )
})

it('a browser wallet that neither the site nor its documentation names is asked to connect alone', async () => {
  const visit = await world.visit(`${REQUIRED}&wallet=normal,oneClick`)
  await open(visit)
  await visit.modal.wallet().click()
  await visit.wallet.approve('connect')
  await twoSteps(visit)
  const methods = await visit.control(({ requests }) => requests.map(({ method }) => method))
  expect(methods).not.toContain('wallet_connect')
})
