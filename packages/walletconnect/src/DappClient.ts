import { Client, type ClientParts } from './Client.ts'
import { load } from './load.ts'
import { alone } from './world.ts'

/** Client for applications only: its module does not contain the wallet side. */
export class DappClient extends Client {
  /** Loads the module and restores the stored sessions. */
  static async start(parts: ClientParts): Promise<DappClient> {
    await load(parts.wasm ?? new URL('../wasm/walletconnect_bg.wasm', import.meta.url))
    return alone(() => new DappClient(parts))
  }
}
