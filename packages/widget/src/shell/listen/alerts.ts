import { alerts } from '../../generated/words.ts'
import type { Store } from '../store.ts'

/** Writes each alert to the console once: a closed modal draws none, and who set the page up should read it all the same. */
export function logAlerts(
  store: Store,
  log: (...what: readonly unknown[]) => void,
  told: Record<string, boolean>
): void {
  const lines = new Set<string>()
  store.subscribe(() => {
    const { alert } = store.get().notice
    if (!alert) return
    const { short, long } = alerts[alert.key]
    const line = [`${short}.`, long, alert.detail].filter(Boolean).join(' ')
    told[alert.key] = true
    if (lines.has(line)) return
    lines.add(line)
    log(line)
  })
}
