//! Messages of the frame: hostile until read.

import { frame as forms } from '../../generated/constants.ts'
import { field, type Json, toJson } from '../json.ts'

/** Message of the frame, without its prefix. */
export interface Heard {
  /** `CONNECT_EMAIL_SUCCESS` */
  readonly name: string
  readonly id: string
  readonly payload: Json
}

const LONGEST_ID = 64

/** Reads a message; `undefined` for one that is none, or too large. */
export function read(data: unknown): Heard | undefined {
  const [type, id] = [field(data, 'type'), field(data, 'id')]
  if (typeof type !== 'string' || !type.startsWith(forms.frame)) return undefined
  if (typeof id !== 'string' || id.length === 0 || id.length > LONGEST_ID) return undefined
  if (isLarge(data)) return undefined
  return { name: type.slice(forms.frame.length), id, payload: toJson(field(data, 'payload')) }
}

/** Whether a value is larger than a message may be, or has no size. */
export function isLarge(data: unknown): boolean {
  try {
    return new TextEncoder().encode(JSON.stringify(data)).length > forms.largest
  } catch {
    return true
  }
}
