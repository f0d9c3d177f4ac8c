/** Decimals that every amount has that stands for itself, as in details, so that it looks the same as in the lists (spec 2.10). */
const LEAST = 3

/** Decimals of an amount that nobody has to type again, such as a balance. */
export const MOST = 8

/** Whole digits of the longest amount that anybody reads; tokens with more exist to deceive. */
const WHOLE = 18

/**
 * One spelling of an exact decimal, with at least the given decimals, and cut to at most `most`: `0.5` is `0.500`, and with none `0.5` again.
 * A number that is too small to show becomes `<0.00000001`, one that is too long `>999999999999999999`; any other text is returned unchanged.
 */
export function spelled(text: string, most = Number.POSITIVE_INFINITY, least = LEAST): string {
  const [, whole, part = ''] = /^0*(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return text
  if (whole.length > WHOLE) return `>${'9'.repeat(WHOLE)}`
  const cut = part.slice(0, most)
  if (whole === '0' && /[1-9]/.test(part) && !/[1-9]/.test(cut)) return `<0.${'1'.padStart(most, '0')}`
  const shown = cut.replace(/0+$/, '').padEnd(least, '0')
  return shown ? `${whole}.${shown}` : whole
}

/** Exact decimal as it was typed and reviewed, without padding zeros, for the receipt of what moved. */
export function unpadded(text: string, most?: number): string {
  return spelled(text, most, 0)
}

/** Significant digits of an amount in a swap, and the decimals that it keeps in any case: those of `significant` in the core. */
const DIGITS = 6
const FEWEST = 2

/** Exact decimal cut to the digits that the preview of a swap shows. */
export function significant(text: string): string {
  const [, whole, zeros = '', digits = ''] = /^(\d+)\.(0*)(\d*)$/.exec(text) ?? []
  if (whole === undefined) return text
  const kept = whole === '0' ? zeros.length + DIGITS : Math.max(FEWEST, DIGITS - whole.length)
  return unpadded(`${whole}.${zeros}${digits}`, kept)
}
