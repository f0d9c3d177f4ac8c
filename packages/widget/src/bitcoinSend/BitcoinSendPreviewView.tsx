import { Face } from '../account/Face.tsx'
import type { BitcoinView } from '../generated/core.ts'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { ConfirmPayment } from '../ui/ConfirmPayment.tsx'
import { PaymentReview } from '../ui/PaymentReview.tsx'
import { BitcoinWarnings, Facts, grave, useTrouble } from './Notes.tsx'

/** Review of the payment before it goes to the wallet. */
export function BitcoinSendPreviewView() {
  const bitcoin = useSnapshot((snapshot) => snapshot.bitcoin)
  return bitcoin && <Review bitcoin={bitcoin} />
}

function Review({ bitcoin }: { bitcoin: BitcoinView }) {
  const from = useSnapshot(activeAccount)
  const { receiverAddress: receiver } = bitcoin
  return (
    <PaymentReview
      amount={bitcoin.amount}
      symbol={bitcoin.symbol}
      value={bitcoin.value}
      warnings={<BitcoinWarnings bitcoin={bitcoin} still />}
      from={{
        name: from?.profileName ?? from?.shortAddress,
        picture: from?.address && <Face address={from.address} image={from.profileImage} />
      }}
      to={{ name: bitcoin.receiverShort, picture: <Face address={receiver} image={null} /> }}
      copying={useCopying(receiver)}
      facts={<Facts bitcoin={bitcoin} />}
    >
      <Confirm bitcoin={bitcoin} />
    </PaymentReview>
  )
}

/** State of the request at the wallet, and the buttons. */
function Confirm({ bitcoin }: { bitcoin: BitcoinView }) {
  const dispatch = useDispatch()
  return (
    <ConfirmPayment
      phase={bitcoin.phase}
      slow={bitcoin.slow}
      wallet={useActiveWallet()}
      trouble={useTrouble(bitcoin)}
      detail={bitcoin.troubleDetail}
      error={bitcoin.error?.message}
      alike={bitcoin.warnings.some((warning) => grave.has(warning))}
      onCancel={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
      onConfirm={() => dispatch({ feature: 'bitcoin', event: { type: 'confirmAsked' } })}
    />
  )
}
