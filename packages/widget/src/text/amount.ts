import { useContext } from 'react'
import { type WriteAmount, writeAmount, writeDollars } from './number.ts'
import { LanguageContext } from './text.tsx'

/** Formatter for amounts in the language of the modal. */
export function useAmount(): WriteAmount {
  return writeAmount(useContext(LanguageContext).code)
}

/** Formatter for US dollars in the language of the modal. */
export function useDollars(): WriteAmount {
  const write = useAmount()
  return (amount) => writeDollars(write, amount)
}
