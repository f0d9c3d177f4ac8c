import { animation } from '../generated/constants.ts'
import { matches } from '../shell/media.ts'

/** Least distance in CSS pixels between the card and the window's edge. */
const MARGIN = 16

/**
 * Animates the card's height when its content grows or shrinks. The card is in the middle of the window, but its upper edge stays where it is
 * while the focus is in the view: a field must not move away while it is typed in.
 */
export function followHeight(container: HTMLElement, signal: AbortSignal): void {
  const card = container.querySelector<HTMLElement>('.card')
  const content = card?.querySelector('.content')
  if (!card || !content || signal.aborted || typeof ResizeObserver === 'undefined') return
  const dialog = card.closest('dialog')
  let view: Element | null = null
  /** Height and distance from the middle, as of the last change. */
  let last = { height: 0, top: 0 }
  let running: Animation | undefined
  const observer = new ResizeObserver(() => {
    const from =
      running?.playState === 'running'
        ? { height: card.offsetHeight, top: Number.parseFloat(getComputedStyle(card).top) }
        : last
    running?.cancel()
    const height = card.offsetHeight
    const held = from.height && view === content.firstChild && content.querySelector(':focus')
    view = content.firstElementChild
    // On a phone the card is at the lower edge.
    const room = dialog && matches('(min-width:430px)') ? Math.max(0, (dialog.clientHeight - height) / 2 - MARGIN) : 0
    const top = held ? Math.max(-room, Math.min(room, from.top + (height - from.height) / 2)) : 0
    last = { height, top }
    card.style.top = `${top}px`
    // No animation when the card has just appeared or disappeared.
    if (!from.height || !height || from.height === height || matches('(prefers-reduced-motion:reduce)')) return
    const frames = [from, last].map(({ height, top }) => ({ height: `${height}px`, top: `${top}px` }))
    running = card.animate(frames, { duration: animation[1], easing: 'ease-out' })
  })
  observer.observe(content)
  if (dialog) observer.observe(dialog)
  signal.addEventListener('abort', () => observer.disconnect())
}
