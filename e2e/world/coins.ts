//! Token balances of the test chain, queried from the chain directly and not through the server or the widget.

import { storedWorld } from '@portico/testkit/world'
import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, parseAbi } from 'viem'
import type { Chain } from './world.ts'

export interface Coin {
  readonly address: Address
  balance(account: string): Promise<bigint>
  /** Allowance of a spender. */
  allowance(account: string, spender: string): Promise<bigint>
  /** Mints coins for an account. */
  mint(account: string, coins: bigint): Promise<void>
}

const MINT = parseAbi(['function mint(address to, uint256 coins)'])

/** Address of a contract on the test chain. */
export function contractOf(name: string): Address {
  const address = storedWorld().addresses.contracts[name]
  if (!address) throw new Error(`The world has no ${name}`)
  return address as Address
}

export function coinOf(chain: Chain, name: string): Coin {
  const address = contractOf(name)
  const maker = storedWorld().addresses.accounts[9]
  const read = async (functionName: 'balanceOf' | 'allowance', args: readonly string[]) => {
    const asked = { abi: erc20Abi, functionName, args: args as never } as const
    const data = await chain.request('eth_call', [{ to: address, data: encodeFunctionData(asked) }, 'latest'])
    return decodeFunctionResult({ ...asked, data: data as Address }) as bigint
  }
  return {
    address,
    balance: (account) => read('balanceOf', [account]),
    allowance: (account, spender) => read('allowance', [account, spender]),
    async mint(account, coins) {
      const data = encodeFunctionData({ abi: MINT, functionName: 'mint', args: [account as Address, coins] })
      await chain.request('eth_sendTransactionSync', [{ from: maker, to: address, data }])
    }
  }
}
