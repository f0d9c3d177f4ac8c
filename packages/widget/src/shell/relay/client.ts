//! One client a page: its modals share the sessions, the sockets and the memory of the module.

import { type ClientParts, DappClient } from '@portico/walletconnect/dapp'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { metadataOf } from './metadata.ts'

let shared: Promise<DappClient> | undefined

/** Starts it, or gives the one that the page has: the options of the first modal count. */
export function sharedClient(options: CreateAppKit): Promise<DappClient> {
  shared ??= start(options).catch((error: unknown) => {
    shared = undefined
    throw error
  })
  return shared
}

async function start(options: CreateAppKit): Promise<DappClient> {
  return DappClient.start({ relays: relaysOf(options), metadata: metadataOf(options) })
}

/** The core has told what is wrong with the others. A relay without a project of its own is asked in the name of the host's. */
function relaysOf(options: CreateAppKit): ClientParts['relays'] {
  const given = options.relays
  return (Array.isArray(given) ? [...given] : []).flatMap((relay: unknown) => {
    const relayUrl = field(relay, 'relayUrl')
    const projectId = field(relay, 'projectId') ?? options.projectId
    if (typeof relayUrl !== 'string') return []
    return [{ relayUrl, ...(typeof projectId === 'string' ? { projectId } : {}) }]
  })
}
