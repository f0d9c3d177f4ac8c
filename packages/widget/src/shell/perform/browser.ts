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
