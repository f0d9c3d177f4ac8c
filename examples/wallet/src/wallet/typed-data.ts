//! EIP-712 data as a tree of the signed fields: those that the types define, and no others.

import { hashTypedData, type TypedDataDefinition } from 'viem'
import { CODES, invalid, Refusal, recordIn } from './ask.ts'
import { oneLine, wholeText } from './text.ts'

/** Node of the tree: a leaf has a value, a branch has fields. */
export interface Branch {
  readonly name: string
  readonly type: string
  readonly value?: string
  readonly fields?: readonly Branch[]
}

export interface TypedData {
  readonly definition: TypedDataDefinition
  readonly domain: Branch
  readonly message: Branch
  /** Chain id of the domain, if it has one. */
  readonly chainId: bigint | null
  readonly primaryType: string
}

type Types = Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>

/** Maximum number of fields: users do not read more, and should not sign what they did not read. */
const MOST_FIELDS = 400
const DEEPEST = 12

export function readTypedData(sent: unknown): TypedData {
  const { domain, types, primaryType, message } = recordIn(asJson(sent), 'the typed data')
  const known = typesIn(recordIn(types, 'types'))
  if (typeof primaryType !== 'string' || !Object.hasOwn(known, primaryType)) throw invalid('types to name primaryType')
  const definition = {
    domain: recordIn(domain ?? {}, 'domain'),
    types: known,
    primaryType,
    message: recordIn(message, 'message')
  } as unknown as TypedDataDefinition
  requireSignable(definition)
  const budget = { left: MOST_FIELDS }
  const domainFields =
    known.EIP712Domain ?? Object.keys(recordIn(domain ?? {}, 'domain')).map((name) => ({ name, type: '' }))
  return {
    definition,
    domain: branch('domain', 'EIP712Domain', domain ?? {}, { ...known, EIP712Domain: domainFields }, budget, 0),
    message: branch('message', primaryType, message, known, budget, 0),
    chainId: chainIdIn(recordIn(domain ?? {}, 'domain').chainId),
    primaryType: oneLine(primaryType)
  }
}

function asJson(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  try {
    return JSON.parse(sent)
  } catch {
    throw invalid('the typed data to be JSON')
  }
}

function typesIn(types: Readonly<Record<string, unknown>>): Types {
  const known: Record<string, { name: string; type: string }[]> = Object.create(null)
  for (const [name, fields] of Object.entries(types)) {
    if (!Array.isArray(fields)) throw invalid(`types.${oneLine(name)} to be a list`)
    known[name] = fields.map((field) => {
      const { name: called, type } = recordIn(field, 'a field')
      if (typeof called !== 'string' || typeof type !== 'string') throw invalid('a field to have a name and a type')
      return { name: called, type }
    })
  }
  return known
}

/** Throws for typed data that cannot be hashed, before it is shown. */
function requireSignable(definition: TypedDataDefinition): void {
  try {
    hashTypedData(definition)
  } catch {
    throw invalid('the typed data to fit its types')
  }
}

function branch(
  name: string,
  type: string,
  value: unknown,
  types: Types,
  budget: { left: number },
  depth: number
): Branch {
  budget.left -= 1
  if (budget.left < 0 || depth > DEEPEST) {
    throw new Refusal(CODES.invalidParams, 'The typed data is too large to be shown, so it is not signed.')
  }
  const shown = { name: oneLine(name), type: oneLine(type) }
  const element = /^(.*)\[\d*\]$/.exec(type)?.[1]
  if (element !== undefined && Array.isArray(value)) {
    return { ...shown, fields: value.map((one, at) => branch(String(at + 1), element, one, types, budget, depth + 1)) }
  }
  const fields = types[type]
  if (!fields || typeof value !== 'object' || value === null) return { ...shown, value: written(value) }
  const record = value as Record<string, unknown>
  const present = fields.filter((field) => Object.hasOwn(record, field.name))
  return {
    ...shown,
    fields: present.map((field) => branch(field.name, field.type, record[field.name], types, budget, depth + 1))
  }
}

function written(value: unknown): string {
  if (typeof value === 'string') return wholeText(value)
  return value === undefined ? '' : wholeText(JSON.stringify(value))
}

function chainIdIn(value: unknown): bigint | null {
  if (value === undefined || value === null) return null
  try {
    return BigInt(value as string | number)
  } catch {
    throw invalid('domain.chainId to be a number')
  }
}

/** Whether the type's name suggests that the signature permits spending. */
export function spends(primaryType: string): boolean {
  return /permit|order|approve|allowance|transfer|bulk/i.test(primaryType)
}
