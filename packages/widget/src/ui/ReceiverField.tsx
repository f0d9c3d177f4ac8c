import type { ReactNode } from 'react'
import type { AccountState } from '../generated/core.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Button } from './Button.tsx'
import { Fault } from './form.tsx'
import { Suggestions } from './Suggestions.tsx'
import { useSettled } from './settled.ts'

interface ReceiverFieldProps {
  /** Receiver as typed. */
  readonly receiver: string
  /** Words of an empty field. */
  readonly hint: string
  /** Words for an error; empty for one that the button tells. */
  readonly fault: string | null
  /** Addresses that were paid last. */
  readonly recent: readonly string[]
  /** The active account, with the wallet's other ones. */
  readonly account: AccountState | undefined
  /** The address is being checked. */
  readonly looking?: ReactNode
  /** Whether the same address may be checked again. */
  readonly retry?: boolean
  readonly onTyped: (text: string) => void
  readonly onPaste: () => void
}

/** Receiver of a payment: the address of a wallet. */
export function ReceiverField({
  receiver,
  hint,
  fault: found,
  recent,
  account,
  looking,
  retry,
  onTyped,
  onPaste
}: ReceiverFieldProps) {
  const t = useText(sendWords)
  const [fault, settle] = useSettled(receiver, found)
  return (
    <div className={fault !== null ? 'field wrong' : 'field'}>
      <label htmlFor="receiver">{t('to')}</label>
      <div className="line">
        <textarea
          id="receiver"
          dir="ltr"
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={hint}
          value={receiver}
          aria-invalid={fault !== null}
          aria-describedby="receiver-fault"
          data-testid="send-receiver"
          onChange={({ target }) => onTyped(target.value.replace(/[\r\n]/g, ''))}
          onBlur={settle}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
        {!receiver && (
          <Button kind="plain" data-testid="send-paste" onClick={onPaste}>
            {t('paste')}
          </Button>
        )}
      </div>
      {!receiver && (
        <Suggestions recent={recent.map((address) => ({ address, name: null }))} account={account} onChosen={onTyped} />
      )}
      {looking && (
        <p className="looking" role="status">
          <span className="spinner" />
          {looking}
        </p>
      )}
      <Fault id="receiver-fault">{fault}</Fault>
      {fault !== null && retry && (
        <div className="line">
          <Button kind="plain" icon="retry" data-testid="send-retry" onClick={() => onTyped(receiver)}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
    </div>
  )
}
