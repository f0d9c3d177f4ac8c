//! The world that `cargo xtask world` stored: its files and its addresses. Node only: `@portico/testkit/world`.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Content of `addresses.json`. */
export interface WorldAddresses {
  readonly chainId: number
  /** The last block of the stored state. */
  readonly block: number
  /** Anvil's accounts: the visitor, alice.eth, an impostor of alice.eth, carol.portico.eth, painter.eth, and five more. */
  readonly accounts: readonly string[]
  readonly contracts: Readonly<Record<string, string>>
}

export interface StoredWorld {
  /** Path of the state file for `startAnvil({ state })`. */
  readonly state: string
  /** Path of the token list. */
  readonly tokens: string
  /** Path of the price file. */
  readonly prices: string
  /** Path of the swap section of a server's configuration. */
  readonly swap: string
  /** Folder of all these files. */
  readonly folder: string
  readonly addresses: WorldAddresses
}

/** Stored world; without one it throws an error with the command that makes it. */
export function storedWorld(): StoredWorld {
  const folder = process.env.PORTICO_WORLD ?? join(repository(), 'target/world')
  const state = join(folder, 'state.json')
  if (!existsSync(state)) throw new Error(`There is no world in ${folder}: make it with \`cargo xtask world\`.`)
  return {
    folder,
    state,
    tokens: join(folder, 'tokens.json'),
    prices: join(folder, 'prices.json'),
    swap: join(folder, 'swap.toml'),
    addresses: JSON.parse(readFileSync(join(folder, 'addresses.json'), 'utf8')) as WorldAddresses
  }
}

function repository(): string {
  let folder = dirname(createRequire(import.meta.url).resolve('@portico/testkit/package.json'))
  while (!existsSync(join(folder, 'Cargo.toml'))) folder = dirname(folder)
  return folder
}
