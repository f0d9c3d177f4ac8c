import { AppKit } from './AppKit.ts'
import { defineElements } from './elements/define.ts'
import type { CreateAppKit } from './options.ts'

/** Creates a modal and defines the elements that open it. */
export function makeAppKit(options: CreateAppKit): AppKit {
  const kit = new AppKit(options)
  if (typeof customElements !== 'undefined') defineElements()
  return kit
}
