import type { AmountFault } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { AmountInput, Fault, Pick } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'

const amountFaults: Readonly<Record<AmountFault, keyof typeof sendWords>> = {
  missing: 'amountMissing',
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

/** Amount and token to send. */
export function AmountField() {
  const t = useText(sendWords)
  const write = useAmount()
  const dispatch = useDispatch()
  const amount = useSnapshot((snapshot) => snapshot.send.sendTokenAmount)
  const value = useSnapshot((snapshot) => snapshot.send.sendTokenValue)
  const token = useSnapshot((snapshot) => snapshot.send.token)
  const coin = useSnapshot((snapshot) => snapshot.send.feeSymbol)
  const fault = useSnapshot((snapshot) => snapshot.send.amountFault)
  const reverts = useSnapshot((snapshot) => snapshot.send.reverts)
  const poor = fault === 'insufficientGas' && token?.address
  const about = poor ? coin : String(token?.decimals ?? '')
  const silent = token?.state === 'unreadable'
  const disputed = token?.state === 'disputed'
  return (
    <div className={fault || silent || disputed || reverts ? 'field wrong' : 'field'}>
      <label htmlFor="amount">{t('amount')}</label>
      <div className="line">
        <AmountInput
          id="amount"
          value={amount}
          wrong={fault !== null}
          describedBy="amount-fault amount-value amount-available"
          testid="send-amount"
          onTyped={(text) => dispatch({ feature: 'send', event: { type: 'amountTyped', text } })}
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
          <span id="amount-value">{value && <bdi dir="ltr">${write(value)}</bdi>}</span>
          <span id="amount-available">
            {token &&
              (token.shown
                ? t('available', `${write(token.shown)} ${token.symbol}`)
                : t(token.state === 'reading' ? 'tokenReading' : 'balanceUnavailable'))}
          </span>
        </span>
        <Button
          kind="plain"
          title={token?.address ? undefined : t('maxHint')}
          disabled={!token?.balance}
          data-testid="send-max"
          onClick={() => dispatch({ feature: 'send', event: { type: 'maxAsked' } })}
        >
          {t('max')}
        </Button>
      </div>
      <Fault id="amount-fault">
        {(fault && t(poor ? 'amountNoCoin' : amountFaults[fault], about)) ||
          (silent && t('tokenUnreadable')) ||
          (disputed && t('tokenDisputed')) ||
          (reverts && t('sendReverts'))}
      </Fault>
    </div>
  )
}
