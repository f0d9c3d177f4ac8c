import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AccountView } from '../account/AccountView.tsx'
import { EmailLogin } from '../connect/EmailLogin.tsx'
import { SocialLogin } from '../connect/SocialLogin.tsx'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { ConnectingFarcasterView } from './ConnectingFarcasterView.tsx'
import { ConnectingSocialView } from './ConnectingSocialView.tsx'
import { ConnectSocialsView } from './ConnectSocialsView.tsx'

const { getByRole, getAllByRole, getByText, queryByRole, getByTestId, queryByTestId } = screen

const ids = () => getAllByRole('button').map((button) => button.dataset.testid)

describe('the social logins', () => {
  it('spec_6_7_stand_in_one_line_in_their_order_and_the_rest_behind_a_button', () => {
    const { said } = draw(SocialLogin, 'Connect.socials')
    expect(ids()).toEqual([
      'social-selector-google',
      'social-selector-x',
      'social-selector-discord',
      'social-selector-farcaster',
      'social-selector-more'
    ])
    fireEvent.click(getByRole('button', { name: 'Continue with Google' }))
    fireEvent.click(getByRole('button', { name: 'More ways to log in' }))
    expect(said).toEqual([
      { feature: 'embedded', event: { type: 'socialChosen', social: 'google' } },
      { feature: 'modal', event: { type: 'viewAsked', view: 'ConnectSocials' } }
    ])
  })

  it('two of them have their names', () => {
    draw(SocialLogin, 'Connect.fewSocials')
    expect(getAllByRole('button').map((button) => button.textContent)).toEqual([
      'Continue with Google',
      'Continue with Farcaster'
    ])
  })

  it('have a shape while the server has not told, and none where it has none', () => {
    const picture = pictureOf('Connect.socials')
    const offering = (offered: [] | null) => ({
      ...picture,
      embedded: { ...picture.embedded, social: { ...picture.embedded.social, offered } }
    })
    const bone = () => document.querySelector('.bone')
    draw(SocialLogin, offering(null))
    expect(bone()).not.toBeNull()
    cleanup()
    draw(SocialLogin, offering([]))
    expect([bone(), queryByTestId('w3m-social-login-widget')]).toEqual([null, null])
  })

  it('spec_2_14_one_line_stands_between_logins_and_wallets', () => {
    const picture = pictureOf('Connect.email')
    draw(EmailLogin, picture)
    expect(queryByTestId('w3m-email-login-or-separator')).toBeNull()
    draw(SocialLogin, picture)
    expect(getByTestId('w3m-social-login-or-separator').nextElementSibling).toBeNull()
  })

  it('wait for the consent to the legal pages', () => {
    const picture = pictureOf('Connect.socials')
    const { said } = draw(SocialLogin, { ...picture, connect: { ...picture.connect, consent: 'missing' } })
    const google = getByRole('button', { name: 'Continue with Google' })
    expect(google.getAttribute('aria-disabled')).toBe('true')
    fireEvent.click(google)
    expect(said).toEqual([])
  })

  it('are all in a list of their own', () => {
    const { said } = draw(ConnectSocialsView, 'ConnectSocials.all')
    expect(ids()).toHaveLength(7)
    fireEvent.click(getByRole('button', { name: 'GitHub' }))
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'socialChosen', social: 'github' } }])
  })
})

describe('a social login under way', () => {
  it.each([
    ['ConnectingSocial.opening', 'Opening Google'],
    ['ConnectingSocial.away', 'Log in with Google'],
    ['ConnectingSocial.entering', 'Opening your wallet']
  ])('%s', (name, title) => {
    draw(ConnectingSocialView, name)
    expect(getByText(title)).toBeTruthy()
    expect(queryByRole('button')).toBeNull()
  })

  it('a closed window is told, and the visitor can try again', () => {
    const { said } = draw(ConnectingSocialView, 'ConnectingSocial.closed')
    expect(getByRole('status').textContent).toBe("Couldn't log inThe window was closed. Try again.")
    fireEvent.click(getByRole('button', { name: 'Try again' }))
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'socialRetryAsked' } }])
  })

  it('spec_2_2_is_there_in_arabic', () => {
    draw(ConnectingSocialView, 'ConnectingSocial.closed', arabic)
    expect(getByText(arabic.words.socialClosed ?? '')).toBeTruthy()
  })
})

describe('Farcaster', () => {
  it('shows the address as a code, which can be copied', () => {
    const { said } = draw(ConnectingFarcasterView, 'ConnectingFarcaster.scan')
    const { url } = pictureOf('ConnectingFarcaster.scan').embedded.social
    expect(getByRole('img', { name: 'QR code for Farcaster' }).getAttribute('uri')).toBe(url)
    expect(getByTestId('farcaster-open').getAttribute('href')).toBe(url)
    fireEvent.click(getByRole('button', { name: 'Copy link' }))
    expect(said).toEqual([{ feature: 'account', event: { type: 'textCopyAsked', text: url } }])
  })

  it('opens the app on a phone, which cannot scan itself', () => {
    draw(ConnectingFarcasterView, 'ConnectingFarcaster.phone')
    expect(queryByRole('img')).toBeNull()
    expect(getByTestId('farcaster-open').classList.contains('primary')).toBe(true)
  })

  it('says why it failed', () => {
    draw(ConnectingFarcasterView, 'ConnectingFarcaster.refused')
    expect(getByText('This login has ended. Start again.')).toBeTruthy()
    expect(getByRole('button', { name: 'Try again' })).toBeTruthy()
  })
})

it('spec_3_11_the_account_names_the_person_and_the_service', () => {
  draw(AccountView, 'Account.social')
  expect(getByTestId('w3m-account-social').textContent).toBe('Ada Lovelace · Google')
})
