import { Suspense, use, useState } from 'react'
import type { Body, Cost } from '../wallet/ask.ts'
import { Fields } from './Fields.tsx'
import { Whole } from './Whole.tsx'

type Transaction = Extract<Body, { type: 'transaction' }>

export function TransactionDetails({ transaction }: { transaction: Transaction }) {
  const { to, value, call, data } = transaction
  // Requested once each time the transaction is shown.
  const [cost] = useState(() => transaction.cost())
  return (
    <section data-testid="request-transaction">
      <p className="sum">
        <bdi data-testid="request-value">{value}</bdi>
      </p>
      <dl className="facts">
        <div>
          <dt>To</dt>
          <dd>
            {to === null ? (
              'New contract'
            ) : (
              <code dir="ltr" data-testid="request-to">
                <Whole text={to} />
              </code>
            )}
          </dd>
        </div>
        <div>
          <dt>Network fee</dt>
          <dd data-testid="request-fee">
            <Suspense fallback="…">
              <Fee of={cost} />
            </Suspense>
          </dd>
        </div>
      </dl>
      <Suspense>
        <Warning of={cost} />
      </Suspense>
      {call && (
        <>
          <h3>
            Calls <code dir="ltr">{call.name}</code>
          </h3>
          <Fields of={call} />
        </>
      )}
      {data !== '0x' && (
        <details>
          <summary>{call ? 'Data' : "Data this wallet can't read"}</summary>
          <pre className="message" dir="ltr">
            {data}
          </pre>
        </details>
      )}
    </section>
  )
}

function Fee({ of }: { of: Promise<Cost> }) {
  return <bdi>{use(of).fee ?? 'Unknown'}</bdi>
}

function Warning({ of }: { of: Promise<Cost> }) {
  const { warning } = use(of)
  if (!warning) return null
  return (
    <p className="standing" data-level="warning" role="alert">
      <bdi>{warning}</bdi>
    </p>
  )
}
