//! Checks whether this page is the only one of its site that may show a session: all tabs share the client's storage.

const NAME = '@portico/sessions'

/** Time limit in milliseconds for the lock: the first QR code waits for this check. */
const PATIENCE = 1_000

/**
 * Whether no other page shows a session. Takes a share of the lock and holds it until the page is gone. False where it cannot be checked.
 */
export function isAlone(): Promise<boolean> {
  // Missing outside secure contexts.
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return Promise.resolve(false)
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE))
  // A late lock request stays in the queue, so that pages opened after this one find it.
  return Promise.race([holdsAlone(locks).catch(() => false), late])
}

async function holdsAlone(locks: LockManager): Promise<boolean> {
  await new Promise<void>((resolve, reject) => {
    const hold = () => {
      resolve()
      return new Promise(() => {})
    }
    locks.request(NAME, { mode: 'shared' }, hold).catch(reject)
  })
  const { held = [] } = await locks.query()
  return held.filter(({ name }) => name === NAME).length === 1
}
