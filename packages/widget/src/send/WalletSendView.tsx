import type { AmountFault, ReceiverFault } from '../generated/core.ts'
import { readCopied } from '../shell/paste.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import type { Key } from '../text/en.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Fault } from '../ui/Fault.tsx'
import { Picture } from '../ui/Picture.tsx'
import { FeeLine } from './FeeLine.tsx'
import { sendCss } from './send.css.ts'

const amountFaults: Readonly<Record<AmountFault, Key>> = {
  missing: 'amountMissing',
  notANumber: 'amountNotANumber',
  tooPrecise: 'amountTooPrecise',
  zero: 'amountZero',
  aboveBalance: 'amountAboveBalance',
  insufficientGas: 'amountInsufficientGas'
}

const receiverFaults: Readonly<Record<ReceiverFault, Key>> = {
  missing: 'receiverMissing',
  notAnAddress: 'receiverNotAnAddress',
  wrongChecksum: 'receiverWrongChecksum',
  zeroAddress: 'receiverZeroAddress',
  ownAddress: 'receiverOwnAddress'
}

/** How much, to whom, at what fee. The core judges each letter. */
export function WalletSendView() {
  useStyle(sendCss)
  const t = useText()
  const dispatch = useDispatch()
  return (
    <form
      className="send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'send', event: { type: 'reviewAsked' } })
      }}
    >
      <AmountField />
      <ReceiverField />
      <FeeLine />
      <Button kind="primary" type="submit">
        {t('review')}
      </Button>
    </form>
  )
}

function AmountField() {
  const t = useText()
  const write = useAmount()
  const dispatch = useDispatch()
  const amount = useSnapshot((snapshot) => snapshot.send.sendTokenAmount)
  const token = useSnapshot((snapshot) => snapshot.send.token)
  const picture = useSnapshot((snapshot) => snapshot.network.active?.assets.imageUrl)
  const fault = useSnapshot((snapshot) => snapshot.send.amountFault)
  return (
    <div className={fault ? 'field wrong' : 'field'}>
      <label htmlFor="amount">{t('amount')}</label>
      <div className="line">
        <input
          id="amount"
          className="big"
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0"
          value={amount}
          aria-invalid={fault !== null}
          aria-describedby="amount-fault amount-available"
          data-focus=""
          data-testid="send-amount"
          onChange={({ target }) => dispatch({ feature: 'send', event: { type: 'amountTyped', text: target.value } })}
        />
        {token && (
          <span className="coin">
            <Picture src={picture} name={token.symbol} />
            <bdi className="clip">{token.symbol}</bdi>
          </span>
        )}
      </div>
      <div className="line">
        <span className="under" id="amount-available">
          {token && (token.shown ? t('available', `${write(token.shown)} ${token.symbol}`) : t('balanceUnavailable'))}
        </span>
        <Button
          kind="plain"
          title={t('maxHint')}
          disabled={!token?.balance}
          data-testid="send-max"
          onClick={() => dispatch({ feature: 'send', event: { type: 'maxAsked' } })}
        >
          {t('max')}
        </Button>
      </div>
      <Fault id="amount-fault">{fault && t(amountFaults[fault], String(token?.decimals ?? ''))}</Fault>
    </div>
  )
}

function ReceiverField() {
  const t = useText()
  const dispatch = useDispatch()
  const receiver = useSnapshot((snapshot) => snapshot.send.receiverAddress)
  const fault = useSnapshot((snapshot) => snapshot.send.receiverFault)
  // No address has a dot, and names have one.
  const isName = fault === 'notAnAddress' && receiver.includes('.')
  const typed = (text: string) => dispatch({ feature: 'send', event: { type: 'receiverTyped', text } })
  return (
    <div className={fault ? 'field wrong' : 'field'}>
      <label htmlFor="receiver">{t('to')}</label>
      <div className="line">
        <textarea
          id="receiver"
          dir="ltr"
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={t('receiverHint')}
          value={receiver}
          aria-invalid={fault !== null}
          aria-describedby="receiver-fault"
          data-testid="send-receiver"
          onChange={({ target }) => typed(target.value.replace(/[\r\n]/g, ''))}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        {!receiver && (
          <Button kind="plain" data-testid="send-paste" onClick={() => readCopied(typed)}>
            {t('paste')}
          </Button>
        )}
      </div>
      <Fault id="receiver-fault">{fault && t(isName ? 'receiverName' : receiverFaults[fault])}</Fault>
    </div>
  )
}
