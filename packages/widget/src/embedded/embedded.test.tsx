import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { AccountView } from '../account/AccountView.tsx'
import { EmailLogin } from '../connect/EmailLogin.tsx'
import { draw, pictureOf } from '../testing/draw.tsx'
import { arabic } from '../text/ar.ts'
import { saidWords } from '../text/login.ts'
import { ApproveTransactionView } from './ApproveTransactionView.tsx'
import { EmailVerifyDeviceView } from './EmailVerifyDeviceView.tsx'
import { EmailVerifyOtpView } from './EmailVerifyOtpView.tsx'
import { UpdateEmailPrimaryOtpView } from './UpdateEmailPrimaryOtpView.tsx'
import { UpdateEmailSecondaryOtpView } from './UpdateEmailSecondaryOtpView.tsx'
import { UpdateEmailWalletView } from './UpdateEmailWalletView.tsx'
import { UpgradeEmailWalletView } from './UpgradeEmailWalletView.tsx'

const { getByRole, getByText, queryByRole, getByTestId, queryByTestId } = screen

describe('the e-mail field', () => {
  it('sends what stands in it, even if the core has not heard of it yet', () => {
    const { said } = draw(EmailLogin, 'Connect.email')
    const field = getByRole<HTMLInputElement>('textbox', { name: 'Email' })
    fireEvent.change(field, { target: { value: 'a@example.org' } })
    expect(field.value, 'the core has not echoed it').toBe('a@example.org')
    fireEvent.click(getByRole('button', { name: 'Continue' }))
    expect(said.map(({ event }) => event)).toEqual([
      { type: 'emailTyped', email: 'a@example.org' },
      { type: 'emailSubmitted', email: 'a@example.org' }
    ])
  })

  it('spec_5_26_says beside it what is wrong with the address', () => {
    draw(EmailLogin, 'Connect.emailFault')
    expect(getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(getByRole('status').textContent).toBe('Use a valid email address')
  })

  it('lets the same address be tried again after a failure that is not about it', () => {
    const states = [
      [{ type: 'said', words: saidWords.loginLater }, 'false', false],
      [{ type: 'unloadable' }, 'false', false],
      [{ type: 'cooldown', seconds: 20 }, 'false', true],
      [{ type: 'said', words: saidWords.addressForm }, 'true', false]
    ] as const
    for (const [fault, invalid, lacks] of states) {
      const picture = pictureOf('Connect.emailFault')
      draw(EmailLogin, { ...picture, embedded: { ...picture.embedded, fault } })
      expect(getByRole('textbox').getAttribute('aria-invalid'), fault.type).toBe(invalid)
      expect(getByTestId('wui-email-input').classList.contains('wrong'), fault.type).toBe(invalid === 'true')
      expect(getByTestId('email-continue').classList.contains('lacks'), fault.type).toBe(lacks)
      cleanup()
    }
  })

  it('spec_2_14_stands before the wallets or after them, and apart from them', () => {
    const picture = pictureOf('Connect.email')
    draw(EmailLogin, { ...picture, connect: { ...picture.connect, methods: ['email', 'wallet'] } })
    expect(getByTestId('w3m-email-login-or-separator').previousElementSibling?.tagName).toBe('FORM')
  })

  it('spec_2_14_stands after a wallet that is installed', () => {
    draw(EmailLogin, 'Connect.emailWithWallets')
    expect(getByTestId('w3m-email-login-or-separator').nextElementSibling?.tagName).toBe('FORM')
  })

  it('the seconds of a cooldown are announced once, and not each second', () => {
    const picture = pictureOf('Connect.email')
    const cooling = (seconds: number) => ({
      ...picture,
      embedded: { ...picture.embedded, fault: { type: 'cooldown', seconds } as const }
    })
    draw(EmailLogin, cooling(12))
    expect(getByRole('status').getAttribute('aria-relevant')).toBe('additions')
  })

  it('leads to a login by passkey', () => {
    const { said } = draw(EmailLogin, 'Connect.email')
    fireEvent.click(getByRole('button', { name: 'Log in with a passkey' }))
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'passkeyAsked' } }])
  })

  it('has no separator where there are no wallets', () => {
    draw(EmailLogin, 'Connect.emailAlone')
    expect(queryByTestId('w3m-email-login-or-separator')).toBeNull()
  })

  it('does nothing more while the mail is on its way', () => {
    draw(EmailLogin, 'Connect.emailSending')
    expect(getByRole('button', { name: 'Continue' }).getAttribute('aria-busy')).toBe('true')
    expect(getByRole<HTMLInputElement>('textbox').readOnly).toBe(true)
  })

  it.each([
    ['cooldown', { type: 'cooldown', seconds: 12 }, 'Please try again after 12 seconds'],
    ['cooldown of one second', { type: 'cooldown', seconds: 1 }, 'Please try again after 1 second'],
    ['cooldown below two minutes', { type: 'cooldown', seconds: 119 }, 'Please try again after 119 seconds'],
    ['cooldown of minutes', { type: 'cooldown', seconds: 344 }, 'Please try again after 6 minutes'],
    ['late', { type: 'late' }, 'Something went wrong'],
    ['unknown', { type: 'unknown' }, 'An error occurred'],
    ['unloadable', { type: 'unloadable' }, 'Unable to load email login dependency'],
    ['said', { type: 'said', words: 'Try another address' }, 'Try another address']
  ] as const)('spec_8_35_8_38_8_39_8_40_says the failure %s in its own words', (_, fault, text) => {
    const picture = pictureOf('Connect.email')
    draw(EmailLogin, { ...picture, embedded: { ...picture.embedded, fault } })
    expect(getByRole('status').textContent).toBe(text)
  })
})

