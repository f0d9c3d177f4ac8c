/** Where the card is a bottom sheet: as in the curtain's rules. */
const SHEET = '(max-width:429px)'
/** A sheet that was drawn down by this part of its height, or let go at this speed in pixels a millisecond, asks to close. */
const PART = 1 / 3
const SPEED = 0.5
/** A finger is never quite still: less than so many pixels is a press. */
const SLACK = 6

/** One finger on its way. */
interface Drag {
  readonly card: HTMLElement
  readonly pointer: number
  readonly from: number
  down: number
  time: number
  speed: number
}

/**
 * The bottom sheet goes with the finger that draws its header down. Whether it closes is asked; a sheet that stays goes back. Both ways
 * it begins where the finger left it, for the transition is its own.
 */
export function followSwipe(dialog: HTMLElement, ask: () => void, signal: AbortSignal): void {
  const sheet = matchMedia(SHEET)
  let drag: Drag | undefined

  const begin = ({ target, isPrimary, button, pointerId, clientY, timeStamp }: PointerEvent) => {
    const header = target instanceof Element ? target.closest('.header') : null
    const card = header?.closest<HTMLElement>('.card')
    // Elsewhere the finger scrolls what stands in the card, and a card in the middle of the window is no sheet.
    if (!card || !isPrimary || button !== 0 || !sheet.matches) return
    drag = { card, pointer: pointerId, from: clientY, down: 0, time: timeStamp, speed: 0 }
  }
  const move = ({ pointerId, clientY, timeStamp }: PointerEvent) => {
    if (pointerId !== drag?.pointer) return
    const { card } = drag
    const down = Math.max(0, clientY - drag.from)
    if (drag.down === 0) {
      if (down < SLACK) return
      // From here on it is no press: the button below the finger hears nothing of it.
      card.setPointerCapture(pointerId)
      card.parentElement?.classList.remove('steady')
      card.style.transition = 'none'
    }
    drag.speed = (down - drag.down) / Math.max(1, timeStamp - drag.time)
    drag.down = Math.max(1, down)
    drag.time = timeStamp
    card.style.transform = `translateY(${down}px)`
  }
  const end = ({ type, pointerId }: PointerEvent) => {
    if (pointerId !== drag?.pointer) return
    const { card, down, speed } = drag
    drag = undefined
    if (type === 'pointerup' && card.isConnected && (down > card.offsetHeight * PART || speed > SPEED)) ask()
    card.style.transition = ''
    card.style.transform = ''
  }

  dialog.addEventListener('pointerdown', begin, { signal })
  dialog.addEventListener('pointermove', move, { signal })
  // Of a card that the page takes away under the finger only the document hears the end.
  document.addEventListener('pointerup', end, { signal })
  document.addEventListener('pointercancel', end, { signal })
  document.addEventListener('lostpointercapture', (event) => event.target === document && end(event), { signal })
}
