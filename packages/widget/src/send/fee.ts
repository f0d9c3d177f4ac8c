/** The digits that say how much a fee is. */
const DIGITS = 4

/** How many decimals an exact text needs to have four digits behind the zeros that it starts with; null for what is no plain decimal. */
function decimalsOf(text: string): number | null {
  const [, whole = '', zeros = ''] = /^(\d+)\.(0*)\d*$/.exec(text) ?? []
  if (!whole) return null
  return whole === '0' ? zeros.length + DIGITS : Math.max(0, DIGITS - whole.length)
}

/** An exact decimal text with so many decimals at most, and never less than it is. */
function roundedUp(text: string, decimals: number): string {
  const [whole = '', part = ''] = text.split('.')
  const kept = BigInt(whole + part.slice(0, decimals).padEnd(decimals, '0'))
  const up = kept + (/[1-9]/.test(part.slice(decimals)) ? 1n : 0n)
  const digits = up.toString().padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const after = digits.slice(point).replace(/0+$/, '')
  return after ? `${digits.slice(0, point)}.${after}` : digits.slice(0, point)
}

/** An exact decimal text, rounded up to four digits; whole coins are all written. */
export function shortFee(text: string): string {
  const decimals = decimalsOf(text)
  return decimals === null ? text : roundedUp(text, decimals)
}

/** What is paid with the fee, as far as the fee is written. */
export function shortTotal(total: string, fee: string): string {
  const decimals = decimalsOf(fee)
  return decimals === null || decimalsOf(total) === null ? total : roundedUp(total, decimals)
}
