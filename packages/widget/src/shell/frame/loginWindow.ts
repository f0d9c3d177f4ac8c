//! Window of a social login: led to its page with this page as its opener, to which the wallet's page hands the way back.

import type { Outcome } from '../../generated/core.ts'
import { mayOpen } from '../../link.ts'
import { field } from '../json.ts'
import { hearReturns } from './loginReturn.ts'

/** Type of the message in which the wallet's page hands over its address. */
const RETURNED = '@portico/social'
const LONGEST = 4096
/** Browsers do not tell when a window is closed: it is looked at this often, in milliseconds. */
const LOOK = 400

/** Closes the window that is led, and fails its effect. */
let end: (() => void) | undefined

/**
 * Leads the window that `openTab` opened, `tab`, to an address. Resolves with the address that a page of `origin` in this window hands over, or a page
 * of the host once the service cut the window off; rejects when the window is closed before. `null` closes the window.
 */
export function leadLogin(tab: Window | null, href: string | null, origin: string): Promise<Outcome> {
  end?.()
  if (href === null) {
    tab?.close()
    return Promise.resolve({ type: 'done' })
  }
  if (!tab || tab.closed) throw new Error('The window was closed')
  if (!mayOpen(href)) {
    tab.close()
    throw new Error("Can't open this address")
  }
  tab.location.replace(href)
  return new Promise((resolve, reject) => {
    const take = (uri: unknown): boolean => {
      if (typeof uri !== 'string' || uri.length > LONGEST) return false
      stop()
      tab.close()
      resolve({ type: 'answered', value: uri })
      return true
    }
    const hear = ({ data, source, origin: from }: MessageEvent): void => {
      if (source === tab && from === origin && field(data, 'type') === RETURNED) take(field(data, 'uri'))
    }
    const stop = (): void => {
      window.removeEventListener('message', hear)
      deaf()
      clearInterval(looking)
      end = undefined
    }
    const closed = (): void => {
      stop()
      reject(new Error('The window was closed'))
    }
    // A window that was cut off counts as closed too, but its visitor is there and not here. A message that the page posted just before it closed the
    // window is heard first.
    const looking = setInterval(
      () => tab.closed && document.hasFocus() && setTimeout(() => end === over && closed()),
      LOOK
    )
    const over = (): void => {
      closed()
      tab.close()
    }
    end = over
    window.addEventListener('message', hear)
    const deaf = hearReturns('login', (uri) => tab.closed && take(uri))
  })
}
