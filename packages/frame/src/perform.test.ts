import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { performClick } from './clicks.ts'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import type { Used } from './passkey/webauthn.ts'
import { performer } from './perform.ts'
import { Secrets } from './secrets.ts'
import type { DecisionWindow } from './window/DecisionWindow.ts'

const passkeys = [{ credential: 'AAAA', salt: 'BBBB' }]
const bytes = new Uint8Array([1]).buffer
const get = vi.fn()

let asked: { type: string; [field: string]: unknown }[]
let answers: FrameOutcome[]
let secrets: Secrets
let window: DecisionWindow | undefined

function perform(operation: FrameOperation) {
  const parts = {
    port: { postMessage: () => {} },
    secrets,
    project: 'demo',
    fetch: vi.fn(),
    clicks: performClick,
    window
  }
  const worker = async (order: { type: string }): Promise<FrameOutcome> => {
    asked.push(order)
    return answers.shift() ?? { type: 'done' }
  }
  return performer({ ...parts, worker })(operation)
}

beforeEach(() => {
  asked = []
  answers = []
  secrets = new Secrets()
  window = undefined
  get.mockReset()
  const response = { authenticatorData: bytes, clientDataJSON: bytes, signature: bytes }
  const extensions = { prf: { results: { first: new Uint8Array(32) } } }
  get.mockResolvedValue({ rawId: bytes, response, getClientExtensionResults: () => extensions })
  vi.stubGlobal('document', {
    featurePolicy: { allowsFeature: (name: string) => name === 'publickey-credentials-get' }
  })
  vi.stubGlobal('window', { parent: 'the host' })
  vi.stubGlobal('navigator', { credentials: { get } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

it('words and codes stop at the page: the machine hears that they are there', async () => {
  const words = { type: 'words', words: 'abandon art', keys: [] }
  answers = [{ type: 'answered', value: words }]
  expect(await perform({ type: 'export', password: false })).toEqual({ type: 'done' })
  expect(secrets.secret).toEqual(words)
  expect(await perform({ type: 'conceal' })).toEqual({ type: 'done' })
  expect(secrets.secret).toBeUndefined()
  answers = [{ type: 'failed', kind: 'refused', message: 'No' }]
  expect(await perform({ type: 'makeKit' })).toMatchObject({ message: 'No' })
  expect(secrets.secret).toBeUndefined()
})

it('a typed password goes to the worker once, and is dropped with what is shown', async () => {
  secrets.type('correct horse')
  await perform({ type: 'setPassword' })
  await perform({ type: 'openByPassword' })
  secrets.type('battery staple')
  await perform({ type: 'conceal' })
  await perform({ type: 'openByPassword' })
  secrets.type('for the keys')
  await perform({ type: 'export', password: false })
  await perform({ type: 'export', password: true })
  expect(asked).toEqual([
    { type: 'choosePassword', password: 'correct horse' },
    { type: 'tryPassword', password: '' },
    { type: 'tryPassword', password: '' },
    { type: 'export', password: false },
    { type: 'exportBy', password: 'for the keys' }
  ])
})

it('a passkey signs a challenge in the page, and the worker is not asked', async () => {
  const outcome = await perform({ type: 'signByPasskey', challenge: 'CCCC', passkeys })
  expect(outcome).toMatchObject({ type: 'answered', value: { transaction: 'CCCC', credential: 'AQ' } })
  expect(asked).toEqual([])
})

it('a locked wallet and a login get the output of the passkey', async () => {
  await perform({ type: 'openByPasskey', passkeys })
  expect(asked).toEqual([{ type: 'openByOutput', output: 'A'.repeat(43) }])
  asked = []
  answers = [{ type: 'answered', value: { transaction: 'TTTT' } }]
  await perform({ type: 'logInByPasskey', project: 'demo', host: 'https://shop.example.org' })
  const body = { project: 'demo', host: 'https://shop.example.org' }
  expect(asked[0]).toEqual({ type: 'ask', path: '/wallet/v1/login/passkey', body, session: false })
  expect(asked[1]).toMatchObject({ type: 'logInByOutput', proof: { transaction: 'TTTT' }, output: 'A'.repeat(43) })
})

it('a new wallet gets a passkey of the name of the host page', async () => {
  const getClientExtensionResults = () => ({ prf: { enabled: true, results: { first: new Uint8Array(32) } } })
  const response = { getPublicKey: () => new Uint8Array(91).buffer }
  const create = vi.fn().mockResolvedValue({ rawId: bytes, response, getClientExtensionResults })
  vi.stubGlobal('document', { featurePolicy: { allowsFeature: () => true } })
  vi.stubGlobal('navigator', { credentials: { create, get } })
  await perform({ type: 'createByPasskey', project: 'demo', host: 'https://shop.example.org' })
  expect(create.mock.calls[0]?.[0].publicKey.user.name).toBe('shop.example.org')
  expect(asked).toMatchObject([
    { type: 'createByOutput', passkey: { credential: 'AQ' }, project: 'demo', host: 'https://shop.example.org' }
  ])
})

it('a further passkey is made by an authenticator without one of this wallet', async () => {
  const create = vi.fn().mockRejectedValue(new DOMException('excluded', 'InvalidStateError'))
  vi.stubGlobal('document', { featurePolicy: { allowsFeature: () => true } })
  vi.stubGlobal('navigator', { credentials: { create, get } })
  const outcome = await perform({ type: 'addPasskey', label: 'a@example.org', known: ['AAAA'] })
  expect(create.mock.calls[0]?.[0].publicKey.excludeCredentials).toMatchObject([{ id: new Uint8Array(3) }])
  expect(outcome).toMatchObject({ kind: 'refused', message: expect.stringContaining('already opens your wallet') })
  expect(asked).toEqual([])
})

it('a visitor who cancels is told so, and nothing else is done', async () => {
  get.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  const outcome = await perform({ type: 'openByPasskey', passkeys })
  expect(outcome).toEqual({ type: 'failed', kind: 'refused', message: "The passkey wasn't used. Try again." })
  expect(asked).toEqual([])
})

describe('a signature', () => {
  const order = { type: 'message', address: '0x00', message: '0x6869' } as const

  it('by a passkey is bound to the hash of what is signed', async () => {
    vi.stubGlobal('location', new URL('https://wallet.example.org'))
    await perform({ type: 'sign', order, proof: { type: 'passkey', passkeys } })
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(`portico proof 1\n${JSON.stringify(order)}`)
    )
    const { publicKey } = get.mock.calls[0]?.[0] ?? {}
    expect(Buffer.from(publicKey.challenge)).toEqual(Buffer.from(hash))
    expect(publicKey.userVerification).toBe('required')
    expect(asked).toMatchObject([{ type: 'signBy', order, given: { type: 'passkey', output: 'A'.repeat(43) } }])
  })

  it('by the password takes what was typed, once', async () => {
    secrets.type('correct horse')
    await perform({ type: 'sign', order, proof: { type: 'password' } })
    await perform({ type: 'setStrict', strict: true, proof: { type: 'password' } })
    expect(asked).toEqual([
      { type: 'signBy', order, given: { type: 'password', password: 'correct horse' } },
      { type: 'setStrictBy', strict: true, given: { type: 'password', password: '' } }
    ])
  })

  it('of a window carries its hash, and the passkey that was used there', async () => {
    const use = { proof: { transaction: 'CC' }, output: 'OO' } as unknown as Used
    const usePasskey = vi.fn(async () => use)
    window = { isOpen: true, take: () => 'DD', usePasskey } as unknown as DecisionWindow
    await perform({ type: 'sign', order, proof: { type: 'click' } })
    await perform({ type: 'sign', order, proof: { type: 'passkey', passkeys } })
    const given = { type: 'passkey', ...use }
    const signed = { type: 'signDecided', order, digest: 'DD' }
    expect(asked).toEqual([
      { ...signed, given: undefined },
      { ...signed, given }
    ])
    expect(usePasskey).toHaveBeenCalledOnce()
    expect(get).not.toHaveBeenCalled()
    window = { isOpen: false } as DecisionWindow
    await perform({ type: 'sign', order, proof: { type: 'click' } })
    expect(asked.at(-1)).toEqual({ type: 'sign', order, proof: { type: 'click' } })
  })

  it('is not made by a visitor who cancels the passkey', async () => {
    get.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    const message = "The passkey wasn't used. Try again."
    const proof = { type: 'passkey', passkeys } as const
    expect(await perform({ type: 'sign', order, proof })).toEqual({ type: 'failed', kind: 'unproved', message })
    expect(asked).toEqual([])
  })

  it('without a proof is for the worker alone', async () => {
    await perform({ type: 'sign', order, proof: { type: 'click' } })
    expect(asked).toEqual([{ type: 'sign', order, proof: { type: 'click' } }])
  })
})
