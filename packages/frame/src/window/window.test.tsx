//! The window of a large value and the frame that opened it, each with the messages of the other.

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ApprovalView, FrameOutcome, FrameSnapshot, FrameUiEvent } from '../generated/frame.ts'
import { challengeOf } from '../keeper/subject.ts'
import { DECISION } from '../passkey/mark.ts'
import type { Used } from '../passkey/webauthn.ts'
import { Secrets } from '../secrets.ts'
import { cases } from '../testing/cases.ts'
import { faults } from '../text/faults.ts'
import { FrameView, type Views } from '../views/FrameView.tsx'
import { DecisionWindow } from './DecisionWindow.ts'
import { hearFrame } from './Remote.ts'

const order = { type: 'message', address: '0x00', message: '0x6869' } as const
const ORIGIN = location.origin
const EVIL = 'https://evil.example'
const used = { proof: { transaction: 'CC' }, output: 'OO' } as unknown as Used

/** Message of a window, as the browser delivers it. */
const message = (data: unknown, source: unknown, origin = ORIGIN) =>
  act(() => {
    window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }))
  })

let told: FrameUiEvent[]
let taken: [digest: string, password: string][]

/** Machine that shows one request. */
class Shown implements Views {
  snapshot = cases['Approve.window']?.snapshot as FrameSnapshot
  listeners = new Set<() => void>()

  subscribe = (listener: () => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  dispatch(event: FrameUiEvent): void {
    told.push(event)
  }

  change(shown: Partial<ApprovalView> | null): void {
    const { approval } = this.snapshot
    this.snapshot = { ...this.snapshot, approval: shown && approval && { ...approval, ...shown } }
    for (const listener of this.listeners) listener()
  }
}

beforeEach(() => {
  told = []
  taken = []
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('the frame', () => {
  let machine: Shown
  let secrets: Secrets
  let frame: DecisionWindow
  let opened: { closed: boolean; postMessage: ReturnType<typeof vi.fn>; close: ReturnType<typeof vi.fn> }
  let ended: FrameOutcome | undefined
  const open = vi.fn()

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    machine = new Shown()
    machine.dispatch = (event) => {
      told.push(event)
      if (event.type === 'decided') taken.push([frame.take(), secrets.take()])
    }
    secrets = new Secrets()
    frame = new DecisionWindow(machine, secrets)
    opened = { closed: false, postMessage: vi.fn(), close: vi.fn() }
    ended = undefined
    open.mockReset().mockReturnValue(opened)
    vi.spyOn(window, 'open').mockImplementation(open)
  })

  const opens = () =>
    void frame.open({ type: 'openWindow', approval: 1, order }).then((outcome) => {
      ended = outcome
    })
  const settled = () => act(async () => {})
  const decided = { type: 'decided', approval: 1, revision: 1, digest: 'DD', password: 'horse' }

  it('opens its own page in a new window, and shows it each change of the request once it is there', () => {
    opens()
    const [address, name] = open.mock.calls[0] ?? []
    expect([new URL(address).origin, new URL(address).hash, name]).toEqual([ORIGIN, DECISION, '_blank'])
    machine.change({ revision: 2 })
    expect(opened.postMessage).not.toHaveBeenCalled()
    message({ type: 'ready' }, opened)
    machine.change({ armed: true })
    const shown = { type: 'shown', snapshot: machine.snapshot, order }
    expect(opened.postMessage).toHaveBeenLastCalledWith(shown, ORIGIN)
    expect(opened.postMessage).toHaveBeenCalledTimes(2)
  })

  it('takes a decision of its window, whose digest and password are there for one signature', () => {
    opens()
    message(decided, opened)
    expect(told).toEqual([{ type: 'decided', approval: 1, revision: 1 }])
    expect(taken).toEqual([['DD', 'horse']])
    expect([frame.take(), secrets.take()]).toEqual(['', ''])
  })

  it('forgets digest and password of a decision that the machine does not take', () => {
    machine.dispatch = () => {}
    opens()
    message(decided, opened)
    expect([frame.take(), secrets.take()]).toEqual(['', ''])
  })

  it('takes no decision of other windows and origins, about another request, or after the end', async () => {
    opens()
    message(decided, window)
    message(decided, window.parent)
    message(decided, opened, EVIL)
    message({ ...decided, approval: 2 }, opened)
    message({ type: 'event', event: { type: 'approved', approval: 1, revision: 1 } }, opened)
    message({ type: 'event', event: { type: 'decided', approval: 1, revision: 1 } }, opened)
    for (const nonsense of [null, 'decided', { type: 'other' }]) message(nonsense, opened)
    machine.change(null)
    await settled()
    message(decided, opened)
    expect([told, taken, ended]).toEqual([[], [], { type: 'done' }])
  })

  it('passes on what the window saw, and that the visitor declined or blocked', () => {
    opens()
    const events = [
      { type: 'approvalPainted', approval: 1, revision: 1 },
      { type: 'approvalDisturbed' },
      { type: 'cancelled', approval: 1 },
      { type: 'blocked', approval: 1 }
    ] as const
    for (const event of events) message({ type: 'event', event }, opened)
    expect(told).toEqual(events)
  })

  it.each<[string, () => void]>([
    ['was answered or withdrawn', () => machine.change(null)],
    ['was followed by another one', () => machine.change({ number: 2 })],
    ['needs no window any more', () => machine.change({ confirm: null })],
    ['went with its page', () => void window.dispatchEvent(new Event('pagehide'))]
  ])('closes the window of a request that %s', async (_, ends) => {
    opens()
    ends()
    await settled()
    expect(opened.close).toHaveBeenCalledOnce()
    expect(machine.listeners.size).toBe(0)
    expect(ended).toEqual({ type: 'done' })
  })

  it('notices that the visitor closed the window', async () => {
    opens()
    opened.closed = true
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(ended).toEqual({ type: 'done' })
  })

  it('says what to do where the browser opens no window', async () => {
    open.mockReturnValue(null)
    opens()
    await settled()
    expect(ended).toEqual({ type: 'failed', kind: 'refused', message: faults.popup })
  })

  it('uses a passkey in the window, and not without it', async () => {
    await expect(frame.usePasskey('CC', [])).rejects.toThrow(faults.passkeyUnused)
    opens()
    const using = frame.usePasskey('CC', [])
    await settled()
    const wish = { type: 'get', challenge: 'CC', passkeys: [] }
    expect(opened.postMessage).toHaveBeenLastCalledWith({ type: 'wish', wish }, ORIGIN)
    message({ type: 'answer', answer: { value: used } }, opened)
    expect(await using).toBe(used)
    const failing = frame.usePasskey('CC', [])
    failing.catch(() => {})
    await settled()
    machine.change(null)
    await expect(failing).rejects.toThrow(faults.passkeyUnused)
  })
})

describe('the window', () => {
  // A new one for each test: the windows of the tests before hear theirs.
  let opener: { postMessage: ReturnType<typeof vi.fn> }
  const posted = (type: string) => opener.postMessage.mock.calls.filter(([{ type: own }]) => own === type)
  const fulfil = vi.fn(async () => ({ value: used }))
  const { snapshot } = cases['Approve.window'] as { snapshot: FrameSnapshot }
  const shown = { type: 'shown', snapshot, order }

  beforeEach(() => {
    opener = { postMessage: vi.fn() }
    fulfil.mockClear()
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe() {}
        disconnect() {}
      }
    )
  })

