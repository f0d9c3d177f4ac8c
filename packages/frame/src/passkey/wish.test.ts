import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPasskey, usePasskey } from './wish.ts'

const hint = { credential: 'AAAA', salt: 'BBBB' }
const output = new Uint8Array(32).fill(7)
const PUBLIC = new Uint8Array(91).fill(4)

function credential(extensions: object): object {
  const buffer = new Uint8Array([1]).buffer
  return {
    rawId: buffer,
    getClientExtensionResults: () => extensions,
    response: {
      getPublicKey: () => PUBLIC.buffer,
      authenticatorData: buffer,
      clientDataJSON: buffer,
      signature: buffer
    }
  }
}

const credentials = { create: vi.fn(), get: vi.fn() }

/** Browser that lets frames use passkeys, or does not. */
function browser(allowed: boolean): void {
  vi.stubGlobal('document', { featurePolicy: { allowsFeature: () => allowed } })
}

beforeEach(() => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { parent: 'the host', open: vi.fn() }))
  vi.stubGlobal('location', new URL('https://wallet.example.org/frame/v4/hash/index.html?projectId=demo'))
  vi.stubGlobal('navigator', { credentials })
  credentials.create.mockReset()
  credentials.get.mockReset()
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('in the frame', () => {
  beforeEach(() => browser(true))

  it('a passkey is made with the output of its PRF', async () => {
    credentials.create.mockResolvedValueOnce(credential({ prf: { enabled: true, results: { first: output } } }))
    const made = await createPasskey('a@example.org', [])
    expect(made).toMatchObject({ credential: 'AQ', output: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc' })
    expect(Buffer.from(made.key, 'base64url')).toHaveLength(65)
    expect(credentials.get).not.toHaveBeenCalled()
  })

  it('one whose authenticator tells the output only in use is used once', async () => {
    credentials.create.mockResolvedValueOnce(credential({ prf: { enabled: true } }))
    credentials.get.mockResolvedValueOnce(credential({ prf: { results: { first: output } } }))
    expect((await createPasskey('a', [])).output).toHaveLength(43)
  })

  it('one without PRF is refused with what to do', async () => {
    credentials.create.mockResolvedValueOnce(credential({ prf: { enabled: false } }))
    await expect(createPasskey('a', [])).rejects.toThrow("can't open a wallet")
    credentials.create.mockResolvedValueOnce(credential({ prf: { enabled: true } }))
    credentials.get.mockResolvedValueOnce(credential({}))
    await expect(createPasskey('a', [])).rejects.toThrow("can't open a wallet")
  })

  it('one of the wallet is not made a second time where it is, which the visitor is told', async () => {
    credentials.create.mockRejectedValueOnce(new DOMException('excluded', 'InvalidStateError'))
    await expect(createPasskey('a', ['AAAA'])).rejects.toThrow('This passkey already opens your wallet')
    const { publicKey } = credentials.create.mock.calls[0]?.[0] ?? {}
    expect(publicKey.excludeCredentials).toEqual([{ type: 'public-key', id: new Uint8Array(3) }])
  })

  it('a visitor who cancels is told so', async () => {
    credentials.get.mockRejectedValueOnce(new DOMException('no', 'NotAllowedError'))
    await expect(usePasskey('AAAA', [hint])).rejects.toThrow("wasn't used")
  })

  it('a use is signed over the challenge, and asks the PRF of each passkey for its own salt', async () => {
    credentials.get.mockResolvedValueOnce(credential({ prf: { results: { first: output } } }))
    const { proof } = await usePasskey('AAAA', [hint])
    expect(proof).toEqual({ transaction: 'AAAA', credential: 'AQ', authenticator: 'AQ', client: 'AQ', signature: 'AQ' })
    const { publicKey } = credentials.get.mock.calls[0]?.[0] ?? {}
    expect(Object.keys(publicKey.extensions.prf.evalByCredential)).toEqual(['AAAA'])
    expect(publicKey.userVerification).toBe('required')
  })
})

it('without known passkeys the visitor chooses one, and its PRF gets the input of all', async () => {
  browser(true)
  const made = credential({ prf: { enabled: true, results: { first: output } } })
  credentials.create.mockResolvedValueOnce(made)
  const { salt } = await createPasskey('a', [])
  credentials.get.mockResolvedValueOnce(credential({ prf: { results: { first: output } } }))
  await usePasskey('AAAA', [])
  const { publicKey } = credentials.get.mock.calls[0]?.[0] ?? {}
  expect(publicKey.allowCredentials).toEqual([])
  expect(Buffer.from(publicKey.extensions.prf.eval.first).toString('base64url')).toBe(salt)
})

describe('where the browser refuses passkeys in frames', () => {
  beforeEach(() => browser(false))

  function opened() {
    const other = { closed: false, postMessage: vi.fn() }
    vi.mocked(window.open).mockReturnValueOnce(other as unknown as Window)
    return other
  }

  const message = (source: unknown, data: unknown, origin = location.origin) =>
    window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }))

  it('a window of the own origin does it, and only its answer counts', async () => {
    const other = opened()
    const used = usePasskey('AAAA', [hint])
    expect(String(vi.mocked(window.open).mock.calls[0]?.[0])).toBe(`${location.href}#passkey`)
    const answer = { value: { proof: 'mine', output: null } }
    message({}, { type: 'answer', answer: { value: { proof: 'foreign' } } })
    message(other, { type: 'answer', answer: { value: { proof: 'foreign' } } }, 'https://evil.example')
    message(other, { type: 'ready' })
    await vi.waitFor(() => expect(other.postMessage).toHaveBeenCalled())
    expect(other.postMessage).toHaveBeenCalledWith(
      { type: 'wish', wish: { type: 'get', challenge: 'AAAA', passkeys: [hint] } },
      location.origin
    )
    message(other, { type: 'answer', answer })
    expect(await used).toEqual(answer.value)
    expect(credentials.get).not.toHaveBeenCalled()
  })

  it('a window that is closed, or was blocked, is told', async () => {
    vi.useFakeTimers()
    const other = opened()
    const used = usePasskey('AAAA', [hint])
    const refused = expect(used).rejects.toThrow("wasn't used")
    other.closed = true
    await vi.advanceTimersByTimeAsync(500)
    await refused
    vi.useRealTimers()
    await expect(createPasskey('a', [])).rejects.toThrow('Allow pop-ups')
  })
})
