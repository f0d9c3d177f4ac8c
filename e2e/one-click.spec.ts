//! Sign-in together with the connection, by wallets that know `wc_sessionAuthenticate` and by others.

import { verifyMessage } from 'viem'
import { parseSiweMessage } from 'viem/siwe'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { connected, disconnected } from './pages/journey.ts'
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

it('the server verifies the signature and opens the session', async () => {
  const [visit, wallet] = [await world.visit('/?siwx=server'), await phone(undefined, { signIn: true })]
  const id = await asked(wallet, await shown(visit))
  await wallet.signIn(id, signing({ signs: [ONE, TWO] }))
  await visit.modal.gone()
  await connected(visit)
  const kept = () => visit.page.evaluate(() => localStorage.getItem('@portico/siwx') ?? '[]')
  // The nonce is good for one session.
  const chains = JSON.parse(await kept()).map(({ session }: { session: Session }) => session.data.chainId)
  expect(chains).toEqual([ONE])
  await visit.page.reload()
  await connected(visit)
  await visit.modal.gone()
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
  await visit.modal.says('Signature declined')
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
