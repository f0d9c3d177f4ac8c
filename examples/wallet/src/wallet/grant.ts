//! Session proposals (CAIP-25): the requested namespaces, the part that this wallet can grant, and the resulting session.

import type { Proposal, ProposedNamespaces, SessionNamespaces } from '@portico/walletconnect'
import { type Account, accountId, accountsOf, sameAddress } from './accounts.ts'
import { ABILITIES, NAMESPACE_NAMES, type Namespace, type Network, networkOf, networks } from './networks.ts'
import { oneLine } from './text.ts'

export interface Offer {
  readonly parts: readonly Part[]
  /** Reasons why the proposal cannot be approved, in sentences. */
  readonly missing: readonly string[]
  /** Optional requests that will not be granted, in sentences. */
  readonly left: readonly string[]
}

/** Granted part of one namespace. */
export interface Part {
  readonly namespace: Namespace
  readonly networks: readonly Network[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
  readonly accounts: readonly Account[]
}

interface RequestedNamespaces {
  readonly chains: Set<string>
  readonly methods: Set<string>
  readonly events: Set<string>
}

/** Reads a proposal; `known` are the networks that may be granted. */
export function readProposal(
  { requiredNamespaces, optionalNamespaces }: Proposal,
  known: readonly Network[] = networks
): Offer {
  const required = merge(requiredNamespaces)
  const wished = merge(optionalNamespaces)
  const nothing = required.size === 0 && wished.size === 0
  const parts = (Object.keys(ABILITIES) as Namespace[]).flatMap((namespace) => {
    // A proposal without namespaces is offered everything.
    if (nothing) return everything(namespace, known)
    const part = given(namespace, [required.get(namespace), wished.get(namespace)], known)
    return part.networks.length > 0 ? [part] : []
  })
  const missing = lacking(required, parts)
  if (parts.length === 0 && missing.length === 0) {
    const asked = [...wished.values()].flatMap(({ chains }) => [...chains])
    missing.push('It asks for no network that this wallet supports.', ...switchedOff(asked))
  }
  return { parts, missing, left: missing.length > 0 ? [] : lacking(wished, parts) }
}

/** Namespaces of the session: the chosen accounts on every network, in the order of the accounts. */
export function grant(offer: Offer, chosen: readonly Account[]): SessionNamespaces {
  const granted: Record<string, SessionNamespaces[string]> = {}
  for (const { namespace, networks: chains, methods, events, accounts } of offer.parts) {
    const shared = accounts.filter((account) => chosen.includes(account))
    if (shared.length === 0) continue
    granted[namespace] = {
      chains: chains.map(({ id }) => id),
      accounts: chains.flatMap((chain) => shared.map((account) => accountId(chain, account))),
      methods,
      events
    }
  }
  return granted
}

/** Namespaces with this account first, added if it was missing. Applications treat the first account as the active one. */
export function withAccountFirst(namespaces: SessionNamespaces, account: Account): SessionNamespaces {
  const before = namespaces[account.namespace]
  if (!before) return namespaces
  const chains = before.chains ?? [...new Set(before.accounts.map(chainIn))]
  const first = chains.map((chain) => accountId(chain, account))
  const isFirst = (id: string) => first.some((one) => sameAddress(account.namespace, one, id))
  const accounts = [...first, ...before.accounts.filter((id) => !isFirst(id))]
  return { ...namespaces, [account.namespace]: { ...before, accounts } }
}

/** Namespaces with this network added for the same addresses; undefined if it is there already or its namespace was not granted. */
export function withNetwork(namespaces: SessionNamespaces, { id, namespace }: Network): SessionNamespaces | undefined {
  const before = namespaces[namespace]
  const chains = before?.chains ?? []
  if (!before || chains.includes(id)) return undefined
  const addresses = [...new Set(before.accounts.map(addressIn))]
  const accounts = [...before.accounts, ...addresses.map((address) => `${id}:${address}`)]
  return { ...namespaces, [namespace]: { ...before, chains: [...chains, id], accounts } }
}

/** CAIP-2 chain id of a CAIP-10 account id: `eip155:1` of `eip155:1:0x…`. */
export const chainIn = (id: string): string => id.split(':').slice(0, 2).join(':')
export const addressIn = (id: string): string => id.split(':').slice(2).join(':')

/** Requested namespaces by name: a key with a chain (`eip155:1`) is merged into its namespace. */
function merge(namespaces: ProposedNamespaces | undefined): Map<string, RequestedNamespaces> {
  const merged = new Map<string, RequestedNamespaces>()
  for (const [key, { chains, methods, events }] of Object.entries(namespaces ?? {})) {
    const [namespace = ''] = key.split(':')
    const one = merged.get(namespace) ?? { chains: new Set(), methods: new Set(), events: new Set() }
    for (const chain of key.includes(':') ? [key] : (chains ?? [])) one.chains.add(chain)
    for (const method of methods ?? []) one.methods.add(method)
    for (const event of events ?? []) one.events.add(event)
    merged.set(namespace, one)
  }
  return merged
}

function given(
  namespace: Namespace,
  asked: readonly (RequestedNamespaces | undefined)[],
  known: readonly Network[]
): Part {
  const has = (kind: keyof RequestedNamespaces) => (name: string) => asked.some((one) => one?.[kind].has(name))
  return {
    namespace,
    networks: known.filter((network) => network.namespace === namespace && has('chains')(network.id)),
    methods: ABILITIES[namespace].methods.filter(has('methods')),
    events: ABILITIES[namespace].events.filter(has('events')),
    accounts: accountsOf(namespace)
  }
}

function everything(namespace: Namespace, known: readonly Network[]): Part[] {
  const { methods, events } = ABILITIES[namespace]
  const all = known.filter((network) => network.namespace === namespace)
  return all.length > 0 ? [{ namespace, networks: all, methods, events, accounts: accountsOf(namespace) }] : []
}

function lacking(asked: Map<string, RequestedNamespaces>, parts: readonly Part[]): string[] {
  return [...asked].flatMap(([namespace, { chains, methods, events }]) => {
    const part = parts.find((one) => one.namespace === namespace)
    const without = (names: Set<string>, here: readonly string[]) => [...names].filter((name) => !here.includes(name))
    const lacked = without(chains, part?.networks.map(({ id }) => id) ?? [])
    const strange = lacked.filter((id) => !networkOf(id))
    const words = [
      ...(strange.length > 0 ? [`Networks this wallet doesn't support: ${list(strange)}.`] : []),
      ...switchedOff(lacked)
    ]
    // For networks that the wallet lacks, methods and events are not listed too.
    if (!part) return words
    const undoable = [...without(methods, part.methods), ...without(events, part.events)]
    if (undoable.length === 0) return words
    return [...words, `On ${NAMESPACE_NAMES[part.namespace]}, this wallet can't do: ${list(undoable)}.`]
  })
}

/** Sentence about the missing networks that this wallet has but that are switched off. */
function switchedOff(lacked: readonly string[]): string[] {
  const names = lacked.flatMap((id) => networkOf(id)?.name ?? [])
  return names.length > 0 ? [`Test networks turned off in Settings: ${list(names)}.`] : []
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => oneLine(name, 48))
  return names.length > 6 ? `${shown.join(', ')} and ${names.length - 6} more` : shown.join(', ')
}
