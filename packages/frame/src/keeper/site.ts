//! How a visitor treats a host page: whether its requests are blocked, and when the last ones were declined. It stays here: neither the host page nor
//! the server gets it.

import type { SiteDeed } from '../generated/frame.ts'
import type { Records } from './database.ts'

interface Site {
  readonly blocked: boolean
  /** Times in epoch milliseconds, the latest last. */
  readonly declines: readonly number[]
}

const MOST = 3

function siteOf(stored: unknown): Site {
  const { blocked, declines } = (stored ?? {}) as Partial<Record<keyof Site, unknown>>
  const times = Array.isArray(declines) ? declines.filter((time) => Number.isSafeInteger(time) && time >= 0) : []
  return { blocked: blocked === true, declines: times.slice(-MOST) }
}

const nameOf = (site: string): string => `site ${site}`

export async function readSite(records: Records, site: string): Promise<Site> {
  return siteOf(await records.get(nameOf(site)))
}

/** Stores what the visitor did beside what other tabs stored. */
export function keepSite(records: Records, site: string, deed: SiteDeed): Promise<void> {
  return records.change(nameOf(site), (stored) => after(siteOf(stored), deed))
}

function after(site: Site, deed: SiteDeed): Site {
  switch (deed) {
    case 'declined':
      return { ...site, declines: [...site.declines, Date.now()].slice(-MOST) }
    case 'signed':
      return { ...site, declines: [] }
    case 'blocked':
      return { ...site, blocked: true }
    case 'allowed':
      return { blocked: false, declines: [] }
  }
}
