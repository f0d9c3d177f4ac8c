import { useDeferredValue } from 'react'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { Arrows } from '../ui/Arrows.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { TokenRow } from '../ui/TokenRow.tsx'

/** Tokens of the account on this network, with a search by name, symbol or address. */
export function SolanaSendSelectTokenView() {
  const t = useText(solanaWords)
  const dispatch = useDispatch()
  const choices = useSnapshot((snapshot) => snapshot.solanaTokens)
  // The typed character is drawn at once; the list follows when typing pauses.
  const found = useDeferredValue(choices)
  if (!choices || !found) return <BoneRows count={3} label={t('loading')} />
  const { search, state, tokens } = found
  const coming = state === 'loading'
  return (
    <Arrows>
      <SearchField
        value={choices.search}
        label={t('searchTokens')}
        testid="send-select-token-search-input"
        onTyped={(text) => dispatch({ feature: 'solana', event: { type: 'tokenSearched', text } })}
      />
      {tokens.length > 0 && (
        <Long
          items={tokens}
          keyOf={({ address }) => address ?? ''}
          row={(token) => (
            <TokenRow
              token={token}
              native={token.address === null}
              testid={`send-select-token-item-${token.symbol}`}
              onClick={() => dispatch({ feature: 'solana', event: { type: 'tokenChosen', address: token.address } })}
            />
          )}
          busy={coming || state === 'refreshing'}
          found={tokens.length}
        />
      )}
      {coming && <BoneRows count={3} label={t('loading')} />}
      {state === 'unavailable' && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      <p className="unmatched" role="status">
        {search !== '' && tokens.length === 0 && !coming && t('noSuchToken')}
      </p>
    </Arrows>
  )
}
