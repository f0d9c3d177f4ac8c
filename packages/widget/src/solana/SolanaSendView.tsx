import type { SolanaTrouble, SolanaView } from '../generated/core.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Floor } from '../ui/Floor.tsx'
import { useFormStyle } from '../ui/form.tsx'
import { sendCss } from '../ui/send.css.ts'
import { TroubleLine } from '../ui/TroubleLine.tsx'
import { Costs, SolanaWarnings, useTrouble } from './Notes.tsx'
import { SolanaAmount } from './SolanaAmount.tsx'
import { SolanaReceiver } from './SolanaReceiver.tsx'

/** Form of a payment on Solana: amount, receiver and costs. The core validates each keystroke. */
export function SolanaSendView() {
  useFormStyle()
  useStyle(sendCss)
  const dispatch = useDispatch()
  const solana = useSnapshot((snapshot) => snapshot.solana)
  if (!solana) return null
  return (
    <form
      className="form send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        dispatch({ feature: 'solana', event: { type: 'reviewAsked' } })
      }}
    >
      <SolanaAmount solana={solana} />
      <SolanaReceiver solana={solana} />
      <SolanaWarnings solana={solana} />
      <dl className="facts">
        <Costs solana={solana} />
      </dl>
      <Floor>
        <Trouble solana={solana} />
        <Action solana={solana} />
      </Floor>
    </form>
  )
}

/** Reason for which the payment would fail. */
function Trouble({ solana }: { solana: SolanaView }) {
  return <TroubleLine trouble={useTrouble(solana)} detail={solana.troubleDetail} />
}

/** Submit button. It looks alive once the form can go on; before, it says what is missing, and pressing it shows that beside the field. */
function Action({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const words = wanted(solana)
  const alive = words === 'tryAgain' || (words === 'review' && !solana.looking && !solana.trouble)
  return (
    <Button kind={alive ? 'primary' : 'soft'} lacking={!alive} type="submit" data-testid="send-review">
      {t(words, solana.trouble === 'coin' ? solana.feeSymbol : (solana.token?.symbol ?? ''))}
    </Button>
  )
}

/** Reasons that are over after a moment. */
const passing: ReadonlySet<SolanaTrouble> = new Set(['untried', 'inUse', 'unknownBlock'])

function wanted({
  amount,
  amountFault,
  receiver,
  receiverFault,
  token,
  trouble
}: SolanaView): KeyWith<typeof solanaWords> {
  if (amountFault === 'aboveBalance' || trouble === 'coin') return 'notEnough'
  if (amountFault && amountFault !== 'missing') return 'checkAmount'
  if (token?.state === 'unreadable') return 'tryAgain'
  if (!amount.trim()) return 'enterAmount'
  if (!receiver.trim()) return 'enterReceiver'
  if (receiverFault) return 'checkReceiver'
  if (trouble && passing.has(trouble)) return 'tryAgain'
  return trouble === 'newAccount' || trouble === 'rest' ? 'checkAmount' : 'review'
}
