//! Builds the world and stores it in a folder: `state.json` for `anvil --load-state`, `addresses.json` for the tests, `tokens.json` and
//! `prices.json` for a server's token list and prices, `demo-tokens.json` for the list of the demo, and `swap.toml` for the swap section of a server's configuration.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startAnvil } from '../anvil.ts'
import { BEGIN } from './builder.ts'
import { pricedTokens } from './tokens.ts'
import { buildWorld } from './world.ts'

const CHAIN = 31337

export async function writeWorld(folder: string): Promise<void> {
  const anvil = await startAnvil({ chainId: CHAIN, flags: ['--timestamp', String(BEGIN)] })
  try {
    const { state, addresses, tokens, prices, swap } = await buildWorld(anvil)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'state.json'), state)
    writeFileSync(join(folder, 'addresses.json'), `${JSON.stringify(addresses, null, 2)}\n`)
    writeFileSync(join(folder, 'tokens.json'), `${JSON.stringify(tokens, null, 2)}\n`)
    writeFileSync(join(folder, 'demo-tokens.json'), `${JSON.stringify(pricedTokens(tokens, prices), null, 2)}\n`)
    writeFileSync(join(folder, 'prices.json'), `${JSON.stringify(prices, null, 2)}\n`)
    writeFileSync(join(folder, 'swap.toml'), swap)
  } finally {
    await anvil.stop()
  }
}
