import { Client, type ClientParts } from './Client.ts'
import { load } from './load.ts'
import { alone } from './world.ts'

/** A client for applications alone: its module knows nothing of the wallet's side. */
export class DappClient extends Client {
  /** Loads the module and takes up the sessions that are stored. */
  static async start(parts: ClientParts): Promise<DappClient> {
    await load(parts.wasm ?? new URL('../wasm/walletconnect_bg.wasm', import.meta.url))
    return alone(() => new DappClient(parts))
  }
}
