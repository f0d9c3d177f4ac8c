import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { sendWords } from '../text/send.ts'
import { unpadded } from '../text/spelled.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Fact } from '../ui/form.tsx'
import { Receipt } from '../ui/Receipt.tsx'

const words = { ...sendWords, ...tokenWords }

/** Receipt of the sent transaction. */
export function WalletSendConfirmedView() {
  const t = useText(words)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const sent = useSnapshot((snapshot) => snapshot.send.sent)
  const copying = useCopying(sent?.receipt.hash ?? '')
  const receiverCopying = useCopying(sent?.receiver ?? '')
  if (!sent) return null
  const { amount, symbol, value, receiver, receiverName, receipt } = sent
  return (
    <Receipt
      receipt={receipt}
      testid="send"
      copied={copying.copied}
      onCopy={copying.onCopy}
      onDone={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
    >
      <Fact
        name={t('amount')}
        value={`${write(unpadded(amount))} ${symbol}`}
        hint={value ? dollars(value) : undefined}
        strong
      />
      <div>
        <dt>{t('to')}</dt>
        <dd>
          {receiverName && <bdi className="clip">{receiverName}</bdi>}
          <span className="copies">
            <bdi className="full" dir="ltr">
              {receiver}
            </bdi>
            <CopyButton {...receiverCopying} label={t('copyAddress')} testid="send-receiver-copy" />
          </span>
        </dd>
      </div>
    </Receipt>
  )
}
