/** The digits that say how much a fee is. */
const DIGITS = 4

/** An exact decimal text, rounded to four digits behind the zeros that it starts with; whole coins are not rounded. */
export function shortFee(text: string): string {
  const [, whole = '', zeros = ''] = /^(\d+)\.(0*)\d*$/.exec(text) ?? []
  if (!whole) return text
  // So many digits need no decimals, and may be more than a number keeps.
  if (whole.length > DIGITS) return whole
  const decimals = whole === '0' ? zeros.length + DIGITS : DIGITS - whole.length
  const written = Number(text).toFixed(Math.min(decimals, 100))
  return written.includes('.') ? written.replace(/\.?0+$/, '') : written
}
