import { createContext, useContext } from 'react'
import type { AlertKey, Message } from '../generated/core.ts'
import { alerts, messages } from '../generated/words.ts'
import type { CreateAppKit } from '../host/options.ts'
import { en, type Key } from './en.ts'
import type { AnyKey, KeyWith, LateKey, Listed } from './keys.ts'

/** Language: its code, text direction and texts. */
export interface Language {
  readonly code: string
  readonly dir: 'ltr' | 'rtl'
  readonly words: Readonly<Record<Key, string>> & Readonly<Partial<Record<LateKey, string>>>
  readonly messages: Readonly<Record<Message, string>>
  readonly alerts: Readonly<Record<AlertKey, { readonly short: string; readonly long: string }>>
  /** Whether the texts stand in a page of the other direction, where each needs its own to keep its punctuation in place. */
  readonly apart?: boolean
}

export const english: Language = { code: 'en', dir: 'ltr', words: en, messages, alerts }

/** Languages other than English. Each is a file of its own, loaded only where it is used. */
const others: Readonly<Record<string, () => Promise<Language>>> = {
  ar: () => import('./ar.ts').then((module) => module.arabic)
}

/** Language for a `lang` attribute; `undefined` for English and unsupported languages. */
export function loadLanguage(lang: string): Promise<Language> | undefined {
  const code = String(lang).toLowerCase().split('-', 1)[0] ?? ''
  return Object.hasOwn(others, code) ? others[code]?.() : undefined
}

/** Language with the host's own texts over ours. Values that are not strings are skipped; unknown keys have no effect. */
export function withOwnWords(language: Language, own: CreateAppKit['messages']): Language {
  // `Object.entries` of a string would list every character.
  const given = typeof own === 'object' ? Object.entries(own ?? {}) : []
  const words = given.filter(([, text]) => typeof text === 'string')
  return words.length === 0 ? language : { ...language, words: { ...language.words, ...Object.fromEntries(words) } }
}

export const LanguageContext = createContext(english)

export type Translate<Word extends AnyKey = Key> = (key: Word, ...values: readonly string[]) => string

/** Text lookup by key: in the language's texts, then in the view's own English ones. */
export function useText<Own extends object>(own?: Listed<Own>): Translate<KeyWith<Own>> {
  const { words, dir, apart } = useContext(LanguageContext)
  const isolate = (text: string) => `\u2068${text}\u2069`
  // Between right-to-left words a Latin name or a number keeps its own direction only when isolated.
  const inner = apart || dir === 'rtl' ? isolate : String
  return (key, ...values) => {
    const text = (
      (words as Partial<Record<AnyKey, string>>)[key] ??
      (own as Partial<Record<AnyKey, string>> | undefined)?.[key] ??
      ''
    ).replace(/\{(\d)\}/g, (_, index: string) => inner(values[Number(index)] ?? ''))
    return apart ? isolate(text) : text
  }
}
