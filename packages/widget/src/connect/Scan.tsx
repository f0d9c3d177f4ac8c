import type { PairingView } from '../generated/core.ts'
import { useDispatch, useIcon, useSnapshot } from '../shell/react.tsx'
import type { KeyWith } from '../text/keys.ts'
import { pairWords } from '../text/pair.ts'
import { useText } from '../text/text.tsx'
import { Button } from '../ui/Button.tsx'
import { Picture } from '../ui/Picture.tsx'
import { QrCode } from '../ui/QrCode.tsx'
import { PairingFault, wrong } from './PairingFault.tsx'

/** QR code for a wallet on another device, with a button to copy its link. */
export function Scan({ pairing, small }: { pairing: PairingView; small?: boolean }) {
  const t = useText(pairWords)
  const wallet = pairing.wallet
  const picture = useIcon(wallet)
  if (wrong(pairing.phase)) return <PairingFault pairing={pairing} />
  const { phase, uri, qr } = pairing
  // Any wallet on this phone: it cannot scan the screen that it is on, but it takes the link.
  const here = pairing.mobile && !wallet
  const [title, hint]: readonly [KeyWith<typeof pairWords>, KeyWith<typeof pairWords>] =
    uri && !qr && phase !== 'opening'
      ? ['notDrawn', 'notDrawnHint']
      : phase === 'slow'
        ? ['slowRelay', 'slowRelayHint']
        : here
          ? ['pasteLink', 'pasteLinkHint']
          : ['scan', wallet ? 'scanWith' : 'scanHint']
  return (
    <div className={small ? 'scan small' : 'scan'}>
      {title !== 'notDrawn' && (
        <QrCode uri={uri} code={qr} label={t('qrLabel')}>
          {wallet && <Picture src={picture} name={wallet.name} />}
        </QrCode>
      )}
      <div>
        <div role="status">
          <strong>{t(title)}</strong>
          <p>{t(hint, wallet?.name ?? '')}</p>
        </div>
        <Left />
      </div>
      <CopyLink uri={uri} first={here} />
    </div>
  )
}

/** Button that copies the pairing URI, for a wallet that accepts one; `first` if it is the main way. */
export function CopyLink({ uri, first }: { uri: string | null; first?: boolean }) {
  const t = useText(pairWords)
  const dispatch = useDispatch()
  return (
    <div data-testid="wui-link-copy">
      <Button
        kind={first ? 'primary' : 'soft'}
        icon="copy"
        disabled={!uri}
        data-testid="copy-wc2-uri"
        onClick={() => dispatch({ feature: 'connect', event: { type: 'uriCopyAsked' } })}
      >
        {t('copyLink')}
      </Button>
    </div>
  )
}

const MINUTE = 60

/** Remaining validity of the QR code. A screen reader does not announce each second. */
function Left() {
  const t = useText(pairWords)
  const seconds = useSnapshot((snapshot) => snapshot.countdown)
  // An empty line holds the space while the next code is made.
  if (seconds === null) return <small className="left" />
  const left = `${Math.floor(seconds / MINUTE)}:${String(seconds % MINUTE).padStart(2, '0')}`
  return (
    <small className="left" role="timer" aria-live="off">
      {t('newCodeIn', left)}
    </small>
  )
}
