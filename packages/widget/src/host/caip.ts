//! Converts networks between the host's form (numbers and objects) and the core's (CAIP-2).

import type { Network } from '../generated/core.ts'
import { read } from './given.ts'
import type { AppKitNetwork, CaipNetwork, ChainNamespace } from './options.ts'

/** The host's network with its CAIP-2 id and namespace filled in; `undefined` for an invalid one. */
export function withCaip(network: AppKitNetwork | null | undefined): CaipNetwork | undefined {
  const whole = read(network)
  if (whole.id === undefined) return undefined
  const chainNamespace = whole.chainNamespace ?? 'eip155'
  return { ...whole, chainNamespace, caipNetworkId: whole.caipNetworkId ?? `${chainNamespace}:${whole.id}` }
}

/** Snapshot form of the host's network until the core has parsed it. */
export function asCoreNetwork({ id, caipNetworkId, chainNamespace, name, assets }: CaipNetwork): Network {
  const known = { id: String(id), caipNetworkId, chainNamespace, name: String(name), assets: { ...assets } }
  return known as unknown as Network
}

/** Chain number on EVM chains, the CAIP-2 reference on others. */
export function chainIdOf(caipNetworkId: string | undefined): number | string | undefined {
  const [namespace, reference] = caipNetworkId?.split(':') ?? []
  return namespace === ('eip155' satisfies ChainNamespace) ? Number(reference) : reference
}
