import type { Engine } from './engine.ts'

/** Where the browser tells it (Chromium). */
interface Line {
  readonly saveData?: boolean
  /** `slow-2g`, `2g`, `3g` or `4g`. */
  readonly effectiveType?: string
}

/** Fetches what the modal is made of once the page has loaded and has nothing to do; never where the visitor pays for each byte. */
export function preload(engine: Engine): void {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Line }).connection ?? {}
  if (saveData || effectiveType.includes('2g')) return
  const begin = () => engine.fetch('low').catch(() => {})
  // Safari has no idle callbacks.
  const wait = () => (window.requestIdleCallback ?? setTimeout)(begin)
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
}
