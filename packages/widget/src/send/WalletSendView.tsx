import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Floor } from '../ui/Floor.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { sendCss } from '../ui/send.css.ts'
import { AmountField } from './AmountField.tsx'
import { FeeLine } from './FeeLine.tsx'
import { ReceiverField } from './ReceiverField.tsx'
import { SendWarnings } from './Warnings.tsx'

/** Send form: amount, receiver and fee. The core validates each keystroke. */
export function WalletSendView() {
  useFormStyle()
  useStyle(sendCss)
  const dispatch = useDispatch()
  return (
    <form
      className="form send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'send', event: { type: 'reviewAsked' } })
      }}
    >
      <AmountField />
      <ReceiverField />
      <SendWarnings />
      <FeeLine />
      <Floor>
        <Action />
      </Floor>
    </form>
  )
}

/** Submit button. It looks alive once the form can go on; before, it says what is missing, and pressing it shows that beside the field. */
function Action() {
  const t = useText(sendWords)
  const symbol = useSnapshot((snapshot) => snapshot.send.token?.symbol ?? '')
  const coin = useSnapshot((snapshot) => snapshot.send.feeSymbol)
  const words = useSnapshot(({ send }): KeyWith<typeof sendWords> => {
    const { amountFault, receiverFault, token } = send
    if (amountFault === 'insufficientGas' || amountFault === 'aboveBalance') return 'notEnough'
    if (amountFault && amountFault !== 'missing') return 'checkAmount'
    if (!(send.typedValue ?? send.sendTokenAmount).trim()) return 'enterAmount'
    if (send.reverts) return 'checkReceiver'
    if (token?.state === 'unreadable' || token?.state === 'disputed') return 'checkAmount'
    if (!send.receiverAddress.trim()) return 'enterReceiver'
    // The field itself says that a name is looked up.
    return receiverFault && receiverFault !== 'resolving' ? 'checkReceiver' : 'review'
  })
  // The network fee is paid in the network's coin.
  const poor = useSnapshot(({ send }) => send.amountFault === 'insufficientGas')
  const looking = useSnapshot(({ send }) => send.receiverFault === 'resolving')
  const alive = words === 'review' && !looking
  return (
    <Button kind={alive ? 'primary' : 'soft'} lacking={!alive} type="submit" data-testid="send-review">
      {t(words, poor ? coin : symbol)}
    </Button>
  )
}
