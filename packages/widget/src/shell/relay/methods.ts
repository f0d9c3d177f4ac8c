//! Classes of RPC methods in a session.

import { field } from '../json.ts'

/** Methods that only a wallet can perform; they never go to a node. */
export const WALLETS_OWN = /^(wallet_|personal_|eth_sign|eth_sendTransaction|eth_requestAccounts)/

/** Whether each call of a batch (EIP-5792) has a `to` that starts with 0x, and so does its `data`, if there is one (spec 5.28). */
export function areCalls(params: unknown): boolean {
  const calls = field(field(params, 0), 'calls')
  const isHex = (value: unknown) => typeof value === 'string' && value.startsWith('0x')
  const isCall = (call: unknown) => {
    const data = field(call, 'data')
    return isHex(field(call, 'to')) && (data === undefined || isHex(data))
  }
  return Array.isArray(calls) && calls.every(isCall)
}

/** Whether each blob versioned hash of a transaction (EIP-4844) is 32 bytes and begins with version 1 (spec 9.19); most have none. */
export function areBlobHashes(params: unknown): boolean {
  const hashes = field(field(params, 0), 'blobVersionedHashes') ?? []
  return Array.isArray(hashes) && hashes.every((hash) => typeof hash === 'string' && /^0x01[\da-f]{62}$/i.test(hash))
}

/** Methods without a prompt: the wallet's app is not brought to the front. */
export const UNATTENDED = /^(wallet_get|eth_accounts$|\w+_getAccounts$|getAccountAddresses$)/

/** Methods that a wallet may still perform when it comes back. Giving them up early could make the visitor pay twice. */
export const PAYS = /^(eth_send(Raw)?Transaction|wallet_sendCalls|solana_signAndSendTransaction|sendTransfer)$/
