import { shortened } from '@portico/testkit/shortened'
import type { Ask, Body } from '../wallet/ask.ts'
import { Fields } from './Fields.tsx'
import { TransactionDetails } from './TransactionDetails.tsx'

export function RequestDetails({ ask: { network, account, body, warnings } }: { ask: Ask }) {
  return (
    <>
      {warnings.map((warning) => (
        <p key={warning} className="standing" data-level="warning" role="alert">
          <bdi>{warning}</bdi>
        </p>
      ))}
      <BodyDetails body={body} />
      <dl className="facts">
        <div>
          <dt>Network</dt>
          <dd data-testid="request-details-chain">{network.name}</dd>
        </div>
        <div>
          <dt>{account.name}</dt>
          <dd>
            <code dir="ltr" title={account.address}>
              {shortened(account.address)}
            </code>
          </dd>
        </div>
      </dl>
    </>
  )
}

function BodyDetails({ body }: { body: Body }) {
  switch (body.type) {
    case 'message':
      return (
        <section aria-label="Message">
          <h3>{body.bytes ? 'Bytes' : 'Message'}</h3>
          <pre className="message" dir={body.bytes ? 'ltr' : 'auto'} data-testid="request-message">
            {body.text}
          </pre>
        </section>
      )
    case 'typedData':
      return (
        <section data-testid="request-typed-data">
          <h3>For</h3>
          <Fields of={body.domain} />
          <h3>
            <bdi>{body.message.type}</bdi>
          </h3>
          <Fields of={body.message} />
        </section>
      )
    case 'transaction':
      return <TransactionDetails transaction={body} />
    case 'network':
      return (
        <p>
          The app wants to switch to <strong>{body.to.name}</strong>. Your keys and coins stay the same.
        </p>
      )
  }
}
