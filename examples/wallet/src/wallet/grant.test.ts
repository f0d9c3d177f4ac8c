import { expect, it } from 'vitest'
import { ACCOUNT, asked, proposal, session } from '../testing/fakes.ts'
import { accountsOf } from './accounts.ts'
import { grant, readProposal, withAccountFirst } from './grant.ts'
import { networks } from './networks.ts'

const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

it('cannot be approved where a network, a method or an event is required that is not here', () => {
  const missing = (requiredNamespaces: Record<string, ReturnType<typeof asked>>) =>
    readProposal(proposal({ requiredNamespaces, optionalNamespaces: {} })).missing
  expect(missing({ eip155: asked(['eip155:1']) })).toEqual(["Networks this wallet doesn't support: eip155:1."])
  expect(missing({ cosmos: asked(['cosmos:hub-4']) })).toEqual(["Networks this wallet doesn't support: cosmos:hub-4."])
  expect(missing({ eip155: asked(['eip155:31337'], ['eth_sign', 'personal_sign']) })).toEqual([
    "On Ethereum, this wallet can't do: eth_sign."
  ])
  expect(missing({ eip155: asked(['eip155:31337'], [], ['message\u202e']) })).toEqual([
    "On Ethereum, this wallet can't do: message."
  ])
})

it('says that it has none of the networks where all of them are strange', () => {
  const { parts, missing } = readProposal(proposal({ optionalNamespaces: { eip155: asked(['eip155:1']) } }))
  expect(parts).toEqual([])
  expect(missing).toEqual(['It asks for no network that this wallet supports.'])
})

it('gives no test network where they are switched off, and says so', () => {
  const others = networks.filter(({ test }) => !test)
  const wished = { eip155: asked(['eip155:31337', 'eip155:1']), solana: asked([SOLANA], ['solana_signMessage'], []) }
  const { parts, left } = readProposal(proposal({ optionalNamespaces: wished }), others)
  expect(parts.map(({ namespace }) => namespace)).toEqual(['solana'])
  expect(left).toEqual([
    "Networks this wallet doesn't support: eip155:1.",
    'Test networks turned off in Settings: Anvil One.'
  ])
  const { missing } = readProposal(proposal({ requiredNamespaces: { eip155: asked(['eip155:31337']) } }), others)
  expect(missing).toContain('Test networks turned off in Settings: Anvil One.')
  const all = readProposal(proposal({ optionalNamespaces: {} }), others).parts
  expect(all.map(({ namespace }) => namespace)).toEqual(['solana', 'bip122', 'polkadot'])
})

it('keeps the list of what is left out short', () => {
  const chains = Array.from({ length: 500 }, (_, at) => `eip155:${at + 1}`)
  const { left } = readProposal(proposal({ optionalNamespaces: { eip155: asked([...chains, 'eip155:31337']) } }))
  expect(left).toEqual([
    "Networks this wallet doesn't support: eip155:1, eip155:2, eip155:3, eip155:4, eip155:5, eip155:6 and 494 more."
  ])
})

it('gives the shared part of several namespaces, and no method that was not asked for', () => {
  const offer = readProposal(
    proposal({
      requiredNamespaces: { 'eip155:31338': { chains: null, methods: ['personal_sign'], events: [] } },
      optionalNamespaces: {
        eip155: asked(['eip155:31337', 'eip155:1']),
        solana: asked([SOLANA], ['solana_signMessage'], [])
      }
    })
  )
  expect(offer.missing).toEqual([])
  const [ethereum] = accountsOf('eip155')
  const [solana] = accountsOf('solana')
  if (!ethereum || !solana) throw new Error('There are no accounts.')
  expect(grant(offer, [ethereum, solana])).toEqual({
    eip155: {
      chains: ['eip155:31337', 'eip155:31338'],
      accounts: [`eip155:31337:${ACCOUNT}`, `eip155:31338:${ACCOUNT}`],
      methods: ['personal_sign'],
      events: ['accountsChanged', 'chainChanged']
    },
    solana: { chains: [SOLANA], accounts: [`${SOLANA}:${solana.address}`], methods: ['solana_signMessage'], events: [] }
  })
  // Unselected accounts are not granted.
  expect(Object.keys(grant(offer, [ethereum]))).toEqual(['eip155'])
})

it('offers all its networks to who asks for nothing', () => {
  const { parts } = readProposal(proposal({ optionalNamespaces: {} }))
  expect(parts.map(({ namespace }) => namespace)).toEqual(['eip155', 'solana', 'bip122', 'polkadot'])
})

it('puts another account in front without taking one away', () => {
  const [, second] = accountsOf('eip155')
  if (!second) throw new Error('There is one account only.')
  const { namespaces } = session()
  const switched = withAccountFirst(namespaces, second)
  expect(switched.eip155?.accounts).toEqual([`eip155:31337:${second.address}`, `eip155:31337:${ACCOUNT}`])
  expect(withAccountFirst(switched, second)).toEqual(switched)
})
