import type { AccountState, Snapshot } from '../generated/core.ts'
import { useIcon, useSnapshot } from './react.tsx'

/** Account of the active namespace. */
export function activeAccount({ account, network }: Snapshot): AccountState | undefined {
  return account.accounts.find(({ namespace }) => namespace === network.activeNamespace)
}

/** Wallet of an account. */
export interface ConnectedWallet {
  readonly name: string | undefined
  /** URL of its picture, where it may be drawn. */
  readonly picture: string | undefined
  /** Whether it is connected by a session: it may be on another device. */
  readonly remote: boolean
}

export function useActiveWallet(): ConnectedWallet {
  return useWalletOf(activeAccount)
}

/** Wallet of the account that the function finds. */
export function useWalletOf(find: (snapshot: Snapshot) => AccountState | undefined): ConnectedWallet {
  const wallet = useSnapshot((snapshot) => find(snapshot)?.connectedWalletInfo)
  const remote = useSnapshot((snapshot) => find(snapshot)?.connector === 'walletConnect')
  // The embedded wallet has no name: it is the visitor's own.
  return { name: wallet?.type === 'AUTH' ? undefined : wallet?.name, picture: useIcon(wallet), remote }
}
