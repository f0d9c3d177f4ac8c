import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ENTRIES = {
  index: ['AppKit', 'PorticoError', 'createAppKit'],
  react: [
    'AppKitAccountButton',
    'AppKitButton',
    'AppKitConnectButton',
    'AppKitNetworkButton',
    'AppKitProvider',
    'PorticoError',
    'createAppKit',
    'useAppKit',
    'useAppKitAccount',
    'useAppKitBalance',
    'useAppKitConnection',
    'useAppKitConnections',
    'useAppKitEvents',
    'useAppKitNetwork',
    'useAppKitProvider',
    'useAppKitSIWX',
    'useAppKitState',
    'useAppKitTheme',
    'useDisconnect',
    'useWalletInfo'
  ],
  networks: [
    'anvil',
    'arbitrum',
    'arbitrumGoerli',
    'aurora',
    'auroraTestnet',
    'avalanche',
    'avalancheFuji',
    'base',
    'baseGoerli',
    'baseSepolia',
    'bitcoin',
    'bitcoinSignet',
    'bitcoinTestnet',
    'bitcoinTestnet4',
    'bsc',
    'bscTestnet',
    'celo',
    'defineChain',
    'gnosis',
    'goerli',
    'hyperEvm',
    'kusama',
    'linea',
    'mainnet',
    'optimism',
    'optimismGoerli',
    'polkadot',
    'polygon',
    'polygonMumbai',
    'scroll',
    'sepolia',
    'solana',
    'solanaDevnet',
    'solanaTestnet',
    'westend',
    'zksync',
    'zksyncTestnet',
    'zora'
  ],
  ethers: ['EthersAdapter']
}

/** Globals of a browser that a server lacks; reading any of them fails the test. */
const GLOBALS = [
  'window',
  'document',
  'location',
  'navigator',
  'localStorage',
  'sessionStorage',
  'customElements',
  'HTMLElement',
  'CSSStyleSheet',
  'matchMedia',
  'screen',
  'self',
  'history',
  'fetch',
  'setTimeout',
  'setInterval',
  'requestAnimationFrame'
]

const IMPORT = `
const [file, ...globals] = process.argv.slice(1)
const touched = []
for (const name of globals) {
  Object.defineProperty(globalThis, name, { configurable: true, get() { touched.push(name); throw new Error(name) } })
}
const names = Object.keys(await import(file)).sort()
process.stdout.write(JSON.stringify({ names, touched }))
`

let folder: string

beforeAll(async () => {
  // In node_modules, so that Node resolves the packages that the bundle leaves to its host.
  folder = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.portico-entries-'))
  await build({
    entryPoints: Object.keys(ENTRIES).map((entry) => join(import.meta.dirname, `${entry}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    external: ['react', 'react-dom', 'react/jsx-runtime', 'react-dom/client']
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(Object.entries(ENTRIES))('the entry %s', (entry, names) => {
  const file = () => pathToFileURL(join(folder, `${entry}.mjs`)).href
  const node = (...globals: string[]) =>
    JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', IMPORT, '--', file(), ...globals], {
        encoding: 'utf8'
      })
    )

  it('exports what it says, and nothing else', () => {
    expect(node().names).toEqual([...names].sort())
  })

  it('touches no browser global when a server imports it', () => {
    expect(node(...GLOBALS).touched).toEqual([])
  })
})
