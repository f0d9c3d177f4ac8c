import type { TokenBalance } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { detailWords } from '../text/detail.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button, LinkButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Tag } from '../ui/Tag.tsx'
import { detailCss } from './detail.css.ts'
import { Gone, Line, Whole } from './parts.tsx'

/** Details of a token: its exact amount, value, contract and network, and what can be done with it. */
export function TokenDetailsView() {
  useStyle(detailCss)
  const t = useText(detailWords)
  const detail = useSnapshot((snapshot) => snapshot.detail)
  const account = useSnapshot(activeAccount)
  const token = account?.tokenBalance.find(({ address }) => (address ?? '') === detail?.id)
  if (!detail || !account || !token) return <Gone />
  const { name, symbol, quantity, value, price, iconUrl, mark } = token
  return (
    <div className="detail">
      <div className="hero">
        <Picture src={mark ? null : iconUrl} name={symbol} />
        <strong data-testid="detail-amount">
          <Amount value={quantity.numeric} symbol={symbol} />
        </strong>
        {value !== null && (
          <span>
            <Amount value={value} />
          </span>
        )}
        {mark === 'lookalike' && <Tag kind="bad">{t('tokenLookalike')}</Tag>}
      </div>
      <Wary token={token} />
      <Acts token={token} features={account.walletFeatures} />
      <dl>
        <Line name={t('name')}>{<bdi>{mark === 'suspicious' ? t('tokenSuspicious') : name || symbol}</bdi>}</Line>
        <Line name={t('detailPrice')}>{price && <Amount value={withCents(price)} />}</Line>
        <Line name={t('network')}>{detail.network && <bdi>{detail.network}</bdi>}</Line>
        <Whole name={t('detailContract')} text={detail.contract} testid="detail-contract" />
      </dl>
      {detail.url && (
        <LinkButton href={detail.url} icon="external">
          {t('viewOnExplorer')}
        </LinkButton>
      )}
    </div>
  )
}

/** Price with at least two decimals, and all that it has. */
function withCents(price: string): string {
  const [whole, part = ''] = price.split('.')
  return `${whole}.${part.padEnd(2, '0')}`
}

/** Reason to distrust the token. */
function Wary({ token: { mark, hidden } }: { token: TokenBalance }) {
  const t = useText(detailWords)
  if (!mark && !hidden) return null
  const words: Readonly<Record<string, KeyWith<typeof detailWords>>> = {
    suspicious: 'detailSuspicious',
    lookalike: 'detailLookalike'
  }
  return (
    <p className={mark ? 'wary bad' : 'wary'} data-testid="detail-warning">
      <Icon name="warning" />
      <span>{t((mark && words[mark]) || 'detailUnknown')}</span>
    </p>
  )
}

/** Buttons to pay with the token. A marked one is not offered for a payment. */
function Acts({ token, features }: { token: TokenBalance; features: readonly string[] }) {
  const t = useText(detailWords)
  const dispatch = useDispatch()
  const send = features.includes('send') && !token.mark
  const swap = features.includes('swaps') && !token.mark && !token.hidden
  if (!send && !swap) return null
  return (
    <div className="doings">
      {send && (
        <Button
          icon="send"
          data-ahead="WalletSend"
          data-testid="detail-send"
          onClick={() => dispatch({ feature: 'detail', event: { type: 'sendAsked' } })}
        >
          {t('send')}
        </Button>
      )}
      {swap && (
        <Button
          icon="swap"
          data-ahead="Swap"
          data-testid="detail-swap"
          onClick={() => dispatch({ feature: 'detail', event: { type: 'swapAsked' } })}
        >
          {t('titleSwap')}
        </Button>
      )}
    </div>
  )
}
