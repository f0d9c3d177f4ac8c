import type { PairingView } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'

/** As it begins: the second half of the core, which makes codes, may still be on its way. */
const beginning: PairingView = {
  phase: 'opening',
  uri: null,
  qr: null,
  wallet: null,
  platforms: ['qrcode'],
  platform: 'qrcode',
  href: null,
  universal: false,
  opened: false,
  copied: false,
  error: null,
  installs: []
}

/** The pairing that is shown; none where remote wallets cannot be reached at all. */
export function usePairing(): PairingView | null {
  return useSnapshot(({ pairing, config }) => pairing ?? (config.walletConnect ? beginning : null))
}
