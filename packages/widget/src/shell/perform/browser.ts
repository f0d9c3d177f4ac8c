import type { Outcome } from '../../generated/core.ts'
import { mayOpen } from '../../link.ts'
import { thrownToJson } from '../json.ts'

/** Copies a text to the clipboard. `navigator.clipboard` is missing outside secure contexts, and may be refused. */
export async function copyText(text: string, near: () => Element): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text)
    return { type: 'done' }
  } catch (refused) {
    return copySelection(text, near()) ? { type: 'done' } : { type: 'failed', error: thrownToJson(refused) }
  }
}

/**
 * Opens a link within the caller's stack, so that the browser counts it as the visitor's gesture. The new page gets no opener and no
 * referrer.
 */
export function openLink(href: string, target: '_self' | '_blank'): Outcome {
  if (!mayOpen(href)) throw new Error("Can't open this address")
  // With a features argument a browser may open a new window where `_self` is meant.
  if (target === '_blank') window.open(href, target, 'noopener,noreferrer')
  else window.open(href, target)
  return { type: 'done' }
}

/** Empty tab that waits for its address. */
let waiting: Window | null = null

/** Opens an empty tab or small window within the caller's stack, so that the browser counts it as the visitor's gesture. */
export function openTab(small: boolean): Outcome {
  waiting = window.open('about:blank', '_blank', small ? 'popup,width=480,height=720' : '')
  if (!waiting) throw new Error('The browser blocked the tab')
  return { type: 'done' }
}

/** The empty tab, for another way to lead it. */
export function takeTab(): Window | null {
  const tab = waiting
  waiting = null
  return tab
}

/** Sends the empty tab to an address, without an opener, or closes it. */
export function leadTab(href: string | null): Outcome {
  const tab = takeTab()
  if (!tab || tab.closed) throw new Error('The tab was closed')
  if (href === null) tab.close()
  else {
    if (!href.startsWith('https://') || !mayOpen(href)) throw new Error("Can't open this address")
    tab.opener = null
    // Keeps the referrer from the on-ramp provider's page.
    tab.document.head.append(
      Object.assign(tab.document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
    )
    tab.location.replace(href)
  }
  return { type: 'done' }
}

/** Fallback with `execCommand`. Everything outside an open modal dialog is inert, so the text is selected inside it. */
function copySelection(text: string, near: Element): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.setProperty('position', 'fixed')
  field.style.setProperty('opacity', '0')
  near.append(field)
  try {
    field.select()
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
  }
}
