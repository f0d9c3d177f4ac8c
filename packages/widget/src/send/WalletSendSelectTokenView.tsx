import { memo, useDeferredValue } from 'react'
import type { SendChoice, SendTokensView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { alike } from '../ui/alike.ts'
import { Icon } from '../ui/Icon.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { More } from '../ui/More.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { sendCss } from './send.css.ts'

/** What the account has here, with a search by name, symbol or address. */
export function WalletSendSelectTokenView() {
  useStyle(sendCss)
  const t = useText()
  const dispatch = useDispatch()
  const choices = useSnapshot((snapshot) => snapshot.sendTokens)
  // The letter is drawn at once, and what it finds as soon as no other one is typed.
  const found = useDeferredValue(choices)
  if (!choices || !found) return <BoneRows count={3} label={t('loading')} />
  return (
    <div className="sendable">
      <label className="seek">
        <Icon name="search" />
        <input
          type="search"
          value={choices.search}
          placeholder={t('searchTokens')}
          aria-label={t('searchTokens')}
          autoComplete="off"
          spellCheck={false}
          data-focus=""
          data-testid="send-select-token-search-input"
          onChange={({ target }) => dispatch({ feature: 'send', event: { type: 'tokenSearched', text: target.value } })}
        />
      </label>
      <Found found={found} />
    </div>
  )
}

const Found = memo(function Found({ found }: { found: SendTokensView }) {
  const t = useText()
  const dispatch = useDispatch()
  const { search, state, tokens, more, count } = found
  const coming = state === 'loading'
  return (
    <>
      {tokens.length > 0 && (
        <Long
          items={tokens}
          keyOf={({ address }) => address ?? ''}
          row={(token) => <Choice token={token} />}
          busy={coming || state === 'refreshing'}
          found={count}
        />
      )}
      {more && <More busy={false} onWanted={() => dispatch({ feature: 'send', event: { type: 'moreAsked' } })} />}
      {coming && <BoneRows count={3} label={t('loading')} />}
      {state === 'unavailable' && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      <p className="nothing" role="status">
        {search !== '' && tokens.length === 0 && !coming && t('noSuchToken')}
      </p>
    </>
  )
})

const Choice = memo(function Choice({ token }: { token: SendChoice }) {
  const write = useAmount()
  const dispatch = useDispatch()
  const { address, name, symbol, shown, value, iconUrl, chosen } = token
  return (
    <button
      type="button"
      className="row token"
      aria-current={chosen || undefined}
      data-testid={`send-select-token-item-${symbol}`}
      onClick={() => dispatch({ feature: 'send', event: { type: 'tokenChosen', address } })}
    >
      <Picture lazy src={iconUrl} name={symbol} />
      <span className="name">
        <bdi className="clip">{name}</bdi>
        <small>
          <bdi dir="ltr">
            {write(shown)} {symbol}
          </bdi>
        </small>
      </span>
      {value !== null && (
        <span className="sum">
          <bdi dir="ltr">${write(value)}</bdi>
        </span>
      )}
      {chosen && <Icon name="check" />}
    </button>
  )
}, alike)
