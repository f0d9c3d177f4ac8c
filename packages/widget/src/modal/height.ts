import { animation } from '../generated/constants.ts'
import { matches } from '../shell/media.ts'

/** Least distance in CSS pixels between the card and the window's edge. */
const MARGIN = 16

/**
 * Animates the card's height when its content grows or shrinks. The card is in the middle of the window, but its upper edge stays where it is
 * while the focus is in the view: a field must not move away while it is typed in. Returns a function that stops it.
 */
export function followHeight(card: HTMLElement): (() => void) | undefined {
  const content = card.querySelector('.content')
  if (!content || typeof ResizeObserver === 'undefined') return undefined
  const dialog = card.closest('dialog')
  let view: Element | null = null
  /** Height and distance from the middle, as of the last change. */
  let height = 0
  let top = 0
  let running: Animation | undefined
  const observer = new ResizeObserver(() => {
    const moving = running?.playState === 'running'
    const from = moving ? card.offsetHeight : height
    const start = moving ? Number.parseFloat(getComputedStyle(card).top) : top
    running?.cancel()
    height = card.offsetHeight
    const held = view === content.firstElementChild && content.querySelector(':focus')
    view = content.firstElementChild
    // On a phone the card is at the lower edge.
    const room = dialog && matches('(min-width:430px)') ? Math.max(0, (dialog.clientHeight - height) / 2 - MARGIN) : 0
    top = held && from ? Math.max(-room, Math.min(room, start + (height - from) / 2)) : 0
    card.style.top = top ? `${top}px` : ''
    // No animation when the card has just appeared or disappeared.
    if (!from || !height || from === height || matches('(prefers-reduced-motion:reduce)')) return
    const frames = { height: [`${from}px`, `${height}px`], top: [`${start}px`, `${top}px`] }
    running = card.animate(frames, { duration: animation[1], easing: 'ease-out' })
  })
  observer.observe(content)
  if (dialog) observer.observe(dialog)
  return () => observer.disconnect()
}
