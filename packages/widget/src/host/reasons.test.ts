//! The documentation page of errors lists every error that the page itself raises.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../../../docs/errors.md'), 'utf8')
const rows = page.split('\n').filter((line) => line.startsWith('| `'))

/** Every `('reason', 'message')` and `reason: 'reason'` in the source of `host` and `shell`. */
function refusals(): (readonly [reason: string, message: string])[] {
  const folders = ['.', '../shell'].map((folder) => join(import.meta.dirname, folder))
  const files = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  const sources = files
    .filter((name) => /\.ts$/.test(name) && !/\.test\.ts$/.test(name))
    .map((name) => readFileSync(name, 'utf8'))
  const calls = /(?:PorticoError|#error|rejectAll|#reject)\((?:[^'\n]*, )?'(\w+)', (?:'([^']+)'|\w)|reason: '(\w+)'/g
  return sources.flatMap((source) =>
    [...source.matchAll(calls)].map((hit) => [hit[1] ?? hit[3] ?? '', hit[2] ?? ''] as const)
  )
}

it('every reason of the page is on the page of errors, with its message', () => {
  const found = refusals()
  expect(new Set(found.map(([reason]) => reason))).toEqual(
    new Set([
      'noBrowser',
      'stopped',
      'modalClosed',
      'loadFailed',
      'restarted',
      'noModal',
      'invalidArgument',
      'featureOff'
    ])
  )
  for (const [reason, message] of found)
    expect(
      rows.some((row) => row.startsWith(`| \`${reason}\` |`) && row.includes(message)),
      `${reason}: ${message}`
    ).toBe(true)
})
