// Compiles the contracts of this folder to `<Contract>.hex`, their creation code. Run after a change: node crates/server/contracts/build.mjs

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const here = new URL('.', import.meta.url)
const solc = createRequire(new URL('../../../packages/testkit/package.json', import.meta.url))('solc')
const files = readdirSync(here).filter((file) => file.endsWith('.sol'))
const sources = Object.fromEntries(files.map((file) => [file, { content: readFileSync(new URL(file, here), 'utf8') }]))
const settings = {
  // Without PUSH0, which not every chain supports.
  evmVersion: 'paris',
  optimizer: { enabled: true, runs: 200 },
  // Without the metadata trailer, so that equal code has equal bytes.
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
  outputSelection: { '*': { '*': ['evm.bytecode.object'] } }
}
const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings })))
const mistakes = (output.errors ?? []).map(({ formattedMessage }) => formattedMessage)
if (mistakes.length > 0) throw new Error(mistakes.join('\n'))
for (const file of files) {
  for (const [name, { evm }] of Object.entries(output.contracts[file])) {
    writeFileSync(new URL(`${name}.hex`, here), `${evm.bytecode.object}\n`)
  }
}
