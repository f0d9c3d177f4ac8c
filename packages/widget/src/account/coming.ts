import type { AccountState } from '../generated/core.ts'

/** Whether the first balance is loading, or will be once the part of the core that reads it is there. */
export function isBalanceComing({ namespace, address, balanceState }: AccountState): boolean {
  return balanceState === 'loading' || (balanceState === 'unknown' && namespace === 'eip155' && address !== null)
}
