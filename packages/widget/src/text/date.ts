import { useContext } from 'react'
import { LanguageContext } from './text.tsx'

/** Formatter for dates in the visitor's language, with the same digits as amounts. The core counts days and months in UTC. */
export function useDate(): {
  month(year: number, month: number): string
  day(date: string): string
  time(at: number): string
  moment(date: string): string
} {
  const { code } = useContext(LanguageContext)
  return writeDate(code)
}

export function writeDate(language: string) {
  const options = { timeZone: 'UTC', numberingSystem: 'latn' } as const
  const write = (date: string, format: Intl.DateTimeFormatOptions) => {
    const time = Date.parse(date)
    return Number.isNaN(time) ? date : new Intl.DateTimeFormat(language, { ...options, ...format }).format(time)
  }
  return {
    /** "November 2026" */
    month: (year: number, month: number) =>
      new Intl.DateTimeFormat(language, { ...options, year: 'numeric', month: 'long' }).format(
        Date.UTC(year, month - 1)
      ),
    /** "Nov 2"; invalid dates are returned unchanged. */
    day: (date: string) => write(date, { day: 'numeric', month: 'short' }),
    /** "Nov 2, 2026, 8:00 AM UTC" */
    moment: (date: string) =>
      write(date, {
        year: 'numeric',
        day: 'numeric',
        month: 'short',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short'
      }),
    /** "Nov 2, 2026, 2:05 PM" in the visitor's time zone; `at` is in epoch milliseconds. */
    time: (at: number) =>
      new Intl.DateTimeFormat(language, { numberingSystem: 'latn', dateStyle: 'medium', timeStyle: 'short' }).format(at)
  }
}
