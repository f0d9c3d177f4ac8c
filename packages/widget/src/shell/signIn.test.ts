// @vitest-environment happy-dom

import { expect, describe as group, it, vi } from 'vitest'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWEConfig, SIWXConfig, SIWXSession } from '../host/siwx.ts'
import { thrownToJson } from './json.ts'
import { askSite } from './signIn.ts'
import type { SignInPage } from './siweSession.ts'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const subject = { chainId: 'eip155:1', accountAddress: ADDRESS }
const metadata = { name: 'The Shop', url: 'https://shop.example', icons: ['/icon.png'] }

const page: SignInPage = { store: { get: () => ({ account: { accounts: [] } }) as never }, dispatch() {} }

const siteOf = (own: Partial<SIWXConfig>): CreateAppKit =>
  ({ projectId: 'abc', networks: [{}], metadata, siwx: own }) as never
const siweOf = (siweConfig: object): CreateAppKit => ({ projectId: 'abc', networks: [{}], siweConfig }) as never

group('the calls of a sign-in', () => {
  it('spec_3_18_pass_the_fields_of_the_message_its_text_and_who_the_page_is', async () => {
    const fields = { ...subject, domain: 'shop.example', uri: 'https://shop.example', version: '1', nonce: '12345678' }
    const createMessage = vi.fn(async () => ({ ...fields, toString: (): string => 'text' }))
    expect(await askSite(siteOf({ createMessage }), page, 'createMessage', subject)).toEqual({
      type: 'answered',
      value: {
        data: fields,
        message: 'text',
        signs: false,
        name: 'The Shop',
        icon: new URL('/icon.png', location.href).href
      }
    })
    expect(createMessage).toHaveBeenCalledWith(subject)
  })

  it('take a message without a text of its own for none', async () => {
    for (const message of [{}, undefined, null]) {
      const answer = await askSite(
        siteOf({ createMessage: async () => message as never }),
        page,
        'createMessage',
        subject
      )
      expect(answer).toMatchObject({ value: { message: '' } })
    }
  })

  it('reject where the function throws, is missing or is not one', async () => {
    const thrown = async () => {
      throw new Error('down')
    }
    for (const site of [siteOf({ getSessions: thrown }), siteOf({}), siteOf({ getSessions: 7 as never })])
      await expect(askSite(site, page, 'getSessions', subject)).rejects.toThrow()
  })

  it.each([
    [{ status: 422, field: 'signature' }, 422],
    [{ status: 503, field: 'signature' }, 503],
    [{ name: 'TypeError' }, 503],
    [{ name: 'TimeoutError' }, 503],
    [{ name: 'AbortError' }, 503],
    [{ name: 'TypeError', status: 422 }, 422],
    [{ name: 'SyntaxError' }, undefined],
    [{}, undefined],
    [{ status: '503' }, undefined]
  ])('spec_4_27_pass_the_status_of_a_refusal_as_code: %j', async (told, code) => {
    const addSession = async () => {
      throw Object.assign(new Error('Sign again.'), told)
    }
    const thrown = await askSite(siteOf({ addSession }), page, 'addSession', subject).catch((error) =>
      thrownToJson(error)
    )
    expect(thrown).toEqual({ message: 'Sign again.', ...(code === undefined ? {} : { code }) })
  })

  const AGO = [
    // Server's words, field, minutes since the message was issued and until it expires by the clock of this device, code.
    ['The message is from the future', 'issuedAt', 0, 60, 425],
    ['The message is from the future', 'issuedAt', 12, 60, 425],
    ['The message is too old', 'issuedAt', 0, 60, 425],
    ['The message is too old', 'issuedAt', 12, 60, 408],
    ['The message has expired', 'expirationTime', 0, 60, 425],
    ['The message has expired', 'expirationTime', 12, -1, 408],
    ["The message isn't valid yet", 'notBefore', 12, 60, 425],
    ['Unknown nonce', 'nonce', 12, -1, 400]
  ] as const
  it.each(AGO)(
    'spec_4_27_tell a wrong clock from a visitor who took long: "%s" (%s) after %i minutes, %i before its end',
    async (message, name, age, left, code) => {
      const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
      const data = { ...subject, issuedAt: at(-age), expirationTime: at(left) }
      const addSession = () => Promise.reject(Object.assign(new Error(message), { status: 400, field: name }))
      const refused = askSite(siteOf({ addSession }), page, 'addSession', { ...subject, data })
      await expect(refused).rejects.toMatchObject({ message, code })
    }
  )

  it('spec_4_27_take the clock for wrong where the message has no times', async () => {
    for (const name of ['issuedAt', 'expirationTime']) {
      const addSession = () => Promise.reject(Object.assign(new Error('No'), { status: 400, field: name }))
      const refused = askSite(siteOf({ addSession }), page, 'addSession', { ...subject, data: subject })
      await expect(refused).rejects.toMatchObject({ code: 425 })
    }
  })

  it('spec_8_25_a_page_without_a_sign_in_says_siwx_is_not_enabled', async () => {
    const bare = { projectId: 'abc', networks: [{}] } as never
    await expect(askSite(bare, page, 'getSessions', subject)).rejects.toThrow('SIWX is not enabled')
  })

  it('spec_3_17_pass_the_session_without_what_is_not_of_it', async () => {
    const addSession = vi.fn(async () => {})
    const session = { data: { ...subject, nonce: '12345678' }, message: 'text', signature: '0x12' }
    await askSite(siteOf({ addSession } as never), page, 'addSession', { ...session, ...subject })
    expect(addSession).toHaveBeenCalledWith(session)
    const signed = { ...session, cacao: { h: { t: 'caip122' } } }
    await askSite(siteOf({ addSession } as never), page, 'addSession', { ...signed, ...subject })
    expect(addSession).toHaveBeenLastCalledWith(signed)
    const revokeSession = vi.fn(async () => {})
    await askSite(siteOf({ revokeSession }), page, 'revokeSession', subject)
    expect(revokeSession).toHaveBeenCalledWith('eip155:1', ADDRESS)
  })
})

