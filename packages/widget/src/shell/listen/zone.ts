import type { CoreEvent } from '../../generated/core.ts'

/**
 * Tells the time zone (spec 6.10). To know it a browser loads its tables of dates, which takes a slow one as long as the first view: call
 * it once a frame was drawn.
 */
export function tellTimeZone(dispatch: (event: CoreEvent) => void): void {
  const timeZone = timeZoneOfVisitor()
  if (timeZone) dispatch({ feature: 'config', event: { type: 'timeZoneTold', timeZone } })
}

function timeZoneOfVisitor(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
