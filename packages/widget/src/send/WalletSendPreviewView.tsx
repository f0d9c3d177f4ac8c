import { Face } from '../account/Face.tsx'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useCopying } from '../shell/copying.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount, useDollars } from '../text/amount.ts'
import { shortFee, shortTotal } from '../text/fee.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { inSentence, tokenWords } from '../text/token.ts'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { Floor } from '../ui/Floor.tsx'
import { Fact, useFormStyle } from '../ui/form.tsx'
import { Icon } from '../ui/Icon.tsx'
import { FullAddress, Party } from '../ui/Party.tsx'
import { reviewCss } from '../ui/review.css.ts'
import { sendCss } from '../ui/send.css.ts'
import { SendWarnings } from './Warnings.tsx'

/** Amounts with more characters are set smaller. */
const wide = 12

/** Review of the transaction before it goes to the wallet. */
export function WalletSendPreviewView() {
  useFormStyle()
  useStyle(reviewCss)
  useStyle(sendCss)
  const t = useText(sendWords)
  const write = useAmount()
  const dollars = useDollars()
  const dispatch = useDispatch()
  const send = useSnapshot((snapshot) => snapshot.send)
  const from = useSnapshot(activeAccount)
  const active = useActiveWallet()
  const wallet = active.name ?? t('yourWallet')
  const amount = write(send.sendTokenAmount)
  const symbol = send.token?.symbol ?? ''
  const receiver = send.receiverResolved ?? send.receiverAddress
  // The receiver only looks like somebody who was paid.
  const alike = send.warnings.includes('lookAlike')
  const silent = send.phase === 'silent'
  const confirming = silent || send.phase === 'confirming'
  const slow = active.remote ? 'slowRemoteHint' : 'slowHint'
  const interrupted = send.phase === 'interrupted'
  const unsure = interrupted || send.phase === 'unsure'
  const wrong = unsure || send.phase === 'refused' || send.phase === 'failed'
  return (
    <div className="form review">
      <p className={amount.length > wide ? 'amount long' : 'amount'}>
        <bdi dir="ltr">
          {amount} <span>{symbol}</span>
        </bdi>
        {send.sendTokenValue && <small dir="ltr">{dollars(send.sendTokenValue)}</small>}
      </p>
      <SendWarnings still />
      <div className="sides">
        <Party name={t('from')} short={from?.profileName ?? from?.shortAddress}>
          {from?.address && <Face address={from.address} image={from.profileImage} />}
        </Party>
        <span className="medal">
          <Icon name="arrowDown" />
        </span>
        <Party
          name={t('to')}
          short={send.receiverProfileName ?? send.receiverShort}
          full={receiver}
          copy={<CopyAddress address={receiver} />}
        >
          <Face address={receiver} image={send.receiverProfileName && send.receiverProfileImageUrl} />
        </Party>
      </div>
      <dl className="facts boxed">
        {send.networkName && <Fact name={t('network')} value={send.networkName} />}
        {send.token?.address && (
          <div className="contract">
            <dt>{t('tokenContract')}</dt>
            <dd title={send.token.address}>
              <span className="copies">
                <bdi dir="ltr">{send.token.addressShort}</bdi>
                <CopyAddress address={send.token.address} name={t('tokenContract')} />
              </span>
              <FullAddress address={send.token.address} />
            </dd>
          </div>
        )}
        {send.fee ? (
          <Fact
            name={t('fee')}
            value={t('about', `${write(shortFee(send.fee))} ${send.feeSymbol}`)}
            exact={`${write(send.fee)} ${send.feeSymbol}`}
            hint={send.feeValue ? dollars(send.feeValue) : undefined}
          />
        ) : (
          <Fact name={t('fee')} value={t('feeUnknown')} />
        )}
        {send.total && (
          <Fact
            name={t('total')}
            value={
              send.fee
                ? t('about', `${write(shortTotal(send.total, send.fee))} ${symbol}`)
                : `${write(send.total)} ${symbol}`
            }
            exact={`${write(send.total)} ${symbol}`}
            hint={send.totalValue ? dollars(send.totalValue) : undefined}
            strong
          />
        )}
      </dl>
      <Floor>
        <div className={wrong ? 'said wrong' : 'said'} role="status">
          {wrong ? (
            <>
              <Icon name="warning" />
              <span>
                {t(
                  interrupted
                    ? 'interrupted'
                    : unsure
                      ? 'maybeSent'
                      : send.phase === 'refused'
                        ? 'sendDeclined'
                        : 'sendFailed'
                )}
                {send.phase !== 'refused' && send.error?.message && <q dir="auto">{send.error.message}</q>}
              </span>
            </>
          ) : (
            t(!confirming ? 'reviewHint' : silent ? 'sendSilent' : send.slow ? slow : 'confirmIn', wallet)
          )}
        </div>
        <div className="choices">
          <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}>{t('cancel')}</Button>
          <Button
            kind={alike ? 'grave' : 'primary'}
            icon={wrong ? 'retry' : 'send'}
            busy={confirming}
            data-testid="send-confirm"
            onClick={() => dispatch({ feature: 'send', event: { type: 'confirmAsked' } })}
          >
            {t(unsure ? 'sendAgain' : wrong ? 'tryAgain' : alike ? 'sendAnyway' : 'send')}
          </Button>
        </div>
      </Floor>
    </div>
  )
}

/** Button beside an address that copies it whole, to compare it elsewhere. */
function CopyAddress({ address, name }: { address: string; name?: string }) {
  const t = useText(tokenWords)
  const label = name === undefined ? t('copyAddress') : t('copyThis', inSentence(name))
  return <CopyButton {...useCopying(address)} label={label} testid="review-copy" />
}