it.each(Object.entries(saidWords))(
  'the sentence of %s, which the frame says in English, is drawn in the language',
  (key, sentence) => {
    const picture = pictureOf('EmailVerifyOtp.wrong')
    const fault = { type: 'said', words: sentence } as const
    draw(EmailVerifyOtpView, { ...picture, embedded: { ...picture.embedded, fault } }, arabic)
    const text = arabic.words[key as keyof typeof saidWords] ?? ''
    expect(text).toMatch(/^[^A-Za-z]+$/)
    expect(getByText(text).textContent).toBe(text)
  }
)

it('the sentences are those that frame and server say', () => {
  const sources = ['crates/frame-core/src', 'crates/server/src/vault', 'packages/frame/src/text'].flatMap((folder) => {
    const root = join(import.meta.dirname, '../../../..', folder)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.(rs|ts)$/.test(file))
    return files.map((file) => readFileSync(join(root, file), 'utf8'))
  })
  const all = sources.join('\n')
  for (const [key, sentence] of Object.entries(saidWords)) expect(all.includes(sentence), key).toBe(true)
})

describe('EmailVerifyDevice', () => {
  it('spec_7_15_shows the address and the number to compare', () => {
    draw(EmailVerifyDeviceView, 'EmailVerifyDevice.waiting')
    expect(getByText('alice@example.org').tagName).toBe('BDI')
    expect(getByRole('img', { name: 'Number of this login: 42' })).toBeTruthy()
    expect(getByText('Waiting for your approval')).toBeTruthy()
  })

  it('spec_9_11_asks for another mail once the countdown is over', () => {
    const { said } = draw(EmailVerifyDeviceView, 'EmailVerifyDevice.waiting')
    fireEvent.click(getByRole('button', { name: 'Resend in 30s' }))
    expect(said).toEqual([])
  })

  it('the button sends again', () => {
    const { said } = draw(EmailVerifyDeviceView, 'EmailVerifyDevice.resend')
    fireEvent.click(getByRole('button', { name: 'Resend email' }))
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'resendAsked' } }])
  })

  it('a refusal is told, nobody waits any more, and the button starts again', () => {
    const picture = pictureOf('EmailVerifyDevice.refused')
    draw(EmailVerifyDeviceView, { ...picture, embedded: { ...picture.embedded, rest: 0 } })
    expect(getByRole('button', { name: 'Start again' })).toBeTruthy()
    cleanup()
    draw(EmailVerifyDeviceView, picture)
    expect(getByRole('button', { name: /^Start again in \d+s$/ })).toBeTruthy()
    expect(getByText('This login was declined. Start again.')).toBeTruthy()
    expect(screen.queryByText('Waiting for your approval')).toBeNull()
    expect([queryByTestId('device-number'), screen.queryByText(/^Open the link/)]).toEqual([null, null])
  })

  it('speaks Arabic, with the address and number in their own direction', () => {
    draw(EmailVerifyDeviceView, 'EmailVerifyDevice.waiting', arabic)
    expect(getByText('alice@example.org').tagName).toBe('BDI')
    expect(getByText('42').getAttribute('dir')).toBe('ltr')
  })
})

