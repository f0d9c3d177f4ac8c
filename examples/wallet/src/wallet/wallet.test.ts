import { describe, expect, it } from 'vitest'
import { ACCOUNT, asked, metadata, proposal, request, session, TOPIC, world } from '../testing/fakes.ts'
import { accountsOf } from './accounts.ts'
import { networkOf } from './networks.ts'
import { isSilent, relayOf, waitingWords } from './view.ts'

const KEY = 'e'.repeat(64)
const uri = (topic = TOPIC) => `wc:${topic}@2?symKey=${KEY}&relay-protocol=irn&expiryTimestamp=240`
const hello = request('personal_sign', ['0x68656c6c6f', ACCOUNT])

describe('a code', () => {
  it('that is none is not taken to the relay', async () => {
    const { wallet, calls } = world()
    await wallet.take('hello')
    expect(wallet.view().pairing).toMatchObject({ phase: 'failed' })
    expect(calls).toEqual([])
  })

  it('that was approved or refused is called used', async () => {
    for (const answer of ['approve', 'refuse'] as const) {
      const { wallet, calls, tell, question } = world()
      tell({ type: 'proposed', proposal: proposal() })
      await wallet[answer](question(), accountsOf('eip155'))
      await wallet.take(uri())
      expect(wallet.view().pairing).toMatchObject({ words: 'This code was already used. Get a new one from the app.' })
      expect(calls).toHaveLength(1)
    }
  })

  it('that the client refuses is explained', async () => {
    const { wallet } = world({ refuse: { pair: new Error('Expired. pairing') } })
    await wallet.take(uri())
    expect(wallet.view().pairing).toMatchObject({ words: 'This code has expired. Get a new one from the app.' })
  })

  it('that is over by the clock of this wallet is left to the client, which bears minutes', async () => {
    const { wallet, calls, clock } = world()
    clock.now = 250
    await wallet.take(uri())
    expect(wallet.view().pairing).toMatchObject({ phase: 'waiting' })
    expect(calls.map(([name]) => name)).toEqual(['pair'])
  })

  it('that is given up is given up at the client, so that no late proposal comes of it', async () => {
    const refusals: Record<string, Error>[] = [{}, { cancelPairing: new Error('stopped') }]
    for (const refuse of refusals) {
      const { wallet, calls } = world({ refuse })
      wallet.stopWaiting()
      await wallet.take(uri())
      wallet.stopWaiting()
      wallet.stopWaiting()
      expect(wallet.view().pairing).toEqual({ phase: 'none' })
      expect(calls.map(([name]) => name)).toEqual(['pair', 'cancelPairing'])
      expect(calls.at(-1)).toEqual(['cancelPairing', TOPIC])
    }
  })

  it('waits for the app, calls it silent after a while, and ends when the client says so, whatever the clock', async () => {
    const { wallet, clock, tell } = world()
    await wallet.take(uri())
    clock.now = 9
    wallet.tick()
    expect(isSilent(wallet.view())).toBe(false)
    clock.now = 10
    wallet.tick()
    expect(isSilent(wallet.view())).toBe(true)
    clock.now = 300
    wallet.tick()
    tell({ type: 'proposalExpired', pairingTopic: 'f'.repeat(64) })
    expect(wallet.view().pairing).toMatchObject({ phase: 'waiting' })
    tell({ type: 'proposalExpired', pairingTopic: TOPIC })
    expect(wallet.view().pairing).toMatchObject({ phase: 'failed' })
  })
})

describe('the relay', () => {
  const relay = (state: 'closed' | 'refused' | 'open') =>
    ({ type: 'relay', relayUrl: 'wss://relay.example', state, code: null, reason: null }) as const

  it('that nothing needs is not called missing, and one that is needed is', async () => {
    const { wallet, tell } = world()
    tell(relay('closed'))
    expect(relayOf(wallet.view()).state).toBe('idle')
    await wallet.take(uri())
    expect(relayOf(wallet.view()).state).toBe('closed')
    wallet.stopWaiting()
    tell(relay('refused'))
    expect(relayOf(wallet.view()).state).toBe('refused')
    const connected = world({ sessions: [session()] })
    connected.tell(relay('closed'))
    expect(relayOf(connected.wallet.view()).state).toBe('closed')
  })

  it('that cannot be reached, or refuses, is what is said of a code that waits', async () => {
    const { wallet, clock, tell } = world()
    await wallet.take(uri())
    tell(relay('closed'))
    for (const [now, words] of [
      [7, 'Waiting for the app…'],
      [8, "Can't reach the relay. Check your connection, and its address in Settings."]
    ] as const) {
      clock.now = now
      wallet.tick()
      expect(waitingWords(wallet.view())).toBe(words)
    }
    tell(relay('open'))
    expect(waitingWords(wallet.view())).toBe('Waiting for the app…')
    tell(relay('refused'))
    expect(waitingWords(wallet.view())).toMatch(/^The relay rejected this wallet/)
  })
})

