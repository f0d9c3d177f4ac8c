import type { AppKit } from './AppKit.ts'
import { createAppKit as createAnother } from './createAppKit.ts'
import type { CreateAppKit } from './options.ts'

let only: AppKit | undefined

/** Makes the modal of the page; called again it gives the same one. */
export function createAppKit(options: CreateAppKit): AppKit {
  only ??= createAnother(options)
  return only
}
