//! The test world on one chain: contracts, names, and accounts with a history. It is built once, then loaded by every test.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { type Hex, hexToBytes, parseEther } from 'viem'
import type { Anvil } from '../anvil.ts'
import { ACCOUNTS, Builder, type Deployed } from './builder.ts'
import { compileContracts } from './compile.ts'
import { deployEns, registerNames } from './ens.ts'
import { deployExchange, swapSettings } from './exchange.ts'
import { makeHistory } from './history.ts'
import type { WorldAddresses } from './stored.ts'
import { deployTokens, type PriceFile, priceFile, type TokenList, tokenList } from './tokens.ts'

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11'

export interface WorldState {
  /** Content for `anvil --load-state`. */
  readonly state: string
  readonly addresses: WorldAddresses
  readonly tokens: TokenList
  readonly prices: PriceFile
  /** Swap section for a server's configuration. */
  readonly swap: string
}

interface Numbered {
  readonly header: { readonly number: Hex }
}

export async function buildWorld(anvil: Anvil): Promise<WorldState> {
  const contracts = compileContracts()
  const builder = new Builder(anvil)
  await builder.setCode(MULTICALL3, await deployedMulticall(anvil))
  const ens = await deployEns(builder, contracts)
  const tokens = await deployTokens(builder, contracts)
  await makeHistory(builder, tokens)
  builder.nextDay()
  await registerNames(builder, ens, { chainId: anvil.chainId, pictures: tokens.pictures.address })
  builder.nextDay()
  const exchange = await deployExchange(builder, tokens)
  // Every account ends with the balance of a fresh anvil chain.
  for (const account of ACCOUNTS) await builder.setBalance(account, parseEther('10000'))
  const block = Number(await anvil.request('eth_blockNumber'))
  const deployed: [string, Deployed][] = Object.entries({ ...tokens, ...ens, ...exchange })
  const state = inOrder(gunzipSync(hexToBytes((await anvil.request('anvil_dumpState')) as Hex)).toString())
  return {
    state,
    tokens: tokenList(anvil.chainId, tokens),
    prices: priceFile(anvil.chainId, tokens),
    swap: swapSettings(anvil.chainId, exchange, tokens),
    addresses: {
      chainId: anvil.chainId,
      block,
      accounts: ACCOUNTS,
      contracts: {
        multicall3: MULTICALL3,
        ...Object.fromEntries(deployed.map(([name, { address }]) => [name, address]))
      }
    }
  }
}

/** Sorts the dump, so that the same world gives the same text: anvil dumps blocks and transactions in no fixed order. */
function inOrder(dump: string): string {
  const state = JSON.parse(dump) as { blocks: Numbered[]; transactions: { block_number: Hex | number }[] }
  state.blocks.sort((one, other) => Number(one.header.number) - Number(other.header.number))
  state.transactions.sort((one, other) => Number(one.block_number) - Number(other.block_number))
  return JSON.stringify(state)
}

/** Runtime code that the constructor of Multicall3 returns. */
async function deployedMulticall(anvil: Anvil): Promise<Hex> {
  // Viem contains the bytecode but does not export it.
  const viem = dirname(createRequire(import.meta.url).resolve('viem/package.json'))
  const { multicall3Bytecode: data } = await import(pathToFileURL(join(viem, '_esm/constants/contracts.js')).href)
  return (await anvil.request('eth_call', [{ data }])) as Hex
}
