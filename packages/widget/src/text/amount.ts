import { useContext } from 'react'
import { LanguageContext } from './text.tsx'

/** Writes an exact decimal text as the language groups its digits; what is no plain decimal stays as it is. */
export type WriteAmount = (text: string) => string

/** Amounts as people read them: `10000.000` is `10,000.000` in English. No digit is lost, and each stays one that can be typed. */
export function useAmount(): WriteAmount {
  return writeAmount(useContext(LanguageContext).code)
}

/** Each is made once: what writes a language's numbers takes longer to make than a row of a list takes to draw. */
const writers = new Map<string, WriteAmount>()

export function writeAmount(language: string): WriteAmount {
  const write = writers.get(language) ?? writerOf(language)
  writers.set(language, write)
  return write
}

function writerOf(language: string): WriteAmount {
  // Digits that an amount field takes, in every language.
  const format = new Intl.NumberFormat(language, { numberingSystem: 'latn' })
  const point = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  return (text) => {
    const [, whole, part] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    if (whole === undefined) return text
    // Whole numbers of any size; decimals are not rounded, so they need no formatting.
    return format.format(BigInt(whole)) + (part === undefined ? '' : point + part)
  }
}
