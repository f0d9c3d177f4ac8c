import type { AppKit } from './AppKit.ts'
import { makeAppKit } from './make.ts'
import type { CreateAppKit } from './options.ts'

let only: AppKit | undefined

/** Makes the modal of the page; called again it gives the same one. A server makes one for each visitor. */
export function createAppKit(options: CreateAppKit): AppKit {
  if (typeof document === 'undefined') return makeAppKit(options)
  only ??= makeAppKit(options)
  return only
}
