import { createContext, useContext } from 'react'
import type { AlertKey, Message } from '../generated/core.ts'
import { alerts, messages } from '../generated/words.ts'
import type { CreateAppKit } from '../host/options.ts'
import { en, type Key } from './en.ts'
import type { AnyKey, KeyWith, LateKey } from './keys.ts'

/** One language: all words, and which way they run. */
export interface Language {
  readonly code: string
  readonly dir: 'ltr' | 'rtl'
  readonly words: Readonly<Record<Key, string>> & Readonly<Partial<Record<LateKey, string>>>
  readonly messages: Readonly<Record<Message, string>>
  readonly alerts: Readonly<Record<AlertKey, { readonly short: string; readonly long: string }>>
}

export const english: Language = { code: 'en', dir: 'ltr', words: en, messages, alerts }

/** Languages beside English. Each is a file of its own that only its readers load. */
const others: Readonly<Record<string, () => Promise<Language>>> = {
  ar: () => import('./ar.ts').then((module) => module.arabic)
}

/** The language of a `lang` attribute, where there is one beside English. */
export function loadLanguage(lang: string): Promise<Language> | undefined {
  const code = String(lang).toLowerCase().split('-', 1)[0] ?? ''
  return Object.hasOwn(others, code) ? others[code]?.() : undefined
}

/** A language with the host's own words in the place of ours. What is no text is left out; what is no word of ours nobody says. */
export function withOwnWords(language: Language, own: CreateAppKit['messages']): Language {
  // All characters of a long text would be keys.
  const given = typeof own === 'object' ? Object.entries(own ?? {}) : []
  const words = given.filter(([, text]) => typeof text === 'string')
  return words.length === 0 ? language : { ...language, words: { ...language.words, ...Object.fromEntries(words) } }
}

export const LanguageContext = createContext(english)

export type Translate<Word extends AnyKey = Key> = (key: Word, ...values: readonly string[]) => string

/** Words by key: those of every view, and the ones that a view brings itself, where its language has no others. */
export function useText<Own extends Partial<Record<LateKey, string>>>(own?: Own): Translate<KeyWith<Own>> {
  const { words, dir } = useContext(LanguageContext)
  // Between right-to-left words a Latin name or a number keeps its own direction only when isolated.
  const isolate = (value: string) => (dir === 'rtl' ? `\u2068${value}\u2069` : value)
  return (key, ...values) =>
    ((words as Partial<Record<AnyKey, string>>)[key] ?? own?.[key as LateKey] ?? '').replace(
      /\{(\d)\}/g,
      (_, index: string) => isolate(values[Number(index)] ?? '')
    )
}
