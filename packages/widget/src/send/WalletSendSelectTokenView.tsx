import type { SendChoice } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Icon } from '../ui/Icon.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows } from '../ui/Row.tsx'
import { sendCss } from './send.css.ts'

/** What the account has here, with a search by name, symbol or address. */
export function WalletSendSelectTokenView() {
  useStyle(sendCss)
  const t = useText()
  const dispatch = useDispatch()
  const choices = useSnapshot((snapshot) => snapshot.sendTokens)
  if (!choices) return <BoneRows count={3} label={t('loading')} />
  const { search, state, tokens } = choices
  const coming = state === 'loading'
  return (
    <div className="sendable">
      <label className="seek">
        <Icon name="search" />
        <input
          type="search"
          value={search}
          placeholder={t('searchTokens')}
          aria-label={t('searchTokens')}
          autoComplete="off"
          spellCheck={false}
          data-focus=""
          data-testid="send-select-token-search-input"
          onChange={({ target }) => dispatch({ feature: 'send', event: { type: 'tokenSearched', text: target.value } })}
        />
      </label>
      {tokens.length > 0 && (
        <Long
          items={tokens}
          keyOf={({ address }) => address ?? ''}
          row={(token) => <Choice token={token} />}
          busy={coming || state === 'refreshing'}
        />
      )}
      {coming && <BoneRows count={3} label={t('loading')} />}
      {state === 'unavailable' && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      <p className="nothing" role="status">
        {search !== '' && tokens.length === 0 && !coming && t('noSuchToken')}
      </p>
    </div>
  )
}

function Choice({ token }: { token: SendChoice }) {
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
}
