/** Significant digits of a displayed fee. */
const DIGITS = 4

/** Decimals needed to show four digits after the leading zeros; null for text that is not a plain decimal. */
function decimalsOf(text: string): number | null {
  const [, whole = '', zeros = ''] = /^(\d+)\.(0*)\d*$/.exec(text) ?? []
  if (!whole) return null
  return whole === '0' ? zeros.length + DIGITS : Math.max(0, DIGITS - whole.length)
}

/** Exact decimal text rounded to at most this number of decimals: up, or to the nearest. */
function rounded(text: string, decimals: number, how: 'up' | 'nearest'): string {
  const [whole = '', part = ''] = text.split('.')
  const kept = BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
  const more = how === 'up' ? /[1-9]/ : /^[5-9]/
  const up = kept + (more.test(part.slice(decimals)) ? 1n : 0n)
  const digits = up.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const after = digits.slice(point).replace(/0+$/, '')
  return after ? `${digits.slice(0, point)}.${after}` : digits.slice(0, point)
}

/** Exact decimal text of an estimated fee, rounded up to four digits; the whole part is never shortened. */
export function shortFee(text: string): string {
  const decimals = decimalsOf(text)
  return decimals === null ? text : rounded(text, decimals, 'up')
}

/** Exact decimal text of a fee that was paid, rounded to the nearest of four digits; the whole part is never shortened. */
export function paidFee(text: string): string {
  const decimals = decimalsOf(text)
  return decimals === null ? text : rounded(text, decimals, 'nearest')
}

/** Total including the fee, rounded up to the decimals of the displayed fee. */
export function shortTotal(total: string, fee: string): string {
  const decimals = decimalsOf(fee)
  return decimals === null || decimalsOf(total) === null ? total : rounded(total, decimals, 'up')
}
