import { type ComponentType, useSyncExternalStore } from 'react'
import { ConnectingExternalView } from '../connect/ConnectingExternalView.tsx'
import { ConnectView } from '../connect/ConnectView.tsx'
import type { Snapshot, View } from '../generated/core.ts'
import { LoadingView } from './LoadingView.tsx'

/** The views of the core, and a form of one that only some hosts need. */
type Drawn = View | 'LegalConnect'

/** The views that are there at once: a first connection waits for no other file. */
const views = new Map<Drawn, ComponentType>([
  ['Connect', ConnectView],
  ['ConnectingExternal', ConnectingExternalView]
])

/** Each of the others is a file of its own, asked for when it is first needed. */
const files: Partial<Record<Drawn, () => Promise<ComponentType>>> = {
  Account: () => import('../account/AccountView.tsx').then((module) => module.AccountView),
  AllWallets: () => import('../connect/AllWalletsView.tsx').then((module) => module.AllWalletsView),
  Downloads: () => import('../connect/DownloadsView.tsx').then((module) => module.DownloadsView),
  LegalConnect: () => import('../connect/LegalConnectView.tsx').then((module) => module.LegalConnectView),
  Networks: () => import('../network/NetworksView.tsx').then((module) => module.NetworksView),
  RegisterAccountName: () =>
    import('../name/RegisterAccountNameView.tsx').then((module) => module.RegisterAccountNameView),
  RegisterAccountNameSuccess: () =>
    import('../name/RegisterAccountNameSuccessView.tsx').then((module) => module.RegisterAccountNameSuccessView),
  SwitchNetwork: () => import('../network/SwitchNetworkView.tsx').then((module) => module.SwitchNetworkView),
  UnsupportedChain: () => import('../network/UnsupportedChainView.tsx').then((module) => module.UnsupportedChainView),
  WalletSend: () => import('../send/WalletSendView.tsx').then((module) => module.WalletSendView),
  WalletSendPreview: () => import('../send/WalletSendPreviewView.tsx').then((module) => module.WalletSendPreviewView),
  WhatIsAWallet: () => import('../connect/WhatIsAWalletView.tsx').then((module) => module.WhatIsAWalletView),
  WhatIsANetwork: () => import('../network/WhatIsANetworkView.tsx').then((module) => module.WhatIsANetworkView)
}

/** What stands for every view that this version does not have. */
const unavailable = () => import('./UnavailableView.tsx').then((module) => module.UnavailableView)

/** What is drawn: the view on top, in the form that this host needs. */
export const drawnAs = ({ modal, connect }: Snapshot): Drawn =>
  modal.view === 'Connect' && connect.consent !== 'unasked' ? 'LegalConnect' : modal.view

/** Where visitors go from here: fetched while they look. */
const next: Partial<Record<View, readonly View[]>> = {
  ConnectingExternal: ['Account'],
  AllWallets: ['Downloads'],
  Account: ['Networks', 'WalletSend'],
  Networks: ['SwitchNetwork'],
  WalletSend: ['WalletSendPreview']
}

const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Fetches a view before it is asked for. A file that does not come is asked for again the next time. */
export async function loadView(view: Drawn): Promise<void> {
  const file = files[view] ?? unavailable
  if (views.has(view)) return
  try {
    views.set(view, await file())
    for (const listener of [...listeners]) listener()
  } catch {
    // The skeleton stays; going back and coming again asks anew.
  }
}

/** Fetches the views that lie ahead of one. */
export function loadNext(view: View): void {
  for (const ahead of next[view] ?? []) void loadView(ahead)
}

/** The component of a view; a skeleton until its file is there. */
export function useView(view: Drawn): ComponentType {
  const read = () => views.get(view)
  const component = useSyncExternalStore(subscribe, read, read)
  if (component) return component
  void loadView(view)
  return LoadingView
}
