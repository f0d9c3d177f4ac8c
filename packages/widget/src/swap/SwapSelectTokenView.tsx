import { memo, useDeferredValue } from 'react'
import { walletsCss } from '../connect/wallets.css.ts'
import type { SwapTokenItem, SwapTokensView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { alike } from '../ui/alike.ts'
import { Icon } from '../ui/Icon.tsx'
import { Long } from '../ui/Long.tsx'
import { More } from '../ui/More.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { swapCss } from './swap.css.ts'

/** The tokens of the network to choose from: what is held first. */
export function SwapSelectTokenView() {
  useStyle(walletsCss)
  useStyle(swapCss)
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const list = useSnapshot((snapshot) => snapshot.swapTokens)
  // The letter is drawn at once, and what it finds as soon as no other one is typed.
  const found = useDeferredValue(list)
  if (!list || !found) return <BoneRows count={6} label={t('loading')} />
  return (
    <div className="swap picks">
      <div className="find">
        <label className="search">
          <Icon name="search" />
          <input
            type="search"
            value={list.search}
            placeholder={t('swapSearch')}
            aria-label={t('swapSearch')}
            autoComplete="off"
            spellCheck={false}
            data-focus=""
            data-testid="swap-select-token-search-input"
            onChange={({ target }) => dispatch({ feature: 'swap', event: { type: 'searchTyped', text: target.value } })}
          />
        </label>
      </div>
      <Found found={found} />
    </div>
  )
}

const Found = memo(function Found({ found }: { found: SwapTokensView }) {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const { items, more, count } = found
  return (
    <>
      {items.length > 0 && (
        <Long items={items} keyOf={({ address }) => address} row={(item) => <Token item={item} />} found={count} />
      )}
      <p role="status" className={items.length > 0 ? 'unseen' : 'none'}>
        {items.length > 0 ? t('swapFound', String(count)) : t('swapNone')}
      </p>
      {more && <More busy={false} onWanted={() => dispatch({ feature: 'swap', event: { type: 'moreAsked' } })} />}
    </>
  )
})

const Token = memo(function Token({ item }: { item: SwapTokenItem }) {
  const t = useText(swapWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const { name, symbol, address, unlisted, iconUrl, shown, value, chosen } = item
  return (
    <button
      type="button"
      className="row"
      aria-current={chosen || undefined}
      data-testid={`swap-select-token-item-${symbol}`}
      onClick={() => dispatch({ feature: 'swap', event: { type: 'tokenChosen', address } })}
    >
      <Picture lazy src={iconUrl} name={symbol} />
      <span className="name">
        <bdi>{name}</bdi>
        <small>
          <bdi>{symbol}</bdi>
          {unlisted && (
            <>
              {' · '}
              {t('swapUnlisted')} · <bdi dir="ltr">{unlisted}</bdi>
            </>
          )}
        </small>
      </span>
      {shown !== null && (
        <span className="sum">
          <bdi dir="ltr">{write(shown)}</bdi>
          {value !== null && (
            <small>
              <bdi dir="ltr">${write(value)}</bdi>
            </small>
          )}
        </span>
      )}
      {chosen && (
        <span className="mark">
          <Icon name="check" />
          <span className="unseen">{t('current')}</span>
        </span>
      )}
    </button>
  )
}, alike)
