import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { SettingsView as Shown } from '../generated/frame.ts'
import { has, kit, passkey, password, press, recovery, secrets, show, told } from '../testing/settings.tsx'
import { ar } from '../text/ar.ts'
import { en } from '../text/en.ts'
import { faults } from '../text/faults.ts'
import { speak } from '../text/words.ts'

const t = en.settings
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
    told.length = 0
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
