import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { ACCOUNT, asked, metadata, proposal, request, session, TOPIC, world } from '../testing/fakes.ts'
import { App } from './App.tsx'
import { Notices } from './Notices.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const SETTINGS = { relayUrl: 'wss://relay.example', projectId: 'demo' }

function open(parts: Parameters<typeof world>[0] = {}) {
  const all = world(parts)
  render(<App wallet={all.wallet} records={all.records} settings={SETTINGS} standard={SETTINGS} />)
  return { ...all, tell: (event: Parameters<typeof all.tell>[0]) => act(() => all.tell(event)) }
}

const press = (name: string) => act(async () => fireEvent.click(screen.getByTestId(name)))
const disabled = (name: string) => (screen.getByTestId(name) as HTMLButtonElement).disabled

it('asks for the link that the modal copies, by the same word', () => {
  open()
  expect(screen.getByLabelText('Link')).toBe(screen.getByTestId('uri-input'))
  expect(screen.getByText(/copy its link and paste it here/)).toBeTruthy()
})

it('says what is wrong with a code, beside where it was typed', async () => {
  open()
  expect(disabled('uri-connect-button')).toBe(true)
  fireEvent.change(screen.getByTestId('uri-input'), { target: { value: 'hello' } })
  await press('uri-connect-button')
  expect(screen.getByRole('alert').textContent).toMatch(/^This isn't a WalletConnect link/)
  expect(screen.getByTestId('uri-input').getAttribute('aria-invalid')).toBe('true')
  expect((screen.getByTestId('uri-input') as HTMLInputElement).value).toBe('hello')
})

it('cannot approve what it cannot do, and says why', () => {
  const { tell } = open()
  tell({ type: 'proposed', proposal: proposal({ requiredNamespaces: { cosmos: asked(['cosmos:hub-4']) } }) })
  expect(disabled('session-approve-button')).toBe(true)
  expect(screen.getByTestId('question').textContent).toContain("Networks this wallet doesn't support: cosmos:hub-4.")
})

it('cannot connect without an account', async () => {
  const { tell } = open()
  tell({ type: 'proposed', proposal: proposal() })
  expect(disabled('session-approve-button')).toBe(false)
  fireEvent.click(screen.getByLabelText(/Account 1/))
  expect(disabled('session-approve-button')).toBe(true)
})

it('shows the words of a stranger as text, and warns of where they come from', () => {
  const { tell } = open()
  const proposer = { publicKey: '', metadata: metadata({ name: '<b>Bank</b>\u202e', url: 'http://bank.example' }) }
  tell({ type: 'proposed', proposal: proposal({ proposer }) })
  expect(screen.getByText('<b>Bank</b>').tagName).toBe('BDI')
  expect(screen.getByTestId('session-info-verified').getAttribute('role')).toBe('alert')
})

it('does not put forward the approval of an app that comes from another page than it says', () => {
  const { tell } = open()
  tell({
    type: 'proposed',
    proposal: proposal({ verification: { status: 'mismatch', origin: 'https://evil.example' } })
  })
  const standing = screen.getByTestId('session-info-verified')
  expect([standing.getAttribute('role'), standing.dataset.level]).toEqual(['alert', 'danger'])
  expect(screen.getByTestId('session-approve-button').className).toBe('danger')
})

it('leaves a question for later, counts what waits, and refuses', async () => {
  const { tell, calls } = open({ sessions: [session()] })
  for (const id of [1, 2]) tell({ type: 'requested', request: request('personal_sign', ['0x6869', ACCOUNT], { id }) })
  expect(screen.getByTestId('question').textContent).toContain('1 of 2')
  expect(screen.getByTestId('request-message').textContent).toBe('hi')
  expect(screen.getByTestId('request-details-chain').textContent).toBe('Anvil One')
  act(() => (screen.getByTestId('question') as HTMLDialogElement).close())
  expect(screen.queryByTestId('question')).toBeNull()
  await act(async () => fireEvent.click(screen.getByText(/2 requests wait/)))
  await press('session-reject-button')
  expect(calls).toEqual([['respond', TOPIC, 1, { error: { code: 5000, message: 'User rejected.' } }]])
  expect(screen.getByTestId('question').textContent).not.toContain('1 of 2')
})

it('lists what is connected, and ends it', async () => {
  const { calls } = open({ sessions: [session()] })
  await press('sessions')
  expect(screen.getByTestId('session-card').textContent).toContain('shop.example')
  expect(screen.getByTestId('chain-switch-buttoneip155:31337').getAttribute('aria-pressed')).toBe('true')
  await press('session-disconnect-button')
  expect(calls).toEqual([['delete', TOPIC]])
})

it('gives no test network once they are switched off, and gives them again', async () => {
  const { tell } = open()
  await press('settings')
  expect((screen.getByTestId('settings-toggle-testnets') as HTMLInputElement).checked).toBe(true)
  await press('settings-toggle-testnets')
  tell({ type: 'proposed', proposal: proposal() })
  expect(disabled('session-approve-button')).toBe(true)
  expect(screen.getByTestId('question').textContent).toContain('turned off in Settings: Anvil One.')
  await press('session-reject-button')
  await press('settings-toggle-testnets')
  tell({ type: 'proposed', proposal: proposal({ id: 2, pairingTopic: 'e'.repeat(64) }) })
  expect(disabled('session-approve-button')).toBe(false)
})

it('takes no address for a relay that is none', async () => {
  open()
  await press('settings')
  fireEvent.change(screen.getByTestId('relay-input'), { target: { value: 'https://relay.example' } })
  expect(disabled('settings-save')).toBe(true)
})

it('says what was sent, and whether its hash could be copied', async () => {
  const hash = `0x${'ab'.repeat(32)}`
  const copied: string[] = []
  const notice = { id: 1, words: 'Sent.', hash, until: 30 }
  for (const [writeText, words] of [
    [async (text: string) => void copied.push(text), 'Copied'],
    [() => Promise.reject(new DOMException('denied')), "Couldn't copy"]
  ] as const) {
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    render(<Notices notices={[notice]} dismiss={() => {}} />)
    expect(screen.getByTestId('notice-hash').title).toBe(hash)
    await act(async () => fireEvent.click(screen.getByText('Copy')))
    expect(screen.getByText(words)).toBeTruthy()
    cleanup()
  }
  expect(copied).toEqual([hash])
})
