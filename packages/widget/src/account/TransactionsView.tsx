import { useStyle } from '../theme/style.ts'
import { Activity } from './Activity.tsx'
import { accountCss } from './account.css.ts'

/** Complete history of the account, as a view of its own. */
export function TransactionsView() {
  useStyle(accountCss)
  return (
    <div className="panel" data-testid="w3m-transactions-view">
      <Activity />
    </div>
  )
}
