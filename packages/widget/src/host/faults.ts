//! Sentences about faults in the options of a host, each with the name of its option.

/** `typeof` of a value, `list`, or the words that are allowed. `any`: another place checks it. */
export type Kind = keyof typeof wants | readonly string[]

/** Words for a kind of value. */
const wants = {
  boolean: 'true or false',
  string: 'a string',
  object: 'an object',
  list: 'a list',
  interval: 'a number of milliseconds above 0',
  any: 'any value'
}

/** One sentence for each name that is none of the known ones. */
export function misnamed(given: object, known: object, prefix: string, kind = 'option'): string[] {
  return Object.keys(given)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => {
      const near = Object.keys(known).find((other) => isNear(name, other))
      return `${prefix}${name}: there is no such ${kind}.${near ? ` Did you mean ${prefix}${near}?` : ''}`
    })
}

/** One sentence for each value of another kind than its option has. */
export function misvalued(given: object, kinds: Readonly<Record<string, Kind>>, prefix: string): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined
    if (kind === undefined || value === undefined || value === null || fits(value, kind)) return []
    const wanted = typeof kind === 'string' ? wants[kind] : anyOf(kind)
    return [`${prefix}${name}: use ${wanted}. Its value has no effect.`]
  })
}

function fits(value: unknown, kind: Kind): boolean {
  if (kind === 'any') return true
  if (kind === 'list') return Array.isArray(value)
  if (kind === 'interval') return typeof value === 'number' && value > 0
  if (typeof kind === 'string') return typeof value === kind
  return kind.includes(value as string)
}

/** Sentence about the missing ones of the functions that a sign-in needs. */
export function withoutMethods(name: string, given: unknown, methods: readonly string[]): string[] {
  const missing = methods.filter((method) => typeof objectOf(given)[method] !== 'function')
  return missing.length > 0
    ? [`${name}: add ${listed(missing, 'and')}. Without ${missing.length > 1 ? 'them' : 'it'}, signing in fails.`]
    : []
}

export const anyOf = (words: readonly string[]) =>
  listed(
    words.map((word) => `'${word}'`),
    'or'
  )

/** Words in a row, as in `one, two or three`. */
export function listed(words: readonly string[], before: 'and' | 'or'): string {
  const most = words.slice(0, -1).join(', ')
  const last = words.at(-1) ?? ''
  return most ? `${most} ${before} ${last}` : last
}

export function objectOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {}
}

/** Whether two names differ in capitals alone, or in at most two letters. */
function isNear(left: string, right: string): boolean {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()]
  return distance(a, b) <= (Math.min(a.length, b.length) < 5 ? 1 : 2)
}

/** Edit distance (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (row[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
