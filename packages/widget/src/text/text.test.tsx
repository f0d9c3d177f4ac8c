import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { arabic } from './ar.ts'
import { en } from './en.ts'
import type { AnyKey, LateKey } from './keys.ts'
import { english, type Language, LanguageContext, loadLanguage, useText, withOwnWords } from './text.tsx'

afterEach(cleanup)

/** Files of this folder: English texts of lazy views are their exports `…Words`. */
const files = import.meta.glob<Record<string, unknown>>(['./*.ts', '!./*.test.*', '!./keys.ts'], { eager: true })

const groups = Object.values(files).flatMap((file) =>
  Object.entries(file).flatMap(([name, words]) => (name.endsWith('Words') ? [words as Record<LateKey, string>] : []))
)

/** Texts of all lazy views. */
const late = Object.assign({}, ...groups) as Record<LateKey, string>

function Say({ word, values }: { word: AnyKey; values: readonly string[] }) {
  return <p>{useText(late)(word, ...values)}</p>
}

const said = (language: Language, word: AnyKey, ...values: string[]) =>
  render(
    <LanguageContext.Provider value={language}>
      <Say word={word} values={values} />
    </LanguageContext.Provider>
  ).container.textContent

describe('words', () => {
  it('say what is known only then', () => {
    expect(said(english, 'switchFailedHint', 'Demo', 'Anvil')).toBe("Demo couldn't switch to Anvil.")
  })

  it('keep a Latin name apart between words that run the other way', () => {
    expect(said(arabic, 'continueIn', 'Demo $&')).toBe('تابع في \u2068Demo $&\u2069')
  })

  it('keep their punctuation in a page that runs the other way', () => {
    const apart = { ...english, apart: true }
    expect(said(apart, 'warnFirstSeen')).toMatch(/^\u2068First .*\.\u2069$/)
    expect(said(apart, 'continueIn', 'Demo')).toBe('\u2068Continue in \u2068Demo\u2069\u2069')
  })
})

describe('English words', () => {
  it('are spelled as in the United States', () => {
    const words = Object.values({ ...english.words, ...en, ...late })
    expect(words).toContain('Canceled')
    expect(words.filter((text) => /cancelled|colour|honour|licence/i.test(text))).toEqual([])
  })
})

describe('words that views bring', () => {
  it('are those of the language or of the host, where these have them', () => {
    expect(said(english, 'swapReview')).toBe('Review')
    expect(said(arabic, 'swapReview')).toBe(arabic.words.swapReview)
    const own = withOwnWords(english, { swapReview: 'Look again', buyDone: 'Paid', back: 7 } as object)
    expect([said(own, 'swapReview'), said(own, 'buyDone'), said(own, 'back')]).toEqual(['Look again', 'Paid', 'Back'])
  })

  it('are words of one view alone, or the same in each', () => {
    expect(groups.length).toBeGreaterThan(10)
    for (const [key, text] of groups.flatMap((words) => Object.entries(words)))
      expect([key, text]).toEqual([key, late[key as LateKey]])
    for (const key of Object.keys(late)) expect(en).not.toHaveProperty(key)
  })
})

describe('languages', () => {
  it('have a word for every key, with the same gaps', () => {
    const gaps = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort()
    for (const [key, text] of Object.entries({ ...en, ...late })) {
      expect(arabic.words).toHaveProperty(key)
      expect([key, gaps(arabic.words[key as AnyKey] ?? '')]).toEqual([key, gaps(text)])
    }
  })

  it('are found by the first part of a lang attribute, and English needs no file', async () => {
    expect(await loadLanguage('AR-eg')).toBe(arabic)
    for (const lang of ['', 'en', 'en-GB', 'xx', 'constructor', '__proto__']) expect(loadLanguage(lang)).toBeUndefined()
  })
})
