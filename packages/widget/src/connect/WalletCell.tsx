import type { Item } from '../generated/core.ts'
import { useDispatch, useIcon } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Picture } from '../ui/Picture.tsx'

/** One wallet in the grid. */
export function WalletCell({ item }: { item: Item }) {
  const t = useText()
  const dispatch = useDispatch()
  return (
    <button
      type="button"
      className="cell"
      title={item.name}
      data-installed={item.installed || undefined}
      data-testid={`wallet-search-item-${item.id}`}
      onClick={() => dispatch({ feature: 'connect', event: { type: 'walletChosen', connector: item.id } })}
    >
      <Picture src={useIcon(item)} name={item.name} />
      <bdi>{item.name}</bdi>
      {item.installed && <span className="unseen">{t('installed')}</span>}
    </button>
  )
}
