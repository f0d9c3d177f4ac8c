import type { SolanaReceiverFault, SolanaView } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { readCopied } from '../shell/paste.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import { solanaWords } from '../text/solana.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Fault } from '../ui/form.tsx'
import { Suggestions } from '../ui/Suggestions.tsx'
import { useSettled } from '../ui/settled.ts'

/** What is missing is said by the button, and by a message once it was pressed. */
const faults: Readonly<Record<Exclude<SolanaReceiverFault, 'missing'>, keyof typeof solanaWords>> = {
  notAnAddress: 'solanaNotAnAddress',
  wrongLength: 'solanaWrongLength',
  otherNamespace: 'receiverOtherNamespace',
  ownAddress: 'receiverOwnAddress',
  tokenAccount: 'solanaTokenAccount',
  tokenMint: 'solanaTokenMint',
  program: 'solanaProgram',
  programAccount: 'solanaProgramAccount',
  unread: 'solanaUnread'
}

/** Receiver: the address of a wallet. */
export function ReceiverField({ solana }: { solana: SolanaView }) {
  const t = useText(solanaWords)
  const dispatch = useDispatch()
  const account = useSnapshot(activeAccount)
  const { receiver, looking } = solana
  const recent = solana.recent.map((address) => ({ address, name: null }))
  const [fault, settle] = useSettled(receiver, solana.receiverFault)
  const typed = (text: string) => dispatch({ feature: 'solana', event: { type: 'receiverTyped', text } })
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
          placeholder={t('solanaReceiverHint')}
          value={receiver}
          aria-invalid={fault !== null}
          aria-describedby="receiver-fault"
          data-testid="send-receiver"
          onChange={({ target }) => typed(target.value.replace(/[\r\n]/g, ''))}
          onBlur={settle}
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
      {!receiver && <Suggestions recent={recent} account={account} onChosen={typed} />}
      {looking && (
        <p className="looking" role="status">
          <span className="spinner" />
          {t('solanaLooking')}
        </p>
      )}
      <Fault id="receiver-fault">{fault && fault !== 'missing' && t(faults[fault])}</Fault>
      {fault === 'unread' && (
        <div className="line">
          <Button kind="plain" icon="retry" data-testid="send-retry" onClick={() => typed(receiver)}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
    </div>
  )
}
