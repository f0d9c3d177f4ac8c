/** Significant digits of a displayed fee. */
const DIGITS = 4

/** Decimals needed to show four digits after the leading zeros; null for text that is not a plain decimal. */
function decimalsOf(text: string): number | null {
  const [, whole = '', zeros = ''] = /^(\d+)\.(0*)\d*$/.exec(text) ?? []
  if (!whole) return null
  return whole === '0' ? zeros.length + DIGITS : Math.max(0, DIGITS - whole.length)
}

/** Exact decimal text rounded up to at most this number of decimals. */
function roundedUp(text: string, decimals: number): string {
  const [whole = '', part = ''] = text.split('.')
  const kept = BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
  const up = kept + (/[1-9]/.test(part.slice(decimals)) ? 1n : 0n)
  const digits = up.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const after = digits.slice(point).replace(/0+$/, '')
  return after ? `${digits.slice(0, point)}.${after}` : digits.slice(0, point)
}

/** Exact decimal text rounded up to four digits; the whole part is never shortened. */
export function shortFee(text: string): string {
  const decimals = decimalsOf(text)
  return decimals === null ? text : roundedUp(text, decimals)
}

/** Total including the fee, rounded up to the decimals of the displayed fee. */
export function shortTotal(total: string, fee: string): string {
  const decimals = decimalsOf(fee)
  return decimals === null || decimalsOf(total) === null ? total : roundedUp(total, decimals)
}
