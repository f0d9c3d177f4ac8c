import { Face } from '../account/Face.tsx'
import type { ReceiverFault } from '../generated/core.ts'
import { activeAccount } from '../shell/active.ts'
import { readCopied } from '../shell/paste.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { sendWords } from '../text/send.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Fault } from '../ui/form.tsx'
import { Suggestions } from '../ui/Suggestions.tsx'
import { useSettled } from '../ui/settled.ts'

/** What is missing is said by the button, and by a message once it was pressed. */
const receiverFaults: Readonly<Record<Exclude<ReceiverFault, 'missing'>, KeyWith<typeof sendWords>>> = {
  notAnAddress: 'receiverNotAnAddress',
  otherNamespace: 'receiverOtherNamespace',
  wrongChecksum: 'receiverWrongChecksum',
  zeroAddress: 'receiverZeroAddress',
  ownAddress: 'receiverOwnAddress',
  tokenContract: 'receiverTokenContract',
  resolving: 'receiverResolving',
  nameUnknown: 'receiverNameUnknown',
  nameFailed: 'receiverNameFailed',
  namesUnserved: 'receiverNamesUnserved',
  nameUnproven: 'receiverNameUnproven',
  nameDisputed: 'receiverNameDisputed'
}

/** Receiver: an address, or a name with the address it resolves to. */
export function ReceiverField() {
  const t = useText(sendWords)
  const dispatch = useDispatch()
  const account = useSnapshot(activeAccount)
  const receiver = useSnapshot((snapshot) => snapshot.send.receiverAddress)
  const found = useSnapshot((snapshot) => snapshot.send.receiverFault)
  const recent = useSnapshot((snapshot) => snapshot.send.recent)
  const [settled, settle] = useSettled(receiver, found)
  const fault = found === 'resolving' ? found : settled
  // A name that is still being resolved is not an error.
  const looking = fault === 'resolving'
  const reverts = useSnapshot((snapshot) => snapshot.send.reverts)
  const wrong = (fault !== null && !looking) || reverts
  const typed = (text: string) => dispatch({ feature: 'send', event: { type: 'receiverTyped', text } })
  return (
    <div className={wrong ? 'field wrong' : 'field'}>
      <label htmlFor="receiver">{t('to')}</label>
      <div className="line">
        <textarea
          id="receiver"
          dir="ltr"
          rows={2}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={t('receiverHint')}
          value={receiver}
          aria-invalid={wrong}
          aria-describedby="receiver-fault receiver-who"
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
      <Who />
      {!receiver && <Suggestions recent={recent} account={account} onChosen={typed} />}
      {looking && (
        <p className="looking" role="status">
          <span className="spinner" />
          {t('receiverResolving')}
        </p>
      )}
      <Fault id="receiver-fault">
        {fault && fault !== 'missing' && !looking ? t(receiverFaults[fault]) : reverts && t('sendReverts')}
      </Fault>
      {fault === 'nameFailed' && (
        <div className="line">
          <Button kind="plain" icon="retry" data-testid="send-name-retry" onClick={() => typed(receiver)}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Name and avatar of the receiver, with the address where the field does not show it. */
function Who() {
  const name = useSnapshot((snapshot) => snapshot.send.receiverProfileName)
  const image = useSnapshot((snapshot) => snapshot.send.receiverProfileImageUrl)
  const address = useSnapshot((snapshot) => snapshot.send.receiverResolved)
  const typed = useSnapshot((snapshot) => snapshot.send.receiverAddress)
  if (!name || !address) return null
  return (
    <p className="payee" id="receiver-who" data-testid="send-receiver-name">
      <Face image={image} address={address} />
      <span className="name">
        <bdi className="clip">{name}</bdi>
        {typed.trim().toLowerCase() !== address.toLowerCase() && (
          <bdi className="full" dir="ltr">
            {address}
          </bdi>
        )}
      </span>
    </p>
  )
}
