import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followSwipe } from './swipe.ts'

const HEIGHT = 600

let dialog: HTMLElement
let card: HTMLElement
let stop: AbortController
let ask: ReturnType<typeof vi.fn<() => void>>
let narrow: boolean

beforeEach(() => {
  narrow = true
  vi.stubGlobal('matchMedia', () => ({
    get matches() {
      return narrow
    }
  }))
  dialog = document.createElement('dialog')
  dialog.innerHTML =
    '<div class="mount steady"><div class="card"><div class="header"><button>Close</button></div><div class="body"></div></div></div>'
  card = dialog.querySelector('.card') as HTMLElement
  card.setPointerCapture = vi.fn()
  Object.defineProperty(card, 'offsetHeight', { value: HEIGHT })
  document.body.replaceChildren(dialog)
  stop = new AbortController()
  ask = vi.fn()
  followSwipe(dialog, ask, stop.signal)
})

afterEach(() => {
  stop.abort()
  vi.unstubAllGlobals()
})

function finger(type: string, on: string, y: number, at: number): void {
  const event = new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true, clientY: y })
  Object.defineProperty(event, 'timeStamp', { value: at })
  dialog.querySelector(on)?.dispatchEvent(event)
}

/** Swipes from the top by a distance in pixels within a time in milliseconds; with `rests` the last tenth is slow. */
function draw(by: number, within: number, { on = '.header', rests = false } = {}): void {
  finger('pointerdown', on, 0, 0)
  for (let step = 1; step <= 10; step += 1) finger('pointermove', on, (by * step) / 10, (within * step) / 10)
  if (rests) finger('pointermove', on, by, within + 500)
}

describe('the sheet', () => {
  it('goes with the finger and asks to close when it was drawn far down', () => {
    draw(HEIGHT / 2, 1_000, { rests: true })
    expect([card.style.transform, card.style.transition]).toEqual([`translateY(${HEIGHT / 2}px)`, 'none'])
    expect(ask).not.toHaveBeenCalled()
    finger('pointerup', '.header', HEIGHT / 2, 1_600)
    expect(ask).toHaveBeenCalledOnce()
    expect([card.style.transform, card.style.transition]).toEqual(['', ''])
  })

  it('asks to close when it was let go fast', () => {
    draw(80, 100)
    finger('pointerup', '.header', 80, 101)
    expect(ask).toHaveBeenCalledOnce()
  })

  it('goes back when it was drawn a little and slowly, or the browser took the finger away', () => {
    draw(100, 1_000, { rests: true })
    finger('pointerup', '.header', 100, 1_600)
    draw(HEIGHT, 100)
    finger('pointercancel', '.header', HEIGHT, 101)
    expect(ask).not.toHaveBeenCalled()
    expect(card.style.transform).toBe('')
  })

  it('goes back and asks for nothing when the page takes it away under the finger', () => {
    for (const [type, target] of [
      ['pointerup', document.body],
      ['lostpointercapture', document]
    ] as const) {
      document.body.append(dialog)
      draw(HEIGHT / 2, 100)
      dialog.remove()
      target.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, isPrimary: true }))
      expect([card.style.transform, card.style.transition]).toEqual(['', ''])
    }
    expect(ask).not.toHaveBeenCalled()
  })

  it('stays with the finger that the card takes over from what it touched', () => {
    draw(100, 1_000)
    finger('lostpointercapture', '.header', 100, 1_000)
    expect(card.style.transform).toBe('translateY(100px)')
  })

  it('cannot be drawn up', () => {
    draw(-200, 100)
    expect(card.style.transform).toBe('')
    finger('pointerup', '.header', -200, 101)
    expect(ask).not.toHaveBeenCalled()
  })

  it('leaves a press on a button a press', () => {
    draw(4, 50, { on: 'button' })
    expect(card.setPointerCapture).not.toHaveBeenCalled()
    draw(100, 50, { on: 'button' })
    expect(card.setPointerCapture).toHaveBeenCalledWith(1)
  })

  it('stays where the finger scrolls what stands in it, and where it is no sheet', () => {
    draw(HEIGHT, 100, { on: '.body' })
    narrow = false
    draw(HEIGHT, 100)
    expect(card.style.transform).toBe('')
  })
})
