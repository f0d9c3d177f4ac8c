//! Formatting of amounts, which are integers of the smallest unit and never floating-point numbers.

/** Exact amount with all digits, grouped by three before the point. */
export function amount(value: bigint, decimals: number): string {
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',')
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}

/** Amount rounded up to `places` decimals, so that a fee is never higher than shown. */
export function atMost(value: bigint, decimals: number, places = 6): string {
  if (decimals <= places) return amount(value, decimals)
  const step = 10n ** BigInt(decimals - places)
  return amount(((value + step - 1n) / step) * step, decimals)
}
