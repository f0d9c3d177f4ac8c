import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FrameOperation, FrameOutcome } from './generated/frame.ts'
import { performer } from './perform.ts'
import { Secrets } from './secrets.ts'

const passkeys = [{ credential: 'AAAA', salt: 'BBBB' }]
const bytes = new Uint8Array([1]).buffer
const get = vi.fn()

let asked: { type: string; [field: string]: unknown }[]
let answers: FrameOutcome[]
let secrets: Secrets

function perform(operation: FrameOperation) {
  const parts = { port: { postMessage: () => {} }, secrets, project: 'demo', fetch: vi.fn() }
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
  expect(await perform({ type: 'export' })).toEqual({ type: 'done' })
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
  expect(asked).toEqual([
    { type: 'choosePassword', password: 'correct horse' },
    { type: 'tryPassword', password: '' },
    { type: 'tryPassword', password: '' }
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

it('a visitor who cancels is told so, and nothing else is done', async () => {
  get.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  const outcome = await perform({ type: 'openByPasskey', passkeys })
  expect(outcome).toEqual({ type: 'failed', kind: 'refused', message: "The passkey wasn't used. Try again." })
  expect(asked).toEqual([])
})
