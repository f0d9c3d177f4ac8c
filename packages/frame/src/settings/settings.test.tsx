import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ReactElement } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FrameUiEvent, SettingsView as Shown } from '../generated/frame.ts'
import { Secrets } from '../secrets.ts'
import { ar } from '../text/ar.ts'
import { en } from '../text/en.ts'
import { faults } from '../text/faults.ts'
import { speak } from '../text/words.ts'
import { SettingsView } from './SettingsView.tsx'

const t = en.settings
const recovery = { id: 'r', kind: 'recovery', created: 1, mark: null } as const
const kit = { id: 'k', kind: 'kit', created: 1, mark: '0102' } as const
const passkey = { id: 'p', kind: 'passkey', created: 1, mark: null } as const
const password = { id: 'w', kind: 'password', created: 1, mark: null } as const
const device = (id: string, current: boolean) =>
  ({ id, label: `Browser ${id}`, host: 'h', place: '203.0.113.x', approved: 1, used: 2, current }) as const

let told: FrameUiEvent[]
let secrets: Secrets

beforeEach(() => {
  told = []
  secrets = new Secrets()
})
afterEach(async () => {
  await speak('en')
  cleanup()
  vi.unstubAllGlobals()
})

/** Draws the settings; the function that it returns draws others in their place. */
function show(shown: Partial<Shown>): (shown: Partial<Shown>) => void {
  const { rerender } = render(drawn(shown))
  return (shown) => rerender(drawn(shown))
}

function drawn(shown: Partial<Shown>): ReactElement {
  const settings: Shown = {
    page: 'overview',
    act: null,
    number: null,
    email: 'a@example.org',
    ways: [recovery],
    logins: [{ id: 'email', provider: 'email', name: 'a@example.org' }],
    services: [],
    chosen: null,
    newEmail: null,
    url: null,
    code: null,
    rest: 0,
    devices: [device('here', true), device('there', false)],
    frozen: false,
    held: false,
    strict: false,
    blocked: false,
    fault: null,
    confirmed: false,
    busy: false,
    armed: true,
    ...shown
  }
  return (
    <SettingsView
      settings={settings}
      host="https://shop.example.org"
      secrets={secrets}
      dispatch={(event) => told.push(event)}
    />
  )
}

function press(name: string, type = 'click', isTrusted = true): void {
  const event = new MouseEvent(type, { bubbles: true })
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  fireEvent(screen.getByRole('button', { name }), event)
}

const has = (name: string) => screen.queryByRole('button', { name }) !== null
const mode = () => screen.getByTestId('custody').textContent

it('the account says who can open the wallet', () => {
  show({ ways: [recovery] })
  expect(mode()).toContain(t.assistedHint)
  cleanup()
  show({ ways: [kit] })
  expect(mode()).toContain(t.sovereign)
  cleanup()
  show({ ways: [recovery], email: null, logins: [] })
  expect(mode()).toContain(t.loneHint)
  cleanup()
  show({ frozen: true })
  expect(mode()).toContain(t.frozenHint)
  expect([t.export, t.freeze, t.makeKit, t.thaw].map(has)).toEqual([false, false, false, true])
  cleanup()
  show({ frozen: true, held: true })
  expect(mode()).toContain(t.heldHint)
  expect(has(t.thaw)).toBe(false)
})

it('a blocked site is told and allowed again by one click, also where the wallet is frozen', () => {
  show({})
  expect(screen.queryByText(t.requests)).toBe(null)
  const again = `${t.allowSite}: ${t.requests}`
  for (const frozen of [false, true]) {
    cleanup()
    told = []
    show({ blocked: true, frozen })
    expect(screen.getByRole('heading', { name: t.requests }).nextElementSibling?.textContent).toContain(t.blocked)
    press(again, 'click', false)
    expect(told).toEqual([])
    press(again)
    expect(told).toEqual([{ type: 'settingsActed', act: 'allowSite', id: null }])
  }
  cleanup()
  show({ blocked: true, busy: true })
  expect(screen.getByRole('button', { name: again }).hasAttribute('disabled')).toBe(true)
})

