//! Permissions of a session in one namespace. Wallets key them by namespace or by single chains (CAIP-25); here they are merged.

import type { Session } from '@portico/walletconnect/dapp'
import type { CaipNetwork } from '../../host/options.ts'

/** The host's networks by CAIP-2 id. */
export type Networks = ReadonlyMap<string, CaipNetwork>

export interface Granted {
  /** CAIP-2 ids, in the wallet's order. */
  readonly chains: readonly string[]
  /** CAIP-10 ids. */
  readonly accounts: readonly string[]
  readonly methods: ReadonlySet<string>
}

/** Namespaces of the session with at least one valid chain. */
export function namespacesOf(session: Session): string[] {
  const named = [...new Set(Object.keys(session.namespaces).map((key) => key.split(':', 1)[0] ?? key))]
  return named.filter((namespace) => grantedOf(session, namespace).chains.length > 0)
}

export function grantedOf({ namespaces }: Session, namespace: string): Granted {
  const parts = Object.entries(namespaces).filter(([key]) => key.split(':', 1)[0] === namespace)
  const accounts = parts.flatMap(([, { accounts }]) => accounts).filter((account) => isChain(chainOf(account)))
  const keys = parts.flatMap(([key]) => (key.includes(':') ? [key] : []))
  const chains = [...accounts.map(chainOf), ...parts.flatMap(([, { chains }]) => chains ?? []), ...keys]
  return {
    chains: [...new Set(chains)].filter(isChain),
    accounts: [...new Set(accounts)],
    methods: new Set(parts.flatMap(([, { methods }]) => methods))
  }
}

/** Whether the chain id is valid. An `eip155` reference is a number (CAIP-2 profile); libraries would misread anything else. */
function isChain(chain: string): boolean {
  return !chain.startsWith('eip155:') || /^eip155:[1-9]\d{0,14}$/.test(chain)
}

/** Chain id as the session names it: a wallet may use an older name (Solana). */
export function inSession({ chains }: Granted, chain: string, networks: Networks): string {
  if (chains.includes(chain)) return chain
  const older = networks.get(chain)?.deprecatedCaipNetworkId
  return older !== undefined && chains.includes(older) ? older : chain
}

/** Current CAIP-2 id of a chain that may be named by a deprecated one. */
export function ofToday(chain: string, networks: Networks): string {
  for (const network of networks.values()) if (network.deprecatedCaipNetworkId === chain) return network.caipNetworkId
  return chain
}

/** CAIP-2 id of a CAIP-10 account. */
export function chainOf(account: string): string {
  return account.split(':', 2).join(':')
}

/** Addresses on a chain, or on all chains if it has none. */
export function addressesOn({ accounts }: Granted, chain: string): string[] {
  const there = accounts.filter((account) => chainOf(account) === chain)
  return [...new Set((there.length > 0 ? there : accounts).map(addressOf))]
}

/** Granted addresses among the named ones, in the session's spelling. A wallet may name them as CAIP-10 accounts. */
export function grantedAmong({ accounts }: Granted, named: readonly unknown[]): string[] {
  const wanted = named.flatMap((one) => (typeof one === 'string' ? [folded(one.split(':').at(-1) ?? one)] : []))
  const addresses = [...new Set(accounts.map(addressOf))]
  return [...new Set(wanted)].flatMap((one) => addresses.find((address) => folded(address) === one) ?? [])
}

function addressOf(account: string): string {
  return account.split(':').slice(2).join(':')
}

/** Lower-cases hexadecimal addresses; all others are case-sensitive (EIP-55). */
function folded(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}
