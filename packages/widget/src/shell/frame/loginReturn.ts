//! Way back of a login at a service between two pages of the host. A service may forbid openers (`Cross-Origin-Opener-Policy`, as X does), so its
//! window can't reach the page where the login began: the wallet's page leads the window to the host's page, which hands the address over.

import { field } from '../json.ts'

/** Kind of login: of a visitor without a wallet, or one that is added to a wallet. */
export type Kind = 'login' | 'link'

const channelOf = (kind: Kind) => new BroadcastChannel(`@portico/${kind}`)
/** Time in which the page where the login began answers, in milliseconds. */
const PATIENCE = 300

/** Hands the address over. Resolves with whether a page took it. */
export function handOver(kind: Kind, uri: string): Promise<boolean> {
  const channel = channelOf(kind)
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
export function hearReturns(kind: Kind, take: (uri: unknown) => boolean): () => void {
  const channel = channelOf(kind)
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
