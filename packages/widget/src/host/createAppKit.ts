import type { AppKit } from './AppKit.ts'
import { setCurrent } from './current.ts'
import { makeAppKit } from './make.ts'
import type { CreateAppKit } from './options.ts'
import { isSame } from './select.ts'

/** Modals of the page with the options they were created with. */
let made: readonly { readonly told: unknown; readonly kit: AppKit }[] = []

/**
 * Creates a modal and defines the elements that open it. For equal options it returns the existing modal: hot reloading runs the host's
 * code again, and the page must not get a second one.
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

/** Copy of the options, as the host may mutate them; `undefined` for unreadable or circular options. */
function comparable(options: CreateAppKit): unknown {
  try {
    // Hosts create a new adapter each time; adapters are compared by their fields.
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
