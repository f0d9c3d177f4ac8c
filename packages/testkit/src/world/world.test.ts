import { readFileSync } from 'node:fs'
import { createPublicClient, defineChain, erc20Abi, erc721Abi, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { storedWorld } from './stored.ts'

interface Listed {
  readonly address: `0x${string}`
  readonly symbol: string
  readonly decimals: number
  readonly name: string
}

const { state, addresses, tokens } = storedWorld()
const { contracts } = addresses
const [visitor, alice, impostor, carol, painter, , stranger] = addresses.accounts as `0x${string}`[]
let anvil: Anvil | undefined

function contract(name: string): `0x${string}` {
  const address = contracts[name]
  if (!address) throw new Error(`There is no ${name}`)
  return address as `0x${string}`
}

function reader() {
  if (!anvil) throw new Error('There is no chain')
  const chain = defineChain({
    id: addresses.chainId,
    name: 'World',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
    contracts: {
      multicall3: { address: contract('multicall3') },
      ensUniversalResolver: { address: contract('universalResolver') }
    }
  })
  return createPublicClient({ chain, transport: http(anvil.rpcUrl) })
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: addresses.chainId, state })
})
afterAll(() => anvil?.stop())

describe('the stored world', () => {
  it('has nothing for a name that nobody registered, that says nothing, or whose resolver is none', async () => {
    for (const name of ['nobody.eth', 'silent.eth', 'broken.eth', 'alice.silent.eth', 'alice']) {
      expect(await reader().getEnsAddress({ name }), name).toBeNull()
    }
  })

  it('gives no name to an account that claims another’s, one whose gateway is silent, or one that claims none', async () => {
    for (const address of [impostor, carol, stranger]) {
      expect(await reader().getEnsName({ address: address ?? '0x' }), address).toBeNull()
    }
  })

  it('resolves a name to its account and the account to its name', async () => {
    expect(await reader().getEnsAddress({ name: 'alice.eth' })).toBe(alice)
    expect(await reader().getEnsName({ address: alice ?? '0x' })).toBe('alice.eth')
    expect(await reader().getEnsAvatar({ name: 'alice.eth' })).toMatch(/^data:image\/png;base64,/)
  })

  it('resolves an avatar through a picture that the account owns', async () => {
    expect(await reader().getEnsText({ name: 'painter.eth', key: 'avatar' })).toMatch(/^eip155:31337\/erc721:0x.*\/4$/)
    expect(await reader().getEnsAvatar({ name: 'painter.eth' })).toMatch(/^data:image\/png;base64,/)
    const owner = { address: contract('pictures'), abi: erc721Abi, functionName: 'ownerOf', args: [4n] } as const
    expect(await reader().readContract(owner)).toBe(painter)
  })

  it('answers for several balances at once, and says which token has none to tell', async () => {
    const names = ['usdc', 'dai', 'ticket', 'weth', 'reverting']
    const calls = names.map((name) => {
      const args = [visitor ?? '0x'] as const
      return { address: contract(name), abi: erc20Abi, functionName: 'balanceOf', args } as const
    })
    const answers = await reader().multicall({ contracts: calls })
    expect(answers.map(({ result, status }) => (status === 'success' ? result : status))).toEqual([
      2_442_500_000n,
      1_087_250_000_000_000_000_000n,
      2n,
      300_000_000_000_000_000n,
      'failure'
    ])
  })

  it('lists its coins by the names that they tell themselves', async () => {
    const { tokens: listed } = JSON.parse(readFileSync(tokens, 'utf8')) as { tokens: Listed[] }
    expect(listed).toHaveLength(7)
    for (const { address, symbol, decimals, name } of listed) {
      const read = (functionName: 'symbol' | 'decimals' | 'name') =>
        reader().readContract({ address, abi: erc20Abi, functionName })
      expect([await read('symbol'), await read('decimals'), await read('name')]).toEqual([symbol, decimals, name])
    }
  })

  it('keeps the blocks of its past, and the ether of a chain without one', async () => {
    expect(await reader().getBlockNumber()).toBe(BigInt(addresses.block))
    const block = await reader().getBlock({ blockNumber: 1n, includeTransactions: true })
    expect(block.transactions).toHaveLength(1)
    expect(await reader().getBalance({ address: visitor ?? '0x' })).toBe(10_000n * 10n ** 18n)
  })
})
