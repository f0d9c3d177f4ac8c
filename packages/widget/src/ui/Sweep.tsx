import type { CSSProperties } from 'react'

/** Filled circle of a clock that empties within `whole` milliseconds, of which `gone` have passed. */
export function Sweep({ whole, gone }: { whole: number; gone: number }) {
  const times = { '--rest': `${whole}ms`, '--gone': `${-gone}ms` } as CSSProperties
  return <circle cx="8" cy="8" r="2.5" pathLength="100" style={times} />
}
