import { memo, useDeferredValue } from 'react'
import type { SwapTokenItem, SwapTokensView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { swapWords } from '../text/swap.ts'
import { useText } from '../text/text.tsx'
import { Arrows } from '../ui/Arrows.tsx'
import { alike } from '../ui/alike.ts'
import { HiddenTokens } from '../ui/HiddenTokens.tsx'
import { Long } from '../ui/Long.tsx'
import { More } from '../ui/More.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { TokenRow } from '../ui/TokenRow.tsx'

/** Tokens of the network to choose from: tokens with a balance first. */
export function SwapSelectTokenView() {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const list = useSnapshot((snapshot) => snapshot.swapTokens)
  // The typed character is drawn at once; the list follows when typing pauses.
  const found = useDeferredValue(list)
  if (!list || !found) return <BoneRows count={6} label={t('loading')} />
  return (
    <Arrows>
      <SearchField
        value={list.search}
        label={t('searchTokens')}
        testid="swap-select-token-search-input"
        onTyped={(text) => dispatch({ feature: 'swap', event: { type: 'searchTyped', text } })}
      />
      <Found found={found} />
    </Arrows>
  )
}

const Found = memo(function Found({ found }: { found: SwapTokensView }) {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const { items, more, count, hidden, revealed } = found
  const listed = items.filter((item) => !item.hidden)
  const veiled = items.filter((item) => item.hidden)
  const row = (item: SwapTokenItem) => <Token item={item} />
  return (
    <>
      {listed.length > 0 && (
        <Long items={listed} keyOf={({ address }) => address} row={row} found={revealed ? count - hidden : count} />
      )}
      {/* The hidden tokens come after all others. */}
      {(!more || veiled.length > 0) && (
        <HiddenTokens
          count={hidden}
          open={revealed}
          onToggle={() => dispatch({ feature: 'swap', event: { type: 'hiddenAsked' } })}
        />
      )}
      {veiled.length > 0 && <Long items={veiled} keyOf={({ address }) => address} row={row} found={hidden} />}
      <p role="status" className={items.length + hidden > 0 ? 'unseen' : 'unmatched'}>
        {items.length + hidden > 0 ? t('swapFound', String(count)) : t('swapNone')}
      </p>
      {more && <More busy={false} onWanted={() => dispatch({ feature: 'swap', event: { type: 'moreAsked' } })} />}
    </>
  )
})

const Token = memo(function Token({ item }: { item: SwapTokenItem }) {
  const t = useText(swapWords)
  const dispatch = useDispatch()
  const { symbol, address, contract, unlisted } = item
  return (
    <TokenRow
      token={item}
      native={contract === null}
      testid={`swap-select-token-item-${symbol}`}
      onClick={() => dispatch({ feature: 'swap', event: { type: 'tokenChosen', address } })}
    >
      {contract && (
        <>
          {unlisted && <span>{t('swapUnlisted')}</span>}
          <bdi dir="ltr">{contract}</bdi>
        </>
      )}
    </TokenRow>
  )
}, alike)