describe('a proposal', () => {
  it('is refused with the code of a refusal, and gone at once', async () => {
    const { wallet, calls, tell, question } = world()
    tell({ type: 'proposed', proposal: proposal() })
    const refused = wallet.refuse(question())
    expect(wallet.view().questions).toEqual([])
    await refused
    expect(calls).toEqual([['reject', 1, 5000, 'User rejected.']])
  })

  it('ends the waiting, and goes away when its time is over', async () => {
    const { wallet, clock, tell } = world()
    await wallet.take(uri())
    tell({ type: 'proposed', proposal: proposal() })
    expect(wallet.view().pairing).toEqual({ phase: 'none' })
    clock.now = 299
    wallet.tick()
    expect(wallet.view().questions).toHaveLength(1)
    clock.now = 300
    wallet.tick()
    expect(wallet.view().questions).toEqual([])
  })

  it('that cannot be approved keeps its question, with the reason', async () => {
    const { wallet, tell, question } = world({ refuse: { approve: new Error('No relay answers.') } })
    tell({ type: 'proposed', proposal: proposal() })
    await wallet.approve(question(), accountsOf('eip155'))
    expect(question()).toMatchObject({ busy: false, fault: 'No relay answers.' })
  })

  it('is approved with the accounts that were chosen', async () => {
    const { wallet, calls, tell, question } = world()
    tell({ type: 'proposed', proposal: proposal() })
    await wallet.approve(question(), accountsOf('eip155').slice(1, 2))
    const accounts = [`eip155:31337:${accountsOf('eip155')[1]?.address}`]
    expect(calls).toEqual([['approve', 1, { namespaces: { eip155: { ...asked(['eip155:31337']), accounts } } }]])
    expect(wallet.view().questions).toEqual([])
  })
})

describe('a request', () => {
  const sessions = [session()]

  it('of a session that is not there is not asked', () => {
    const { wallet, tell } = world()
    tell({ type: 'requested', request: hello })
    expect(wallet.view().questions).toEqual([])
  })

  it('that makes no sense is answered with an error and told', () => {
    const { wallet, calls, tell } = world({ sessions })
    tell({ type: 'requested', request: request('personal_sign', { evil: true }) })
    expect(calls).toEqual([
      ['respond', TOPIC, 7, { error: { code: -32602, message: 'Expected a list of parameters.' } }]
    ])
    expect(wallet.view().notices.map(({ words }) => words)).toEqual([
      'A request from Shop was rejected. Expected a list of parameters.'
    ])
  })

  it('is refused', async () => {
    const { wallet, calls, tell, question } = world({ sessions })
    tell({ type: 'requested', request: hello })
    await wallet.refuse(question())
    expect(calls).toEqual([['respond', TOPIC, 7, { error: { code: 5000, message: 'User rejected.' } }]])
  })

  it('waits in a queue behind the others, each once', async () => {
    const { wallet, tell, question } = world({ sessions })
    for (const id of [1, 2, 2, 3]) tell({ type: 'requested', request: { ...hello, id } })
    expect(wallet.view().questions.map(({ id }) => id)).toEqual([1, 2, 3])
    await wallet.refuse(question())
    tell({ type: 'requestExpired', topic: TOPIC, id: 2 })
    expect(wallet.view().questions.map(({ id }) => id)).toEqual([3])
    tell({ type: 'deleted', topic: TOPIC, code: 6000, message: '' })
    expect(wallet.view().questions).toEqual([])
    expect(wallet.view().notices.at(-1)?.words).toBe('Shop has ended the connection.')
  })

  it('is refused unseen where an app asks without end', () => {
    const { wallet, calls, tell } = world({ sessions })
    for (let id = 0; id < 30; id += 1) tell({ type: 'requested', request: { ...hello, id } })
    expect(wallet.view().questions).toHaveLength(20)
    expect(calls).toHaveLength(10)
  })

  it('is answered with the signature', async () => {
    const { wallet, calls, tell, question } = world({ sessions })
    tell({ type: 'requested', request: hello })
    await wallet.approve(question())
    expect(calls).toEqual([['respond', TOPIC, 7, { result: expect.stringMatching(/^0x[0-9a-f]{130}$/) }]])
    expect(wallet.view().questions).toEqual([])
  })

  it('that was answered is told for a while, one that failed until it is read', async () => {
    const { wallet, clock, tell, question } = world({ sessions })
    tell({ type: 'requested', request: request('personal_sign', { evil: true }) })
    tell({ type: 'requested', request: { ...hello, id: 8 } })
    await wallet.approve(question())
    const words = () => wallet.view().notices.map((notice) => notice.words)
    expect(words().at(-1)).toBe('Signed for Shop.')
    clock.now = 5
    wallet.tick()
    expect(words()).toHaveLength(2)
    clock.now = 6
    wallet.tick()
    expect(words()).toEqual(['A request from Shop was rejected. Expected a list of parameters.'])
  })

  it('that does not go through is not told as done', async () => {
    const { wallet, tell, question } = world({ sessions, refuse: { respond: new Error('gone') } })
    tell({ type: 'requested', request: hello })
    await wallet.approve(question())
    expect(wallet.view().notices.map(({ words }) => words)).toEqual(["Done. The app couldn't be notified."])
  })

  it('marks the network that it is for, unless it is none of the session', () => {
    const chains = ['eip155:31337', 'eip155:31338']
    const eip155 = {
      ...asked(chains),
      accounts: chains.map((chain) => `${chain}:${ACCOUNT}`)
    }
    const { wallet, tell } = world({ sessions: [session({ namespaces: { eip155 } })] })
    const active = () => wallet.view().sessions[0]?.chain?.id
    tell({ type: 'requested', request: { ...hello, chainId: 'eip155:31338' } })
    expect(active()).toBe('eip155:31338')
    tell({ type: 'requested', request: { ...hello, id: 8, chainId: 'eip155:1' } })
    expect(active()).toBe('eip155:31338')
  })
})

