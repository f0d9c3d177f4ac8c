//! The explorer of a chain, which the server may ask.

import { type Program, program, startProgram } from './program.ts'

/** `world` is the folder with the addresses whose coins have prices. */
export function startExplorer(rpcUrl: string, world: string): Promise<Program> {
  return startProgram(program('portico-explorer', 'EXPLORER_BIN'), ['--rpc', rpcUrl, '--world', world])
}
