import { cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { device, has, press, show, told } from '../testing/settings.tsx'
import { ar } from '../text/ar.ts'
import { en } from '../text/en.ts'
import { faults } from '../text/faults.ts'
import { speak } from '../text/words.ts'

const t = en.settings

it('the logins are listed with their services, one more is added at a service, and the last one is not removed', () => {
  show({
    services: [
      { id: 'github', name: null },
      { id: 'openid', name: 'Example Company' }
    ]
  })
  expect(has(`${t.remove}: ${t.email} · a@example.org`)).toBe(false)
  press('Add GitHub')
  press('Add Example Company')
  press('Add GitHub', 'click', false)
  expect(told).toEqual(['github', 'openid'].map((id) => ({ type: 'settingsActed', act: 'addLogin', id })))
  cleanup()
  const google = { id: 'g', provider: 'google', name: 'Ada' }
  show({ logins: [{ id: 'email', provider: 'email', name: 'a@example.org' }, google] })
  press(`${t.remove}: Google · Ada`)
  expect(told.at(-1)).toEqual({ type: 'settingsActed', act: 'removeLogin', id: 'g' })
  cleanup()
  show({ frozen: true, services: [{ id: 'github', name: null }] })
  expect(has('Add GitHub')).toBe(false)
})

it('an address can be added where no login has one, and not while the wallet is frozen', () => {
  const google = [{ id: 'g', provider: 'google', name: 'Ada' }]
  const add = 'Add email'
  show({})
  expect(has(add)).toBe(false)
  cleanup()
  show({ logins: google, frozen: true })
  expect(has(add)).toBe(false)
  cleanup()
  show({ logins: google })
  press(add)
  expect(told).toEqual([{ type: 'settingsActed', act: 'addEmail', id: null }])
})

it('the address and the code of a further login are typed, and another mail can be asked for', () => {
  show({ page: 'email', act: 'addEmail', newEmail: 'new@example.or', fault: faults.addressForm })
  expect(screen.getByRole('alert').textContent).toBe(faults.addressForm)
  const address = screen.getByLabelText<HTMLInputElement>(t.emailNew)
  expect([address.value, address.autocomplete]).toEqual(['new@example.or', 'email'])
  fireEvent.change(address, { target: { value: 'new@example.org' } })
  fireEvent.submit(address)
  cleanup()
  show({ page: 'code', act: 'addEmail', newEmail: 'new@example.org' })
  expect(screen.getByText(/new@example\.org/)).toBeTruthy()
  const code = screen.getByLabelText<HTMLInputElement>(t.emailCode)
  expect([code.inputMode, code.autocomplete]).toEqual(['numeric', 'one-time-code'])
  fireEvent.change(code, { target: { value: '12 a' } })
  expect(code.value).toBe('12')
  press(t.emailResend)
  fireEvent.change(code, { target: { value: '123 456' } })
  press(t.back)
  expect(told).toEqual([
    { type: 'emailTyped', email: 'new@example.org' },
    { type: 'codeWanted' },
    { type: 'codeTyped', code: '123456' },
    { type: 'settingsLeft' }
  ])
})

it('a wrong code is typed anew, and another mail is offered after the rest', () => {
  const page = { page: 'code', act: 'addEmail', newEmail: 'new@example.org', rest: 7 } as const
  const again = show(page)
  const code = screen.getByLabelText<HTMLInputElement>(t.emailCode)
  expect(document.activeElement).toBe(code)
  fireEvent.change(code, { target: { value: '000000' } })
  again({ ...page, fault: faults.codeWrong })
  expect([code.value, screen.getByRole('alert').textContent]).toEqual(['', faults.codeWrong])
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Resend in 7s' }).disabled).toBe(true)
  fireEvent.change(code, { target: { value: '1' } })
  expect(screen.queryByRole('alert')).toBeNull()
  again({ ...page, rest: 0 })
  expect(screen.getByRole<HTMLButtonElement>('button', { name: t.emailResend }).disabled).toBe(false)
})

it.each(['codesSpent', 'codeEnded'] as const)(
  'a login that cannot be added any more has no field for a code (%s)',
  (key) => {
    show({ page: 'code', act: 'addEmail', newEmail: 'new@example.org', fault: faults[key] })
    expect(screen.getByRole('alert').textContent).toBe(faults[key])
    expect(screen.queryByLabelText(t.emailCode)).toBeNull()
    press(t.emailResend)
    expect(told).toEqual([{ type: 'codeWanted' }])
  }
)

it('a device is told by browser and address, in the words of the language', async () => {
  const one = { ...device('A', true), label: 'Firefox on Linux' }
  const unknown = { ...device('B', false), label: 'Unknown browser', place: '' }
  show({ devices: [one, unknown] })
  const text = () => document.body.textContent?.replace(/[\u2068\u2069]/g, '') ?? ''
  expect(text()).toMatch(
    /Firefox on LinuxThis device · IP address 203\.0\.113\.x · Last used .*Unknown browserLast used/
  )
  cleanup()
  await speak('ar')
  show({ devices: [one, unknown] })
  expect(text()).toContain(`Firefox على Linux${ar.settings.here} · عنوان IP: 203.0.113.x · `)
  expect(text()).toContain(ar.settings.browserUnknown)
})

it('the address for the app of Farcaster is a code and a link, and the visitor may go back', () => {
  const url = 'https://farcaster.xyz/~/siwf?channelToken=1'
  show({
    page: 'farcaster',
    act: 'addLogin',
    chosen: 'farcaster',
    url,
    code: { size: 21, path: 'M0 0h7v7h-7z' },
    busy: true
  })
  const code = screen.getByRole('img', { name: t.farcasterCode })
  expect([code.getAttribute('viewBox'), code.firstElementChild?.getAttribute('d')]).toEqual([
    '-4 -4 29 29',
    'M0 0h7v7h-7z'
  ])
  const link = screen.getByRole('link', { name: t.farcasterOpen })
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([url, 'noopener noreferrer'])
  press(t.cancel)
  expect(told).toEqual([{ type: 'settingsLeft' }])
})

it('the page for the login of the site names it, watches its buttons, and takes no click before it is armed', () => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    }
  )
  const asked = { page: 'explain', act: 'addLogin', chosen: 'jwt', confirmed: true } as const
  const again = show({ ...asked, armed: false })
  expect(screen.getByRole('heading').textContent).toBe("Add shop.example.org's login?")
  expect(screen.getByText(/^Whoever runs shop\.example\.org can then open this wallet/)).toBeTruthy()
  press(t.acts.addSite.action)
  expect(told).toEqual([])
  again({ ...asked, armed: true })
  press(t.acts.addSite.action)
  expect(told).toEqual([{ type: 'settingsContinued', passkey: false }])
})
