//! Measures waiting times of a visitor with an embedded wallet. Prints the table that `cargo xtask bench login` writes into
//! docs/benchmarks.md.

import { type LoginTimes, loginTimes } from './bench/login.ts'
import { type Row, table } from './bench/report.ts'
import { startWorld, stopAll } from './world/world.ts'

const ROUNDS = 7

const world = await startWorld({ wallet: true })
try {
  const times = await loginTimes(world, ROUNDS)
  const sorted = (read: (times: LoginTimes) => number) => times.map(read).sort((one, other) => one - other)
  const row = (what: string, limit: number, read: (times: LoginTimes) => number, note = ''): Row => {
    const all = sorted(read)
    const [measured = 0, first = 0, last = 0] = [all[ROUNDS >> 1], all[0], all.at(-1)]
    const range = `${first.toFixed(1)} to ${last.toFixed(1)} ms`
    return { what, limit, measured, unit: 'ms', note: note ? `${range}; ${note}` : range }
  }
  const median = (read: (times: LoginTimes) => number) => `${sorted(read)[ROUNDS >> 1]?.toFixed(1)} ms`
  const server = (read: (times: LoginTimes) => number) => `${median(read)} more for the server's responses`
  console.log(
    table([
      row('The frame, from its element to its ready message', 300, ({ frame }) => frame),
      row(
        'From “Continue” to a field that takes the code, processor 4 times slower',
        150,
        ({ field, fieldServer }) => field - fieldServer,
        server(({ fieldServer }) => fieldServer)
      ),
      row(
        'From the last digit of the code to a connected account',
        400,
        ({ entry, entryServer }) => entry - entryServer,
        server(({ entryServer }) => entryServer)
      ),
      row(
        'From the approval of a message to its signature, with a warm worker',
        20,
        ({ signature, signatureServer }) => signature - signatureServer,
        server(({ signatureServer }) => signatureServer)
      )
    ])
  )
} finally {
  await stopAll()
}
