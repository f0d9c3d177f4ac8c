//! The client of WalletConnect, as a file of its own: whoever shows no entry of it loads none of it.

export { DappClient } from '@portico/walletconnect/dapp'