it('the last way to open it cannot be chosen for removal, and neither can the own device', () => {
  show({ ways: [recovery] })
  expect(has(`${t.remove}: ${t.recovery}`)).toBe(false)
  expect(has(`${t.remove}: Browser here`)).toBe(false)
  press(`${t.remove}: Browser there`)
  cleanup()
  show({ ways: [recovery, passkey] })
  press(`${t.remove}: ${t.recovery}`)
  press(`${t.remove}: ${t.passkey}`)
  expect(told).toEqual([
    { type: 'settingsActed', act: 'removeDevice', id: 'there' },
    { type: 'settingsActed', act: 'removeRecovery', id: null },
    { type: 'settingsActed', act: 'removeWay', id: 'p' }
  ])
})

it('the only passkey of a wallet without another login has no button that removes it', () => {
  const lone = { email: null, logins: [], ways: [recovery, passkey] }
  const button = `${t.remove}: ${t.passkey}`
  show(lone)
  expect(has(button)).toBe(false)
  cleanup()
  show({ ...lone, ways: [recovery, passkey, { ...passkey, id: 'q' }] })
  expect(screen.getAllByRole('button', { name: button })).toHaveLength(2)
})

it('a frozen wallet without another login has no heading for logins', () => {
  show({ email: null, logins: [], frozen: true })
  expect(screen.queryByRole('heading', { name: t.logins })).toBeNull()
})

it('a removal names what is removed', () => {
  for (const [way, told] of [
    [passkey, 'removePasskey'],
    [password, 'removePassword'],
    [kit, 'removeKit']
  ] as const) {
    show({ page: 'explain', act: 'removeWay', chosen: way.id, ways: [recovery, way] })
    expect(screen.getByRole('heading').textContent).toBe(t.acts[told].title)
    cleanup()
  }
})

it('freezing takes one click, and its end is explained first', () => {
  show({})
  press(t.freeze)
  cleanup()
  show({ frozen: true })
  press(t.thaw)
  expect(told).toEqual([
    { type: 'settingsActed', act: 'freeze', id: null },
    { type: 'settingsActed', act: 'thaw', id: null }
  ])
})

it('a click of a script presses no button', () => {
  show({})
  press(t.export, 'click', false)
  expect(told).toEqual([])
})

it('a wallet at an IP address offers no passkey, which browsers refuse there', () => {
  show({})
  expect(has(t.addPasskey)).toBe(true)
  cleanup()
  vi.stubGlobal('location', new URL('http://192.168.1.20:4000/'))
  show({})
  expect([has(t.addPasskey), has(t.makeKit)]).toEqual([false, true])
})

it('an explanation is confirmed by mail, by a passkey, or by neither where nothing has to be', () => {
  show({ page: 'explain', act: 'export' })
  expect([t.byMail, t.byPasskey, t.acts.export.action].map(has)).toEqual([true, false, false])
  cleanup()
  show({ page: 'explain', act: 'export', ways: [passkey], confirmed: true })
  // The vault takes no mail for an export beside a passkey.
  expect([t.byMail, t.byPasskey, t.acts.export.action].map(has)).toEqual([false, true, false])
  press(t.byPasskey)
  cleanup()
  show({ page: 'explain', act: 'makeKit', ways: [passkey] })
  expect([t.byMail, t.byPasskey, t.acts.makeKit.action].map(has)).toEqual([true, true, false])
  cleanup()
  show({ page: 'explain', act: 'addPasskey', confirmed: true })
  press(t.acts.addPasskey.action)
  cleanup()
  for (const act of ['removeDevice', 'removeWay', 'thaw'] as const) {
    show({ page: 'explain', act })
    expect([t.byMail, act === 'removeWay' ? t.remove : t.acts[act].action].map(has)).toEqual([true, false])
    cleanup()
  }
  show({ page: 'explain', act: 'signOutEverywhere', fault: 'No' })
  expect(screen.getByRole('alert').textContent).toBe('No')
  press(t.acts.signOutEverywhere.action)
  expect(told).toEqual([
    { type: 'settingsContinued', passkey: true },
    { type: 'settingsContinued', passkey: false },
    { type: 'settingsContinued', passkey: false }
  ])
})

