import type { Alert } from '../../generated/core.ts'
import { alerts } from '../../generated/words.ts'

/** Logs each alert to the console once: not every alert is drawn, and the page's developer should see it anyway. */
export function alertLog(
  log: (...what: readonly unknown[]) => void,
  told: Record<string, boolean>
): (alert: Alert) => void {
  const lines = new Set<string>()
  return ({ key, detail }) => {
    const { short, long } = alerts[key]
    const line = [`${short}.`, long, detail].filter(Boolean).join(' ')
    told[key] = true
    if (lines.has(line)) return
    lines.add(line)
    log(line)
  }
}
