//! Networks between the host, who gives numbers and objects, and the core, which reads CAIP-2.

import type { Network } from '../generated/core.ts'
import { read } from './given.ts'
import type { AppKitNetwork, CaipNetwork, ChainNamespace } from './options.ts'

/** The host's network with its id and namespace spelled out; `undefined` where it is none. */
export function withCaip(network: AppKitNetwork | null | undefined): CaipNetwork | undefined {
  const whole = read(network)
  if (whole.id === undefined) return undefined
  const chainNamespace = whole.chainNamespace ?? 'eip155'
  return { ...whole, chainNamespace, caipNetworkId: whole.caipNetworkId ?? `${chainNamespace}:${whole.id}` }
}

/** What is read of the host's network until the core has read it. */
export function asCoreNetwork({ id, caipNetworkId, chainNamespace, name, assets }: CaipNetwork): Network {
  const known = { id: String(id), caipNetworkId, chainNamespace, name: String(name), assets: { ...assets } }
  return known as unknown as Network
}

/** The number of an EVM chain, the reference of any other. */
export function chainIdOf(caipNetworkId: string | undefined): number | string | undefined {
  const [namespace, reference] = caipNetworkId?.split(':') ?? []
  return namespace === ('eip155' satisfies ChainNamespace) ? Number(reference) : reference
}
