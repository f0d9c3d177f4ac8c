import { useContext } from 'react'
import { LanguageContext } from './text.tsx'

/** Formatter for dates in the visitor's language and time zone, with the same digits as amounts. */
export function useDate() {
  const { code } = useContext(LanguageContext)
  return writeDate(code)
}

export function writeDate(language: string) {
  const write = (date: string | number, format: Intl.DateTimeFormatOptions) => {
    const time = new Date(date)
    return Number.isNaN(time.getTime())
      ? String(date)
      : new Intl.DateTimeFormat(language, { numberingSystem: 'latn', ...format }).format(time)
  }
  return {
    /** "November 2026" */
    month: (date: string) => write(date, { year: 'numeric', month: 'long' }),
    /** "Nov 2"; invalid dates are returned unchanged. */
    day: (date: string) => write(date, { day: 'numeric', month: 'short' }),
    /** "Nov 2, 2026, 2:05 PM", of a date or of epoch milliseconds. */
    time: (at: string | number) =>
      // Not `dateStyle`, which in some languages writes the month as a number.
      write(at, { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' })
  }
}
