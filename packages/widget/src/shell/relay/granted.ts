//! What a session grants in one namespace. Wallets key it by the namespace or by single chains (CAIP-25); here it is one.

import type { Session } from '@portico/walletconnect/dapp'
import type { CaipNetwork } from '../../host/options.ts'

/** The host's networks by CAIP-2 id. */
export type Networks = ReadonlyMap<string, CaipNetwork>

export interface Granted {
  /** CAIP-2, in the order in which the wallet names them. */
  readonly chains: readonly string[]
  /** CAIP-10 */
  readonly accounts: readonly string[]
  readonly methods: ReadonlySet<string>
}

/** Those with a chain that has a name. */
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

/** On Ethereum a reference is a number (CAIP-2 profile of eip155); a library would make nonsense of another. */
function isChain(chain: string): boolean {
  return !chain.startsWith('eip155:') || /^eip155:[1-9]\d{0,14}$/.test(chain)
}

/** A chain under the name that the session has for it: a wallet may know it by an older one (Solana). */
export function inSession({ chains }: Granted, chain: string, networks: Networks): string {
  if (chains.includes(chain)) return chain
  const older = networks.get(chain)?.deprecatedCaipNetworkId
  return older !== undefined && chains.includes(older) ? older : chain
}

/** A chain by its name of today. */
export function ofToday(chain: string, networks: Networks): string {
  for (const network of networks.values()) if (network.deprecatedCaipNetworkId === chain) return network.caipNetworkId
  return chain
}

/** The CAIP-2 id of a CAIP-10 account. */
export function chainOf(account: string): string {
  return account.split(':', 2).join(':')
}

/** The addresses on a chain; of all chains where it has none. */
export function addressesOn({ accounts }: Granted, chain: string): string[] {
  const there = accounts.filter((account) => chainOf(account) === chain)
  return [...new Set((there.length > 0 ? there : accounts).map(addressOf))]
}

/** Those of the addresses that the session grants, as it writes them. A wallet may name them as CAIP-10 accounts. */
export function grantedAmong({ accounts }: Granted, named: readonly unknown[]): string[] {
  const wanted = named.flatMap((one) => (typeof one === 'string' ? [folded(one.split(':').at(-1) ?? one)] : []))
  const addresses = [...new Set(accounts.map(addressOf))]
  return [...new Set(wanted)].flatMap((one) => addresses.find((address) => folded(address) === one) ?? [])
}

function addressOf(account: string): string {
  return account.split(':').slice(2).join(':')
}

/** Only hexadecimal addresses are the same in either case (EIP-55). */
function folded(address: string): string {
  return address.startsWith('0x') ? address.toLowerCase() : address
}
