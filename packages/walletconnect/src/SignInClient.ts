import { Client, type ClientParts } from './Client.ts'
import { SignInKnown } from './Known.ts'
import { load } from './load.ts'
import type { Authenticating, Pairing } from './types.ts'
import { alone } from './world.ts'

/** Client for applications whose pairings may ask for a sign-in: its module does not contain the wallet side. */
export class SignInClient extends Client {
  /** Loads the module and restores the stored sessions. */
  static async start(parts: ClientParts): Promise<SignInClient> {
    await load(parts.wasm ?? new URL('../wasm/sign_in_bg.wasm', import.meta.url))
    return alone(() => new SignInClient(parts, new SignInKnown()))
  }

  /** Offers a pairing with a sign-in (CAIP-122). The wallet's response is the event `authenticated`, `settled` or `rejected`. */
  authenticateNow(asked: Authenticating): Pairing {
    return this.askNow({ ...asked, type: 'authenticate' })
  }
}
