import type { Outcome } from '../../generated/core.ts'
import { thrownToJson } from '../json.ts'

/** Puts a text on the clipboard. `navigator.clipboard` is missing where the page is not secure, and may be refused. */
export async function copyText(text: string, near: () => Element): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text)
    return { type: 'done' }
  } catch (refused) {
    return copySelection(text, near()) ? { type: 'done' } : { type: 'failed', error: thrownToJson(refused) }
  }
}

/** What would run in this page, or show it something that another made, is no address to go to. */
const DANGEROUS = /^\s*(javascript|data|vbscript|blob|file|about):/i

/**
 * Opens an address in the caller's stack, so that the browser takes it for the visitor's own doing. What opens cannot reach back, and is
 * not told where the visitor came from.
 */
export function openLink(href: string, target: '_self' | '_blank'): Outcome {
  if (DANGEROUS.test(href)) throw new Error('This address is not opened')
  // With features an engine may open a window of its own, where this one is meant.
  if (target === '_blank') window.open(href, target, 'noopener,noreferrer')
  else window.open(href, target)
  return { type: 'done' }
}

/** The tab that waits for an address. */
let waiting: Window | null = null

/** Opens an empty tab in the caller's stack, so that the browser takes it for the visitor's own doing. */
export function openTab(): Outcome {
  waiting = window.open('about:blank', '_blank')
  if (!waiting) throw new Error('The browser opened no tab')
  return { type: 'done' }
}

/** Leads that tab to an address, cut off from this page, or closes it. */
export function leadTab(href: string | null): Outcome {
  const tab = waiting
  waiting = null
  if (!tab || tab.closed) throw new Error('The tab is gone')
  if (href === null) tab.close()
  else {
    if (!href.startsWith('https://')) throw new Error('This address is not opened')
    tab.opener = null
    // The page that was bought from is not told where the visitor came from.
    tab.document.head.append(
      Object.assign(tab.document.createElement('meta'), { name: 'referrer', content: 'no-referrer' })
    )
    tab.location.replace(href)
  }
  return { type: 'done' }
}

/** The old way. All outside an open modal dialog is inert, so the text is selected inside it. */
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
