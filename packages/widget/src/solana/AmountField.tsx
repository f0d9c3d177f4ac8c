import type { AmountFault, SolanaView } from '../generated/core.ts'
import { useDispatch } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { namedIn } from '../text/typed.ts'
import { Button } from '../ui/Button.tsx'
import { AmountInput, Fault, isSome, Pick } from '../ui/form.tsx'
import { Picture } from '../ui/Picture.tsx'
import { useSettled } from '../ui/settled.ts'

/** What is missing is said by the button, and by a message once it was pressed. */
const faults: Readonly<Record<Exclude<AmountFault, 'missing'>, keyof typeof solanaWords>> = {
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
export function AmountField({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const { amount, value, token } = solana
  const [fault, settle] = useSettled(amount, solana.amountFault)
  const silent = token?.state === 'unreadable'
  return (
    <div className={fault || silent ? 'field wrong' : 'field'}>
      <label htmlFor="amount">{t('amount')}</label>
      <div className="line">
        <AmountInput
          id="amount"
          value={amount}
          wrong={fault !== null}
          onLeft={settle}
          describedBy="amount-fault amount-value amount-available"
          testid="send-amount"
          onTyped={(text) => dispatch({ feature: 'solana', event: { type: 'amountTyped', text } })}
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
            ahead="SolanaSendSelectToken"
            testid="send-token"
            onClick={() => dispatch({ feature: 'modal', event: { type: 'viewAsked', view: 'SolanaSendSelectToken' } })}
          />
        )}
      </div>
      <div className="line">
        <span className="under">
          <bdi id="amount-value" dir="ltr">
            {value && dollars(value)}
          </bdi>
          <span id="amount-available" title={token?.balance ? `${write(token.balance)} ${token.symbol}` : undefined}>
            {token &&
              (token.shown
                ? t('available', `${write(token.shown)} ${token.symbol}`)
                : t(silent ? 'balanceUnavailable' : 'tokenReading'))}
          </span>
        </span>
        <Button
          kind="plain"
          title={token?.address ? undefined : t('maxHint')}
          disabled={!isSome(token?.balance)}
          data-testid="send-max"
          onClick={() => dispatch({ feature: 'solana', event: { type: 'maxAsked' } })}
        >
          {t('max')}
        </Button>
      </div>
      <Fault id="amount-fault" unseen={fault === 'aboveBalance'}>
        {(fault && fault !== 'missing' && t(faults[fault], ...namedIn(fault, amount, String(token?.decimals ?? '')))) ||
          (silent && t(token.address === null ? 'solanaBalanceUnread' : 'solanaTokenUnreadable'))}
      </Fault>
    </div>
  )
}
