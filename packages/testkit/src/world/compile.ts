//! Compiles our own test contracts, and loads artefacts from npm packages.

import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Abi, Hex } from 'viem'

export interface Artefact {
  readonly abi: Abi
  readonly bytecode: Hex
  /** Runtime code after the constructor; immutable values from constructor arguments are not filled in. */
  readonly deployedBytecode: Hex
}

interface CompilerOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts: Record<string, Record<string, CompilerContract>>
}

interface CompilerContract {
  readonly abi: Abi
  readonly evm: Record<'bytecode' | 'deployedBytecode', { readonly object: string }>
}

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } }): string
}

const SETTINGS = {
  // EVM version of the chain that tests start.
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  // Without the hash of the sources, so that the same code compiles to the same bytes.
  metadata: { bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } }
}

const require = createRequire(import.meta.url)

/** Compiles every contract of `packages/testkit/contracts`; keyed by contract name. */
export function compileContracts(): ReadonlyMap<string, Artefact> {
  const folder = join(dirname(require.resolve('@portico/testkit/package.json')), 'contracts')
  const files = readdirSync(folder).filter((file) => file.endsWith('.sol'))
  const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(join(folder, file), 'utf8') }]))
  const input = JSON.stringify({ language: 'Solidity', sources, settings: SETTINGS })
  const compiler = require('solc') as Compiler
  const fromPackage = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output = JSON.parse(compiler.compile(input, { import: fromPackage })) as CompilerOutput
  const mistakes = (output.errors ?? []).filter(({ severity }) => severity === 'error')
  if (mistakes.length > 0) throw new Error(mistakes.map(({ formattedMessage }) => formattedMessage).join('\n'))
  const contracts = files.flatMap((file) => Object.entries(output.contracts[file] ?? {}))
  return new Map(contracts.map(([name, { abi, evm }]) => [name, artefact(abi, evm)]))
}

function artefact(abi: Abi, evm: CompilerContract['evm']): Artefact {
  return { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` }
}

/** ABI and bytecode for a deployment. */
export type Creation = Pick<Artefact, 'abi' | 'bytecode'>

/** Contract from a Uniswap package; some of them leave out the `0x`. */
export function uniswapArtefact(ofPackage: string, file: string): Creation {
  const folder = dirname(require.resolve(`@uniswap/${ofPackage}/package.json`))
  const { abi, bytecode } = JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Creation
  return { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` }
}

/** Contract from `@ensdomains/ens` or `@ensdomains/resolver`. */
export function ensArtefact(ofPackage: 'ens' | 'resolver', name: string): Artefact {
  const folder = dirname(require.resolve(`@ensdomains/${ofPackage}/package.json`))
  return JSON.parse(readFileSync(join(folder, 'build/contracts', `${name}.json`), 'utf8')) as Artefact
}
