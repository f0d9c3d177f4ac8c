import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { SIWXSignMessageView } from './SIWXSignMessageView.tsx'

const { getByTestId, getByText, getByRole, queryAllByText, queryByTestId } = screen

const sign = () => getByTestId('w3m-connecting-siwe-sign')
const cancel = () => getByTestId('w3m-connecting-siwe-cancel')

describe('SIWXSignMessage', () => {
  it('spec_4_25_says_who_asks_which_account_signs_and_what', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.ready')
    getByText('Sign in to The Shop')
    getByText('Sign in to the shop.')
    getByText('Anvil One')
    expect(document.querySelector('img.tile')?.getAttribute('src')).toBe('https://shop.example/icon.png')
    expect(getByTestId('siwx-message').textContent).toContain('wants you to sign in with your Ethereum account')
  })

  it.each([
    ['solana', 'Solana', '7S3P…ArAaKv'],
    ['bitcoin', 'Bitcoin', 'bc1q…vgkx0l'],
    ['polkadot', 'Polkadot', '15oF…Hr6Sp5']
  ])('spec_4_25_asks_for_the_signature_of_an_account_of_%s', (state, network, account) => {
    draw(SIWXSignMessageView, `SIWXSignMessage.${state}`)
    getByText(network)
    getByText(account)
    expect(getByTestId('siwx-message').textContent).toContain(`sign in with your ${network} account`)
  })

  it('tells the core what the visitor wants', () => {
    const { said } = draw(SIWXSignMessageView, 'SIWXSignMessage.ready')
    fireEvent.click(sign())
    fireEvent.click(cancel())
    expect(said).toEqual([
      { feature: 'siwx', event: { type: 'signAsked' } },
      { feature: 'siwx', event: { type: 'cancelAsked' } }
    ])
  })

  it('spec_4_28_says_whether_cancelling_disconnects', () => {
    const required = pictureOf('SIWXSignMessage.ready')
    const shell = draw(SIWXSignMessageView, required)
    expect(cancel().textContent).toBe('Disconnect')
    shell.tell({ siwx: { ...required.siwx, disconnects: false } })
    expect(cancel().textContent).toBe('Cancel')
  })

  it.each([
    ['checking', "Checking if you're signed in"],
    ['preparing', 'Loading the message'],
    ['signing', 'Approve in Alpha Wallet'],
    ['saving', 'Signing in']
  ])('%s cannot be signed again, but cancelled', (state, status) => {
    const { said } = draw(SIWXSignMessageView, `SIWXSignMessage.${state}`)
    expect(getByRole('status').textContent).toBe(status)
    fireEvent.click(sign())
    expect(said).toEqual([])
    expect(sign().getAttribute('aria-busy')).toBe('true')
    fireEvent.click(cancel())
    expect(said).toEqual([{ feature: 'siwx', event: { type: 'cancelAsked' } }])
  })

  it('spec_4_27_can_be_used_again_after_a_declined_signature', () => {
    const { said } = draw(SIWXSignMessageView, 'SIWXSignMessage.declined')
    fireEvent.click(sign())
    expect(said).toEqual([{ feature: 'siwx', event: { type: 'signAsked' } }])
  })

  it.each([
    ['while the toast says it', { message: 'signatureDeclined', variant: 'error' }, 0],
    ['from then on', null, 1]
  ])('says that the visitor declined once: %s', (_, snack, times) => {
    const snapshot = pictureOf('SIWXSignMessage.declined')
    draw(SIWXSignMessageView, { ...snapshot, notice: { ...snapshot.notice, snack } as typeof snapshot.notice })
    expect(queryAllByText('You declined. Nothing was signed.')).toHaveLength(times)
  })

  it.each([
    ['clock', "Check this device's date and time, then sign again.", 'تحقق من تاريخ هذا الجهاز ووقته، ثم وقّع مجددًا.'],
    ['late', 'That took too long. Sign again.', 'استغرق ذلك وقتًا طويلًا. وقّع مجددًا.'],
    ['silent', "Couldn't check if you're signed in. Try again.", 'تعذّر التحقق من تسجيل دخولك. حاول مجددًا.'],
    ['unavailable', "Couldn't verify your signature now. Try again.", 'تعذّر التحقق من توقيعك الآن. حاول مجددًا.'],
    ['ended', "You're signed out. Sign again to continue.", 'سُجّل خروجك. وقّع مجددًا للمتابعة.'],
    ['failed', "Couldn't sign you in. Try again.", 'تعذّر تسجيل دخولك. حاول مجددًا.']
  ])('spec_4_27_says_why_a_sign_in_was_refused: %s', (state, english, inArabic) => {
    const { said } = draw(SIWXSignMessageView, `SIWXSignMessage.${state}`)
    expect(getByRole('status').textContent).toBe(english)
    fireEvent.click(sign())
    expect(said).toEqual([{ feature: 'siwx', event: { type: 'signAsked' } }])
    cleanup()
    draw(SIWXSignMessageView, `SIWXSignMessage.${state}`, arabic)
    expect(getByRole('status').textContent).toBe(inArabic)
  })

  it('spec_6_3_asks_the_site_again_that_could_not_tell_its_sessions', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.silent')
    expect(sign().textContent).toBe('Try again')
  })

  it.each([
    [undefined, 'Switch to a supported network in your wallet.'],
    [arabic, 'بدّل إلى شبكة مدعومة في محفظتك.']
  ])('spec_6_3_on_an_unsupported_network_says_what_to_do_and_can_be_cancelled', (texts, told) => {
    const { said } = draw(SIWXSignMessageView, 'SIWXSignMessage.network', texts)
    expect(getByRole('status').textContent).toBe(told)
    expect(queryByTestId('w3m-connecting-siwe-sign')).toBeNull()
    fireEvent.click(cancel())
    expect(said).toEqual([{ feature: 'siwx', event: { type: 'cancelAsked' } }])
  })

  it('spec_6_3_disconnects_on_cancel_while_the_code_of_a_required_sign_in_is_missing', () => {
    const { said } = draw(SIWXSignMessageView, 'SIWXSignMessage.missing')
    expect(sign().getAttribute('aria-busy')).toBe('true')
    fireEvent.click(cancel())
    const event = { type: 'disconnectAsked', namespace: 'eip155', ticket: null }
    expect(said).toEqual([{ feature: 'connect', event }])
  })

  it('closes on cancel while the code of an optional sign-in is missing', () => {
    const snapshot = pictureOf('SIWXSignMessage.missing')
    const { said } = draw(SIWXSignMessageView, { ...snapshot, modal: { ...snapshot.modal, closable: true } })
    fireEvent.click(cancel())
    expect(said).toEqual([{ feature: 'modal', event: { type: 'closeAsked' } }])
  })

  it.each([undefined, arabic])('spec_4_27_shows_the_words_of_a_site_that_refuses_in_their_own_direction', (texts) => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.refused', texts)
    expect(getByRole('status').querySelector('bdi')?.textContent).toBe(
      "The signature isn't from this account. Sign again."
    )
  })

  it('of a site without a name and a statement has its address and says what signing means', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.plain')
    getByText('Sign in to host.example')
    getByText('Sign a message to prove that this wallet is yours. Signing is free.')
  })

  it('has words for a site whose address is not known yet', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.missing')
    getByText('Sign in to this site')
  })

  it('has no message to show before it is written', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.preparing')
    expect(queryByTestId('siwx-message')).toBeNull()
  })

  it('is in Arabic too', () => {
    draw(SIWXSignMessageView, 'SIWXSignMessage.ready', arabic)
    expect(sign().textContent).toBe('توقيع')
  })
})
