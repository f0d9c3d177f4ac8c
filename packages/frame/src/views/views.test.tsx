import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ApprovalView, FrameSnapshot, FrameUiEvent } from '../generated/frame.ts'
import { Secrets } from '../secrets.ts'
import { ar } from '../text/ar.ts'
import { en } from '../text/en.ts'
import { speak } from '../text/words.ts'
import { FrameView, type Views } from './FrameView.tsx'

const approval: ApprovalView = {
  number: 3,
  revision: 2,
  stage: 'ready',
  armed: true,
  blocked: false,
  block: null,
  confirm: null,
  window: false,
  fault: null,
  action: 'send',
  account: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  network: { name: 'Ethereum', id: null },
  rows: [{ label: 'amount', text: { phrase: 'amount', values: ['1234.5000001', 'ETH'] } }],
  text: null,
  fee: { phrase: 'amount', values: ['0.000273000012345', 'ETH'] },
  expected: null,
  flags: []
}
const host = { origin: 'https://shop.example.org', name: 'Shop' }

let told: FrameUiEvent[]
let observers: { seen: (entries: object[]) => void; options: object }[]

/** Machine with one snapshot. */
class Shown implements Views {
  snapshot: FrameSnapshot
  #listeners = new Set<() => void>()

  constructor(shown: Partial<ApprovalView> | null) {
    this.snapshot = {
      theme: 'dark',
      variables: null,
      host,
      approval: shown && { ...approval, ...shown },
      settings: null
    }
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  dispatch(event: FrameUiEvent): void {
    told.push(event)
  }

  change(shown: Partial<ApprovalView>): void {
    this.snapshot = { ...this.snapshot, approval: { ...approval, ...shown } }
    for (const listener of this.#listeners) listener()
  }
}

/** Click of the visitor; events that a script makes are not trusted. */
function click(name: string, isTrusted = true): void {
  const event = new MouseEvent('click', { bubbles: true })
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  fireEvent(screen.getByRole('button', { name }), event)
}

beforeEach(() => {
  told = []
  observers = []
  vi.useFakeTimers({ toFake: ['requestAnimationFrame', 'cancelAnimationFrame'] })
  const Observer = class {
    constructor(seen: (entries: object[]) => void, options: object) {
      observers.push({ seen, options })
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Observer)
})
afterEach(async () => {
  await speak('en')
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('nothing is drawn while nothing waits for the visitor', () => {
  expect(render(<FrameView machine={new Shown(null)} secrets={new Secrets()} />).container.innerHTML).toBe('')
})

it('an approval names site, account, network, amount and fee', () => {
  const { container } = render(<FrameView machine={new Shown({})} secrets={new Secrets()} />)
  const text = container.textContent ?? ''
  for (const part of [
    host.origin,
    'Unverified name: "Shop"',
    approval.account,
    'Ethereum',
    '1,234.5000001 ETH',
    '0.0002731 ETH'
  ])
    expect(text).toContain(part)
})

it('a chain has the name of the table, or that of the server with its number, or its number alone', () => {
  const shown = (network: ApprovalView['network']) => {
    const { container } = render(<FrameView machine={new Shown({ network })} secrets={new Secrets()} />)
    const text = container.textContent ?? ''
    cleanup()
    return /Network(.*?)Max/.exec(text)?.[1]
  }
  expect(shown({ name: 'Ethereum', id: null })).toBe('Ethereum')
  expect(shown({ name: 'Devnet', id: '31337' })).toBe('Devnet (chain 31337)')
  expect(shown({ name: null, id: '31337' })).toBe('Chain 31337')
})

const onSolana: Partial<ApprovalView> = {
  action: 'signTransaction',
  account: '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi',
  network: { name: 'Solana', id: null },
  rows: [
    { label: 'transaction', text: { phrase: 'partOf', values: ['1', '2'] } },
    { label: 'program', text: { phrase: 'plain', values: ['US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx'] } },
    { label: 'newAuthority', text: { phrase: 'nobody', values: [] } }
  ],
  fee: { phrase: 'amount', values: ['0.000005', 'SOL'] },
  expected: [{ label: 'leaves', text: { phrase: 'amount', values: ['1.5', 'SOL'] } }],
  flags: ['unknownProgram', 'hiddenAccounts', 'otherNetwork']
}

it('a transaction of Solana is told with its risks in each language', async () => {
  for (const texts of [en, ar]) {
    await speak(texts === en ? 'en' : 'ar')
    const { container } = render(<FrameView machine={new Shown(onSolana)} secrets={new Secrets()} />)
    const text = (container.textContent ?? '').replace(/[\u2068\u2069]/g, '')
    const { titles, flags, labels, phrases, expected } = texts.approval
    const place = phrases.partOf.replace('{#0}', '1').replace('{#1}', '2')
    for (const part of [titles.signTransaction, flags.unknownProgram, flags.hiddenAccounts, flags.otherNetwork])
      expect(text).toContain(part)
    for (const part of [expected, '1.5 SOL', '0.000005 SOL', 'Solana', onSolana.account]) expect(text).toContain(part)
    for (const part of [
      `${labels.transaction}${place}`,
      `${labels.program}US517G5965aydkZ46HS38QLi7UQiSojurfbQfKCELFx`,
      `${labels.newAuthority}${phrases.nobody}`
    ])
      expect(text).toContain(part)
    cleanup()
  }
})

it('an approval is in the language that the widget tells, from right to left where it is written so', async () => {
  await speak('ar-EG')
  const { container } = render(
    <FrameView machine={new Shown({ flags: ['lookAlike', 'firstSeen'] })} secrets={new Secrets()} />
  )
  const [section, text] = [container.querySelector('section'), container.textContent ?? '']
  expect([section?.dir, section?.lang]).toEqual(['rtl', 'ar'])
  const { titles, flags, labels, approve, decline, fee } = ar.approval
  for (const part of [titles.send, flags.lookAlike, flags.firstSeen, labels.amount, approve, decline, fee])
    expect(text).toContain(part)
  for (const part of [en.approval.titles.send, en.approval.labels.amount, en.approval.approve])
    expect(text).not.toContain(part)
  // An address is copied as it is.
  expect(text).toContain(approval.account)
  expect(text).toContain('\u20681,234.5000001\u2069 \u2068ETH\u2069')
})

it('a request that seems to deceive is approved by a red button', () => {
  const colour = () => screen.getByRole('button', { name: en.approval.approve }).className
  for (const flag of ['lookAlike', 'fakeToken'] as const) {
    const { unmount } = render(<FrameView machine={new Shown({ flags: [flag] })} secrets={new Secrets()} />)
    expect(colour(), flag).toBe('button grave')
    unmount()
  }
  render(<FrameView machine={new Shown({ flags: ['firstSeen'] })} secrets={new Secrets()} />)
  expect(colour()).toBe('button primary')
})

it('a site is blocked below the buttons that decide, by a click of the visitor alone, and not at once', () => {
  const machine = new Shown({})
  render(<FrameView machine={machine} secrets={new Secrets()} />)
  const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
  const { approve, block, decline } = en.approval
  expect(names()).toEqual([decline, approve])
  act(() => machine.change({ block: false }))
  expect(names()).toEqual([decline, approve, block])
  click(block)
  expect(told).toEqual([])
  act(() => machine.change({ block: true }))
  click(block, false)
  expect(told).toEqual([])
  click(block)
  expect(told).toEqual([{ type: 'blocked', approval: 3 }])
  act(() => machine.change({ block: true, confirm: 'click', window: true }))
  expect(names()).toEqual([decline, block])
  act(() => machine.change({ block: true, stage: 'sending' }))
  expect(screen.getByRole('button', { name: block }).hasAttribute('disabled')).toBe(true)
})

it('only clicks of the visitor count', () => {
  render(<FrameView machine={new Shown({})} secrets={new Secrets()} />)
  click('Approve', false)
  click('Decline', false)
  expect(told).toEqual([])
  click('Approve')
  click('Decline')
  expect(told).toEqual([
    { type: 'approved', approval: 3, revision: 2 },
    { type: 'cancelled', approval: 3 }
  ])
})

it('Approve takes no click before the machine says so', () => {
  render(<FrameView machine={new Shown({ armed: false })} secrets={new Secrets()} />)
  expect(screen.getByRole('button', { name: 'Approve' }).hasAttribute('disabled')).toBe(true)
})

it('a blocked request says why', () => {
  render(
    <FrameView machine={new Shown({ armed: false, blocked: true, flags: ['wrongDomain'] })} secrets={new Secrets()} />
  )
  expect(screen.getByRole('alert').textContent).toBe("This sign-in is for another site. It can't be approved.")
})

it('an approval of a frozen wallet says where it is unfrozen', () => {
  render(<FrameView machine={new Shown({ armed: false, blocked: true, flags: ['frozen'] })} secrets={new Secrets()} />)
  expect(screen.getByRole('alert').textContent).toContain('open "Wallet settings" in your account')
})

it('each revision is reported after it was painted', () => {
  const machine = new Shown({})
  render(<FrameView machine={machine} secrets={new Secrets()} />)
  vi.advanceTimersToNextFrame()
  expect(told).toEqual([])
  vi.advanceTimersToNextFrame()
  expect(told).toEqual([{ type: 'approvalPainted', approval: 3, revision: 2 }])
  act(() => machine.change({ revision: 3 }))
  vi.advanceTimersToNextFrame()
  vi.advanceTimersToNextFrame()
  expect(told.at(-1)).toEqual({ type: 'approvalPainted', approval: 3, revision: 3 })
})

it('what moves or covers the frame is reported', () => {
  render(<FrameView machine={new Shown({})} secrets={new Secrets()} />)
  // The click on a button focuses it, and is not lost by that.
  screen.getByRole('button', { name: 'Approve' }).focus()
  expect(told).toEqual([])
  for (const event of ['resize', 'focus', 'scroll']) window.dispatchEvent(new Event(event))
  document.dispatchEvent(new Event('visibilitychange'))
  expect(told).toEqual(Array(4).fill({ type: 'approvalDisturbed' }))
  expect(observers[0]?.options).toMatchObject({ trackVisibility: true, delay: 100 })
  observers[0]?.seen([{ isVisible: false }])
  observers[0]?.seen([{ isVisible: false }, { isVisible: true }])
  observers[0]?.seen([{}])
  expect(told.slice(4)).toEqual([
    { type: 'approvalCovered', covered: true },
    { type: 'approvalCovered', covered: false }
  ])
})

it('the second confirmation stands above the request, and the first button is gone', () => {
  const shown = { flags: ['large'], confirm: 'click' } as const
  const { container } = render(<FrameView machine={new Shown(shown)} secrets={new Secrets()} />)
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  const order = [...container.querySelectorAll('button')].map(({ textContent }) => textContent)
  expect(order).toEqual(['Sign now', 'Decline'])
  expect(container.querySelector('.again + .host')).not.toBeNull()
  click('Sign now', false)
  expect(told).toEqual([])
  click('Sign now')
  expect(told).toEqual([{ type: 'approved', approval: 3, revision: 2 }])
})

it('the second confirmation takes no click before the machine says so', () => {
  render(<FrameView machine={new Shown({ armed: false, confirm: 'click' })} secrets={new Secrets()} />)
  expect(screen.getByRole('button', { name: 'Sign now' }).hasAttribute('disabled')).toBe(true)
})

it('a request that needs a window has a button that opens it', () => {
  render(<FrameView machine={new Shown({ flags: ['large'], window: true })} secrets={new Secrets()} />)
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  click('Continue in a new window', false)
  expect(told).toEqual([])
  click('Continue in a new window')
  expect(told).toEqual([{ type: 'approved', approval: 3, revision: 2 }])
})

it('while the window is open, the frame says so and can only decline', () => {
  const shown = { flags: ['large'], confirm: 'click', window: true } as const
  const { container } = render(<FrameView machine={new Shown(shown)} secrets={new Secrets()} />)
  expect(screen.getByRole('status').textContent).toBe('Check and sign this in the window that opened.')
  expect([...container.querySelectorAll('button')].map(({ textContent }) => textContent)).toEqual(['Decline'])
  click('Decline')
  expect(told).toEqual([{ type: 'cancelled', approval: 3 }])
})

it('a password goes to the page alone, and an empty or scripted one goes nowhere', () => {
  const secrets = new Secrets()
  const shown = { confirm: 'password', fault: 'This password is wrong. Check it and try again.' } as const
  const { container } = render(<FrameView machine={new Shown(shown)} secrets={secrets} />)
  expect(screen.getByRole('alert').textContent).toContain('This password is wrong')
  const form = container.querySelector('form') as HTMLFormElement
  const submit = (isTrusted: boolean) => {
    const event = new Event('submit', { bubbles: true, cancelable: true })
    Object.defineProperty(event, 'isTrusted', { value: isTrusted })
    fireEvent(form, event)
  }
  // The button looks ready once there is a password, and leads to the field until then.
  const button = () => screen.getByRole('button', { name: 'Sign now' }).className
  expect(button()).toBe('button idle')
  submit(true)
  expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'correct horse' } })
  expect(button()).toBe('button primary')
  submit(false)
  expect([told, secrets.take()]).toEqual([[], ''])
  submit(true)
  expect(told).toEqual([{ type: 'approved', approval: 3, revision: 2 }])
  expect(JSON.stringify(told)).not.toContain('correct horse')
  expect(secrets.take()).toBe('correct horse')
})
