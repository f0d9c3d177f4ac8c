//! Fake on-ramp provider with responses from Meld's documentation (`fixtures/api/meld`).

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { repository } from './program.ts'

export interface Seller {
  readonly url: string
  /** Makes it refuse to create purchases from now on. */
  refuse(): void
  relent(): void
  /** Sets the status of every purchase from now on, in the provider's terms; undefined for no purchase. */
  tell(status: string | undefined): void
  /** Return URL of the last purchase. */
  wayBack(): string
  stop(): void
}

/** URL of a purchase's page in the recorded response. */
export const PURCHASE = 'https://meldcrypto.com/'

interface Quotes {
  readonly quotes: readonly object[]
}

interface Transactions {
  readonly transactions: readonly object[]
}

export async function openSeller(): Promise<Seller> {
  let sells = true
  let status: string | undefined
  let session: { redirectUrl?: string; externalSessionId?: unknown } = {}
  const answers: Readonly<Record<string, (body: Record<string, unknown>, query: URLSearchParams) => unknown>> = {
    '/service-providers/properties/fiat-currencies': () => recorded('fiat_currencies'),
    '/service-providers/properties/crypto-currencies': () => recorded('crypto_currencies'),
    // Recorded response with the requested currencies and amount.
    '/payments/crypto/quote': ({ sourceCurrencyCode, destinationCurrencyCode, sourceAmount }) => {
      const asked = { sourceCurrencyCode, destinationCurrencyCode, sourceAmount }
      return { quotes: (recorded('quote') as Quotes).quotes.map((quote) => ({ ...quote, ...asked })) }
    },
    '/service-providers/properties/countries': () => recorded('countries'),
    '/crypto/session/widget': ({ sessionData, externalSessionId }) => {
      session = { ...(sessionData as object), externalSessionId }
      return sells ? recorded('widget') : undefined
    },
    // Recorded response with the id of the requested purchase.
    '/payments/transactions': (_, query) => {
      const [, purchase] = (recorded('transactions') as Transactions).transactions
      const externalSessionId = query.get('externalSessionIds')
      const known = status !== undefined && externalSessionId === session.externalSessionId
      return { transactions: known ? [{ ...purchase, externalSessionId, status }] : [] }
    }
  }
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://seller')
    const answer = answers[pathname]?.(await bodyOf(request), searchParams)
    response.writeHead(answer === undefined ? 401 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? recorded('refused')))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse() {
      sells = false
    },
    relent() {
      sells = true
      status = undefined
    },
    tell(words) {
      status = words
    },
    wayBack: () => session.redirectUrl ?? '',
    stop() {
      server.close()
      server.closeAllConnections()
    }
  }
}

function recorded(name: string): unknown {
  return JSON.parse(readFileSync(join(repository(), 'fixtures/api/meld', `${name}.json`), 'utf8'))
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}
