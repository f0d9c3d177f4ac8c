import { BITCOIN_TEST_KEYS, type BitcoinNetworkName, bitcoinKeysOf } from '@portico/testkit'
import { describe, expect, it } from 'vitest'
import { BitcoinProvider } from './BitcoinProvider.ts'
import { LeatherWay, SatsConnectWay } from './RequestWay.ts'
import { StandardWay } from './StandardWay.ts'
import { BY_CHAIN, BY_NETWORK, MAIN_ALONE, UnisatWay } from './UnisatWay.ts'
import type { Way } from './way.ts'

/** Networks by the hashes of their genesis blocks, whose first half is their CAIP-2 reference (CAIP-4 of bip122). */
const GENESIS = {
  mainnet: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  testnet: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
  testnet4: '00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043',
  signet: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6'
} as const

type Network = keyof typeof GENESIS

/** Names of the networks in wallets of each way; `null` where pages cannot use the network. */
const NAMES: Readonly<Record<string, Readonly<Record<Network, string | null>>>> = {
  'of the Wallet Standard': {
    mainnet: 'bitcoin:mainnet',
    testnet: 'bitcoin:testnet',
    testnet4: 'bitcoin:testnet4',
    signet: 'bitcoin:signet'
  },
  'of sats-connect': { mainnet: 'Mainnet', testnet: 'Testnet', testnet4: 'Testnet4', signet: 'Signet' },
  'of Leather': { mainnet: 'mainnet', testnet: 'testnet', testnet4: 'testnet4', signet: 'signet' },
  'of UniSat': {
    mainnet: 'BITCOIN_MAINNET',
    testnet: 'BITCOIN_TESTNET',
    testnet4: 'BITCOIN_TESTNET4',
    signet: 'BITCOIN_SIGNET'
  },
  'of Binance': { mainnet: 'livenet', testnet: 'testnet', testnet4: null, signet: 'signet' },
  'of OKX and Bitget': { mainnet: 'its only one', testnet: null, testnet4: null, signet: null }
}

const idOf = (network: Network) => `bip122:${GENESIS[network].slice(0, 32)}`

const addressOn = (network: BitcoinNetworkName) =>
  bitcoinKeysOf(BITCOIN_TEST_KEYS[0] as Uint8Array, network)[0]?.address as string

const TXID = 'ab'.repeat(32)

/** Wallet that stands on a network until it is asked for another one, by its own names; `asked` are the names in its requests. */
function walletOf(kind: string, stands: string): { readonly way: Way; readonly asked: readonly string[] } {
  const names = Object.entries(NAMES[kind] ?? {})
  const asked: string[] = []
  let now = stands
  const took = (name: string | undefined) => {
    if (name === undefined) return
    asked.push(name)
    now = name
  }
  const own = () => addressOn(names.find(([, name]) => name === now)?.[0] as Network)
  const accounts = names.map(([network, name]) => ({ address: addressOn(network as Network), chains: [name] }))
  const addresses = () => [{ address: own(), purpose: 'payment' }]
  const sats = async (method: string, params: { network?: string; name?: string } = {}) => {
    took(method === 'wallet_changeNetwork' ? params.name : params.network)
    return { result: { addresses: addresses(), network: { bitcoin: { name: now } } } }
  }
  const leather = async (_method: string, params: { network?: string } = {}) => {
    took(params.network)
    return { result: { addresses: addresses(), txid: TXID } }
  }
  const shared = { requestAccounts: async () => [own()], getAccounts: async () => [own()] }
  const chain = { getChain: async () => ({ enum: now }), switchChain: async (name: string) => took(name) }
  const network = { getNetwork: async () => now, switchNetwork: async (name: string) => took(name) }
  const features = { 'standard:connect': { version: '1.0.0', connect: async () => ({ accounts }) } }
  const ways: Readonly<Record<string, () => Way>> = {
    'of the Wallet Standard': () => new StandardWay({ name: 'Wallet', accounts, features } as never),
    'of sats-connect': () => new SatsConnectWay({ request: sats }),
    'of Leather': () => new LeatherWay({ request: leather }),
    'of UniSat': () => new UnisatWay({ ...shared, ...chain }, BY_CHAIN),
    'of Binance': () => new UnisatWay({ ...shared, ...network }, BY_NETWORK),
    'of OKX and Bitget': () => new UnisatWay(shared, MAIN_ALONE)
  }
  return { way: (ways[kind] as () => Way)(), asked }
}

/** Kinds of wallets whose network a page cannot choose: they have accounts on all, or the visitor chooses in the wallet. */
const UNASKED = ['of the Wallet Standard', 'of Leather', 'of OKX and Bitget']

const CASES = Object.entries(NAMES).flatMap(([kind, names]) =>
  Object.entries(names).map(([network, name]) => [kind, network as Network, name] as const)
)

describe('names of networks in wallets', () => {
  it.each(CASES)('%s: a page on %s connects by the name %s', async (kind, network, name) => {
    const { way, asked } = walletOf(kind, UNASKED.includes(kind) ? (name ?? '') : (NAMES[kind]?.mainnet as string))
    const provider = new BitcoinProvider('Wallet', way, () => idOf(network))
    const connecting = provider.request({ method: 'getAccountAddresses' })
    if (name === null) {
      await expect(connecting).rejects.toMatchObject({ code: 4902 })
      expect(asked).toEqual([])
      return
    }
    expect(await connecting).toMatchObject([{ address: addressOn(network) }])
    // UniSat and Binance are asked nothing where they are already.
    const stays = ['of UniSat', 'of Binance'].includes(kind) && network === 'mainnet'
    expect(asked).toEqual(UNASKED.includes(kind) || stays ? [] : [name])
    if (kind !== 'of Leather') return
    // Leather hears the network with each request.
    await provider.sendTransfer({ recipient: addressOn(network), amount: 1 })
    expect(asked).toEqual([name])
  })

  it.each(CASES.filter(([, network]) => network !== 'mainnet'))(
    '%s: a connected page switches to %s by the name %s',
    async (kind, network, name) => {
      const { way, asked } = walletOf(kind, NAMES[kind]?.mainnet as string)
      const provider = new BitcoinProvider('Wallet', way, () => idOf('mainnet'))
      await provider.request({ method: 'getAccountAddresses' })
      const told: unknown[] = []
      provider.on('chainChanged', (chain: never) => told.push(chain))
      const switching = provider.switchNetwork(idOf(network))
      if (name === null || kind === 'of Leather') {
        await expect(switching).rejects.toMatchObject({ code: name === null ? 4902 : 4200 })
        expect(told).toEqual([])
        return
      }
      await switching
      expect(told).toEqual([idOf(network)])
      if (!UNASKED.includes(kind)) expect(asked.at(-1)).toBe(name)
      expect(await provider.getAccountAddresses()).toMatchObject([{ address: addressOn(network) }])
    }
  )
})
