//! Networks that a host imports from `@portico/widget/networks`.

import { join } from 'node:path'
import { build } from 'esbuild'
import * as viem from 'viem/chains'
import { describe, expect, it } from 'vitest'
import * as entry from '../networks.ts'

const { defineChain: _, ...exported } = entry
const named: readonly (readonly [string, entry.CaipNetwork])[] = Object.entries(exported)
const networks = named.map(([, network]) => network)

const chains = new Map<string, viem.Chain>(Object.entries(viem))
/** EVM networks by the names of their exports, but for a developer's own, and one that viem no longer has. */
const evm = named.filter(
  ([name, { chainNamespace }]) => chainNamespace === 'eip155' && !['anvil', 'zksyncTestnet'].includes(name)
)

/** Chains of the embedded wallet's default list: CAIP-2 ids. */
const LIST = [
  'eip155:1',
  'eip155:5',
  'eip155:10',
  'eip155:56',
  'eip155:97',
  'eip155:100',
  'eip155:137',
  'eip155:280',
  'eip155:324',
  'eip155:420',
  'eip155:999',
  'eip155:8453',
  'eip155:42161',
  'eip155:42220',
  'eip155:43113',
  'eip155:43114',
  'eip155:80001',
  'eip155:84531',
  'eip155:84532',
  'eip155:421613',
  'eip155:7777777',
  'eip155:11155111',
  'eip155:1313161554',
  'eip155:1313161555',
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
]

describe('the networks that a host imports', () => {
  it('spec_7_34_cover_the_default_list_of_many_evm_networks_and_three_of_solana', () => {
    const ids: string[] = networks.map((network) => network.caipNetworkId)
    expect(LIST.filter((id) => !ids.includes(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    for (const namespace of ['eip155', 'solana', 'bip122', 'polkadot'])
      expect(ids.filter((id) => id.startsWith(`${namespace}:`)).length).toBeGreaterThanOrEqual(2)
  })

  it.each(networks)('$name has an id of its namespace and addresses that a browser can ask', (network) => {
    const { id, chainNamespace, caipNetworkId, rpcUrls, blockExplorers } = network
    expect(caipNetworkId).toBe(`${chainNamespace}:${id}`)
    const [rpc] = rpcUrls.default.http
    // Only the network of a developer's own machine is asked without TLS.
    expect(rpc).toMatch(id === 31337 ? /^http:\/\/127/ : /^https:/)
    if (id !== 31337)
      expect(blockExplorers?.default?.url).toMatch(
        /^https:\/\/[^/]+(\/(testnet4?|signet|\?cluster=(devnet|testnet)))?$/
      )
  })

  it.each(evm)('%s has the number, currency and explorer of viem', (name, network) => {
    const chain = chains.get(name)
    const { name: _, ...currency } = network.nativeCurrency
    expect(chain).toMatchObject({ id: network.id, nativeCurrency: currency })
    expect(network.testnet ?? false).toBe(chain?.testnet ?? false)
    const url = (explorer: string | undefined) => explorer?.replace(/\/$/, '')
    expect(url(network.blockExplorers?.default?.url)).toBe(url(chain?.blockExplorers?.default.url))
  })

  it('cost a host only those that it imports', async () => {
    const bundled = await build({
      stdin: {
        contents: `import { base, solana } from './networks.ts'; export default [base, solana]`,
        resolveDir: join(import.meta.dirname, '..')
      },
      bundle: true,
      format: 'esm',
      write: false
    })
    const text = bundled.outputFiles[0]?.text ?? ''
    const kept = LIST.filter((id) => text.includes(`"${id}"`))
    expect(kept).toEqual(['eip155:8453', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
  })
})