group('sessions that a wallet signed by one approval', () => {
  const sessionOf = (chainId: string) => {
    const data = { ...subject, chainId, nonce: '12345678' }
    return { data, message: `text for ${chainId}`, signature: '0x12' } as never as SIWXSession
  }
  const [first, second] = [sessionOf('eip155:1'), sessionOf('eip155:10')]
  const given = { ...first, ...subject, others: [{ ...second, chainId: 'eip155:10', accountAddress: ADDRESS }] }

  it('go together to a site that takes them so, and the core hears which of them it has', async () => {
    const addSessions = vi.fn(async (sessions: SIWXSession[]) => sessions)
    const answer = await askSite(siteOf({ addSessions }), page, 'addSession', given)
    expect(addSessions.mock.calls).toEqual([[[first, second]]])
    const subjects = ['eip155:1', 'eip155:10'].map((chainId) => ({ ...subject, chainId }))
    expect(answer).toEqual({ type: 'answered', value: subjects })
  })

  it('go one by one to another site, and a single session to both', async () => {
    const [addSession, addSessions] = [vi.fn(async () => {}), vi.fn()]
    const answer = await askSite(siteOf({ addSession }), page, 'addSession', given)
    expect(answer).toEqual({ type: 'answered', value: null })
    await askSite(siteOf({ addSession, addSessions }), page, 'addSession', { ...first, ...subject })
    expect(addSession.mock.calls).toEqual([[first], [first]])
    expect(addSessions).not.toHaveBeenCalled()
  })

  it('are refused with the status of the site', async () => {
    const addSessions = () => Promise.reject(Object.assign(new Error('No'), { status: 422 }))
    await expect(askSite(siteOf({ addSessions }), page, 'addSession', given)).rejects.toMatchObject({ code: 422 })
  })
})

