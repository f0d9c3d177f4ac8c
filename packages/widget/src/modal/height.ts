import { animation } from '../generated/constants.ts'

/** When what stands in the card grows or shrinks, the card's height follows smoothly. Returns what stops it. */
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
    // Nothing to follow where the card was not there before, or has gone.
    if (!from || !last || from === last || still.matches) return
    const height = [`${from}px`, `${last}px`]
    running = card.animate({ height }, { duration: animation[1], easing: 'ease-out' })
  })
  observer.observe(content)
  return () => observer.disconnect()
}
