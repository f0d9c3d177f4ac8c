//! Whether this page is the only one of its site that may show a session: all tabs share what the client stored.

const NAME = '@portico/sessions'

/** Milliseconds after which a lock that nobody grants is waited for no longer: the first code waits for the answer. */
const PATIENCE = 1_000

/** The page holds a part of the lock as soon as it is granted, until it is gone. Where nobody can tell, the answer is no. */
export function isAlone(): Promise<boolean> {
  // Absent where the page is not secure.
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return Promise.resolve(false)
  const late = new Promise<false>((resolve) => setTimeout(() => resolve(false), PATIENCE))
  // A request that is late stays: the pages that come after this one are to find it.
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
