//! Wrong values in the server's answers, told to one page.

import type { Page, Request } from 'playwright-core'
import { ACCOUNT } from '../pages/journey.ts'
import { contractOf } from './coins.ts'

const THIEF = '0x00000000000000000000000000000000000bad00'
/** Calldata that gives everything away: `transfer(thief, 2^256 - 1)`. */
const THEFT = `0xa9059cbb${THIEF.slice(2).padStart(64, '0')}${'f'.repeat(64)}`

/** One wrong field. */
export interface Lie {
  /** Path of the answers that it is in, with the methods of JSON-RPC calls. */
  readonly path: string
  /** Names and indices that lead to the field. */
  readonly field: readonly (string | number)[]
}

/** Answers that decide receivers, tokens, amounts and contracts. Lies about others are told to the core alone. */
const deciding = /^\/v1(\/convert|\/profile|\/identity| eth_call0x(?!70a08231|95d89b41)| eth_simulateV1)/

/** Fields that say whom, what, how much or whether. */
const grave =
  /^(address|decimals|fromAmount|toAmount|toAmountMin|fromAccount|toAccount|spender|from|to|data|value|amount|result|status)$/

/** Records the server's JSON answers by path, and replaces the field of a lie. */
export async function lieTo(page: Page, answers: Map<string, unknown>, lie?: Lie): Promise<void> {
  await page.route(
    () => true,
    async (route) => {
      const request = route.request()
      if (request.resourceType() !== 'fetch' && request.resourceType() !== 'xhr') return route.fallback()
      const path = pathOf(request)
      if (!deciding.test(path) || (lie && lie.path !== path)) return route.fallback()
      const answer = await route.fetch()
      const body: unknown = await answer.json().catch(() => undefined)
      if (body === undefined) return route.fulfill({ response: answer })
      answers.set(path, body)
      return route.fulfill({ response: answer, json: lie ? spoilt(body, lie.field) : body })
    }
  )
}

/** One lie for each grave field of the answers, with the first item of each list. */
export function liesAbout(answers: ReadonlyMap<string, unknown>): readonly Lie[] {
  return [...answers]
    .flatMap(([path, body]) => leaves(body).map((field) => ({ path, field })))
    .filter(({ field }) => grave.test(String(field.findLast((name) => typeof name === 'string'))))
}

function pathOf(request: Request): string {
  const { pathname } = new URL(request.url())
  const body: unknown = request.method() === 'POST' ? parsed(request.postData()) : undefined
  const calls = (Array.isArray(body) ? body : [body]).filter((call) => call?.jsonrpc !== undefined)
  return [pathname, ...calls.map((call) => `${call.method}${String(call.params?.[0]?.data ?? '').slice(0, 10)}`)].join(
    ' '
  )
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

function leaves(value: unknown): (string | number)[][] {
  if (Array.isArray(value)) {
    return value.slice(0, 1).flatMap((item, index) => leaves(item).map((field) => [index, ...field]))
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, item]) => leaves(item).map((field) => [name, ...field]))
  }
  return [[]]
}

function spoilt(value: unknown, [first, ...rest]: readonly (string | number)[]): unknown {
  if (first === undefined) return wrong(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? spoilt(item, rest) : item))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === first ? spoilt(item, rest) : item])
  )
}

/** The value that would take most where it is believed. */
function wrong(value: unknown): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value * 100
  if (typeof value !== 'string') return THIEF
  const [head, tail = ''] = [value.slice(0, value.lastIndexOf(':') + 1), value.slice(value.lastIndexOf(':') + 1)]
  if (/^0x[0-9a-f]{40}$/i.test(tail)) return head + (tail === contractOf('usdc') ? contractOf('dai') : THIEF)
  if (/^0x[0-9a-f]{73,}$/i.test(value)) return withThief(value) === value ? THEFT : withThief(value)
  if (/^0x[0-9a-f]+$/i.test(value)) return `0x${'f'.repeat(value.length - 2)}`
  if (/^\d+$/.test(value)) return `${value}00`
  return THIEF
}

/** Calldata with the thief in place of the visitor. */
function withThief(data: string): string {
  return data.replaceAll(new RegExp(ACCOUNT.slice(2), 'gi'), THIEF.slice(2))
}
