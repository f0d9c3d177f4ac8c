//! Sign-in and connection with one response (CAIP-222): a signed message for each network (CAIP-74) instead of a proposal.

import type { AuthenticateRequest, Signable, Signing } from '@portico/walletconnect'
import { type Account, accountId, accountsOf, ethereumSigner } from './accounts.ts'
import { type Ask, CODES, Refusal } from './ask.ts'
import { ABILITIES, type Network, networks } from './networks.ts'
import type { Peer } from './peer.ts'
import { signInWarning } from './sign-in.ts'
import { wholeText } from './text.ts'

/** Returns the message that an account has to sign; `issuer` is a did:pkh. */
export type MessageFor = (issuer: string, signing: Signing) => Promise<Signable>

/** Reads a sign-in request; null if this wallet has none of its networks, so that only a plain proposal can connect. */
export async function readAuthenticate(
  { authPayload }: AuthenticateRequest,
  peer: Peer,
  messageFor: MessageFor
): Promise<Ask | null> {
  const asked = networks.filter(({ id, namespace }) => namespace === 'eip155' && authPayload.chains.includes(id))
  const [network, ...others] = asked
  const [account] = accountsOf('eip155')
  if (!network || !account) return null
  // The signature authorises only networks and methods that this wallet supports.
  const signing = { chains: asked.map(({ id }) => id), methods: ABILITIES.eip155.methods }
  const signables = await Promise.all(asked.map((one) => messageFor(issuerOf(one, account), signing)))
  const text = signables[0]?.message ?? ''
  const warning = signInWarning(text, { host: peer.host, address: account.address })
  return {
    title: 'Sign in and connect?',
    network,
    account,
    body: { type: 'message', text: wholeText(text), bytes: false },
    warnings: [
      ...(warning === null ? [] : [warning]),
      ...(others.length === 0 ? [] : [`You also sign this for ${others.map(({ name }) => name).join(', ')}.`])
    ],
    verb: 'Sign in',
    perform: () => Promise.all(signables.map((signable) => cacao(signable, account)))
  }
}

const issuerOf = (network: Network, account: Account) => `did:pkh:${accountId(network, account)}`

async function cacao({ message, payload }: Signable, account: Account) {
  const signer = ethereumSigner(account.address)
  if (!signer) throw new Refusal(CODES.internal, 'This wallet has no key for that account.')
  return { h: { t: 'caip122' }, p: payload, s: { t: 'eip191', s: await signer.signMessage({ message }) } }
}
