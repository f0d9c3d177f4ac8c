import type { AppKit } from './AppKit.ts'
import { makeAppKit } from './make.ts'
import type { CreateAppKit } from './options.ts'

let only: AppKit | undefined

/** Returns the one modal of the page; the first call creates it. On a server each call creates a new one. */
export function createAppKit(options: CreateAppKit): AppKit {
  if (typeof document === 'undefined') return makeAppKit(options)
  only ??= makeAppKit(options)
  return only
}
