//! Sign-in of this page, in the browser alone: `/?siwx=required`. A site with a server asks it for the nonce and lets it verify the signature.

import type { SIWXConfig } from '@portico/widget'
import {
  BIP122Verifier,
  DefaultSIWX,
  EIP155Verifier,
  InformalMessenger,
  PolkadotVerifier,
  ServerSIWX,
  SolanaVerifier
} from '@portico/widget/siwx'
import { networks } from './networks.ts'

/** Validity of a sign-in in milliseconds: a day. */
const VALIDITY = 86_400_000

/** `server`: at the server of this page. In the browser alone: `required`, `optional`; `down` and `silent` cannot prepare a sign-in, to test. */
export function signIn(name: string): SIWXConfig {
  const { host, origin } = location
  // `&oneClick=test.portico.demo`: this wallet is asked to connect and sign in by one request.
  const asked = new URL(location.href).searchParams
  const oneClickWallets = asked.getAll('oneClick')
  if (name === 'server') {
    const statement = 'Sign in to see your orders.'
    // `&cookie`: the token is in a cookie, which scripts cannot read.
    return new ServerSIWX({ url: origin, projectId: 'demo', statement, oneClickWallets, cookie: asked.has('cookie') })
  }
  const sign = new DefaultSIWX({
    required: name !== 'optional',
    oneClickWallets,
    verifiers: [new EIP155Verifier({ networks }), new SolanaVerifier(), new BIP122Verifier(), new PolkadotVerifier()],
    messenger: new InformalMessenger({
      domain: host,
      uri: `${origin}/`,
      statement: 'Sign in to see your orders.',
      expiration: VALIDITY,
      // The login of the embedded wallet signs a message in the same step only if it names no resources.
      ...(asked.has('login') ? {} : { resources: [`${origin}/shop.svg`] }),
      getRequestId: async () => 'halcyon-1',
      getNonce: async () => crypto.randomUUID().replaceAll('-', '')
    })
  })
  if (name === 'down') sign.getSessions = () => Promise.reject(new Error('The server is down'))
  if (name === 'silent') sign.createMessage = () => new Promise(() => {})
  return sign
}
