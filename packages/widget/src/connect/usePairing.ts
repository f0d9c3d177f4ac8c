import type { PairingView } from '../generated/core.ts'
import { useSnapshot } from '../shell/react.tsx'

/** Initial pairing: the part of the core that makes QR codes may still be loading. */
const beginning: PairingView = {
  phase: 'opening',
  uri: null,
  qr: null,
  wallet: null,
  platforms: ['qrcode'],
  platform: 'qrcode',
  mobile: false,
  href: null,
  universal: false,
  opened: false,
  copied: false,
  error: null,
  installs: []
}

/** Current pairing; null where remote wallets are not available. */
export function usePairing(): PairingView | null {
  return useSnapshot(({ pairing, config }) => pairing ?? (config.walletConnect ? beginning : null))
}
