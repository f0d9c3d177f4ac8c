import type { AccountState } from '../generated/core.ts'

/** Whether the first balance is on its way: asked for, or to be asked for once the part of the core that asks is there. */
export function isBalanceComing({ namespace, address, balanceState }: AccountState): boolean {
  return balanceState === 'loading' || (balanceState === 'unknown' && namespace === 'eip155' && address !== null)
}
