//! Accounts of this wallet. Their keys are public, so never use them for real money: a real wallet has secret keys,
//! and does not store them in a page.

import { ed25519 } from '@noble/curves/ed25519'
import { base58 } from '@scure/base'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { Namespace, Network } from './networks.ts'

export interface Account {
  readonly namespace: Namespace
  readonly address: string
  readonly name: string
}

/** First three of anvil's default accounts. */
const ETHEREUM: readonly PrivateKeyAccount[] = [
  privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'),
  privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
  privateKeyToAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a')
]

/** Public Ed25519 seed of 32 readable bytes. */
const SOLANA_SEED = new TextEncoder().encode('the demo wallet of portico, 32 b')

export const accounts: readonly Account[] = [
  ...ETHEREUM.map(({ address }, at) => ({ namespace: 'eip155' as const, address, name: `Account ${at + 1}` })),
  { namespace: 'solana', address: base58.encode(ed25519.getPublicKey(SOLANA_SEED)), name: 'Solana' },
  // The first address of the well-known phrase "abandon … about" (BIP-84).
  { namespace: 'bip122', address: 'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', name: 'Bitcoin' },
  // Alice, a default account of every Substrate development chain.
  { namespace: 'polkadot', address: '15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5', name: 'Polkadot' }
]

export const accountsOf = (namespace: Namespace): readonly Account[] =>
  accounts.filter((account) => account.namespace === namespace)

/** Whether two addresses are the same; Ethereum addresses are case-insensitive. */
export function sameAddress(namespace: string, one: string, other: string): boolean {
  return namespace === 'eip155' ? one.toLowerCase() === other.toLowerCase() : one === other
}

export function accountAt(namespace: Namespace, address: string): Account | undefined {
  return accountsOf(namespace).find((account) => sameAddress(namespace, account.address, address))
}

/** CAIP-10 account id. */
export const accountId = (network: Network | string, account: Account): string =>
  `${typeof network === 'string' ? network : network.id}:${account.address}`

export function ethereumSigner(address: string): PrivateKeyAccount | undefined {
  return ETHEREUM.find((signer) => sameAddress('eip155', signer.address, address))
}

export const signSolana = (message: Uint8Array): Uint8Array => ed25519.sign(message, SOLANA_SEED)
