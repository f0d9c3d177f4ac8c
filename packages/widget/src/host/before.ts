import type { Snapshot } from '../generated/core.ts'

/** What is read before the core is there, and no more: views are drawn by the core's own first snapshot. */
export const before = {
  config: { themeMode: 'dark', themeVariables: null },
  modal: { open: false, loading: false },
  notice: { snack: null, alert: null },
  connect: { statuses: [], attempt: null, methods: ['wallet'] },
  wallets: { groups: [] },
  network: { activeNamespace: null, active: null, unsupported: null, networks: [], chains: [], switching: null },
  account: { accounts: [] }
} as unknown as Snapshot