group('a siweConfig', () => {
  const config = (own: object = {}) => ({
    getNonce: vi.fn(async () => '12345678'),
    getMessageParams: async () => ({
      domain: 'shop.example',
      uri: 'https://shop.example',
      chains: [1],
      statement: 'Hi'
    }),
    createMessage: vi.fn(({ address, nonce }: { address: string; nonce: string }) => `${address} ${nonce}`),
    verifyMessage: vi.fn(async () => true),
    getSession: vi.fn(async (): Promise<object | null> => ({ address: ADDRESS.toLowerCase(), chainId: 1 })),
    signOut: vi.fn(async () => true),
    onSignIn: vi.fn(),
    onSignOut: vi.fn(),
    ...own
  })

  it('writes its message with its own parameters, for the account as a did', async () => {
    const given = config()
    const answer = await askSite(siweOf(given), page, 'createMessage', subject)
    expect(answer).toMatchObject({
      value: {
        message: `did:pkh:eip155:1:${ADDRESS} 12345678`,
        data: { statement: 'Hi', nonce: '12345678', version: '1' }
      }
    })
    expect(given.createMessage).toHaveBeenCalledWith(
      expect.objectContaining({ chainId: 1, domain: 'shop.example', version: '1', iat: expect.any(String) })
    )
    expect(given.getNonce).toHaveBeenCalledWith(ADDRESS)
  })

  it('has a session for its own account and chain, unless it does not mind', async () => {
    const sessions = async (given: object, chainId: string) => {
      const answer = await askSite(siweOf(given), page, 'getSessions', { ...subject, chainId })
      return (answer as { value: unknown[] }).value.length
    }
    expect(await sessions(config(), 'eip155:1')).toBe(1)
    expect(await sessions(config(), 'eip155:10')).toBe(0)
    expect(await sessions(config({ signOutOnNetworkChange: false }), 'eip155:10')).toBe(1)
    expect(await sessions({ methods: config(), options: { signOutOnNetworkChange: false } }, 'eip155:10')).toBe(1)
    const other = { getSession: async () => ({ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 1 }) }
    expect(await sessions(config(other), 'eip155:1')).toBe(0)
    expect(await sessions(config({ ...other, signOutOnAccountChange: false }), 'eip155:1')).toBe(1)
    expect(await sessions(config({ getSession: async () => null }), 'eip155:1')).toBe(0)
  })

  it('ends the session of another account or network, which the visitor then signs in for', async () => {
    const other = { getSession: async () => ({ address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8', chainId: 1 }) }
    const ended = async (given: ReturnType<typeof config>, chainId = 'eip155:1') => {
      const answer = await askSite(siweOf(given), page, 'getSessions', { ...subject, chainId })
      expect(answer).toEqual({ type: 'answered', value: [] })
      return [given.signOut.mock.calls.length, given.onSignOut.mock.calls.length]
    }
    expect(await ended(config(other))).toEqual([1, 1])
    expect(await ended(config(), 'eip155:10')).toEqual([1, 1])
    expect(await ended(config({ ...other, signOutOnNetworkChange: false }))).toEqual([1, 1])
    expect(await ended(config({ signOutOnAccountChange: false }), 'eip155:10')).toEqual([1, 1])
    expect(await ended(config({ getSession: async () => null }))).toEqual([0, 0])
    // A site that could not sign the visitor out tells nobody that it did.
    expect(await ended(config({ ...other, signOut: vi.fn(async () => false) }))).toEqual([1, 0])
  })

  it('tells the core how old its nonce may get, if that is a number', async () => {
    const life = async (own: object) => {
      const answer = await askSite(siweOf(own), page, 'createMessage', subject)
      return (answer as { value: { life?: number } }).value.life
    }
    expect(await life(config())).toBeUndefined()
    expect(await life(config({ nonceRefetchIntervalMs: 30_000.5 }))).toBe(30_001)
    expect(await life({ methods: config(), options: { nonceRefetchIntervalMs: 5_000 } })).toBe(5_000)
    expect(await life(config({ nonceRefetchIntervalMs: Number.POSITIVE_INFINITY }))).toBe(2_147_483_647)
    for (const nonceRefetchIntervalMs of [0, -1, Number.NaN, '5000']) {
      expect(await life(config({ nonceRefetchIntervalMs }))).toBeUndefined()
    }
  })

  it('verifies a signature, tells of the sign-in, and refuses one that is not true', async () => {
    const session = { ...subject, data: {}, message: 'text', signature: '0x12' }
    const given = config()
    await askSite(siweOf(given), page, 'addSession', session)
    expect(given.verifyMessage).toHaveBeenCalledWith({ message: 'text', signature: '0x12' })
    expect(given.onSignIn).toHaveBeenCalledOnce()
    for (const own of [
      { verifyMessage: async () => false },
      { verifyMessage: async () => 'yes' },
      { getSession: async () => null }
    ]) {
      const refused = config(own)
      await expect(askSite(siweOf(refused), page, 'addSession', session)).rejects.toThrow()
      expect(refused.onSignIn).not.toHaveBeenCalled()
    }
  })

  it('signs out', async () => {
    const given = config() as ReturnType<typeof config> & SIWEConfig
    await askSite(siweOf(given), page, 'revokeSession', subject)
    expect([given.signOut, given.onSignOut].map((call) => call.mock.calls.length)).toEqual([1, 1])
  })
})