describe('EmailVerifyOtp', () => {
  it('spec_7_16_is one field drawn as six boxes, for typing, pasting and filling in', () => {
    const { said } = draw(EmailVerifyOtpView, 'EmailVerifyOtp.typing')
    const field = getByRole<HTMLInputElement>('textbox', { name: 'Code' })
    expect([field.value, field.autocomplete, field.inputMode]).toEqual(['123', 'one-time-code', 'numeric'])
    expect(getByTestId('wui-otp-input').querySelectorAll('i')).toHaveLength(6)
    fireEvent.change(field, { target: { value: '123 456' } })
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'codeTyped', text: '123 456' } }])
  })

  it('says that a code is wrong, and takes another', () => {
    draw(EmailVerifyOtpView, 'EmailVerifyOtp.wrong')
    expect(getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(getByText('Wrong code')).toBeTruthy()
    expect(getByRole<HTMLInputElement>('textbox').readOnly).toBe(false)
  })

  it.each(['codesSpent', 'loginEnded', 'mailUnsent'] as const)(
    'after %s no code is taken, and the button starts again',
    (key) => {
      const picture = pictureOf('EmailVerifyOtp.wrong')
      const fault = { type: 'said', words: saidWords[key] } as const
      const { said } = draw(EmailVerifyOtpView, { ...picture, embedded: { ...picture.embedded, fault, rest: 0 } })
      expect([queryByRole('textbox'), screen.queryByText(/^Enter the code/)]).toEqual([null, null])
      const button = getByRole('button', { name: 'Start again' })
      expect(document.activeElement).toBe(button)
      fireEvent.click(button)
      expect(said).toEqual([{ feature: 'embedded', event: { type: 'resendAsked' } }])
    }
  )

  it('shows that the code is being checked, and takes no other meanwhile', () => {
    draw(EmailVerifyOtpView, 'EmailVerifyOtp.checking')
    expect(getByText('Checking the code')).toBeTruthy()
    expect(getByRole<HTMLInputElement>('textbox').readOnly).toBe(true)
    expect(queryByRole('button')).toBeNull()
  })
})

describe('UpgradeEmailWallet', () => {
  it('makes room for the settings that the frame draws, and is empty without them', () => {
    draw(UpgradeEmailWalletView, 'UpgradeEmailWallet.frame')
    expect(getByTestId('w3m-settings-room').querySelector('slot')?.name).toBe('w3m-frame')
    cleanup()
    draw(UpgradeEmailWalletView, 'UpgradeEmailWallet.nothing')
    expect(queryByTestId('w3m-settings-room')).toBeNull()
    expect(getByText('Settings are closed')).toBeTruthy()
  })

  it('says that the wallet is being opened, once the frame is done and until the account is there', () => {
    const picture = pictureOf('UpgradeEmailWallet.nothing')
    draw(UpgradeEmailWalletView, { ...picture, embedded: { ...picture.embedded, phase: 'entering' } })
    expect(getByRole('status').textContent).toMatch(/^Opening your wallet/)
    expect(screen.queryByText('Settings are closed')).toBeNull()
  })

  it('is reached from the account of an embedded wallet', () => {
    const { said } = draw(AccountView, 'Account.embedded')
    fireEvent.click(getByTestId('w3m-wallet-upgrade-card'))
    expect(said).toEqual([{ feature: 'embedded', event: { type: 'settingsAsked' } }])
  })
})