describe('signing in', () => {
  const authPayload = {
    ...{ chains: ['eip155:31337'], domain: 'shop.example', aud: 'https://shop.example', nonce: '12345678' },
    ...{ version: '1', iat: '2026-01-01T00:00:00Z', type: 'eip4361', statement: null, exp: null, nbf: null },
    ...{ requestId: null, resources: null }
  }
  const requester = { publicKey: 'b'.repeat(64), metadata: metadata() }
  const authenticateAsked = (told = {}) => ({
    type: 'authenticateAsked' as const,
    request: {
      id: 3,
      pairingTopic: TOPIC,
      requester,
      authPayload: { ...authPayload, ...told },
      expiryTimestamp: 300,
      verification: { status: 'unverified' } as const
    }
  })

  it('on strange networks only is left to the proposal', async () => {
    const { calls, tell } = world()
    tell(authenticateAsked({ chains: ['eip155:1'] }))
    await expect.poll(() => calls).toEqual([['rejectAuthenticate', 3, 10001, 'Method unsupported.']])
  })

  it('is asked once, though a proposal comes beside it, and answered with what was signed', async () => {
    const { wallet, calls, tell, question } = world()
    tell({ type: 'proposed', proposal: proposal() })
    tell(authenticateAsked())
    tell({ type: 'proposed', proposal: proposal({ id: 2 }) })
    await expect.poll(() => wallet.view().questions.map(({ kind }) => kind)).toEqual(['authenticate'])
    await wallet.approve(question())
    const iss = `did:pkh:eip155:31337:${ACCOUNT}`
    // Networks and methods that the wallet lacks are not authorised.
    const signing = { chains: ['eip155:31337'], methods: expect.arrayContaining(['personal_sign']) }
    expect(calls.find(([name]) => name === 'authenticateMessage')).toEqual(['authenticateMessage', 3, iss, signing])
    expect(calls.at(-1)).toEqual([
      'approveAuthenticate',
      3,
      [
        {
          h: { t: 'caip122' },
          p: { iss },
          s: { t: 'eip191', s: expect.stringMatching(/^0x/) }
        }
      ]
    ])
  })
})

describe('a connection', () => {
  it('is told of another account by an update and an event', async () => {
    const { wallet, calls } = world({ sessions: [session()] })
    const [connection] = wallet.view().sessions
    const [, second] = accountsOf('eip155')
    if (!connection || !second) throw new Error('There is nothing to switch.')
    await wallet.switchAccount(connection, second)
    expect(calls.map(([name]) => name)).toEqual(['update', 'emit'])
    expect(calls[1]).toEqual([
      'emit',
      TOPIC,
      { chainId: 'eip155:31337', name: 'accountsChanged', data: [second.address] }
    ])
  })

  it('is granted a network that it lacks before it is switched to it', async () => {
    const { wallet, calls } = world({ sessions: [session()] })
    const two = networkOf('eip155:31338')
    if (!two) throw new Error('There is one network only.')
    await wallet.switchChain(session(), two)
    expect(calls[0]).toMatchObject(['update', TOPIC, { eip155: { chains: ['eip155:31337', 'eip155:31338'] } }])
    expect(calls[1]).toEqual(['emit', TOPIC, { chainId: 'eip155:31338', name: 'chainChanged', data: 31338 }])
  })

  it('ends here even where the app cannot be told', async () => {
    const { wallet, client } = world({ sessions: [session()], refuse: { delete: new Error('offline') } })
    const [connection] = wallet.view().sessions
    if (!connection) throw new Error('There is no connection.')
    Object.assign(client, { sessions: [] })
    await wallet.disconnect(connection)
    expect(wallet.view().sessions).toEqual([])
    expect(wallet.view().notices.at(-1)?.words).toMatch(/Couldn't tell/)
  })
})
