//! What the methods of wallets mean for whoever waits for their answer.

/** Only a wallet can do these, so that no node is asked in its place. */
export const WALLETS_OWN = /^(wallet_|personal_|eth_sign|eth_sendTransaction|eth_requestAccounts)/

/** Nobody has to look at the wallet for these: its app is not brought to the front. */
export const UNATTENDED = /^(wallet_get|eth_accounts$|\w+_getAccounts$|getAccountAddresses$)/

/** The wallet may carry these out whenever it is back. Whoever gave them up before their time could pay twice. */
export const PAYS = /^(eth_send(Raw)?Transaction|wallet_sendCalls|solana_signAndSendTransaction|sendTransfer)$/
