//! Parses the page's parameters. Each function returns a value of the right type or throws -32602.

import { type Address, type Hex, hexToBigInt, isAddress, isHex } from 'viem'
import { invalidParams } from '../provider.ts'

export function list(params: unknown): readonly unknown[] {
  if (params === undefined) return []
  if (!Array.isArray(params)) throw invalidParams('Expected an array of parameters.')
  return params
}

export function record(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidParams(`Expected ${what} to be an object.`)
  }
  return value as Record<string, unknown>
}

export function text(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw invalidParams(`Expected ${what} to be a non-empty string.`)
  return value
}

/** Address in lower case, as wallets return it. */
export function address(value: unknown, what: string): Address {
  if (typeof value !== 'string' || !isAddress(value, { strict: false })) {
    throw invalidParams(`Expected ${what} to be an address.`)
  }
  return value.toLowerCase() as Address
}

export function chainId(value: unknown): number {
  const parsed = typeof value === 'string' && /^0x[1-9a-f][0-9a-f]*$/i.test(value) ? Number(value) : Number.NaN
  if (!Number.isSafeInteger(parsed)) {
    throw invalidParams(`Expected a 0x-prefixed hexadecimal string 'chainId'. Received: ${JSON.stringify(value)}`)
  }
  return parsed
}

export function optionalQuantity(value: unknown, what: string): bigint | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string' || !isHex(value) || value === '0x') {
    throw invalidParams(`Expected ${what} to be a hexadecimal quantity.`)
  }
  return hexToBigInt(value)
}

export function optionalBytes(value: unknown, what: string): Hex | undefined {
  if (value === undefined || value === null) return undefined
  if (!isHex(value) || value.length % 2 !== 0) throw invalidParams(`Expected ${what} to be hexadecimal bytes.`)
  return value
}
