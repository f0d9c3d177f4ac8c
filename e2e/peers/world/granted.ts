//! Test data of both sides: one account on one or two chains, and the permitted methods.

import { privateKeyToAccount } from 'viem/accounts'

/** First of anvil's default accounts. */
export const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
export const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const CHAIN = 'eip155:31337'
export const SECOND = 'eip155:1'

const methods = ['personal_sign', 'eth_signTypedData_v4', 'eth_sendTransaction', 'wallet_switchEthereumChain']
const events = ['accountsChanged', 'chainChanged']

export const asked = { eip155: { chains: [CHAIN, SECOND], methods, events } }

export const granted = (...chains: readonly string[]) => ({
  eip155: { chains: [...chains], accounts: chains.map((chain) => `${chain}:${account.address}`), methods, events }
})

export const typedData = {
  domain: { name: 'Portico', version: '1', chainId: 31337n },
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' }
    ],
    Mail: [
      { name: 'to', type: 'address' },
      { name: 'text', type: 'string' }
    ]
  },
  primaryType: 'Mail',
  message: { to: OTHER, text: 'Grüße' }
} as const

/** Typed data in the JSON form that a dapp sends. */
export const typedDataText = JSON.stringify(typedData, (_, value) =>
  typeof value === 'bigint' ? Number(value) : value
)
