//! One WalletConnect client per page: its modals share sessions, sockets and the module's memory.

import { type ClientParts, DappClient } from '@portico/walletconnect/dapp'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { metadataOf } from './metadata.ts'

let shared: Promise<DappClient> | undefined

/** Client of the page; the first call starts it, with the options of its modal. */
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

/** Valid relays of the options; the core reports invalid ones. A relay without its own project id gets the host's. */
function relaysOf(options: CreateAppKit): ClientParts['relays'] {
  const given = options.relays
  return (Array.isArray(given) ? [...given] : []).flatMap((relay: unknown) => {
    const relayUrl = field(relay, 'relayUrl')
    const projectId = field(relay, 'projectId') ?? options.projectId
    if (typeof relayUrl !== 'string') return []
    return [{ relayUrl, ...(typeof projectId === 'string' ? { projectId } : {}) }]
  })
}
