import { animation } from '../generated/constants.ts'

/** Animates the card's height when its content grows or shrinks. Returns a function that stops it. */
export function followHeight(card: HTMLElement): (() => void) | undefined {
  const content = card.querySelector('.content')
  if (!content || typeof ResizeObserver === 'undefined') return undefined
  const still = matchMedia('(prefers-reduced-motion:reduce)')
  let last = 0
  let running: Animation | undefined
  const observer = new ResizeObserver(() => {
    const from = running?.playState === 'running' ? card.offsetHeight : last
    running?.cancel()
    last = card.offsetHeight
    // No animation when the card has just appeared or disappeared.
    if (!from || !last || from === last || still.matches) return
    const height = [`${from}px`, `${last}px`]
    running = card.animate({ height }, { duration: animation[1], easing: 'ease-out' })
  })
  observer.observe(content)
  return () => observer.disconnect()
}
