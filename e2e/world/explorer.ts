//! Starts the explorer of a chain, an upstream of the server.

import { type Program, program, startProgram } from './program.ts'

/** Starts an explorer; `world` is the folder with the addresses of the tokens that have prices. */
export function startExplorer(rpcUrl: string, world: string): Promise<Program> {
  return startProgram(program('portico-explorer', 'EXPLORER_BIN'), [
    '--rpc',
    rpcUrl,
    '--world',
    world,
    '--name',
    'Anvil One'
  ])
}
