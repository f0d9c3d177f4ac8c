//! Signing methods: EIP-191 and EIP-712.

import { type Address, type Hex, hexToBytes, isAddress, isHex, stringToHex } from 'viem'
import { invalidParams, ProviderRpcError, RPC_ERROR } from '../provider.ts'
import type { Hands, Method } from './hands.ts'
import * as params from './params.ts'

interface TypedData {
  readonly domain: Record<string, unknown>
  readonly types: Record<string, readonly { name: string; type: string }[]>
  readonly primaryType: string
  readonly message: Record<string, unknown>
}

export const signMethods: Record<string, Method> = {
  async personal_sign(hands, received) {
    const { message, from } = signParams(params.list(received))
    const account = requirePermitted(hands, from)
    const raw = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message)
    const network = hands.state.chain.name
    await hands.ask('personal_sign', { kind: 'sign', account, network, message: readable(raw) })
    return hands.signer(account).signMessage({ message: { raw } })
  },

  async eth_signTypedData_v4(hands, received) {
    const [from, data] = params.list(received)
    const account = requirePermitted(hands, params.address(from, 'the account'))
    const typedData = parseTypedData(data)
    requireActiveChain(typedData, hands.state.chain.chainId)
    const { domain, primaryType, message } = typedData
    await hands.ask('eth_signTypedData_v4', {
      kind: 'signTypedData',
      account,
      network: hands.state.chain.name,
      domain: String(domain.name ?? domain.verifyingContract ?? 'unnamed'),
      primaryType,
      message: JSON.stringify(message, null, 2)
    })
    return sign(hands, account, typedData)
  }
}

/** Throws unless the page has permission for the account. */
export function requirePermitted({ state }: Hands, account: Address): Address {
  if (state.visible.includes(account)) return account
  const message = 'The requested account has not been authorized by the user.'
  throw new ProviderRpcError(RPC_ERROR.unauthorized, message)
}

/** Old pages send the account first; wallets accept both orders. */
function signParams([first, second]: readonly unknown[]): { message: string; from: Address } {
  const swapped = isAddressText(first) && !isAddressText(second)
  const [message, from] = swapped ? [second, first] : [first, second]
  if (typeof message !== 'string') throw invalidParams('Expected the message to be a string.')
  return { message, from: params.address(from, 'the account') }
}

function isAddressText(value: unknown): boolean {
  return typeof value === 'string' && isAddress(value, { strict: false })
}

/** Message as text, or the hex of its bytes when they are not UTF-8. */
function readable(raw: Hex): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(raw))
  } catch {
    return raw
  }
}

function parseTypedData(data: unknown): TypedData {
  const { domain, types, primaryType, message } = params.record(asJson(data), 'the typed data')
  const parsed = {
    domain: params.record(domain ?? {}, 'domain'),
    types: params.record(types, 'types') as TypedData['types'],
    primaryType: params.text(primaryType, 'primaryType'),
    message: params.record(message, 'message')
  }
  if (!Array.isArray(parsed.types[parsed.primaryType])) {
    throw invalidParams(`Expected types to describe the primary type '${parsed.primaryType}'.`)
  }
  return parsed
}

function asJson(data: unknown): unknown {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    throw invalidParams('Expected the typed data to be JSON.')
  }
}

/** Rejects typed data for another chain than the active one: signatures can be stolen that way. */
function requireActiveChain({ domain }: TypedData, active: number): void {
  if (domain.chainId === undefined || domain.chainId === null) return
  if (Number(domain.chainId) !== active) {
    throw invalidParams(`Provided chainId "${String(domain.chainId)}" must match the active chainId "${active}"`)
  }
}

async function sign(hands: Hands, account: Address, typedData: TypedData): Promise<Hex> {
  try {
    return await hands.signer(account).signTypedData(typedData)
  } catch (error) {
    throw invalidParams(error instanceof Error ? error.message : 'The typed data cannot be signed.')
  }
}
