import { labels, unreachables } from '../text/labels.ts'
import type { Engine } from './engine.ts'

/** Network information that the browser provides (Chromium). */
interface Line {
  readonly saveData?: boolean
  /** Connection type: `slow-2g`, `2g`, `3g` or `4g`. */
  readonly effectiveType?: string
}

/** Gives the buttons their labels in the page's language, and fetches the modal's code where the host wishes it. */
export function preload(engine: Engine): void {
  const { locale, preload, enableEmbedded } = engine.options
  translate(engine, String(locale || document.documentElement.lang))
  if (preload === 'idle' && !enableEmbedded && engine.idle) prefetch(engine)
}

/** Writes what stands on the page before any other text is loaded. */
function translate(engine: Engine, lang: string): void {
  const code = lang.toLowerCase().split('-', 1)[0] ?? ''
  if (!isKnown(code)) return
  engine.labels = labels[code]
  engine.unreachable = unreachables[code]
  engine.store.set({ config: { ...engine.store.get().config } })
}

const isKnown = (code: string): code is keyof typeof labels => Object.hasOwn(labels, code)

/** Fetches the modal's code once the page has loaded and is idle; not with data saver on or a 2G connection. */
function prefetch(engine: Engine): void {
  const { saveData, effectiveType = '' } = (navigator as { connection?: Line }).connection ?? {}
  if (saveData || effectiveType.includes('2g')) return
  const begin = () => engine.fetch('low').catch(() => {})
  // Safari has no idle callbacks.
  const wait = () => (window.requestIdleCallback ?? setTimeout)(begin)
  if (document.readyState === 'complete') wait()
  else window.addEventListener('load', wait, { once: true })
}
