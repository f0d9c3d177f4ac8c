import type { Operation, Outcome } from '../../generated/core.ts'
import { thrownToJson } from '../json.ts'

/** Maximum size of a response in bytes; the core expects none that is longer. */
const LONGEST_BODY = 4_000_000

type Request = Extract<Operation, { type: 'sendHttp' }>

/**
 * Sends an HTTP request. A body for the host's own server on another origin goes as `text/plain`, which avoids a preflight; nodes require
 * `application/json`.
 */
export async function sendHttp(
  { method, url, body, timeout }: Omit<Request, 'type'>,
  endpoint?: string
): Promise<Outcome> {
  try {
    const target = new URL(url, location.href)
    const plain = endpoint !== undefined && url.startsWith(endpoint) && target.origin !== location.origin
    const response = await fetch(target, {
      method,
      ...(body === null ? {} : { headers: { 'content-type': plain ? 'text/plain' : 'application/json' }, body }),
      credentials: 'omit',
      signal: AbortSignal.timeout(timeout)
    })
    const text = await read(response)
    const retryAfter = retryDelay(response.headers.get('retry-after'), Date.now())
    return { type: 'httpAnswered', status: response.status, retryAfter, body: text }
  } catch (error) {
    return { type: 'failed', error: thrownToJson(error) }
  }
}

/** Reads the body in chunks, so that an endless one fails at the limit. */
async function read({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let left = LONGEST_BODY
  for (;;) {
    const piece = await reader?.read()
    if (!piece?.value) return text + decoder.decode()
    left -= piece.value.length
    if (left < 0) {
      reader?.cancel().catch(() => {})
      throw new Error('The response is too long')
    }
    text += decoder.decode(piece.value, { stream: true })
  }
}

/** Delay in milliseconds of `Retry-After` (RFC 9110), which is a number of seconds or a date. */
export function retryDelay(header: string | null, now: number): number | null {
  const text = header?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}
