//! Classes of RPC methods in a session.

/** Methods that only a wallet can perform; they never go to a node. */
export const WALLETS_OWN = /^(wallet_|personal_|eth_sign|eth_sendTransaction|eth_requestAccounts)/

/** Methods without a prompt: the wallet's app is not brought to the front. */
export const UNATTENDED = /^(wallet_get|eth_accounts$|\w+_getAccounts$|getAccountAddresses$)/

/** Methods that a wallet may still perform when it comes back. Giving them up early could make the visitor pay twice. */
export const PAYS = /^(eth_send(Raw)?Transaction|wallet_sendCalls|solana_signAndSendTransaction|sendTransfer)$/
