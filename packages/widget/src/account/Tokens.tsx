import type { AccountState, TokenBalance } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { Picture } from '../ui/Picture.tsx'
import { BoneRows, Row } from '../ui/Row.tsx'
import { tokenCss } from '../ui/token.css.ts'
import { isBalanceComing } from './coming.ts'

/** Native coin and tokens of the account; a skeleton while they load. */
export function Tokens({ account }: { account: AccountState }) {
  useStyle(tokenCss)
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const { tokenBalance, tokensState } = account
  const coming = tokensState === 'loading' || (tokenBalance.length === 0 && isBalanceComing(account))
  const lost = tokensState === 'unavailable'
  return (
    <>
      {tokenBalance.length > 0 && (
        <Long
          items={tokenBalance}
          keyOf={({ chainId, address }) => `${chainId}:${address}`}
          row={(token) => <Token token={token} />}
          busy={coming || tokensState === 'refreshing'}
        />
      )}
      {!coming && tokensState !== 'unavailable' && <Fund account={account} />}
      {coming && <BoneRows count={tokensState === 'loading' ? 3 : 1} label={t('loading')} />}
      {lost && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      {tokenBalance.length === 0 && !coming && !lost && (
        <Empty icon="coins" title={t('noTokens')} hint={t('noTokensHint')} />
      )}
    </>
  )
}

/** Buttons to fund an account with zero balance. Each has both test ids that hosts look for. */
function Fund({ account: { tokenBalance, walletFeatures } }: { account: AccountState }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const poor = tokenBalance.length > 0 && tokenBalance.every(({ quantity }) => /^[0.]*$/.test(quantity.numeric))
  const ways = FUNDS.filter(({ feature }) => walletFeatures.includes(feature))
  if (!poor || ways.length === 0) return null
  return (
    <div className="rows funds">
      {ways.map(({ feature, view, icon, word, hint, names: [outer, inner] }) => (
        <div key={feature} data-testid={outer}>
          <Row
            picture={
              <span className="tile medal">
                <Icon name={icon} />
              </span>
            }
            name={t(word)}
            note={t(hint)}
            testid={inner}
            ahead={view}
            onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view } })}
          />
        </div>
      ))}
    </div>
  )
}

const FUNDS = [
  {
    feature: 'onramp',
    view: 'OnRampProviders',
    icon: 'plus',
    word: 'buyCrypto',
    hint: 'buyCryptoHint',
    names: ['w3m-account-onramp-button', 'buy-crypto']
  },
  {
    feature: 'receive',
    view: 'WalletReceive',
    icon: 'qr',
    word: 'receiveFunds',
    hint: 'receiveFundsHint',
    names: ['w3m-account-receive-button', 'receive-funds']
  }
] as const

function Token({ token }: { token: TokenBalance }) {
  const write = useAmount()
  const amount = (
    <bdi dir="ltr">
      {write(token.shown)} {token.symbol}
    </bdi>
  )
  return (
    <div className="row token">
      <Picture
        lazy
        src={token.iconUrl}
        name={token.symbol}
        of={token.address === null ? { coin: token.symbol } : undefined}
      />
      <span className="name">
        <bdi>{token.name}</bdi>
        {token.value !== null && <small className="has">{amount}</small>}
      </span>
      <span className="sum">{token.value === null ? amount : <bdi dir="ltr">${write(token.value)}</bdi>}</span>
    </div>
  )
}
