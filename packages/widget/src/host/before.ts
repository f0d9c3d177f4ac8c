import type { Snapshot } from '../generated/core.ts'

/** Minimal snapshot until the core has loaded; views are drawn from the core's own first snapshot. */
export const before = {
  config: { themeMode: 'dark', themeVariables: null },
  modal: { open: false, loading: false },
  notice: { snack: null, alert: null },
  connect: { statuses: [], attempt: null, methods: ['wallet'] },
  wallets: { groups: [] },
  network: { activeNamespace: null, active: null, unsupported: null, networks: [], chains: [], switching: null },
  account: { accounts: [] }
} as unknown as Snapshot
