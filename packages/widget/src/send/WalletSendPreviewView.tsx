import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { useAmount } from '../text/amount.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { shortFee } from './fee.ts'
import { sendCss } from './send.css.ts'

/** An amount of more digits is written smaller. */
const wide = 12

/** All that will be sent, once more, before the wallet is asked. */
export function WalletSendPreviewView() {
  useStyle(sendCss)
  const t = useText()
  const write = useAmount()
  const dispatch = useDispatch()
  const send = useSnapshot((snapshot) => snapshot.send)
  const from = useSnapshot((snapshot) => activeAccount(snapshot)?.shortAddress)
  const wallet = useActiveWallet().name ?? t('yourWallet')
  const amount = write(send.sendTokenAmount)
  const symbol = send.token?.symbol ?? ''
  const confirming = send.phase === 'confirming'
  const wrong = send.phase === 'refused' || send.phase === 'failed'
  return (
    <div className="preview">
      <p className={amount.length > wide ? 'amount long' : 'amount'}>
        <bdi dir="ltr">
          {amount} <span>{symbol}</span>
        </bdi>
      </p>
      <div className="route">
        <Side name={t('from')} short={from} />
        <span className="medal">
          <Icon name="arrowDown" />
        </span>
        <Side name={t('to')} short={send.receiverProfileName ?? send.receiverShort} full={send.receiverAddress} />
      </div>
      <dl className="facts">
        {send.networkName && <Line name={t('network')} value={send.networkName} />}
        {send.fee ? (
          <Line
            name={t('fee')}
            value={t('about', `${write(shortFee(send.fee))} ${symbol}`)}
            exact={`${write(send.fee)} ${symbol}`}
          />
        ) : (
          <Line name={t('fee')} value={t('feeUnknown')} />
        )}
        {send.total && <Line name={t('total')} value={`${write(send.total)} ${symbol}`} strong />}
      </dl>
      <div className={wrong ? 'said wrong' : 'said'} role="status">
        {wrong ? (
          <>
            <Icon name="warning" />
            <span>
              {t(send.phase === 'refused' ? 'sendDeclined' : 'sendFailed')}
              {send.phase === 'failed' && send.error?.message && <q dir="auto">{send.error.message}</q>}
            </span>
          </>
        ) : (
          t(confirming ? (send.slow ? 'slowHint' : 'confirmIn') : 'reviewHint', wallet)
        )}
      </div>
      <div className="choices">
        <Button onClick={() => dispatch({ feature: 'modal', event: { type: 'backAsked' } })}>{t('cancel')}</Button>
        <Button
          kind="primary"
          icon={wrong ? 'retry' : 'send'}
          busy={confirming}
          data-testid="send-confirm"
          onClick={() => dispatch({ feature: 'send', event: { type: 'confirmAsked' } })}
        >
          {t(wrong ? 'tryAgain' : 'send')}
        </Button>
      </div>
    </div>
  )
}

function Side({ name, short, full }: { name: string; short: string | null | undefined; full?: string }) {
  return (
    <div className="side">
      <small>{name}</small>
      <strong title={full}>
        <bdi className="clip">{short}</bdi>
      </strong>
      {full && (
        <bdi className="full" dir="ltr">
          {full}
        </bdi>
      )}
    </div>
  )
}

type LineProps = { name: string; value: string; exact?: string; strong?: boolean }

function Line({ name, value, exact, strong }: LineProps) {
  return (
    <div className={strong ? 'strong' : undefined}>
      <dt>{name}</dt>
      <dd title={exact}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  )
}
