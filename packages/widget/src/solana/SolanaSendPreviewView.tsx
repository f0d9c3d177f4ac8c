import { Face } from '../account/Face.tsx'
import type { SolanaView } from '../generated/core.ts'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { AddressFact } from '../ui/AddressFact.tsx'
import { ConfirmPayment } from '../ui/ConfirmPayment.tsx'
import { Fact } from '../ui/form.tsx'
import { PaymentReview } from '../ui/PaymentReview.tsx'
import { Costs, SolanaWarnings, useTrouble } from './Notes.tsx'

/** Review of the payment before it goes to the wallet. */
export function SolanaSendPreviewView() {
  const solana = useSnapshot((snapshot) => snapshot.solana)
  return solana && <Review solana={solana} />
}

function Review({ solana }: { solana: SolanaView }) {
  const from = useSnapshot(activeAccount)
  const receiver = solana.receiver.trim()
  return (
    <PaymentReview
      amount={solana.amount}
      symbol={solana.token?.symbol ?? ''}
      value={solana.value}
      warnings={<SolanaWarnings solana={solana} still />}
      from={{
        name: from?.profileName ?? from?.shortAddress,
        picture: from?.address && <Face address={from.address} image={from.profileImage} />
      }}
      to={{ name: solana.receiverShort, picture: <Face address={receiver} image={null} /> }}
      copying={useCopying(receiver)}
      facts={<Facts solana={solana} />}
    >
      <Confirm solana={solana} />
    </PaymentReview>
  )
}

function Facts({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const write = useAmount()
  const { networkName, token, total } = solana
  const copying = useCopying(token?.address ?? '')
  return (
    <>
      {networkName && <Fact name={t('network')} value={networkName} />}
      {token?.address && (
        <AddressFact name={t('solanaTokenAddress')} short={token.addressShort} copying={copying} testid="review-copy" />
      )}
      <Costs solana={solana} />
      {total && <Fact name={t('total')} value={t('about', `${write(total)} ${token?.symbol ?? ''}`)} strong />}
    </>
  )
}

/** State of the request at the wallet, and the buttons. */
function Confirm({ solana }: { solana: SolanaView }) {
  const dispatch = useDispatch()
  return (
    <ConfirmPayment
      phase={solana.phase}
      slow={solana.slow}
      wallet={useActiveWallet()}
      trouble={useTrouble(solana)}
      detail={solana.troubleDetail}
      error={solana.error?.message}
      alike={solana.warnings.includes('lookAlike')}
      onCancel={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}
      onConfirm={() => dispatch({ feature: 'solana', event: { type: 'confirmAsked' } })}
    />
  )
}
