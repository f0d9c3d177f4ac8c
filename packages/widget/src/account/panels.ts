import type { Tab } from '../generated/core.ts'
import { Lazy } from '../ui/lazy.tsx'

/** The tabs beside the first are files of their own. */
export const panels = new Lazy<Exclude<Tab, 'tokens'>>((tab) =>
  tab === 'nfts'
    ? () => import('./Nfts.tsx').then((module) => module.Nfts)
    : () => import('./Activity.tsx').then((module) => module.Activity)
)

/** Fetches a tab's file before it is chosen. */
export async function loadPanel(tab: Tab): Promise<void> {
  if (tab !== 'tokens') await panels.load(tab)
}
