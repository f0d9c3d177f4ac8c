import type { TokenBalance, View } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { detailWords } from '../text/detail.ts'
import { MOST, spelled } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Amount } from '../ui/Amount.tsx'
import { Button } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'
import { detailCss } from './detail.css.ts'
import { Explorer, Gone, Line, Wary, Whole } from './parts.tsx'

/** Decimals that balances and prices have at least (spec 2.11). */
const CENTS = 2

/** Details of a token: its amount, value, contract and network, and what can be done with it. */
export function TokenDetailsView() {
  useStyle(detailCss)
  const t = useText(detailWords)
  const detail = useSnapshot((snapshot) => snapshot.detail)
  const account = useSnapshot(activeAccount)
  const token = account?.tokenBalance.find(({ address }) => (address ?? '') === detail?.id)
  if (!detail || !account || !token) return <Gone />
  const { address, name, symbol, quantity, value, price, iconUrl, mark } = token
  // On Solana a token is an address without a contract.
  const solana = account.namespace === 'solana'
  const held = spelled(quantity.numeric, MOST, CENTS)
  return (
    <div className="detail">
      <div className="hero">
        <Picture
          src={mark ? null : iconUrl}
          name={symbol}
          of={address === null && !mark ? { coin: symbol } : undefined}
        />
        <strong
          data-testid="detail-amount"
          title={quantity.numeric.length <= held.length ? undefined : `${quantity.numeric} ${symbol}`}
        >
          <Amount value={held} symbol={symbol} />
        </strong>
        {value !== null && (
          <span>
            <Amount value={value} />
          </span>
        )}
      </div>
      {(mark || token.hidden) && <Wary doubt={mark ?? 'unknown'} />}
      <Acts token={token} features={account.walletFeatures} />
      <dl>
        <Line name={t('name')}>
          {<bdi>{mark && mark !== 'lookalike' ? t('tokenSuspicious') : name || symbol}</bdi>}
        </Line>
        <Line name={t('detailPrice')}>{price && <Amount value={spelled(price, MOST, CENTS)} />}</Line>
        <Line name={t('network')}>{detail.network && <bdi>{detail.network}</bdi>}</Line>
        <Whole
          name={solana ? t('detailTokenAddress', t('detailToken')) : t('detailContract')}
          text={detail.contract}
          testid="detail-contract"
        />
      </dl>
      <Explorer url={detail.url} />
    </div>
  )
}

/** Forms of payments by the namespace of the chain, where it is not the usual one. */
const forms: Readonly<Record<string, View>> = { solana: 'SolanaSend', bip122: 'BitcoinSend' }

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
          data-ahead={forms[token.chainId.split(':', 1)[0] ?? ''] ?? 'WalletSend'}
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