  /** Window whose frame showed the request. */
  async function drawn(change: Partial<ApprovalView> = {}): Promise<void> {
    const secrets = new Secrets()
    const heard = hearFrame({ opener: opener as unknown as Window, secrets, challengeOf, fulfil })
    expect(opener.postMessage.mock.calls).toEqual([[{ type: 'ready' }, ORIGIN]])
    const approval = { ...(snapshot.approval as ApprovalView), ...change }
    message({ ...shown, snapshot: { ...snapshot, approval } }, opener)
    render(<FrameView machine={await heard} secrets={secrets} />)
    const other = { ...shown, snapshot: { ...snapshot, host: { origin: EVIL, name: null } } }
    message(other, {})
    message(other, opener, EVIL)
  }

  it('shows the request as the frame that opened it tells, with site and amount', async () => {
    await drawn()
    const text = document.body.textContent ?? ''
    for (const part of [snapshot.host.origin, '1,234.500000000000000001 ETH', 'Ethereum']) expect(text).toContain(part)
    expect(text).not.toContain(EVIL)
  })

  it('tells the frame alone the click, with the hash of what is signed', async () => {
    await drawn()
    click('Sign now', false)
    click('Sign now')
    const decided = { type: 'decided', approval: 1, revision: 1, digest: await challengeOf(order), password: '' }
    await vi.waitFor(() => expect(posted('decided')).toEqual([[decided, ORIGIN]]))
    click('Decline')
    expect(posted('event')).toContainEqual([{ type: 'event', event: { type: 'cancelled', approval: 1 } }, ORIGIN])
  })

  it('takes no click before the machine says so', async () => {
    await drawn({ armed: false })
    expect(screen.getByRole('button', { name: 'Sign now' }).hasAttribute('disabled')).toBe(true)
    message(shown, opener)
    expect(screen.getByRole('button', { name: 'Sign now' }).hasAttribute('disabled')).toBe(false)
  })

  it('uses the passkey that the frame wishes for', async () => {
    await drawn()
    const wish = { type: 'get', challenge: 'CC', passkeys: [] } as const
    message({ type: 'wish', wish }, {})
    expect(fulfil).not.toHaveBeenCalled()
    message({ type: 'wish', wish }, opener)
    const answer = { type: 'answer', answer: { value: used } }
    await vi.waitFor(() => expect(posted('answer')).toEqual([[answer, ORIGIN]]))
    expect(fulfil).toHaveBeenCalledWith(wish)
  })
})

/** Click of the visitor; events that a script makes are not trusted. */
function click(name: string, isTrusted = true): void {
  const event = new MouseEvent('click', { bubbles: true })
  Object.defineProperty(event, 'isTrusted', { value: isTrusted })
  fireEvent(screen.getByRole('button', { name }), event)
}
