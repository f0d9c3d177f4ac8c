import type { AppKit } from './AppKit.ts'
import { createAppKit as createAnother } from './createAppKit.ts'
import type { CreateAppKit } from './options.ts'

let only: AppKit | undefined

/** Makes the modal of the page; called again it gives the same one. A server makes one for each visitor. */
export function createAppKit(options: CreateAppKit): AppKit {
  if (typeof document === 'undefined') return createAnother(options)
  only ??= createAnother(options)
  return only
}
