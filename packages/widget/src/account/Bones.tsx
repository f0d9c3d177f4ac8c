import { useText } from '../text/text.tsx'
import { BoneRows } from '../ui/Row.tsx'

/** Skeleton of transactions that are still loading. */
export function BoneDeeds() {
  return <BoneRows count={4} label={useText()('loading')} />
}

/** Skeleton of tiles that are still loading. */
export function BoneTiles() {
  const t = useText()
  return (
    <div role="status" aria-label={t('loading')}>
      <ul className="tiles" aria-hidden="true">
        {['a', 'b', 'c', 'd'].map((key) => (
          <li className="nft" key={key}>
            <i className="tile bone" />
            <i className="word bone" />
          </li>
        ))}
      </ul>
    </div>
  )
}
