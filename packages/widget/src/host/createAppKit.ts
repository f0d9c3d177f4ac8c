import type { AppKit } from './AppKit.ts'
import { setCurrent } from './current.ts'
import { makeAppKit } from './make.ts'
import type { CreateAppKit } from './options.ts'
import { isSame } from './select.ts'

/** The modals of the page with what they were made of. */
let made: readonly { readonly told: unknown; readonly kit: AppKit }[] = []

/**
 * Makes a modal and the elements that open it: a new one for other options, and the one that is there where all of them are the same. Hot
 * reloading runs the host's code again, and the page keeps one modal.
 */
export function createAppKit(options: CreateAppKit): AppKit {
  if (typeof document === 'undefined') return makeAppKit(options)
  const told = comparable(options)
  made = made.filter(({ kit }) => !kit.engine.stopped)
  const known = made.find((one) => told && isSame(one.told, told))?.kit
  if (known) {
    setCurrent(known)
    return known
  }
  const kit = makeAppKit(options)
  made = [...made, { told, kit }]
  return kit
}

/** A copy, as the host may change its objects; none of options that cannot be read, or lead back to themselves. */
function comparable(options: CreateAppKit): unknown {
  try {
    // An adapter is made anew each time; what it serves tells whether it is another.
    return copy({ ...options, adapters: options.adapters?.map((adapter) => ({ ...adapter })) })
  } catch {
    return undefined
  }
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (value?.constructor !== Object) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copy(one)]))
}
