import type { Address } from 'viem'
import type { Emitter } from '../emitter.ts'
import type { ProviderEvent, RequestArguments } from '../provider.ts'
import type { Announcement } from './announcement.ts'
import type { Approval, ApprovalChoice } from './approval/approval.ts'
import type { ApprovalQueue } from './approval/queue.ts'
import type { Mode } from './mode.ts'
import type { WalletState } from './state.ts'

/** Control side of the demo wallet: a visitor's actions in the wallet, and a test's. */
export interface DemoWalletControls {
  readonly mode: Mode
  /** Every request of the page, oldest first. */
  readonly requests: readonly RequestArguments[]
  /** Approvals without a decision, oldest first. */
  readonly pending: readonly Approval[]
  setMode(mode: Mode | string): void
  setApproval(approval: ApprovalChoice): void
  /** Approves the oldest pending approval as the dialog would. Returns false when none is pending. */
  approve(account?: Address): boolean
  refuse(): boolean
  /** Selects an account by index or address; a page without permission gets no event. */
  switchAccount(account: number | Address): void
  switchChain(chainId: number): void
  revoke(): void
  lock(): void
  unlock(): void
  disconnect(): void
  reconnect(): void
  announce(): void
  /** Removes the wallet from the page: no more announcements, no `window.ethereum`. */
  withdraw(): void
  /** Emits an event with any payload, valid or not. */
  emit(event: ProviderEvent, payload: unknown): void
}

export interface ControlledParts {
  readonly state: WalletState
  readonly queue: ApprovalQueue
  readonly emitter: Emitter
  readonly presence: Announcement
  readonly requests: readonly RequestArguments[]
  readonly mode: { read(): Mode; write(mode: Mode | string): void }
  readonly chooseApproval: (approval: ApprovalChoice) => void
}

export function demoWalletControls(parts: ControlledParts): DemoWalletControls {
  const { state, queue, emitter, presence, requests, mode } = parts
  return {
    get mode() {
      return mode.read()
    },
    get pending() {
      return queue.pending
    },
    requests,
    setMode: mode.write,
    setApproval: parts.chooseApproval,
    approve: (account) => queue.decide({ approved: true, account }),
    refuse: () => queue.decide({ approved: false }),
    switchAccount(account) {
      const wanted = typeof account === 'number' ? state.accounts[account] : (account.toLowerCase() as Address)
      if (wanted === undefined || !state.accounts.includes(wanted)) {
        throw new RangeError(`The demo wallet has no account ${account}.`)
      }
      if (state.permitted.length > 0) state.permit([wanted])
    },
    switchChain(chainId) {
      const chain = state.findChain(chainId)
      if (!chain) throw new RangeError(`The demo wallet has no chain ${chainId}.`)
      state.switchChain(chain)
    },
    revoke: () => state.permit([]),
    lock: () => state.lock(),
    unlock: () => state.unlock(),
    disconnect: () => state.lost(),
    reconnect: () => state.reached(),
    announce: presence.announce,
    withdraw: presence.withdraw,
    emit: (event, payload) => emitter.emit(event, payload)
  }
}
