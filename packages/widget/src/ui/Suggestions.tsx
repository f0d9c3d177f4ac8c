import type { AccountState, RecentReceiver } from '../generated/core.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'

interface SuggestionsProps {
  /** Receivers that were paid last. */
  readonly recent: readonly RecentReceiver[]
  /** The active account, with the wallet's other ones. */
  readonly account: AccountState | undefined
  /** Receives the address or the name as if it was typed, so that it is checked, and the name looked up, in the same way. */
  readonly onChosen: (receiver: string) => void
}

/** Receivers below an empty field: those paid last from this browser, by their names, then the wallet's other accounts. Each has its full address. */
export function Suggestions({ recent, account, onChosen }: SuggestionsProps) {
  const t = useText(sendWords)
  const is = (address: string) => (other: string | null | undefined) => other?.toLowerCase() === address.toLowerCase()
  const own = (account?.allAccounts ?? [])
    .map(({ address }) => address)
    .filter((address) => !is(address)(account?.address) && !recent.some((one) => is(address)(one.address)))
  const all = [
    ...recent.map(({ address, name }) => ({ address, name, label: name ?? t('receiverRecent') })),
    ...own.map((address) => ({
      address,
      name: null,
      label: account?.addressLabels[address] ?? account?.names[address] ?? t('receiverOwn')
    }))
  ]
  if (all.length === 0) return null
  return (
    <ul className="hints" aria-label={t('receiverSuggestions')}>
      {all.map(({ address, name, label }) => (
        <li key={address}>
          <button type="button" data-testid="send-suggestion" onClick={() => onChosen(name ?? address)}>
            <small>
              <bdi>{label}</bdi>
            </small>
            <bdi className="full" dir="ltr">
              {address}
            </bdi>
          </button>
        </li>
      ))}
    </ul>
  )
}
