import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { ChooseAccountNameView } from './ChooseAccountNameView.tsx'
import { RegisterAccountNameView } from './RegisterAccountNameView.tsx'

const { getByRole, getByText } = screen

describe('ChooseAccountName', () => {
  it('spec_2_2_says what a name is for, by an example of the parent, and leads on to the form', () => {
    const { said } = draw(ChooseAccountNameView, 'ChooseAccountName.page')
    expect(getByText(/Share alice\.example\.eth to get paid/)).toBeTruthy()
    expect(getByText(/there's no fee/)).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Choose a name' }))
    expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'RegisterAccountName' } }])
  })

  it('leads nowhere where no name can be had any more, as on a network without them', () => {
    const picture = pictureOf('ChooseAccountName.page')
    const { said } = draw(ChooseAccountNameView, { ...picture, name: { ...picture.name, parent: null } })
    fireEvent.click(getByRole('button', { name: 'Choose a name' }))
    expect(said).toEqual([])
  })

  it('speaks Arabic, with the name from left to right', () => {
    draw(ChooseAccountNameView, 'ChooseAccountName.page', arabic)
    expect(getByText('اسم لحسابك')).toBeTruthy()
    expect(getByText('alice.example.eth').dir).toBe('ltr')
  })
})

describe('RegisterAccountName', () => {
  it('each letter goes to the core, and a taken name cannot be chosen', () => {
    const { said } = draw(RegisterAccountNameView, 'RegisterAccountName.suggestions')
    fireEvent.change(getByRole('textbox', { name: 'Name' }), { target: { value: 'bob' } })
    const [taken, free] = screen.getAllByTestId<HTMLButtonElement>('account-name-suggestion')
    expect(taken?.disabled).toBe(true)
    // A screen reader hears the name as one.
    expect(getByRole('button', { name: /^alice\.example\.eth\s?Registered$/ })).toBe(taken)
    expect(taken?.getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(taken as Element)
    fireEvent.click(free as Element)
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'typed', text: 'bob' },
      { type: 'suggestionChosen', label: 'alice1' }
    ])
  })

  it('a reserved name says so, is no choice, and is not shown as chosen', () => {
    draw(RegisterAccountNameView, 'RegisterAccountName.reserved')
    const [kept] = screen.getAllByTestId<HTMLButtonElement>('account-name-suggestion')
    expect(kept?.disabled).toBe(true)
    expect(getByRole('button', { name: /^support\.example\.eth\s?Reserved$/ })).toBe(kept)
    expect(kept?.getAttribute('aria-pressed')).toBe('false')
    expect(document.getElementById('name-fault')?.textContent).toBe('Reserved. Try another name.')
  })

  it('a name that somebody has is said to be taken', () => {
    const picture = pictureOf('RegisterAccountName.suggestions')
    draw(RegisterAccountNameView, { ...picture, name: { ...picture.name, fault: 'taken' } })
    expect(document.getElementById('name-fault')?.textContent).toBe('Taken. Try another name.')
  })

  it('long suggestions that begin alike keep their ends, where they differ', () => {
    const picture = pictureOf('RegisterAccountName.suggestions')
    const labels = ['a-very-long-name-of-somebody-one', 'a-very-long-name-of-somebody-two']
    const suggestions = labels.map((label) => ({ label, registered: false, reserved: false }))
    draw(RegisterAccountNameView, { ...picture, name: { ...picture.name, suggestions } })
    const rows = screen.getAllByTestId('account-name-suggestion')
    // Only the parts with the class are cut where the room ends, and none wraps.
    const kept = rows.map((row) => row.querySelector('.whole > :not(.clip)'))
    expect(kept.map((text) => text?.textContent)).toEqual(['body-one', 'body-two'])
    expect(rows.map((row) => row.querySelector('bdi')?.title)).toEqual(labels.map((label) => `${label}.example.eth`))
  })

  it('the button is quiet and says what is missing until the name can be had', () => {
    const picture = pictureOf('RegisterAccountName.suggestions')
    const button = (name: Partial<typeof picture.name>) => {
      draw(RegisterAccountNameView, { ...picture, name: { ...picture.name, ...name } })
      const { textContent, className } = screen.getByTestId('name-register')
      cleanup()
      return [textContent, className]
    }
    expect(button({ text: '', ready: false })).toEqual(['Enter a name', 'button soft lacks'])
    expect(button({ text: 'al', ready: false, fault: 'short' })).toEqual(['Check the name', 'button soft lacks'])
    expect(button({ text: 'alice', ready: false, fault: 'taken' })).toEqual(['Try another name', 'button soft lacks'])
    expect(button({ text: 'alice1', ready: true })).toEqual(['Register', 'button primary'])
  })

  it('hyphens are named by where they stand', () => {
    const picture = pictureOf('RegisterAccountName.fault')
    for (const [fault, words] of [
      ['hyphen', "Names can't start or end with a hyphen"],
      ['hyphens', "Names can't have hyphens as both 3rd and 4th character"]
    ] as const) {
      draw(RegisterAccountNameView, { ...picture, name: { ...picture.name, fault } })
      expect(document.getElementById('name-fault')?.textContent).toBe(words)
      cleanup()
    }
  })

  it('a fault is told beside the field, in words', () => {
    draw(RegisterAccountNameView, 'RegisterAccountName.fault')
    expect(getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById('name-fault')?.textContent).toBe('Use only letters a to z, digits and hyphens')
  })

  it('spec_4_29_a_server_that_refused_is_told_by_its_code_and_the_name_can_be_tried_again', () => {
    const { said } = draw(RegisterAccountNameView, 'RegisterAccountName.problem')
    expect(getByText(/your account has as many names as it can/)).toBeTruthy()
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'name', event: { type: 'registerAsked' } }])
  })

  it('an Arabic page tells in Arabic why a registration failed, and quotes the server only for a reason of its own', () => {
    const picture = pictureOf('RegisterAccountName.problem')
    const problem = 'Names are for members.'
    for (const [trouble, words, quoted] of [
      ['conflict', /لدى حسابك/, false],
      ['busy', /محاولات كثيرة/, false],
      ['register', /تعذّر تسجيل الاسم/, false],
      ['resolve', /تعذّر التحقق/, false],
      ['refused', /تعذّر تسجيل الاسم/, true]
    ] as const) {
      draw(RegisterAccountNameView, { ...picture, name: { ...picture.name, problem, trouble } }, arabic)
      expect(getByText(words)).toBeTruthy()
      expect(screen.queryByText(problem) !== null).toBe(quoted)
      cleanup()
    }
  })

  it('a name that was taken meanwhile cannot be chosen or tried again', () => {
    draw(RegisterAccountNameView, 'RegisterAccountName.taken')
    expect(document.getElementById('name-fault')?.textContent).toBe('Taken. Try another name.')
    const row = getByRole('button', { name: /^alice1\b.*Registered$/ })
    expect([row.getAttribute('aria-pressed'), row.hasAttribute('disabled')]).toEqual(['false', true])
    expect(getByRole('button', { name: 'Try another name' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })
})
