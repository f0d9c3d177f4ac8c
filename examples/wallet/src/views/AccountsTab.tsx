import { accounts } from '../wallet/accounts.ts'
import { ABILITIES, NAMESPACE_NAMES, type Namespace } from '../wallet/networks.ts'
import { Whole } from './Whole.tsx'

export function AccountsTab() {
  const namespaces = Object.keys(NAMESPACE_NAMES) as Namespace[]
  return (
    <section aria-labelledby="accounts-heading">
      <h1 id="accounts-heading">Accounts</h1>
      {namespaces.map((namespace) => (
        <div key={namespace} className="card">
          <h2>{NAMESPACE_NAMES[namespace]}</h2>
          <ul className="accounts">
            {accounts
              .filter((account) => account.namespace === namespace)
              .map(({ name, address }) => (
                <li key={address}>
                  <span>{name}</span>
                  <code dir="ltr">
                    <Whole text={address} />
                  </code>
                </li>
              ))}
          </ul>
          {ABILITIES[namespace].lacks && <p className="soft">{ABILITIES[namespace].lacks}</p>}
        </div>
      ))}
    </section>
  )
}
