//! Names and pictures of the gallery. The snapshots are of the core's own world, with test chains and scripted wallets; the screens show
//! wallets, networks and tokens that people know in their place.

import type { Snapshot } from '../../../packages/widget/src/generated/core.ts'

const files = import.meta.glob<string>(
  [
    '../../../crates/server/directory/images/{46497d6706ed491d,47dbff30c6d8818a,7c8d07458a12c090,8a879a6434e98215,8ae1c94c48910c6d,bc9d044cd98ddbb0,d69bccf9609dd39b,d813f94957b4f5d2,e38a9d8d8dd3edb5,e7c917eb865ead72,f146f8aab956f51e,fac87b098d4f734b}.webp',
    '../../../crates/server/marks/images/*.webp'
  ],
  { query: '?url', import: 'default', eager: true }
)
const urls = new Map(Object.entries(files).map(([path, url]) => [path.replace(/^.*\/|\.webp$/g, ''), url]))

/** Pictures of wallets in the server's directory, by name. */
const wallets: Readonly<Record<string, string>> = {
  'Binance Wallet': '47dbff30c6d8818a',
  'Coinbase Wallet': 'bc9d044cd98ddbb0',
  Ledger: 'd813f94957b4f5d2',
  MetaMask: '8a879a6434e98215',
  'OKX Wallet': 'e7c917eb865ead72',
  Phantom: 'e38a9d8d8dd3edb5',
  'Rabby Wallet': 'f146f8aab956f51e',
  Rainbow: 'd69bccf9609dd39b',
  Safe: '7c8d07458a12c090',
  'Trust Wallet': '8ae1c94c48910c6d',
  'Uniswap Wallet': '46497d6706ed491d',
  Zerion: 'fac87b098d4f734b'
}

/** Pictures of tokens in the server's store, by symbol. */
const tokens = Object.values(
  import.meta.glob<Readonly<Record<string, string>>>('../../../crates/server/marks/marks.json', {
    import: 'tokens',
    eager: true
  })
)[0]

/** Art in the place of the pictures of NFTs, by name. */
const art: Readonly<Record<string, string>> = {
  'A Collectible With A Rather Long Name': 'dunes',
  'Anvil Punk 7': 'orbit',
  'Lantern #12': 'first-light',
  Ticket: 'fern',
  قنديل: 'colonnade'
}

const names: readonly (readonly [RegExp, string])[] = [
  [/Alpha Wallet/g, 'MetaMask'],
  [/\bBeta\b/g, 'Rabby Wallet'],
  [/Gamma Vault/g, 'Rainbow'],
  [/\bDelta\b/g, 'Trust Wallet'],
  [/\bEpsilon\b/g, 'Phantom'],
  [/\bZeta\b/g, 'OKX Wallet'],
  [/\bEta\b/g, 'Zerion'],
  [/\bTheta\b/g, 'Uniswap Wallet'],
  [/\bOmega\b/g, 'Safe'],
  [/Page Wallet/g, 'Binance Wallet'],
  [/\bPocket\b/g, 'Trust Wallet'],
  [/Desk Wallet/g, 'Ledger'],
  [/Anvil One/g, 'Ethereum'],
  [/Anvil Two/g, 'Base'],
  [/\b31337\b/g, '1'],
  [/\b31338\b/g, '8453']
]

/** Networks of the snapshots that are no test networks under their new names. */
const mainnets = ['eip155:1', 'eip155:10', 'eip155:137', 'eip155:8453']

/** Snapshot with known names and pictures. */
export function real(snapshot: Snapshot): Snapshot {
  const text = names.reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(snapshot))
  return JSON.parse(text, (_, value) => {
    if (typeof value !== 'object' || value === null) return value
    if (mainnets.includes(value.caipNetworkId) && 'testnet' in value) value.testnet = false
    if (pictureOf(value)) value.icon = true
    // A wallet that the site lists has no picture in the store, but an address of one.
    if (value.handle === '' && value.imageUrl === null) value.imageUrl = urls.get(wallets[value.name] ?? '') ?? null
    // The address of the site's icon leads nowhere.
    if (value.icon === 'https://shop.example/icon.png') value.icon = `${import.meta.env.BASE_URL}shop.svg`
    const token = value.address !== null && value.contract !== null ? tokenPicture(value.symbol) : undefined
    if (value.iconUrl === null && token) value.iconUrl = token
    // A move of the history and what can be bought call their picture so.
    if (value.picture === null) value.picture = token ?? tokenPicture(value.name) ?? artOf(value.name) ?? null
    return value
  })
}

function artOf(name: unknown): string | undefined {
  const file = art[String(name)]
  return file && `${import.meta.env.BASE_URL}art/${file}.svg`
}

function tokenPicture(symbol: unknown): string | undefined {
  // The wrapped coin looks like the coin.
  return urls.get(tokens?.[symbol === 'WETH' ? 'ETH' : String(symbol)] ?? '')
}

/** URL of the picture of a wallet in a snapshot, if it has one. */
function pictureOf(wallet: { handle?: unknown; name?: unknown }): string | undefined {
  if (typeof wallet.handle !== 'string' || wallet.handle === '') return undefined
  return urls.get(wallet.handle.replace('image:', '')) ?? urls.get(wallets[String(wallet.name)] ?? '')
}

/** Pictures of the wallets in a snapshot, by handle. */
export function picturesIn(snapshot: Snapshot): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  JSON.stringify(snapshot, (_, value) => {
    const picture = typeof value === 'object' && value !== null ? pictureOf(value) : undefined
    if (picture) found.set(value.handle, picture)
    return value
  })
  return found
}
