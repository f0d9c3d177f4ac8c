/** Media query for the card as a bottom sheet, as in the curtain's rules. */
const SHEET = '(max-width:429px)'
/** A sheet closes when dragged down by this share of its height, or released at this speed in pixels per millisecond. */
const PART = 1 / 3
const SPEED = 0.5
/** Movement in pixels below which a touch counts as a press. */
const SLACK = 6

/** Drag in progress, by one finger. */
interface Drag {
  readonly card: HTMLElement
  readonly pointer: number
  readonly from: number
  down: number
  time: number
  speed: number
}

/**
 * Moves the bottom sheet with a finger that drags its header down. `ask` decides whether it closes; a sheet that stays moves back. Both
 * movements start where the finger left it, by the sheet's own CSS transition.
 */
export function followSwipe(dialog: HTMLElement, ask: () => void, signal: AbortSignal): void {
  const sheet = matchMedia(SHEET)
  let drag: Drag | undefined

  const begin = ({ target, isPrimary, button, pointerId, clientY, timeStamp }: PointerEvent) => {
    const header = target instanceof Element ? target.closest('.header') : null
    const card = header?.closest<HTMLElement>('.card')
    // Touches elsewhere scroll the content, and a centred card is no sheet.
    if (!card || !isPrimary || button !== 0 || !sheet.matches) return
    drag = { card, pointer: pointerId, from: clientY, down: 0, time: timeStamp, speed: 0 }
  }
  const move = ({ pointerId, clientY, timeStamp }: PointerEvent) => {
    if (pointerId !== drag?.pointer) return
    const { card } = drag
    const down = Math.max(0, clientY - drag.from)
    if (drag.down === 0) {
      if (down < SLACK) return
      // From here on it is a drag: the button below the finger gets no click.
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
  // On the document: a card that the page removes under the finger gets no further events.
  document.addEventListener('pointerup', end, { signal })
  document.addEventListener('pointercancel', end, { signal })
  document.addEventListener('lostpointercapture', (event) => event.target === document && end(event), { signal })
}
