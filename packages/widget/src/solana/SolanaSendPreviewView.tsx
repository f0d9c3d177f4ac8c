import { Face } from '../account/Face.tsx'
import type { SolanaView } from '../generated/core.ts'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Floor } from '../ui/Floor.tsx'
import { Fact, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Party } from '../ui/Party.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { sendCss } from '../ui/send.css.ts'
import { Costs, useTrouble, Warnings } from './Notes.tsx'

const words = { ...solanaWords, ...tokenWords }

/** Amounts with more characters are set smaller. */
const wide = 12

/** Review of the payment before it goes to the wallet. */
export function SolanaSendPreviewView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(sendCss)
  const solana = useSnapshot((snapshot) => snapshot.solana)
  return solana && <Review solana={solana} />
}

function Review({ solana }: { solana: SolanaView }) {
  const t = useText(words)
  const write = useAmount()
  const dollars = useDollars()
  const from = useSnapshot(activeAccount)
  const receiver = solana.receiver.trim()
  const copying = useCopying(receiver)
  const amount = write(solana.amount)
  const symbol = solana.token?.symbol ?? ''
  return (
    <div className="form review">
      <p className={amount.length > wide ? 'amount long' : 'amount'}>
        <bdi dir="ltr">
          {amount} <span>{symbol}</span>
        </bdi>
        {solana.value && <small dir="ltr">{dollars(solana.value)}</small>}
      </p>
      <Warnings solana={solana} still />
      <div className="sides">
        <Party name={t('from')} short={from?.profileName ?? from?.shortAddress}>
          {from?.address && <Face address={from.address} image={from.profileImage} />}
        </Party>
        <span className="medal">
          <Icon name="arrowDown" />
        </span>
        <Party
          name={t('to')}
          short={solana.receiverShort}
          full={receiver}
          copy={<CopyButton {...copying} label={t('copyAddress')} testid="review-copy" />}
        >
          <Face address={receiver} image={null} />
        </Party>
      </div>
      <dl className="facts boxed">
        {solana.networkName && <Fact name={t('network')} value={solana.networkName} />}
        {solana.token?.address && (
          <Fact name={t('solanaTokenAddress')} value={solana.token.addressShort ?? ''} exact={solana.token.address} />
        )}
        <Costs solana={solana} />
        {solana.total && <Fact name={t('total')} value={t('about', `${write(solana.total)} ${symbol}`)} strong />}
      </dl>
      <Confirm solana={solana} />
    </div>
  )
}

/** State of the request at the wallet, and the buttons. */
function Confirm({ solana }: { solana: SolanaView }) {
  const t = useText(words)
  const dispatch = useDispatch()
  const trouble = useTrouble(solana)
  const active = useActiveWallet()
  const wallet = active.name ?? t('yourWallet')
  const { phase } = solana
  const confirming = phase === 'confirming'
  const wrong = !confirming && phase !== 'editing'
  // The receiver only looks like somebody who was paid.
  const alike = solana.warnings.includes('lookAlike')
  const ended = phase === 'refused' ? t('sendDeclined') : phase === 'unsure' ? t('maybeSent') : trouble
  const detail = solana.troubleDetail ?? (phase === 'refused' ? null : solana.error?.message)
  const slow = active.remote ? 'slowRemoteHint' : 'slowHint'
  return (
    <Floor>
      <div className={wrong ? 'said wrong' : 'said'} role="status">
        {wrong ? (
          <>
            <Icon name="warning" />
            <span>
              {ended ?? t('sendFailed')}
              {detail && <q dir="auto">{detail}</q>}
            </span>
          </>
        ) : (
          t(!confirming ? 'reviewHint' : solana.slow ? slow : 'confirmIn', wallet)
        )}
      </div>
      <div className="choices">
        <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}>{t('cancel')}</Button>
        <Button
          kind={alike ? 'grave' : 'primary'}
          icon={wrong ? 'retry' : 'send'}
          busy={confirming}
          data-testid="send-confirm"
          onClick={() => dispatch({ feature: 'solana', event: { type: 'confirmAsked' } })}
        >
          {t(phase === 'unsure' ? 'sendAgain' : wrong ? 'tryAgain' : alike ? 'sendAnyway' : 'send')}
        </Button>
      </div>
    </Floor>
  )
}
