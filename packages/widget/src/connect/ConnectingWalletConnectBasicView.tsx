import { UnavailableView } from '../modal/UnavailableView.tsx'
import { useSnapshot } from '../shell/react.tsx'
import { useText } from '../text/text.tsx'
import { useStyle } from '../theme/style.ts'
import { Arrows } from '../ui/Arrows.tsx'
import { AllWallets } from './ConnectView.tsx'
import { pairingCss } from './pairing.css.ts'
import { Scan } from './Scan.tsx'
import { usePairing } from './usePairing.ts'
import { WalletCell } from './WalletCell.tsx'
import { walletsCss } from './wallets.css.ts'

/** Number of wallets in one row. */
const FEW = 4

/** View for a page whose only connect method is a remote wallet: the QR code at once, with wallets below it. */
export function ConnectingWalletConnectBasicView() {
  useStyle(pairingCss)
  useStyle(walletsCss)
  const t = useText()
  const pairing = usePairing()
  const groups = useSnapshot((snapshot) => snapshot.wallets.groups)
  const all = useSnapshot((snapshot) => snapshot.directory?.all)
  const few = groups.flatMap(({ kind, items }) => (kind === 'walletConnect' ? [] : items)).slice(0, FEW)
  if (!pairing) return <UnavailableView />
  return (
    <>
      <Scan pairing={pairing} small />
      {(few.length > 0 || all) && (
        <div className="more-wallets">
          {few.length > 0 && (
            <Arrows>
              <ul className="grid" aria-label={t('groupRecommended')}>
                {few.map((item) => (
                  <li key={item.id}>
                    <WalletCell item={item} />
                  </li>
                ))}
              </ul>
            </Arrows>
          )}
          {all && <AllWallets />}
        </div>
      )}
    </>
  )
}
