import { useContext } from 'react'
import { type WriteAmount, writeAmount } from './number.ts'
import { LanguageContext } from './text.tsx'

/** Formatter for amounts in the language of the modal. */
export function useAmount(): WriteAmount {
  return writeAmount(useContext(LanguageContext).code)
}
