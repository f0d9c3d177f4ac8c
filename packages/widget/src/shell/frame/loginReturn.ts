//! Way back of a social login between two pages of the host. A service may forbid openers (`Cross-Origin-Opener-Policy`, as X does), so its window
//! can't reach the page where the login began: the wallet's page leads the window to the host's page, which hands the address over.

import { field } from '../json.ts'

const CHANNEL = '@portico/social'
/** Time in which the page where the login began answers, in milliseconds; without an answer this page logs in itself. */
const PATIENCE = 300

/** Hands the address over. Resolves with whether a page took it. */
export function handOver(uri: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL)
  return new Promise((resolve) => {
    const end = (taken: boolean): void => {
      clearTimeout(limit)
      channel.close()
      resolve(taken)
    }
    const limit = setTimeout(end, PATIENCE, false)
    channel.onmessage = ({ data }) => field(data, 'taken') === uri && end(true)
    channel.postMessage({ uri })
  })
}

/** Hears addresses that are handed over; `take` returns whether it takes one. The returned function ends it. */
export function hearReturns(take: (uri: unknown) => boolean): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data }) => {
    const uri = field(data, 'uri')
    if (take(uri)) channel.postMessage({ taken: uri })
  }
  return () => {
    channel.onmessage = null
    // Ended by what it took, it still has to say so.
    queueMicrotask(() => channel.close())
  }
}
