/**
 * Copy of the host's object as it is now. Fields that throw when read, as in a revoked proxy, are left out; a non-object has no fields.
 * With `deep`, plain objects inside are copied as well, except the sign-in (`siwx`), which is the host's own.
 */
export function read<T extends object>(given: T | null | undefined, deep?: boolean): T {
  const copy: Record<string, unknown> = {}
  try {
    // `Object.keys` of a string would list every character.
    for (const name of typeof given === 'object' ? Object.keys(given as T) : []) {
      try {
        const value = (given as Record<string, object>)[name]
        copy[name] = value?.constructor === Object && deep && name !== 'siwx' ? read(value) : value
      } catch {}
    }
  } catch {}
  return copy as T
}
