import type { AccountState, Snapshot } from '../generated/core.ts'
import { useIcon, useSnapshot } from './react.tsx'

/** The account of the namespace in use. */
export function activeAccount({ account, network }: Snapshot): AccountState | undefined {
  return account.accounts.find(({ namespace }) => namespace === network.activeNamespace)
}

/** The wallet behind that account: its name, and its picture where it may be drawn. */
export function useActiveWallet(): { readonly name: string | undefined; readonly picture: string | undefined } {
  const wallet = useSnapshot((snapshot) => activeAccount(snapshot)?.connectedWalletInfo)
  return { name: wallet?.name, picture: useIcon(wallet) }
}
