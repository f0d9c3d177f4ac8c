//! Digit grouping of exact decimal texts. It stands alone, so that the frame of the embedded wallet writes numbers the same way.

/** Formats an exact decimal text with the language's digit grouping; any other text is returned unchanged. */
export type WriteAmount = (text: string) => string

/** Cache by language: creating a number format takes longer than rendering a row. */
const writers = new Map<string, WriteAmount>()

/**
 * Formatter for amounts: `10000.000` is `10,000.000` in English. It drops no digit, and uses only digits that can be typed. One too small to
 * show comes as `<0.001`; its direction, where it has one, is a sign and a thin space before that: `+ <0.001`.
 */
export function writeAmount(language: string): WriteAmount {
  const write = writers.get(language) ?? writerOf(language)
  writers.set(language, write)
  return write
}

/** Amount of US dollars; one too small to show is `<$0.01`. */
export function writeDollars(write: WriteAmount, amount: string): string {
  const [, sign = '', digits = amount] = /^([<>])(.*)$/.exec(amount) ?? []
  return `${sign}$${write(digits)}`
}

function writerOf(language: string): WriteAmount {
  // Latin digits in every language, because amount fields accept only these.
  const format = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  const point = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return (text) => {
    const [, sign, whole, part] = /^([<>]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === undefined) return text
    // BigInt for whole numbers of any size; decimals are not rounded and need no formatting.
    return sign + format.format(BigInt(whole)) + (part === undefined ? '' : point + part)
  }
}
