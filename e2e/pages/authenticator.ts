//! Virtual authenticator of Chromium, with the PRF extension.

import type { CDPSession } from 'playwright-core'
import type { Visit } from '../world/visit.ts'

export interface Authenticator {
  readonly debug: CDPSession
  readonly id: string
}

/** Gives the browser of a visit an authenticator that knows its visitor. */
export async function authenticatorOf(visit: Visit): Promise<Authenticator> {
  const debug = await visit.context.newCDPSession(visit.page)
  await debug.send('WebAuthn.enable')
  const { authenticatorId: id } = await debug.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      hasPrf: true,
      isUserVerified: true,
      automaticPresenceSimulation: true
    }
  })
  return { debug, id }
}

/** Number of uses of its passkeys. */
export async function usesOf({ debug, id }: Authenticator): Promise<number> {
  const { credentials } = await debug.send('WebAuthn.getCredentials', { authenticatorId: id })
  return credentials.reduce((sum, { signCount }) => sum + signCount, 0)
}

/** Whether its answers say from now on that it knew its visitor. */
export async function verifies({ debug, id }: Authenticator, knows: boolean): Promise<void> {
  await debug.send('WebAuthn.setResponseOverrideBits', { authenticatorId: id, isBadUV: !knows })
}
