import type { AccountState, TokenBalance } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { accountWords } from '../text/account.ts'
import { useText } from '../text/text.tsx'
import { Empty } from '../ui/Empty.tsx'
import { HiddenTokens } from '../ui/HiddenTokens.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Long } from '../ui/Long.tsx'
import { Lost } from '../ui/Lost.tsx'
import { BoneRows, Row } from '../ui/Row.tsx'
import { TokenRow } from '../ui/TokenRow.tsx'
import { isBalanceComing } from './coming.ts'

const keyOf = ({ chainId, address }: TokenBalance) => `${chainId}:${address}`
const row = (token: TokenBalance) => <Token token={token} />

/** Native coin and tokens of the account, the hidden ones behind a row; a skeleton while they load. */
export function Tokens({ account }: { account: AccountState }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  const { tokenBalance, tokensState, tokensRevealed } = account
  const listed = tokenBalance.filter(({ hidden }) => !hidden)
  const hidden = tokenBalance.filter((token) => token.hidden)
  const coming = tokensState === 'loading' || (tokenBalance.length === 0 && isBalanceComing(account))
  const lost = tokensState === 'unavailable'
  return (
    <>
      {listed.length > 0 && (
        <Long items={listed} keyOf={keyOf} row={row} busy={coming || tokensState === 'refreshing'} />
      )}
      {!coming && tokensState !== 'unavailable' && <Fund account={account} />}
      <HiddenTokens
        count={hidden.length}
        open={tokensRevealed}
        onToggle={() => dispatch({ feature: 'account', event: { type: 'hiddenAsked' } })}
      />
      {tokensRevealed && hidden.length > 0 && <Long items={hidden} keyOf={keyOf} row={row} />}
      {coming && <BoneRows count={tokensState === 'loading' ? 3 : 1} label={t('loading')} />}
      {lost && (
        <Lost onRetry={() => dispatch({ feature: 'account', event: { type: 'tokensAsked' } })}>
          {t('tokensUnavailable')}
        </Lost>
      )}
      {tokenBalance.length === 0 && !coming && !lost && <None failed={account.balanceState === 'unavailable'} />}
    </>
  )
}

/** Why there is nothing, not even the coin. */
function None({ failed }: { failed: boolean }) {
  const t = useText(accountWords)
  const unsupported = useSnapshot((snapshot) => snapshot.network.unsupported)
  if (failed && !unsupported) return <Empty icon="coins" title={t('tokensUnavailable')} hint={t('notLoadedHint')} />
  return <Empty icon="coins" title={t('noTokens')} hint={t(unsupported ? 'noTokensUnsupported' : 'noTokensHint')} />
}

/** Buttons to fund an account with zero balance. Each has both test ids that hosts look for. */
function Fund({ account: { tokenBalance, walletFeatures } }: { account: AccountState }) {
  const t = useText(accountWords)
  const dispatch = useDispatch()
  // Hidden tokens, which anybody can send, are no wealth.
  const poor =
    tokenBalance.length > 0 && tokenBalance.every(({ hidden, quantity }) => hidden || /^[0.]*$/.test(quantity.numeric))
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
  const dispatch = useDispatch()
  const { address } = token
  return (
    <TokenRow
      token={token}
      native={address === null}
      testid={`account-token-${address ?? 'coin'}`}
      ahead="TokenDetails"
      onClick={() => dispatch({ feature: 'detail', event: { type: 'tokenAsked', address } })}
    />
  )
}
