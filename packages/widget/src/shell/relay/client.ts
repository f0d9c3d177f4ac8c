//! One WalletConnect client per page: its modals share sessions, sockets and the module's memory.

import type { ClientParts, DappClient } from '@portico/walletconnect/dapp'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'
import { metadataOf } from './metadata.ts'

/** Class of the client: with or without sign-ins. */
export interface ClientKind {
  start(parts: ClientParts): Promise<DappClient>
}

/** Place of the client in the page, which both files of WalletConnect know. */
const page = globalThis as { porticoClient?: Promise<DappClient> | undefined }

/** Client of the page; the first call starts it, with the options of its modal. */
export function sharedClient(options: CreateAppKit, kind: ClientKind): Promise<DappClient> {
  page.porticoClient ??= kind
    .start({ relays: relaysOf(options), metadata: metadataOf(options) })
    .catch((error: unknown) => {
      page.porticoClient = undefined
      throw error
    })
  return page.porticoClient
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
