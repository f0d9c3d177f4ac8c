import type { Address } from 'viem'
import type { Emitter } from '../emitter.ts'
import type { ProviderEvent, RequestArguments } from '../provider.ts'
import type { Announcement } from './announcement.ts'
import type { Approval, ApprovalChoice } from './approval/approval.ts'
import type { ApprovalQueue } from './approval/queue.ts'
import type { Mode } from './mode.ts'
import type { WalletState } from './state.ts'

/** The wallet's own side: what a visitor does in the wallet, and what a test makes it do. */
export interface DemoWalletControls {
  readonly mode: Mode
  /** Every request the page made, oldest first. */
  readonly requests: readonly RequestArguments[]
  /** The questions the visitor has not answered, the one in front first. */
  readonly pending: readonly Approval[]
  setMode(mode: Mode | string): void
  setApproval(approval: ApprovalChoice): void
  /** Answers the question in front as the dialog would. False when nothing was asked. */
  approve(account?: Address): boolean
  refuse(): boolean
  /** By index or address; a page that has no permission hears nothing of it. */
  switchAccount(account: number | Address): void
  switchChain(chainId: number): void
  revoke(): void
  lock(): void
  unlock(): void
  disconnect(): void
  reconnect(): void
  announce(): void
  /** Takes the wallet away from the page: no more announcements, no `window.ethereum`. */
  withdraw(): void
  /** Emits any payload, right or wrong. */
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
