/**
 * What a host gave, as it is now: what throws when it is read, like a revoked proxy, was not given, and what is no object has no fields.
 * Where it is read `deep`, so are plain objects in it, but for a sign-in, which is the host's own.
 */
export function read<T extends object>(given: T | null | undefined, deep?: boolean): T {
  const copy: Record<string, unknown> = {}
  try {
    // Of a long text all characters would be names.
    for (const name of typeof given === 'object' ? Object.keys(given as T) : []) {
      try {
        const value = (given as Record<string, object>)[name]
        copy[name] = value?.constructor === Object && deep && name !== 'siwx' ? read(value) : value
      } catch {}
    }
  } catch {}
  return copy as T
}