it('words are in the page only while their button is held, and not after they are concealed', () => {
  secrets.show({
    type: 'words',
    words: 'abandon art',
    keys: [{ namespace: 'eip155', address: '0xabc', path: 'm', key: '0xkey' }]
  })
  show({ page: 'words' })
  const text = () => document.body.textContent ?? ''
  expect(text()).not.toContain('abandon')
  const [hold] = screen.getAllByRole('button', { name: t.hold })
  const pointer = (type: string, isTrusted = true) => {
    const event = new MouseEvent(type, { bubbles: true })
    Object.defineProperty(event, 'isTrusted', { value: isTrusted })
    if (hold) fireEvent(hold, event)
  }
  pointer('pointerdown', false)
  expect(text()).not.toContain('abandon')
  pointer('pointerdown')
  expect(text()).toContain('abandon art')
  expect(text()).not.toContain('0xkey')
  pointer('pointerup')
  expect(text()).not.toContain('abandon')
  pointer('pointerdown')
  act(() => secrets.conceal())
  expect(text()).not.toContain('abandon')
})

it('a copy is ticked at its button, which says what to do next, and a denied one too', async () => {
  const writeText = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('denied'))
  vi.stubGlobal('navigator', { language: 'en', clipboard: { writeText } })
  const key = { namespace: 'eip155', address: '0xabc', path: 'm', key: '0xkey' }
  secrets.show({ type: 'words', words: 'abandon art', keys: [key] })
  show({ page: 'words' })
  const secretOf = (text: HTMLElement) => text.closest('.secret')?.getAttribute('data-secret')
  press(`${t.copy}: ${t.phrase}`)
  expect(secretOf(await screen.findByText(t.copied))).toBe(t.phrase)
  expect(writeText).toHaveBeenCalledWith('abandon art')
  const ticked = screen.getByRole('button', { name: `${t.copyDone}: ${t.phrase}` })
  expect([ticked.textContent?.trim(), ticked.querySelectorAll('svg').length]).toEqual([t.copyDone, 1])
  press(`${t.copy}: ${t.keyOf.eip155}`)
  expect(secretOf(await screen.findByText(t.uncopied))).toBe(t.keyOf.eip155)
  expect([screen.queryByText(t.copied), has(`${t.copy}: ${t.phrase}`)]).toEqual([null, true])
})

it('the address of a key is labelled, so that it is not taken for the key', () => {
  const key = { namespace: 'eip155', address: '0xabc', path: 'm', key: '0xkey' }
  secrets.show({ type: 'words', words: 'abandon art', keys: [key] })
  show({ page: 'words' })
  expect(screen.getByText('0xabc').parentElement?.textContent).toBe('Address: 0xabc')
})

it('a kit names its mark, is printed, and is left by saying that it is kept', () => {
  const print = vi.fn()
  vi.stubGlobal('print', print)
  secrets.show({ type: 'kit', code: '0000-1111', mark: '0102' })
  show({ page: 'kit' })
  expect(screen.getByTestId('kit-code').textContent).toBe('0000-1111')
  press(t.print)
  expect(print).toHaveBeenCalledOnce()
  press(t.kitKept)
  expect(told).toEqual([{ type: 'settingsLeft' }])
})

it('a saved kit says what it is, of which wallet, and how to use it', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:kit')
  secrets.show({ type: 'kit', code: '0000-1111', mark: '0102' })
  show({ page: 'kit' })
  const lines = ['Recovery kit 0102', `${location.host} a@example.org`, '0000-1111', t.kitUse]
  press(t.save)
  expect(await new Response(saved.mock.calls[0]?.[0] as Blob).text()).toBe(`${lines.join('\n\n')}\n`)
  saved.mockRestore()
})

