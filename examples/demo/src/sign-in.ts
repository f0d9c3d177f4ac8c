//! Sign-in of this page, in the browser alone: `/?siwx=required`. A site with a server asks it for the nonce and lets it verify the signature.

import type { SIWXConfig, SIWXSession } from '@portico/widget'
import { DefaultSIWX, InformalMessenger, type SIWXVerifier } from '@portico/widget/siwx'

/** Validity of a sign-in in milliseconds: a day. */
const VALIDITY = 86_400_000

/** Verifies with viem, which is loaded for the first signature. */
const viemVerifier: SIWXVerifier = {
  chainNamespace: 'eip155',
  async verify({ data, message, signature }: SIWXSession): Promise<boolean> {
    const { verifyMessage } = await import('viem')
    const [address, bytes] = [data.accountAddress as `0x${string}`, signature as `0x${string}`]
    return verifyMessage({ address, message, signature: bytes })
  }
}

/** `required`, `optional`; `down` and `silent` cannot prepare a sign-in, to test. */
export function signIn(name: string): SIWXConfig {
  const { host, origin } = location
  const sign = new DefaultSIWX({
    required: name !== 'optional',
    verifiers: [viemVerifier],
    messenger: new InformalMessenger({
      domain: host,
      uri: `${origin}/`,
      statement: 'Sign in to see your orders.',
      expiration: VALIDITY,
      resources: [`${origin}/shop.svg`],
      getRequestId: async () => 'halcyon-1',
      getNonce: async () => crypto.randomUUID().replaceAll('-', '')
    })
  })
  if (name === 'down') sign.getSessions = () => Promise.reject(new Error('The server is down'))
  if (name === 'silent') sign.createMessage = () => new Promise(() => {})
  return sign
}
