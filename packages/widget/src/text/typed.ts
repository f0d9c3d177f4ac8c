/** Largest number that is written out as an example. */
const MOST = 1e15

/**
 * Numbers that a message about a typed amount names: the two readings of an ambiguous one, the full number of one with an exponent, otherwise
 * `about`.
 */
export function namedIn(fault: string, typed: string, about = ''): readonly string[] {
  if (fault === 'ambiguous')
    return [typed.replace(/\D/g, ''), plain(Number(typed.replace(/[^\d](?=.*[^\d])/g, '').replace(/[^\d]/, '.')))]
  const full = fault === 'exponent' ? Number(typed) : Number.NaN
  if (fault === 'exponent') return [full > 0 && full < MOST ? plain(full) : '0.0005']
  return [about]
}

/** Number without exponent and separators. */
const plain = (number: number): string => number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 18 })
