//! Text of the benchmark page: each budget, the measured value, and whether the budget is kept.

import { cpus, loadavg, release, totalmem, type } from 'node:os'

export interface Row {
  readonly what: string
  readonly limit: number
  readonly measured: number
  readonly unit: 'bytes' | 'ms' | 'requests' | 'timers'
  readonly note?: string
}

export function kept({ limit, measured }: Row): boolean {
  return measured <= limit
}

/** Table with a row for each budget. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { what, limit, measured, unit, note = '' } = row
    return `| ${what} | ${inWords(limit, unit)} | ${inWords(measured, unit)} | ${kept(row) ? 'kept' : '**missed**'} | ${note} |`
  })
  return ['| Budget | At most | Measured | | |', '|---|---|---|---|---|', ...lines].join('\n')
}

export function report(rows: readonly Row[], details: readonly string[], browser: string): string {
  const [cpu] = cpus()
  return `# Benchmarks

Written by \`cargo xtask bench\`; do not edit what a section's command writes.

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${type()} ${kernel()}; load ${loadavg()[0]?.toFixed(1)} at the end
- Browser: Chromium ${browser}, headless
- Page: \`examples/demo/bench.html\`, built for production and alone: React and the widget; the real server sends it in brotli over HTTP/1.1

${table(rows)}

${details.map((detail) => `- ${detail}`).join('\n')}
`
}

/** Major and minor version of the kernel, without its build number. */
function kernel(): string {
  return release().split('.').slice(0, 2).join('.')
}

function inWords(value: number, unit: Row['unit']): string {
  if (unit === 'bytes') return value < 1e6 ? `${(value / 1e3).toFixed(1)} KB` : `${(value / 1e6).toFixed(1)} MB`
  if (unit === 'ms') return `${Number.isInteger(value) ? value : value.toFixed(value < 10 ? 2 : 1)} ms`
  return `${value} ${unit}`
}
