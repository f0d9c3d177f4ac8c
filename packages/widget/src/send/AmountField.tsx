import type { AmountFault } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { namedIn } from '../text/typed.ts'
import { Button } from '../ui/Button.tsx'
import { AmountInput, Fault, isSome, Pick } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useSettled } from '../ui/settled.ts'

/** What is missing is said by the button, and by a message once it was pressed. */
const amountFaults: Readonly<Record<Exclude<AmountFault, 'missing'>, keyof typeof sendWords>> = {
  notANumber: 'amountNotANumber',
  signed: 'amountSigned',
  exponent: 'amountExponent',
  ambiguous: 'amountAmbiguous',
  tooPrecise: 'amountTooPrecise',
  zero: 'amountZero',
  aboveBalance: 'amountAboveBalance',
  balanceDisputed: 'amountDisputed',
  insufficientGas: 'amountInsufficientGas'
}

/** Decimal places of a typed value. */
const CENTS = 2

/** Amount and token to send. */
export function AmountField() {
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const amount = useSnapshot((snapshot) => snapshot.send.sendTokenAmount)
  const value = useSnapshot((snapshot) => snapshot.send.sendTokenValue)
  const typed = useSnapshot((snapshot) => snapshot.send.typedValue)
  const token = useSnapshot((snapshot) => snapshot.send.token)
  const coin = useSnapshot((snapshot) => snapshot.send.feeSymbol)
  const found = useSnapshot((snapshot) => snapshot.send.amountFault)
  const [fault, settle] = useSettled(typed ?? amount, found)
  const poor = fault === 'insufficientGas' && token?.address
  const about = poor ? coin : String(typed === null ? (token?.decimals ?? '') : CENTS)
  const unread = useSnapshot((snapshot) => activeAccount(snapshot)?.balanceState === 'unavailable')
  // The balance of a token is read with the token.
  const lost = token?.address === null && token.shown === null && unread
  const silent = token?.state === 'unreadable'
  const disputed = token?.state === 'disputed'
  return (
    <div className={fault || silent || disputed ? 'field wrong' : 'field'}>
      <label htmlFor="amount">{t(typed === null ? 'amount' : 'amountInDollars')}</label>
      <div className="line">
        <AmountInput
          id="amount"
          value={typed ?? amount}
          wrong={fault !== null}
          describedBy="amount-fault amount-value amount-available"
          testid="send-amount"
          sign={typed === null ? undefined : '$'}
          onLeft={settle}
          onTyped={(text) =>
            dispatch({ feature: 'send', event: { type: typed === null ? 'amountTyped' : 'valueTyped', text } })
          }
        />
        {token && (
          <Pick
            label={t('chooseToken', token.symbol)}
            name={token.symbol}
            picture={
              <Picture
                src={token.iconUrl}
                name={token.symbol}
                of={token.address === null ? { coin: token.symbol } : undefined}
              />
            }
            ahead="WalletSendSelectToken"
            testid="send-token"
            onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'WalletSendSelectToken' } })}
          />
        )}
      </div>
      <div className="line">
        <span className="under">
          <Unit
            told={
              // An amount that can't be read is worth nothing that could be told.
              typed === null
                ? value
                  ? dollars(value)
                  : amount && '–'
                : `${amount || !typed ? write(amount || '0') : '–'} ${token?.symbol ?? ''}`
            }
            other={typed === null ? t('typeDollars') : t('typeCoins', token?.symbol ?? '')}
          />
          <span id="amount-available" title={token?.balance ? `${write(token.balance)} ${token.symbol}` : undefined}>
            {token &&
              (token.shown
                ? t('available', `${write(token.shown)} ${token.symbol}`)
                : t(token.state === 'reading' ? 'tokenReading' : 'balanceUnavailable'))}
          </span>
        </span>
        {lost && (
          <Button
            kind="plain"
            icon="retry"
            data-testid="send-balance-retry"
            onClick={() => dispatch({ feature: 'account', event: { type: 'refreshAsked', ticket: null } })}
          >
            {t('tryAgain')}
          </Button>
        )}
        {!lost && (
          <Button
            kind="plain"
            title={token?.address ? undefined : t('maxHint')}
            disabled={!isSome(token?.balance)}
            data-testid="send-max"
            onClick={() => dispatch({ feature: 'send', event: { type: 'maxAsked' } })}
          >
            {t('max')}
          </Button>
        )}
      </div>
      <Fault id="amount-fault" unseen={fault === 'aboveBalance'}>
        {(fault &&
          fault !== 'missing' &&
          t(poor ? 'amountNoCoin' : amountFaults[fault], ...namedIn(fault, typed ?? amount, about))) ||
          (silent && t('tokenUnreadable')) ||
          (disputed && t('tokenDisputed'))}
      </Fault>
    </div>
  )
}

/** The amount in the other unit; pressing it switches the unit that is typed. The amount in coins is the one that is sent. */
function Unit({ told, other }: { told: string | null; other: string }) {
  const dispatch = useDispatch()
  const known = useSnapshot((snapshot) => snapshot.send.valueKnown)
  const words = (
    <bdi id="amount-value" dir="ltr">
      {known ? told || '$0' : ''}
    </bdi>
  )
  if (!known) return <span>{words}</span>
  return (
    <button
      type="button"
      className="unit"
      title={other}
      data-testid="send-unit"
      onClick={() => dispatch({ feature: 'send', event: { type: 'unitSwitched' } })}
    >
      {words}
      <span className="unseen">{other}</span>
      <Icon name="swap" />
    </button>
  )
}
