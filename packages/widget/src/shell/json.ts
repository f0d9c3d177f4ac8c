//! Converts any value of a page to JSON: throwing getters, cycles, proxies, numbers without a JSON form, endless texts.

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

const DEEPEST = 12
const MOST_VALUES = 20_000
const LONGEST_TEXT = 200_000
/** Total length of all texts and names. */
const MOST_TEXT = 1_000_000

/** The value as JSON. A value without a JSON form becomes `null`, or is left out if it is a field of an object. */
export function toJson(value: unknown, functions?: 'true'): Json {
  let left = MOST_VALUES
  let room = MOST_TEXT
  const above = new Set<object>()

  const convert = (value: unknown): Json | undefined => {
    left -= 1
    if (left < 0) return undefined
    switch (typeof value) {
      case 'string':
        return text(value)
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

  const text = (value: string): string => {
    const kept = value.slice(0, Math.min(room, LONGEST_TEXT))
    room -= kept.length
    return kept
  }

  const object = (value: object): Json | undefined => {
    if (above.has(value) || above.size >= DEEPEST) return undefined
    above.add(value)
    try {
      if (Array.isArray(value)) return items(value)
      if (functions === 'true' && !isPlain(value)) return true
      return fields(value)
    } catch {
      // A revoked proxy, or a proxy trap that throws.
      return undefined
    } finally {
      above.delete(value)
    }
  }

  // The page may have replaced the methods of arrays, and `length` may be anything.
  const items = (value: readonly unknown[]): Json => {
    const result: Json[] = []
    for (let index = 0; index < value.length && left > 0; index += 1) result.push(convert(field(value, index)) ?? null)
    return result
  }

  const fields = (value: object): Json => {
    const result: Record<string, Json> = {}
    for (const name of Object.keys(value)) {
      if (left <= 0) break
      if (name.length > room || name === '__proto__') continue
      room -= name.length
      const said = convert(field(value, name))
      if (said !== undefined) result[name] = said
    }
    return result
  }

  return convert(value) ?? null
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

/** Reads one field of any value; `undefined` if its getter throws. */
export function field(value: unknown, name: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[name]
  } catch {
    return undefined
  }
}

const LONGEST_MESSAGE = 1_000

/** Any thrown value as an EIP-1193 error: `code`, `message`, `data`. */
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

/** Outcome for a response that has no JSON form. */
export const UNREADABLE = JSON.stringify({
  type: 'failed',
  error: { code: -32603, message: "Couldn't read the wallet's answer. Try again." }
})
