//! Texts in the language of the browser, if there are any, and otherwise in English.

import { ar } from './ar.ts'
import { en, type Texts } from './en.ts'

const all: Readonly<Record<string, Texts>> = { ar, en }

export function words(): Texts {
  return all[language()] ?? en
}

/** Language of the texts, as a BCP 47 tag. */
export function language(): string {
  const [own = 'en'] = navigator.language.toLowerCase().split('-')
  return own in all ? own : 'en'
}

/** Text with a value in the place of `{0}`. The value keeps its own direction. */
export const filled = (text: string, value: string): string => text.replace('{0}', `\u2068${value}\u2069`)

/** Date, and time of a device's use. */
export function dated(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(at)
}
