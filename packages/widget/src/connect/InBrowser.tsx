import type { PairingView } from '../generated/core.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Waiting } from '../ui/Waiting.tsx'
import { ConnectingExternalView } from './ConnectingExternalView.tsx'

/** Connects the same wallet through its extension in this browser instead. */
export function InBrowser({ pairing: { wallet } }: { pairing: PairingView }) {
  const t = useText()
  const dispatch = useDispatch()
  const picture = useIcon(wallet)
  const asked = useSnapshot((snapshot) => snapshot.connect.attempt !== null)
  if (asked) return <ConnectingExternalView />
  const name = wallet?.name ?? t('yourWallet')
  return (
    <Waiting
      picture={<Picture src={picture} name={name} />}
      phase="waiting"
      title={t('continueIn', name)}
      hint={t('acceptRequest')}
    >
      <Button
        kind="primary"
        data-testid="w3m-connecting-widget-secondary-button"
        onClick={() => dispatch({ feature: 'connect', event: { type: 'platformChosen', platform: 'browser' } })}
      >
        {t('askAgain')}
      </Button>
    </Waiting>
  )
}
