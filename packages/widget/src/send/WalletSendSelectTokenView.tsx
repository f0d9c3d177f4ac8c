import { memo, useDeferredValue } from 'react'
import type { SendChoice, SendTokensView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Arrows } from '../ui/Arrows.tsx'
import { alike } from '../ui/alike.ts'
import { HiddenTokens } from '../ui/HiddenTokens.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { More } from '../ui/More.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { TokenRow } from '../ui/TokenRow.tsx'

/** Tokens of the account on this network, with a search by name, symbol or address. */
export function WalletSendSelectTokenView() {
  const t = useText(sendWords)
  const dispatch = useDispatch()
  const choices = useSnapshot((snapshot) => snapshot.sendTokens)
  // The typed character is drawn at once; the list follows when typing pauses.
  const found = useDeferredValue(choices)
  if (!choices || !found) return <BoneRows count={3} label={t('loading')} />
  return (
    <Arrows>
      <SearchField
        value={choices.search}
        label={t('searchTokens')}
        testid="send-select-token-search-input"
        onTyped={(text) => dispatch({ feature: 'send', event: { type: 'tokenSearched', text } })}
      />
      <Found found={found} />
    </Arrows>
  )
}

const Found = memo(function Found({ found }: { found: SendTokensView }) {
  const t = useText(sendWords)
  const dispatch = useDispatch()
  const { search, state, tokens, more, count, hidden, revealed } = found
  const listed = tokens.filter((token) => !token.hidden)
  const veiled = tokens.filter((token) => token.hidden)
  // The hidden tokens come after all others.
  const ended = !more || veiled.length > 0
  const coming = state === 'loading'
  return (
    <>
      {listed.length > 0 && (
        <Long
          items={listed}
          keyOf={({ address }) => address ?? ''}
          row={(token) => <Choice token={token} />}
          busy={coming || state === 'refreshing'}
          found={revealed ? count - hidden : count}
        />
      )}
      {ended && (
        <HiddenTokens
          count={hidden}
          open={revealed}
          onToggle={() => dispatch({ feature: 'send', event: { type: 'hiddenAsked' } })}
        />
      )}
      {veiled.length > 0 && (
        <Long
          items={veiled}
          keyOf={({ address }) => address ?? ''}
          row={(token) => <Choice token={token} />}
          found={hidden}
        />
      )}
      {more && <More busy={false} onWanted={() => dispatch({ feature: 'send', event: { type: 'moreAsked' } })} />}
      {coming && <BoneRows count={3} label={t('loading')} />}
      {state === 'unavailable' && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      <p className="unmatched" role="status">
        {search !== '' && tokens.length === 0 && hidden === 0 && !coming && t('noSuchToken')}
      </p>
    </>
  )
})

const Choice = memo(function Choice({ token }: { token: SendChoice }) {
  const dispatch = useDispatch()
  return (
    <TokenRow
      token={token}
      native={token.address === null}
      testid={`send-select-token-item-${token.symbol}`}
      onClick={() => dispatch({ feature: 'send', event: { type: 'tokenChosen', address: token.address } })}
    />
  )
}, alike)
