//! Makes JSON of whatever a page holds: getters that throw, circles, proxies, numbers without a JSON form, texts without an end.

/** Any JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const DEEPEST = 12
const MOST_VALUES = 20_000
const LONGEST_TEXT = 200_000

/** The value as JSON. What has no JSON form becomes `null`, or, in the fields of an object, is left out. */
export function toJson(value: unknown, functions?: 'true'): Json {
  let left = MOST_VALUES
  const above = new Set<object>()

  const convert = (value: unknown): Json | undefined => {
    left -= 1
    if (left < 0) return undefined
    switch (typeof value) {
      case 'string':
        return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT) : value
      case 'number':
        return Number.isFinite(value) ? value : undefined
      case 'boolean':
        return value
      case 'bigint':
        return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString()
      case 'function':
        return functions === 'true' ? true : undefined
      case 'object':
        return value === null ? null : object(value)
      default:
        return undefined
    }
  }

  const object = (value: object): Json | undefined => {
    if (above.has(value) || above.size >= DEEPEST) return undefined
    above.add(value)
    try {
      if (Array.isArray(value)) return value.slice(0, MOST_VALUES).map((item) => convert(item) ?? null)
      if (functions === 'true' && !isPlain(value)) return true
      return fields(value)
    } catch {
      // A revoked proxy, or a trap that throws.
      return undefined
    } finally {
      above.delete(value)
    }
  }

  const fields = (value: object): Json => {
    const result: Record<string, Json> = {}
    for (const name of Object.keys(value)) {
      try {
        const field = convert((value as Record<string, unknown>)[name])
        if (field !== undefined && name !== '__proto__') result[name] = field
      } catch {
        // A getter that throws has nothing to say.
      }
    }
    return result
  }

  return convert(value) ?? null
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** Reads one field of whatever was thrown. */
export function field(value: unknown, name: string): unknown {
  try {
    return (value as Record<string, unknown>)[name]
  } catch {
    return undefined
  }
}

const LONGEST_MESSAGE = 1_000

/** Whatever was thrown, in the shape of EIP-1193: `code`, `message`, `data`. */
export function thrownToJson(thrown: unknown): Json {
  if (typeof thrown === 'string') return { message: thrown.slice(0, LONGEST_MESSAGE) }
  if ((typeof thrown !== 'object' && typeof thrown !== 'function') || thrown === null) return {}
  const code = field(thrown, 'code')
  const message = field(thrown, 'message')
  const data = field(thrown, 'data')
  return {
    ...(typeof code === 'number' || typeof code === 'string' ? { code: toJson(code) } : {}),
    ...(typeof message === 'string' ? { message: message.slice(0, LONGEST_MESSAGE) } : {}),
    ...(data === undefined ? {} : { data: toJson(data) })
  }
}
