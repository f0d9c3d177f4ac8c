//! Server that lies: it stands before the real one, under an address of its own, and changes one field of its answers, or all of them.

import type { Page, Route } from 'playwright-core'
import { ACCOUNT } from '../pages/journey.ts'

/** Origin that a page has as its `endpoints`. Requests to it never leave the browser. */
export const LIAR = 'http://liar.example'

/** Account that gets nothing. */
export const THIEF = '0x00000000000000000000000000000000000bad00'
const WORD = 64

/** A wrong field: the answers it is in, and where in them. */
export interface Lie {
  /** Path of a request, or the method of a JSON-RPC call with the selector of its data. */
  readonly place: string
  /** Names and numbers that lead to the field. */
  readonly path: readonly string[]
}

/** Ways in which a field can be wrong: what a thief would choose, nothing, next to nothing, and more than fits anywhere. */
export const KINDS = ['theft', 'nothing', 'least', 'most'] as const
export type Kind = (typeof KINDS)[number]

interface Call {
  readonly id: number
  readonly method: string
  readonly params?: readonly unknown[]
}

export class Liar {
  /** Places and fields of all answers, in the order in which they were first given. */
  readonly fields = new Map<string, Lie>()
  /** Number of answers with the lie. */
  told = 0
  readonly #origin: string
  readonly #lie: Lie | Kind | undefined
  /** Answers that are under way. */
  readonly #answers = new Set<Promise<void>>()
  #stopped = false

  /** Tells this lie, or lies in this way in every field of every answer. */
  constructor(origin: string, lie?: Lie | Kind) {
    this.#origin = origin
    this.#lie = lie
  }

  /** This one tells no lie, and stands only in the place of those that do. */
  get isHonest(): boolean {
    return this.#lie === undefined
  }

  async stand(page: Page): Promise<void> {
    await page.route(`${LIAR}/**`, async (route) => {
      if (this.#stopped) return route.abort()
      const answer = this.#answer(route)
      this.#answers.add(answer)
      await answer.finally(() => this.#answers.delete(answer))
    })
  }

  /** Ends before the page is closed, because the browser drops the body of an answer that is being read then. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#answers)
  }

  async #answer(route: Route): Promise<void> {
    const request = route.request()
    const url = request.url().replace(LIAR, this.#origin)
    const response = await route.fetch({ url })
    const headers: Record<string, string> = { ...response.headers(), 'access-control-allow-origin': '*' }
    if (!headers['content-type']?.includes('json')) return route.fulfill({ response, headers })
    const answer: unknown = await response.json()
    const { pathname } = new URL(url)
    const body = pathname === '/v1' ? this.#calls(request.postDataJSON(), answer) : this.#spoilt(pathname, answer)
    await route.fulfill({ response, headers, body: JSON.stringify(body) })
  }

  /** Answers to JSON-RPC calls, each a place of its own: the widget decides which calls travel together. */
  #calls(asked: Call | readonly Call[], answer: unknown): unknown {
    if (!Array.isArray(asked)) return this.#spoilt(placeOf(asked as Call), answer)
    const answers = answer as readonly { id: number }[]
    return answers.map((one) => {
      const call = asked.find(({ id }) => id === one.id)
      return call ? this.#spoilt(placeOf(call), one) : one
    })
  }

  #spoilt(place: string, answer: unknown): unknown {
    for (const path of leavesOf(answer)) this.fields.set(`${place} ${path.join('.')}`, { place, path })
    const lie = this.#lie
    if (lie === undefined) return answer
    if (typeof lie === 'string') return this.#everywhere(answer, lie)
    return lie.place === place ? this.#with(answer, lie.path) : answer
  }

  /** The answer with each field wrong, except those that say which call it answers. */
  #everywhere(answer: unknown, kind: Kind): unknown {
    if (typeof answer !== 'object' || answer === null) {
      this.told += 1
      return wrong(answer, kind)
    }
    if (Array.isArray(answer)) return answer.map((item) => this.#everywhere(item, kind))
    const named = Object.entries(answer).map(([name, field]) => {
      const framed = 'jsonrpc' in answer && (name === 'id' || name === 'jsonrpc')
      return [name, framed ? field : this.#everywhere(field, kind)]
    })
    return Object.fromEntries(named)
  }

  #with(answer: unknown, [first, ...rest]: readonly string[]): unknown {
    if (first === undefined) {
      this.told += 1
      return wrong(answer, 'theft')
    }
    if (typeof answer !== 'object' || answer === null || !(first in answer)) return answer
    const copy = (Array.isArray(answer) ? [...answer] : { ...answer }) as Record<string, unknown>
    copy[first] = this.#with(copy[first], rest)
    return copy
  }
}

function placeOf({ method, params }: Call): string {
  const data = (params?.[0] as { data?: string } | undefined)?.data
  return method === 'eth_call' && data ? `${method} ${data.slice(0, 10)}` : method
}

/** Paths to the fields of an answer. One item stands for all of a list: that of the dollars, if they are in it. */
function leavesOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]]
  const dollars = Array.isArray(value)
    ? Math.max(
        0,
        value.findIndex((item) => item?.symbol === 'USDC')
      )
    : 0
  const fields = Array.isArray(value) ? Object.entries(value).slice(dollars, dollars + 1) : Object.entries(value)
  return fields.flatMap(([name, field]) => leavesOf(field).map((path) => [name, ...path]))
}

/** Wrong value for a field; that of a thief is the own account, another token, more money. */
function wrong(value: unknown, kind: Kind): unknown {
  if (kind === 'nothing') return null
  if (typeof value === 'boolean') return !value
  if (kind === 'theft') return stolen(value)
  if (typeof value === 'number') return kind === 'least' ? 1 : Number.MAX_SAFE_INTEGER
  if (typeof value !== 'string') return {}
  const digit = kind === 'least' ? '0' : 'f'
  if (/^0x[0-9a-f]+$/i.test(value)) return `0x${digit.repeat(value.length - 3)}1`
  if (/^[\d.]+$/.test(value)) return kind === 'least' ? '1' : '9'.repeat(80)
  return kind === 'least' ? '' : `${value}\u202e${'9'.repeat(10_000)}`
}

function stolen(value: unknown): unknown {
  if (typeof value === 'number') return value + 2
  if (typeof value !== 'string') return THIEF
  if (/0x[0-9a-f]{40}$/i.test(value)) return value.replace(/0x[0-9a-f]{40}$/i, THIEF)
  if (/^0x[0-9a-f]+$/i.test(value)) return value.length > 2 + WORD ? withThief(value) : `${value}00`
  if (/^\d+$/.test(value)) return `${value}00`
  return /^[\d.]+$/.test(value) ? `9${value}` : THIEF
}

/**
 * Data with the thief in place of each address. Words are counted from the end, because calldata begins with a selector; those of calls
 * within calls begin elsewhere, so the visitor is replaced wherever it stands.
 */
function withThief(data: string): string {
  const digits = data.slice(2).replaceAll(new RegExp(ACCOUNT.slice(2), 'gi'), THIEF.slice(2))
  const start = digits.length % WORD
  const words = digits.slice(start).match(/.{64}/g) ?? []
  const spoilt = words.map((word) => (/^0{24}(?!0{20})/.test(word) ? `${'0'.repeat(24)}${THIEF.slice(2)}` : word))
  return `0x${digits.slice(0, start)}${spoilt.join('')}`
}
