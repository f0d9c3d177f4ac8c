//! Account permissions: the methods of EIP-1102 and EIP-2255.

import type { Address } from 'viem'
import { invalidParams } from '../provider.ts'
import type { Hands, Method } from './hands.ts'
import * as params from './params.ts'

const ACCOUNTS = 'eth_accounts'

export const accountMethods: Record<string, Method> = {
  async eth_accounts({ state }) {
    return state.visible
  },

  async eth_requestAccounts(hands) {
    if (hands.state.visible.length > 0) return hands.state.visible
    return hands.alone('connect', async () => {
      await unlock(hands, 'eth_requestAccounts')
      if (hands.state.permitted.length === 0) await choose(hands, 'eth_requestAccounts')
      return hands.state.visible
    })
  },

  async wallet_requestPermissions(hands, received) {
    requireAccounts(received)
    return hands.alone('connect', async () => {
      await unlock(hands, 'wallet_requestPermissions')
      await choose(hands, 'wallet_requestPermissions')
      return permissions(hands)
    })
  },

  async wallet_getPermissions(hands) {
    return permissions(hands)
  },

  async wallet_revokePermissions({ state }, received) {
    requireAccounts(received)
    state.permit([])
    return null
  }
}

async function unlock({ state, ask }: Hands, method: string): Promise<void> {
  if (!state.locked) return
  await ask(method, { kind: 'unlock' })
  state.unlock()
}

async function choose({ state, ask }: Hands, method: string): Promise<void> {
  const selected = state.permitted[0] ?? (state.accounts[0] as Address)
  const { account } = await ask(method, { kind: 'connect', accounts: state.accounts, selected })
  state.permit([account === undefined ? selected : params.address(account, 'the chosen account')])
}

function requireAccounts(received: unknown): void {
  const asked = params.record(params.list(received)[0], 'the requested permissions')
  if (Object.keys(asked).join() !== ACCOUNTS) throw invalidParams(`The only permission of this wallet is ${ACCOUNTS}.`)
  params.record(asked[ACCOUNTS], ACCOUNTS)
}

function permissions({ origin, state }: Hands): readonly object[] {
  if (state.visible.length === 0) return []
  const caveats = [{ type: 'restrictReturnedAccounts', value: state.visible }]
  return [{ invoker: origin, parentCapability: ACCOUNTS, caveats }]
}