describe('ApproveTransaction', () => {
  it('spec_2_26_makes room for the frame', () => {
    draw(ApproveTransactionView, 'ApproveTransaction.frame')
    expect(getByTestId('w3m-approve-room').querySelector('slot')?.name).toBe('w3m-frame')
  })

  it('says so where nothing is to be approved', () => {
    draw(ApproveTransactionView, 'ApproveTransaction.nothing')
    expect(getByText('Nothing to approve')).toBeTruthy()
  })
})

describe('the change of the address', () => {
  it('begins at the address in the account', () => {
    const { said } = draw(AccountView, 'Account.embedded')
    fireEvent.click(getByRole('button', { name: /alice@example.org/ }))
    expect(said).toEqual([{ feature: 'modal', event: { type: 'viewAsked', view: 'UpdateEmailWallet' } }])
  })

  it('spec_7_29_sends the new address', () => {
    const { said } = draw(UpdateEmailWalletView, 'UpdateEmailWallet.form')
    fireEvent.change(getByRole('textbox', { name: 'New email' }), { target: { value: 'new@example.org' } })
    fireEvent.click(getByRole('button', { name: 'Continue' }))
    expect(said.at(-1)).toEqual({
      feature: 'embedded',
      event: { type: 'newEmailSubmitted', email: 'new@example.org' }
    })
  })

  it('says where both codes go', () => {
    draw(UpdateEmailWalletView, 'UpdateEmailWallet.form')
    expect(getByText("We'll send a code to your current email, then one to the new email.")).toBeTruthy()
  })

  it('tells a change that the host leads, and leaves the field to the visitor', () => {
    draw(UpdateEmailWalletView, 'UpdateEmailWallet.hosted')
    expect(getByTestId('new-email-hosted').textContent).toBe(
      'This site is changing your email to new@example.org. If you continue, your change replaces it.'
    )
    const field = getByRole('textbox', { name: 'New email' }) as HTMLInputElement
    expect([field.value, field.readOnly]).toEqual(['', false])
    expect(getByRole('button', { name: 'Continue' }).hasAttribute('disabled')).toBe(false)
    cleanup()
    draw(UpdateEmailWalletView, 'UpdateEmailWallet.form')
    expect(getByTestId('new-email-hosted').textContent).toBe('')
  })

  it('the present address is no new one', () => {
    draw(UpdateEmailWalletView, 'UpdateEmailWallet.fault')
    expect(getByText('Use a valid email address other than your current one')).toBeTruthy()
  })

  it('spec_7_30_names the address whose code is asked for', () => {
    draw(UpdateEmailPrimaryOtpView, 'UpdateEmailPrimaryOtp.empty')
    expect(getByText('alice@example.org')).toBeTruthy()
  })

  it('spec_7_30_names the new address for the second code', () => {
    draw(UpdateEmailSecondaryOtpView, 'UpdateEmailSecondaryOtp.empty')
    expect(getByText('new@example.org')).toBeTruthy()
  })

  it.each(['codesSpent', 'changeEnded', 'mailUnsent'] as const)(
    'has no field once it is over (%s), and starts again',
    (key) => {
      const picture = pictureOf('UpdateEmailSecondaryOtp.empty')
      const fault = { type: 'said', words: saidWords[key] } as const
      const update = { ...picture.embedded.update, fault }
      const { said } = draw(UpdateEmailSecondaryOtpView, { ...picture, embedded: { ...picture.embedded, update } })
      expect(getByText(saidWords[key])).toBeTruthy()
      expect(queryByTestId('wui-otp-input')).toBeNull()
      const again = getByRole('button', { name: 'Start again' })
      expect(document.activeElement).toBe(again)
      fireEvent.click(again)
      expect(said).toEqual([
        { feature: 'embedded', event: { type: 'newEmailTyped', email: update.email } },
        { feature: 'modal', event: { type: 'viewAsked', view: 'UpdateEmailWallet' } }
      ])
    }
  )
})
