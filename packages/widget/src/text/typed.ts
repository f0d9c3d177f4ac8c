/** Numbers that are written out as examples. */
const [LEAST, MOST] = [1e-18, 1e15]

/**
 * Numbers that a message about a typed amount names: the two readings of an ambiguous one, the full number of one with an exponent, otherwise
 * `about`. Texts with other digits than 0 to 9 get an example.
 */
export function namedIn(fault: string, typed: string, about = ''): readonly string[] {
  const [, whole = '2', part = '500'] = /^(\d+),(\d+)$/.exec(typed.trim()) ?? []
  if (fault === 'ambiguous') return [whole + part, plain(Number(`${whole}.${part}`))]
  if (fault !== 'exponent') return [about]
  const full = Number(typed.trim())
  return [full >= LEAST && full < MOST ? plain(full) : '0.0005']
}

/** Number without exponent and separators. */
const plain = (number: number): string => number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 18 })
