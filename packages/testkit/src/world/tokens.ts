//! Test tokens: well-behaved ones and faulty ones.

import type { Address } from 'viem'
import { ACCOUNTS, type Builder, type Deployed } from './builder.ts'
import { type Artefact, uniswapArtefact } from './compile.ts'
import { marks } from './marks.ts'
import { type Colour, coin, dataUri, type Motif, scene } from './picture.ts'

const DEPLOYER = ACCOUNTS[9]

export interface Tokens {
  readonly usdc: Deployed
  readonly dai: Deployed
  /** Token with 0 decimals. */
  readonly ticket: Deployed
  /** WETH9. */
  readonly weth: Deployed
  /** Token whose `balanceOf` reverts. */
  readonly reverting: Deployed
  /** Spam token with the symbol of another token, markup in its name and 255 decimals. */
  readonly lying: Deployed
  /** ERC-721. */
  readonly pictures: Deployed
  /** ERC-1155. */
  readonly badges: Deployed
  readonly exchange: Deployed
  readonly forwarder: Deployed
  /** Token that keeps 5 % of every transfer. */
  readonly taxed: Deployed
  /** Token whose `transfer` reverts for all but the deployer. */
  readonly stuck: Deployed
}

export async function deployTokens(builder: Builder, contracts: ReadonlyMap<string, Artefact>): Promise<Tokens> {
  const deploy = (name: string, args: readonly unknown[] = []) => {
    const artefact = contracts.get(name)
    if (!artefact) throw new Error(`There is no contract ${name}`)
    return builder.deploy(DEPLOYER, artefact, args)
  }
  return {
    usdc: await deploy('TestToken', ['USD Coin', 'USDC', 6]),
    dai: await deploy('TestToken', ['Dai Stablecoin', 'DAI', 18]),
    ticket: await deploy('TestToken', ['Ticket', 'TIX', 0]),
    weth: await builder.deploy(DEPLOYER, uniswapArtefact('v2-periphery', 'build/WETH9')),
    reverting: await deploy('RevertingToken'),
    lying: await deploy('LyingToken'),
    pictures: await deploy('Pictures'),
    badges: await deploy('Badges', [metadata('Badge', [90, 60, 200])]),
    exchange: await deploy('Exchange'),
    forwarder: await deploy('Forwarder'),
    taxed: await deploy('TaxedToken'),
    stuck: await deploy('StuckToken')
  }
}

/** Token list of a chain, in the format of <https://tokenlists.org>. */
export interface TokenList {
  readonly name: string
  readonly timestamp: string
  readonly version: Readonly<Record<'major' | 'minor' | 'patch', number>>
  readonly tokens: readonly ListedToken[]
}

interface ListedToken {
  readonly chainId: number
  readonly address: Address
  readonly name: string
  readonly symbol: string
  readonly decimals: number
  readonly logoURI: string
}

/** Token list of the world: the well-behaved tokens and some faulty ones; without the spam token with the false symbol. */
export function tokenList(chainId: number, { usdc, dai, ticket, weth, reverting, taxed, stuck }: Tokens): TokenList {
  const listed = (
    { address }: Deployed,
    name: string,
    symbol: string,
    decimals: number,
    logoURI: string
  ): ListedToken => ({ chainId, address, name, symbol, decimals, logoURI })
  return {
    name: 'World',
    timestamp: '2025-06-01T00:00:00.000Z',
    version: { major: 1, minor: 0, patch: 0 },
    tokens: [
      listed(usdc, 'USD Coin', 'USDC', 6, marks.usdc),
      listed(dai, 'Dai Stablecoin', 'DAI', 18, marks.dai),
      listed(ticket, 'Ticket', 'TIX', 0, coin([120, 60, 160], 'ticket')),
      listed(weth, 'Wrapped Ether', 'WETH', 18, marks.weth),
      listed(reverting, 'Reverting', 'RVRT', 18, coin([90, 90, 90], 'dots')),
      listed(taxed, 'Taxed', 'TAX', 18, coin([180, 60, 60], 'dots')),
      listed(stuck, 'Stuck', 'STUCK', 18, coin([60, 60, 120], 'dots'))
    ]
  }
}

/** Tokens of a list that have a price, as people expect them in a wallet; the faulty ones are left out. */
export function pricedTokens(list: TokenList, { prices }: PriceFile): TokenList {
  const priced = ({ chainId, address }: ListedToken) => `eip155:${chainId}:${address}` in prices
  return { ...list, tokens: list.tokens.filter(priced) }
}

/** Content of the server's `sources.price_file`: dollar prices by CAIP-10 id, and exchange rates of the dollar. */
export interface PriceFile {
  readonly prices: Readonly<Record<string, string>>
  readonly rates: Readonly<Record<string, number>>
}

/** Prices of the tokens that have a value; ether is listed under the placeholder address of the native coin. */
export function priceFile(chainId: number, { usdc, dai, weth }: Tokens): PriceFile {
  const ether = '2500.12'
  const price = (address: string, dollars: string) => [`eip155:${chainId}:${address}`, dollars] as const
  const prices = [
    price('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee', ether),
    price(usdc.address, '1.0'),
    price(dai.address, '0.9998'),
    price(weth.address, ether)
  ]
  return { prices: Object.fromEntries(prices), rates: { eur: 0.8 } }
}

/** Metadata of a token as its `tokenURI` returns it, image included. */
export function metadata(name: string, colour: Colour, motif?: Motif): string {
  const text = JSON.stringify({ name, description: 'A small picture', image: scene(colour, motif) })
  return dataUri('application/json', Buffer.from(text))
}

export const amount = (value: number, decimals: number): bigint =>
  (BigInt(Math.round(value * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n

export const owner: Address = DEPLOYER
