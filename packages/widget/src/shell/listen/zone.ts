import type { CoreEvent } from '../../generated/core.ts'
import { turn } from '../turn.ts'

/**
 * Tells the time zone (spec 6.10) once the page has drawn its next frame: to know it a browser loads its tables of dates, which takes
 * a slow one as long as the first view.
 */
export function tellTimeZone(dispatch: (event: CoreEvent) => void): void {
  const tell = () => {
    const timeZone = timeZoneOfVisitor()
    if (timeZone) dispatch({ feature: 'config', event: { type: 'timeZoneTold', timeZone } })
  }
  // The task after the frame.
  requestAnimationFrame(() => turn().then(tell))
}

function timeZoneOfVisitor(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