it('a password is typed out of sight, shown on demand, and handed on without an event that has it', () => {
  show({ page: 'password', act: 'setPassword' })
  const field = screen.getByLabelText<HTMLInputElement>(t.passwordNew)
  expect([field.type, field.autocomplete]).toEqual(['password', 'new-password'])
  press(t.passwordShow)
  expect(field.type).toBe('text')
  press(t.passwordHide)
  expect(field.type).toBe('password')
  const again = screen.getByLabelText<HTMLInputElement>(t.passwordAgain)
  expect([again.type, again.autocomplete]).toEqual(['password', 'new-password'])
  fireEvent.change(field, { target: { value: 'correct horse' } })
  fireEvent.change(again, { target: { value: 'correct hearse' } })
  fireEvent.submit(field)
  expect([told, secrets.take(), screen.getByRole('alert').textContent]).toEqual([[], '', faults.passwordDiffers])
  fireEvent.input(again, { target: { value: 'correct horse' } })
  expect(screen.queryByRole('alert'), 'what was wrong is gone before the next click').toBe(null)
  fireEvent.submit(field)
  expect(screen.queryByRole('alert')).toBe(null)
  expect(told).toEqual([{ type: 'passwordTyped' }])
  expect([secrets.take(), secrets.take()]).toEqual(['correct horse', ''])
  press(t.cancel)
  expect(told.at(-1)).toEqual({ type: 'settingsLeft' })
})

it('the password that shows the keys is asked for by what it does, once, and a wrong one is told', () => {
  show({ page: 'password', act: 'export', ways: [recovery, password], fault: faults.passwordWrong })
  expect(screen.getByRole('heading').textContent).toBe(t.export)
  expect([screen.getByText(t.prove).className, screen.getByRole('alert').textContent]).toEqual([
    'hint',
    faults.passwordWrong
  ])
  const field = screen.getByLabelText<HTMLInputElement>(t.password)
  expect([field.autocomplete, screen.queryByLabelText(t.passwordAgain)]).toEqual(['current-password', null])
  fireEvent.change(field, { target: { value: 'correct horse' } })
  press(t.goOn)
  expect([told, secrets.take()]).toEqual([[{ type: 'passwordTyped' }], 'correct horse'])
})

it('a form of a password with an empty field is told in its page, and its button looks so', () => {
  show({ page: 'password', act: 'setPassword' })
  const save = screen.getByRole('button', { name: t.passwordSet })
  const field = screen.getByLabelText<HTMLInputElement>(t.passwordNew)
  expect([save.className, field.form?.noValidate]).toEqual(['button idle', true])
  fireEvent.click(save)
  expect([told, screen.getByRole('alert').textContent]).toEqual([[], faults.passwordShort])
  expect(document.activeElement).toBe(field)
  fireEvent.input(field, { target: { value: 'correct horse' } })
  fireEvent.click(save)
  expect(screen.getByRole('alert').textContent).toBe(faults.passwordDiffers)
  fireEvent.input(screen.getByLabelText(t.passwordAgain), { target: { value: 'correct horse' } })
  expect(save.className).toBe('button primary')
})

it('a fault of a password ends with the next letter, and does not come back after a mismatch is mended', () => {
  const page = { page: 'password', act: 'setPassword' } as const
  const again = show(page)
  const [field, repeated] = [t.passwordNew, t.passwordAgain].map((label) => screen.getByLabelText(label))
  const save = screen.getByRole('button', { name: t.passwordSet })
  const type = (...typed: [string, string]) => {
    for (const [place, one] of [field, repeated].entries()) {
      if (one) fireEvent.input(one, { target: { value: typed[place] } })
    }
  }
  type('short', 'short')
  expect(save.className, 'five letters are no password').toBe('button idle')
  fireEvent.click(save)
  again({ ...page, fault: faults.passwordShort })
  expect(screen.getByRole('alert').textContent).toBe(faults.passwordShort)
  type('correct horse', 'correct hearse')
  expect(screen.queryByRole('alert')).toBe(null)
  fireEvent.click(save)
  expect(screen.getByRole('alert').textContent).toBe(faults.passwordDiffers)
  type('correct horse', 'correct horse')
  expect([screen.queryByRole('alert'), save.className]).toEqual([null, 'button primary'])
})

