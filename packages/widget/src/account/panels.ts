import type { Tab } from '../generated/core.ts'
import { Lazy } from '../ui/lazy.tsx'

/** Lazy tabs: all but the first are files of their own. */
export const panels = new Lazy<Exclude<Tab, 'tokens'>>((tab) =>
  tab === 'nfts'
    ? () => import('./Nfts.tsx').then((module) => module.Nfts)
    : () => import('./Activity.tsx').then((module) => module.Activity)
)

/** Fetches a tab's file ahead of its selection. */
export async function loadPanel(tab: Tab): Promise<void> {
  if (tab !== 'tokens') await panels.load(tab)
}

/** Accounts of other namespaces, for hosts that have several. */
export const others = new Lazy<'Others'>(() => () => import('./Others.tsx').then((module) => module.Others))
