//! Texts in the language of the widget, which the frame's address names. It chooses texts and decides nothing else.

import { writeAmount } from '../../../widget/src/text/number.ts'
import type { ApprovalText } from '../generated/frame.ts'
import { en, type Texts } from './en.ts'
import { keyOf } from './faults.ts'

/** Languages other than English: each is a file of its own, loaded only where it is spoken. */
const others: Readonly<Record<string, () => Promise<Texts>>> = {
  ar: () => import('./ar.ts').then((module) => module.ar)
}

let spoken: { readonly code: string; readonly texts: Texts } = { code: 'en', texts: en }

/** Speaks a language from now on; English for one without texts, or whose file cannot be loaded. Never rejects. */
export async function speak(language: string): Promise<void> {
  const code = language.toLowerCase().split('-', 1)[0] ?? ''
  const load = Object.hasOwn(others, code) ? others[code] : undefined
  const texts = await load?.().catch(() => undefined)
  spoken = texts ? { code, texts } : { code: 'en', texts: en }
}

export function words(): Texts {
  return spoken.texts
}

/** Language of the texts, as a BCP 47 tag. */
export function language(): string {
  return spoken.code
}

/** A value keeps its own direction between words of another one. From left to right nothing needs that, and copies stay without marks. */
const isolated = (value: string): string => (words().direction === 'rtl' ? `\u2068${value}\u2069` : value)

/** Text with a value in the place of `{0}`. */
export const filled = (text: string, ...values: readonly string[]): string =>
  text.replace(/\{(\d)\}/g, (_, gap: string) => isolated(values[Number(gap)] ?? ''))

/** Date, and time of a device's use. */
export function dated(at: number): string {
  return new Intl.DateTimeFormat(language(), {
    dateStyle: 'medium',
    timeStyle: 'short',
    numberingSystem: 'latn'
  }).format(at)
}

/** Time in the visitor's zone, which it names; a text that is no time stays as it is. */
function timed(text: string): string {
  const at = Date.parse(text)
  if (Number.isNaN(at)) return text
  const form = { dateStyle: 'medium', timeStyle: 'long', numberingSystem: 'latn' } as const
  return new Intl.DateTimeFormat(language(), form).format(at)
}

/** Text of an approval. `number` writes its numbers, which are exact decimal texts. */
export function written({ phrase, values }: ApprovalText, number = (exact: string) => exact): string {
  if (phrase === 'plain') return values[0] ?? ''
  const write = writeAmount(language())
  return words().approval.phrases[phrase].replace(/\{([#@]?)(\d)\}/g, (_, kind: string, gap: string) => {
    const value = values[Number(gap)] ?? ''
    return isolated(kind === '#' ? write(number(value)) : kind === '@' ? timed(value) : value)
  })
}

/** Alternatives as a sentence lists them: "a, b or c". */
export function listed(alternatives: readonly string[]): string {
  return new Intl.ListFormat(language() === 'en' ? 'en-GB' : language(), { type: 'disjunction' }).format(alternatives)
}

/** What failed, in the language of the texts if the sentence is known. */
export function faultText(sentence: string): string {
  const [key, gap = ''] = keyOf(sentence) ?? []
  if (key === undefined) return sentence
  const { faults } = words()
  if (key === 'again' && gap === '1') return faults.againOne
  // Spec 8.35 counts seconds; from two minutes on that would be a riddle.
  if (key === 'again' && Number(gap) >= 120) return filled(faults.againLater, String(Math.ceil(Number(gap) / 60)))
  return filled(faults[key], gap)
}
