import type { Alert } from '../../generated/core.ts'
import { alerts } from '../../generated/words.ts'

/** Writes each alert to the console once: not every one is drawn, and who set the page up should read it all the same. */
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
