import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { arabic } from './ar.ts'
import { buyWords } from './buy.ts'
import { deedWords } from './deed.ts'
import { en } from './en.ts'
import { lessonWords } from './lesson.ts'
import { nameWords } from './name.ts'
import { previewWords } from './preview.ts'
import { receiveWords } from './receive.ts'
import { sendWords } from './send.ts'
import { type AnyKey, english, type Language, LanguageContext, loadLanguage, useText, withOwnWords } from './text.tsx'

afterEach(cleanup)

/** The words of all views that bring theirs. */
const late = { ...buyWords, ...deedWords, ...lessonWords, ...nameWords, ...previewWords, ...receiveWords, ...sendWords }

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
    expect(said(english, 'switchFailedHint', 'Demo', 'Anvil')).toBe('Demo could not switch to Anvil.')
  })

  it('keep a Latin name apart between words that run the other way', () => {
    expect(said(arabic, 'continueIn', 'Demo $&')).toBe('تابع في \u2068Demo $&\u2069')
  })
})

describe('words that views bring', () => {
  it('are those of the language or of the host, where these have them', () => {
    expect(said(english, 'swapReview')).toBe('Review swap')
    expect(said(arabic, 'swapReview')).toBe(arabic.words.swapReview)
    const own = withOwnWords(english, { swapReview: 'Look again', buyDone: 'Paid', swapped: 'No word' } as object)
    expect([said(own, 'swapReview'), said(own, 'buyDone')]).toEqual(['Look again', 'Paid'])
    expect(own.words).not.toHaveProperty('swapped')
  })

  it('begin with the name of what brings them', () => {
    for (const key of Object.keys(buyWords)) expect(key).toMatch(/^buy[A-Z]/)
    for (const key of Object.keys(deedWords)) expect(key).toMatch(/^did[A-Z]/)
    for (const key of Object.keys(lessonWords)) expect(key).toMatch(/^(network|wallet)[A-Z]/)
    for (const key of Object.keys(receiveWords)) expect(key).toMatch(/^receive[A-Z]/)
    for (const key of Object.keys(sendWords)) expect(key).toMatch(/^(receiver|send|sent|warn)[A-Z]/)
    for (const key of Object.keys(previewWords)) expect(key).toMatch(/^swap[A-Z]/)
  })
})

describe('languages', () => {
  it('have a word for every key, with the same gaps', () => {
    const gaps = (text: string) => [...new Set(text.match(/\{\d\}/g))].sort()
    for (const [key, text] of Object.entries({ ...en, ...late })) {
      expect([key, gaps(arabic.words[key as AnyKey])]).toEqual([key, gaps(text)])
    }
  })

  it('are found by the first part of a lang attribute, and English needs no file', async () => {
    expect(await loadLanguage('AR-eg')).toBe(arabic)
    for (const lang of ['', 'en', 'en-GB', 'xx', 'constructor', '__proto__']) expect(loadLanguage(lang)).toBeUndefined()
  })
})
