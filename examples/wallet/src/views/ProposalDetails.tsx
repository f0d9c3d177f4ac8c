import { shortened } from '@portico/testkit/shortened'
import type { Account } from '../wallet/accounts.ts'
import type { Offer, Part } from '../wallet/grant.ts'
import { ABILITIES, NAMESPACE_NAMES } from '../wallet/networks.ts'
import type { Question } from '../wallet/question.ts'

/** Initial selection: the first account of each namespace. */
export function firstAccounts(question: Question): readonly Account[] {
  if (question.kind !== 'proposal') return []
  return question.offer.parts.flatMap(({ accounts }) => accounts.slice(0, 1))
}

export interface ProposalDetailsProps {
  offer: Offer
  chosen: readonly Account[]
  choose(accounts: readonly Account[]): void
}

export function ProposalDetails({ offer, chosen, choose }: ProposalDetailsProps) {
  if (offer.missing.length > 0) {
    return (
      <div className="standing" data-level="warning" role="alert">
        <p>This wallet doesn't support what the app needs.</p>
        <Sentences sentences={offer.missing} />
      </div>
    )
  }
  return (
    <>
      <h3>This app can</h3>
      <ul className="plainly">
        <li>See the addresses you choose and what they hold</li>
        <li>Ask you to sign and send. You decide each time.</li>
      </ul>
      {offer.parts.map((part) => (
        <PartDetails key={part.namespace} part={part} chosen={chosen} choose={choose} />
      ))}
      {offer.left.length > 0 && (
        <details>
          <summary>Requested but not granted</summary>
          <Sentences sentences={offer.left} />
        </details>
      )}
    </>
  )
}

function PartDetails({ part, chosen, choose }: { part: Part } & Omit<ProposalDetailsProps, 'offer'>) {
  const { namespace, networks, methods, accounts } = part
  const toggle = (account: Account) =>
    choose(chosen.includes(account) ? chosen.filter((one) => one !== account) : [...chosen, account])
  return (
    <fieldset data-testid={`proposal-${namespace}`}>
      <legend>{NAMESPACE_NAMES[namespace]}</legend>
      <p className="chips">
        {networks.map(({ id, name }) => (
          <span key={id} className="chip">
            {name}
          </span>
        ))}
      </p>
      {accounts.map((account) => (
        <label key={account.address} className="choice">
          <input type="checkbox" checked={chosen.includes(account)} onChange={() => toggle(account)} />
          <span>{account.name}</span>
          <code dir="ltr">{shortened(account.address)}</code>
        </label>
      ))}
      {ABILITIES[namespace].lacks && <p className="soft">{ABILITIES[namespace].lacks}</p>}
      {methods.length > 0 && (
        <details>
          <summary>{methods.length === 1 ? '1 method' : `${methods.length} methods`}</summary>
          <p className="chips">
            {methods.map((method) => (
              <code key={method} className="chip" dir="ltr">
                {method}
              </code>
            ))}
          </p>
        </details>
      )}
    </fieldset>
  )
}

function Sentences({ sentences }: { sentences: readonly string[] }) {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>
          <bdi>{sentence}</bdi>
        </li>
      ))}
    </ul>
  )
}
