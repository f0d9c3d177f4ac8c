import type { Engine } from './engine.ts'

/** Network information that the browser provides (Chromium). */
interface Line {
  readonly saveData?: boolean
  /** Connection type: `slow-2g`, `2g`, `3g` or `4g`. */
  readonly effectiveType?: string
}

/** Fetches the modal's code once the page has loaded and is idle; not with data saver on or a 2G connection. */
export function preload(engine: Engine): void {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Line }).connection ?? {}
  if (saveData || effectiveType.includes('2g')) return
  const begin = () => engine.fetch('low').catch(() => {})
  // Safari has no idle callbacks.
  const wait = () => (window.requestIdleCallback ?? setTimeout)(begin)
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
}
