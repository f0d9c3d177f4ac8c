import type { PairingView } from '../generated/core.ts'
import { UnavailableView } from '../modal/UnavailableView.tsx'
import { pairWords } from '../text/pair.ts'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Empty } from '../ui/Empty.tsx'
import { InBrowser } from './InBrowser.tsx'
import { OpenWallet } from './OpenWallet.tsx'
import { Platforms } from './Platforms.tsx'
import { pairingCss } from './pairing.css.ts'
import { Scan } from './Scan.tsx'
import { usePairing } from './usePairing.ts'
import { Way } from './Way.tsx'

/** Connects a remote wallet, chosen or any: by QR code on another device, or by link on this one. */
export function ConnectingWalletConnectView() {
  useStyle(pairingCss)
  const pairing = usePairing()
  if (!pairing) return <UnavailableView />
  const { platforms, platform } = pairing
  const tabs = platforms.length > 1
  return (
    <>
      {tabs && <Platforms all={platforms} chosen={platform} />}
      <div id="way" {...(tabs ? { role: 'tabpanel', 'aria-labelledby': `way-${platform}` } : {})}>
        <Panel key={platform} pairing={pairing} />
      </div>
      <Get pairing={pairing} />
    </>
  )
}

function Panel({ pairing }: { pairing: PairingView }) {
  const t = useText(pairWords)
  switch (pairing.platform) {
    case 'qrcode':
      return <Scan pairing={pairing} />
    case 'browser':
      return <InBrowser pairing={pairing} />
    case 'unsupported':
      return (
        <Empty
          icon="warning"
          title={t('unsupportedHere', pairing.wallet?.name ?? t('yourWallet'))}
          hint={t('unsupportedHereHint')}
        />
      )
    default:
      return <OpenWallet pairing={pairing} />
  }
}

/** Links to install the wallet. */
function Get({ pairing: { installs, wallet } }: { pairing: PairingView }) {
  const t = useText(pairWords)
  if (installs.length === 0 || !wallet) return null
  return (
    <div className="from">
      <p>{t('getWallet', wallet.name)}</p>
      <div className="halves">
        {installs.map((link) => (
          <Way key={link.kind} link={link} name={wallet.name} />
        ))}
      </div>
    </div>
  )
}