it('a wallet with a password offers another one in its place', () => {
  show({})
  press(t.addPassword)
  cleanup()
  show({ ways: [recovery, password] })
  press(t.changePassword)
  expect(told).toEqual([1, 2].map(() => ({ type: 'settingsActed', act: 'setPassword', id: null })))
  expect(has(t.addPassword)).toBe(false)
  expect(has(`${t.remove}: ${t.password}`)).toBe(true)
  const title = () => screen.getByRole('heading').textContent
  cleanup()
  show({ page: 'explain', act: 'setPassword' })
  expect(title()).toBe(t.acts.setPassword.title)
  cleanup()
  show({ page: 'explain', act: 'setPassword', ways: [recovery, password] })
  expect(title()).toBe('Change your password?')
})

it('what takes something away is confirmed by a red button, and the rest by one of the accent', () => {
  const classOf = (name: string) => screen.getByRole('button', { name }).className
  for (const act of ['removeWay', 'removeRecovery', 'removeDevice', 'removeLogin'] as const) {
    show({ page: 'explain', act })
    expect(classOf(t.byMail), act).toBe('button grave')
    cleanup()
    show({ page: 'explain', act, ways: [passkey] })
    expect([t.byPasskey, t.byMail].map(classOf), act).toEqual(['button grave', 'button'])
    cleanup()
    show({ page: 'explain', act, confirmed: true })
    expect(classOf(act === 'removeWay' ? t.remove : t.acts[act].action), act).toBe('button grave')
    cleanup()
  }
  show({ page: 'explain', act: 'signOutEverywhere' })
  expect(classOf(t.acts.signOutEverywhere.action)).toBe('button grave')
  cleanup()
  for (const act of ['export', 'makeKit', 'addLogin', 'thaw'] as const) {
    show({ page: 'explain', act })
    expect(classOf(t.byMail), act).toBe('button primary')
    cleanup()
  }
})

it('a locked wallet offers what it has slots for, and names nothing else', () => {
  const hint = (...ways: Shown['ways']) => {
    show({ page: 'locked', ways })
    const told = document.querySelector('.hint')?.textContent ?? ''
    cleanup()
    return told.replace(/^.*this wallet\. /, '')
  }
  expect(hint(kit)).toBe('Use your recovery kit.')
  expect(hint(recovery, password, kit)).toBe('Use your password or recovery kit.')
  expect(hint(kit, passkey, password)).toBe('Use your passkey, password or recovery kit.')
  show({ page: 'locked', ways: [kit] })
  expect(has(t.usePasskey)).toBe(false)
  fireEvent.change(screen.getByLabelText(t.code), { target: { value: '0000-1111' } })
  fireEvent.submit(screen.getByLabelText(t.code))
  expect(told).toEqual([{ type: 'kitTyped', code: '0000-1111' }])
  cleanup()
  show({ page: 'locked', ways: [passkey] })
  expect(screen.queryByLabelText(t.code)).toBeNull()
  press(t.usePasskey)
  expect(told.at(-1)).toEqual({ type: 'passkeyUsed' })
  cleanup()
  show({ page: 'locked', ways: [password], fault: faults.passwordWrong })
  expect(screen.getByRole('alert').textContent).toBe(faults.passwordWrong)
  fireEvent.change(screen.getByLabelText(t.password), { target: { value: 'correct horse' } })
  fireEvent.submit(screen.getByLabelText(t.password))
  expect([told.at(-1), secrets.take()]).toEqual([{ type: 'passwordTyped' }, 'correct horse'])
})

it('the settings are in the language that the widget tells, from right to left where it is written so', async () => {
  await speak('ar-EG')
  show({ fault: faults.storage })
  expect(screen.getByText(ar.settings.title).closest('section')?.dir).toBe('rtl')
  expect(screen.getByRole('alert').textContent).toBe(ar.faults.storage)
  cleanup()
  await speak('de-CH')
  show({})
  expect(screen.getByText(t.title).closest('section')?.lang).toBe('en')
})

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
