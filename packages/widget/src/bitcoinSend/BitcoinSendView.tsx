import type { BitcoinView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { bitcoinWords } from '../text/bitcoin.ts'
import type { KeyWith } from '../text/keys.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Floor } from '../ui/Floor.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { sendCss } from '../ui/send.css.ts'
import { TroubleLine } from '../ui/TroubleLine.tsx'
import { BitcoinAmount } from './BitcoinAmount.tsx'
import { BitcoinReceiver } from './BitcoinReceiver.tsx'
import { bitcoinCss } from './bitcoin.css.ts'
import { BitcoinWarnings, Cost, useTrouble } from './Notes.tsx'
import { Speeds } from './Speeds.tsx'

/** Form of a payment on Bitcoin: amount, receiver, speed and fee. The core validates each keystroke. */
export function BitcoinSendView() {
  useFormStyle()
  useStyle(sendCss)
  useStyle(bitcoinCss)
  const dispatch = useDispatch()
  const bitcoin = useSnapshot((snapshot) => snapshot.bitcoin)
  if (!bitcoin) return null
  return (
    <form
      className="form send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'bitcoin', event: { type: 'reviewAsked' } })
      }}
    >
      <BitcoinAmount bitcoin={bitcoin} />
      <BitcoinReceiver bitcoin={bitcoin} />
      <Speeds bitcoin={bitcoin} />
      <BitcoinWarnings bitcoin={bitcoin} />
      <dl className="facts">
        <Cost bitcoin={bitcoin} />
      </dl>
      <Floor>
        <Trouble bitcoin={bitcoin} />
        <Action bitcoin={bitcoin} />
      </Floor>
    </form>
  )
}

/** Reason for which the payment would fail. That the nodes do not answer is said before there is a payment. */
function Trouble({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const silent = bitcoin.unread && (bitcoin.trouble ?? 'untried') === 'untried'
  const trouble = useTrouble(bitcoin)
  return <TroubleLine trouble={silent ? t('feeMissing') : trouble} detail={bitcoin.troubleDetail} />
}

/** Submit button. It looks alive once the form can go on; before, it says what is missing, and pressing it shows that beside the field. */
function Action({ bitcoin }: { bitcoin: BitcoinView }) {
  const t = useText(bitcoinWords)
  const words = wanted(bitcoin)
  const alive = words === 'tryAgain' || (words === 'review' && !bitcoin.trouble)
  return (
    <Button kind={alive ? 'primary' : 'soft'} lacking={!alive} type="submit" data-testid="send-review">
      {t(words, bitcoin.symbol)}
    </Button>
  )
}

function wanted({
  amount,
  amountFault,
  receiver,
  receiverFault,
  trouble,
  unread
}: BitcoinView): KeyWith<typeof bitcoinWords> {
  // Nothing that is typed would help.
  if (trouble === 'account') return 'review'
  if (amountFault === 'aboveBalance' || trouble === 'coin') return 'notEnough'
  if (amountFault && amountFault !== 'missing') return 'checkAmount'
  if (unread) return 'tryAgain'
  if (!amount.trim()) return 'enterAmount'
  if (!receiver.trim()) return 'enterReceiver'
  if (receiverFault) return 'checkReceiver'
  return trouble === 'dust' || trouble === 'inputs' ? 'checkAmount' : 'review'
}
