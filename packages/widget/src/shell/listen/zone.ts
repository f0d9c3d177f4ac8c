import type { CoreEvent } from '../../generated/core.ts'

/**
 * Tells the time zone (spec 6.10) once the page has drawn its next frame: to know it a browser loads its tables of dates, which takes
 * a slow one as long as the first view.
 */
export function tellTimeZone(dispatch: (event: CoreEvent) => void): void {
  requestAnimationFrame(() => {
    // The task after the frame.
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      const timeZone = timeZoneOfVisitor()
      if (timeZone) dispatch({ feature: 'config', event: { type: 'timeZoneTold', timeZone } })
    }
    port2.postMessage(null)
  })
}

function timeZoneOfVisitor(): string | undefined {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
