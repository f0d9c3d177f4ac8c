//! Measures how long a visitor waits for the widget after the choice of a wallet. Prints the table that `cargo xtask bench connect` writes into
//! docs/benchmarks.md.

import { loadavg } from 'node:os'
import { type Choice, type Connection, connectTwice } from './bench/connect.ts'
import { type Row, table } from './bench/report.ts'
import { startSolana } from './world/solana.ts'
import { startWorld, stopAll } from './world/world.ts'

const ROUNDS = 30
const LIMIT = 100

const solana = await startSolana()
const CHOICES: readonly (Choice & { readonly name: string })[] = [
  {
    name: 'Solana',
    namespace: 'solana',
    page: `solana=${solana.id.replace('solana:', '')}`,
    connector: 'solana:demo solana wallet'
  },
  { name: 'Bitcoin', namespace: 'bip122', page: 'bitcoin=mainnet', connector: 'bitcoin:demo bitcoin wallet' },
  { name: 'Polkadot', namespace: 'polkadot', page: 'polkadot=polkadot', connector: 'polkadot:demo polkadot wallet' },
  { name: 'EVM', namespace: 'eip155', page: '', connector: 'test.portico.demo' }
]

const sorted = (values: readonly number[]) => [...values].sort((one, other) => one - other)
const median = (values: readonly number[]) => sorted(values)[values.length >> 1] ?? Number.NaN
const most = (values: readonly number[]) => sorted(values)[Math.ceil(values.length * 0.95) - 1] ?? Number.NaN

function rows(what: string, connections: readonly Connection[]): Row[] {
  const ours = connections.map(({ total, own }) => total - own)
  const range = `${Math.min(...ours).toFixed(1)} to ${Math.max(...ours).toFixed(1)} ms`
  const own = `the wallet's own time ${median(connections.map(({ own }) => own)).toFixed(1)} ms`
  const fetched = `${median(connections.map(({ fetched }) => fetched))} requests`
  return [
    { what: `${what}: median`, limit: LIMIT, measured: median(ours), unit: 'ms', note: `${range}; ${own}; ${fetched}` },
    { what: `${what}: 95th percentile`, limit: LIMIT, measured: most(ours), unit: 'ms' }
  ]
}

const world = await startWorld({ solana })
try {
  const all: Row[] = []
  for (const choice of CHOICES) {
    const [cold, warm]: [Connection[], Connection[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first, second] = await connectTwice(world.browser, world.origin, choice)
      cold.push(first)
      warm.push(second)
    }
    all.push(...rows(`${choice.name}, cold`, cold), ...rows(`${choice.name}, warm`, warm))
  }
  console.log(`The load was ${loadavg()[0]?.toFixed(1)} at the end.`)
  console.log(table(all))
} finally {
  await stopAll()
  solana.stop()
}
