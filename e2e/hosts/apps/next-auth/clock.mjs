//! Adds the milliseconds in the file `CLOCK` to the time of a Node process, so that a test need not wait for the end of a session.

import { readFileSync } from 'node:fs'

const RealDate = Date
const now = () => RealDate.now() + Number(readFileSync(process.env.CLOCK ?? '', 'utf8'))

globalThis.Date = class extends RealDate {
  constructor(...values) {
    super(...(values.length === 0 ? [now()] : values))
  }
  static now = now
}
