//! Parts of what wallets bring into the page, none of which has to be there.

/** Field of something that a wallet brought; `undefined` where there is none. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
