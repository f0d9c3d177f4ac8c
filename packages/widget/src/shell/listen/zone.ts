import type { CoreEvent } from '../../generated/core.ts'

/**
 * Sends the time zone to the core (spec 6.10). Reading it makes the browser load its date tables, which on a slow device takes as long as
 * the first view: call it after the first frame.
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
