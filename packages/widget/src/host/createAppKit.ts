import { AppKit } from './AppKit.ts'
import { defineElements } from './elements/define.ts'
import type { CreateAppKit } from './options.ts'

/** Makes a modal and the elements that open it: a new one with each call. */
export function createAppKit(options: CreateAppKit): AppKit {
  const kit = new AppKit(options)
  if (typeof customElements !== 'undefined') defineElements()
  return kit
}
