//! The world that `cargo xtask world` left: where it is, what stands in it. Node only: `@portico/testkit/world`.

import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** What stands where. */
export interface WorldAddresses {
  readonly chainId: number
  /** The last block of the stored state. */
  readonly block: number
  /** Anvil's accounts: the visitor, alice.eth, one who claims to be her, carol.portico.eth, painter.eth, and five more. */
  readonly accounts: readonly string[]
  readonly contracts: Readonly<Record<string, string>>
}

export interface StoredWorld {
  /** The file for `startAnvil({ state })`. */
  readonly state: string
  /** The file with the list of its coins. */
  readonly tokens: string
  /** The file with what they are worth. */
  readonly prices: string
  /** The file with the part of a server's configuration that says where they are swapped. */
  readonly swap: string
  /** The folder of them all. */
  readonly folder: string
  readonly addresses: WorldAddresses
}

/** The stored world; throws with what to type when there is none. */
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
