//! Amounts as they are signed: integers of the smallest unit, never through a floating point number.

/** Exact: every digit that there is, in groups of three before the point. */
export function amount(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}

/** At least `value`, with `places` digits behind the point: a fee is never more than what was shown. */
export function atMost(value: bigint, decimals: number, places = 6): string {
  if (decimals <= places) return amount(value, decimals)
  const step = 10n ** BigInt(decimals - places)
  return amount(((value + step - 1n) / step) * step, decimals)
}
