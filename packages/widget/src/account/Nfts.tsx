import type { NftItem } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { Empty } from '../ui/Empty.tsx'
import { Lost } from '../ui/Lost.tsx'
import { More } from '../ui/More.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneTiles } from './Bones.tsx'

/** The account's NFTs as tiles. */
export function Nfts() {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const list = useSnapshot((snapshot) => snapshot.nfts)
  const more = () => dispatch({ feature: 'account', event: { type: 'nftsAsked' } })
  if (!list || list.state === 'unserved') return <Empty icon="image" title={t('noNfts')} hint={t('noNftsHint')} />
  const { items, state } = list
  if (items.length === 0 && (state === 'unknown' || state === 'loading')) return <BoneTiles />
  if (items.length === 0 && state === 'ready' && !list.more) {
    return <Empty icon="image" title={t('noneNfts')} hint={t('noneNftsHint')} />
  }
  const lost = state === 'outdated' || state === 'loading'
  return (
    <>
      {lost && (
        <Lost busy={state === 'loading'} onRetry={more}>
          {t('nftsUnavailable')}
        </Lost>
      )}
      <ul className="tiles" aria-busy={state === 'more' || undefined}>
        {items.map((item) => (
          <Nft key={item.id} item={item} />
        ))}
      </ul>
      {state === 'unavailable' && <Lost onRetry={more}>{t('nftsUnavailable')}</Lost>}
      {(list.more || state === 'more') && <More key={list.revision} busy={state === 'more'} onWanted={more} />}
    </>
  )
}

function Nft({ item }: { item: NftItem }) {
  const t = useText(tokenWords)
  const dispatch = useDispatch()
  const name = item.name || t('tokenSuspicious')
  return (
    <li className="nft">
      <button
        type="button"
        title={name}
        data-testid={`nft-${item.id}`}
        data-ahead="NftDetails"
        onClick={() => dispatch({ feature: 'detail', event: { type: 'nftAsked', id: item.id } })}
      >
        <Picture lazy src={item.picture} name={name} />
        {item.amount && <span className="tag">×{item.amount}</span>}
        <bdi className="clip">{name}</bdi>
        <small className="clip">
          <bdi>{item.collection}</bdi>
        </small>
      </button>
    </li>
  )
}
