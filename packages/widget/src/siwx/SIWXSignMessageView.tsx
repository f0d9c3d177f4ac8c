import type { ReactNode } from 'react'
import { Avatar } from '../account/Avatar.tsx'
import type { SiwxPhase, SiwxRefusal } from '../generated/core.ts'
import { activeAccount, useActiveWallet } from '../shell/active.ts'
import { useDispatch, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { siwxWords } from '../text/siwx.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Button } from '../ui/Button.tsx'
import { Floor } from '../ui/Floor.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { siwxCss } from './siwx.css.ts'

/** Words for a phase in which the visitor waits. */
const phases: Readonly<Record<Exclude<SiwxPhase, 'ready'>, KeyWith<typeof siwxWords>>> = {
  idle: 'signInPreparing',
  checking: 'signInChecking',
  preparing: 'signInPreparing',
  signing: 'confirmIn',
  saving: 'signInSaving'
}

/** Sign-in to the site: who asks, which account signs and what. */
export function SIWXSignMessageView() {
  useStyle(siwxCss)
  const t = useText(siwxWords)
  const dispatch = useDispatch()
  const { phase, name, icon, domain, statement, message, refusal, disconnects } = useSnapshot(
    (snapshot) => snapshot.siwx
  )
  const toast = useSnapshot((snapshot) => snapshot.notice.snack?.message)
  const account = useSnapshot(activeAccount)
  const network = useSnapshot((snapshot) => snapshot.network.active?.name)
  const wallet = useActiveWallet().name ?? t('yourWallet')
  const ready = phase === 'ready'
  const { closable, partMissing } = useSnapshot((snapshot) => snapshot.modal)
  const told = phase !== 'signing' && phase !== 'saving' && refusal && reason(refusal)

  function reason(refusal: SiwxRefusal): ReactNode {
    switch (refusal.type) {
      case 'declined':
        // The toast says it first.
        return toast === 'signatureDeclined' ? null : t('signInDeclined')
      case 'clock':
        return t('signInClock')
      case 'late':
        return t('signInLate')
      case 'silent':
        return t('signInSilent')
      case 'network':
        return t('signInNetwork')
      case 'unavailable':
        return t('signInLater')
      case 'ended':
        return t('signInEnded')
      case 'refused':
        return refusal.words ? <bdi>{refusal.words}</bdi> : t('signInFailed')
    }
  }

  function cancel() {
    if (!partMissing) dispatch({ feature: 'siwx', event: { type: 'cancelAsked' } })
    // The core has no code yet that cancels a sign-in.
    else if (closable) dispatch({ feature: 'modal', event: { type: 'closeAsked' } })
    else
      dispatch({
        feature: 'connect',
        event: { type: 'disconnectAsked', namespace: account?.namespace ?? null, ticket: null }
      })
  }

  return (
    <div className="sign-in">
      <div className="parties" aria-hidden="true">
        {name === null ? <i className="tile bone" /> : <Picture src={icon} name={name} />}
        <Avatar address={account?.address ?? ''} />
      </div>
      <div className="asks">
        <strong dir="auto">{name || domain ? t('signInTo', name ?? domain) : t('signInHere')}</strong>
        {name !== null && name !== domain && <bdi dir="ltr">{domain}</bdi>}
        <p dir="auto">{statement ?? t('signInHint')}</p>
      </div>
      <dl className="terms">
        <div>
          <dt>{t('signInAccount')}</dt>
          <dd>
            <bdi title={account?.address ?? ''}>{account?.shortAddress}</bdi>
          </dd>
        </div>
        {network && (
          <div>
            <dt>{t('network')}</dt>
            <dd>
              <bdi>{network}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {message && (
        <details data-testid="siwx-message">
          <summary>
            {t('signInMessage')}
            <Icon name="down" />
          </summary>
          <pre dir="auto">{message}</pre>
        </details>
      )}
      <Floor>
        <div className={told ? 'phase wrong' : 'phase'} role="status">
          {told ? (
            <>
              <Icon name="warning" />
              <span>{told}</span>
            </>
          ) : (
            !ready && t(phases[phase], wallet)
          )}
        </div>
        <div className="choices">
          <Button data-testid="w3m-connecting-siwe-cancel" onClick={cancel}>
            {t((partMissing ? !closable : disconnects) ? 'disconnect' : 'cancel')}
          </Button>
          {refusal?.type !== 'network' && (
            <Button
              kind="primary"
              busy={!ready}
              data-testid="w3m-connecting-siwe-sign"
              onClick={() => dispatch({ feature: 'siwx', event: { type: 'signAsked' } })}
            >
              {t(refusal?.type === 'silent' ? 'tryAgain' : 'signIn')}
            </Button>
          )}
        </div>
      </Floor>
    </div>
  )
}
