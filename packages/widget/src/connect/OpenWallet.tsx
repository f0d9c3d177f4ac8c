import type { PairingView } from '../generated/core.ts'
import { useDispatch, useIcon } from '../shell/react.tsx'
import { pairWords } from '../text/pair.ts'
import { useText } from '../text/text.tsx'
import { Anchor } from '../ui/Anchor.tsx'
import { Button } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Picture } from '../ui/Picture.tsx'
import { Waiting } from '../ui/Waiting.tsx'
import { PairingFault, wrong } from './PairingFault.tsx'
import { CopyLink } from './Scan.tsx'

/** Opens a wallet on this device. Its link is made before the tap, so that the browser counts opening it as the visitor's gesture. */
export function OpenWallet({ pairing }: { pairing: PairingView }) {
  const { phase, wallet, platform, platforms, opened, uri } = pairing
  const t = useText(pairWords)
  const dispatch = useDispatch()
  const picture = useIcon(wallet)
  if (wrong(phase)) return <PairingFault pairing={pairing} link />
  const name = wallet?.name ?? t('yourWallet')
  const code = opened && platforms.includes('qrcode')
  return (
    <div className={opened ? '' : 'calm'}>
      <Waiting
        picture={<Picture src={picture} name={name} />}
        phase={phase === 'slow' ? 'slow' : 'waiting'}
        title={t(opened ? 'continueIn' : 'openWallet', name)}
        hint={t(
          phase === 'slow' ? 'slowOpenHint' : opened ? 'openedHint' : platform === 'web' ? 'openWebHint' : 'openHint',
          name
        )}
      >
        <div className="acts">
          <Open pairing={pairing} name={name} />
          <div className="halves">
            <CopyLink uri={uri} />
            {code && (
              <Button
                icon="qr"
                onClick={() => dispatch({ feature: 'connect', event: { type: 'platformChosen', platform: 'qrcode' } })}
              >
                {t('platformQr')}
              </Button>
            )}
          </div>
        </div>
      </Waiting>
    </div>
  )
}

function Open({ pairing: { href, opened }, name }: { pairing: PairingView; name: string }) {
  const t = useText(pairWords)
  const dispatch = useDispatch()
  const testid = 'w3m-connecting-widget-secondary-button'
  const words = opened ? t('openAgain') : t('openWallet', name)
  if (!href) {
    return (
      <Button kind="primary" busy data-testid={testid}>
        {words}
      </Button>
    )
  }
  const page = href.startsWith('https:')
  return (
    <Anchor
      className="button primary"
      href={href}
      target={page ? '_blank' : '_self'}
      rel="noopener noreferrer"
      data-testid={testid}
      onClick={(event) => {
        // With a modifier key the browser opens the link itself; otherwise the core alone opens it, within this gesture.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        dispatch({ feature: 'connect', event: { type: 'linkAsked' } })
      }}
    >
      <span>{words}</span>
      {page && <Icon name="external" />}
    </Anchor>
  )
}
