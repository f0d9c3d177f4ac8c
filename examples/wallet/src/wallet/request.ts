//! Turns a protocol request into a question for the user, an immediate result, or a refusal.

import type { Session, SessionRequest } from '@portico/walletconnect'
import { accountAt } from './accounts.ts'
import { type Ask, CODES, Refusal } from './ask.ts'
import { ethereumAsk } from './ethereum.ts'
import { addressIn, chainIn } from './grant.ts'
import { networkOf } from './networks.ts'
import type { Situation } from './situation.ts'
import { solanaAsk } from './solana.ts'

/** Reads a request; throws a `Refusal` if it is invalid or unsupported. */
export function readRequest(
  { chainId, method, params }: SessionRequest,
  session: Session,
  around: Omit<Situation, 'network' | 'accounts'>
): Ask | { readonly result: unknown } {
  const network = networkOf(chainId)
  if (!network) throw new Refusal(CODES.unsupportedChain, "This wallet doesn't support that network.")
  const granted = session.namespaces[network.namespace]
  const accounts = (granted?.accounts ?? []).flatMap((id) => {
    const account = chainIn(id) === chainId ? accountAt(network.namespace, addressIn(id)) : undefined
    return account ? [account] : []
  })
  if (!granted || accounts.length === 0) {
    throw new Refusal(CODES.unauthorizedAccount, `The session has no account on ${network.name}.`)
  }
  if (!granted.methods.includes(method)) {
    throw new Refusal(CODES.unsupportedMethod, "The session doesn't allow that method.")
  }
  const at: Situation = { ...around, network, accounts }
  switch (network.namespace) {
    case 'eip155':
      return ethereumAsk(method, params, at)
    case 'solana':
      return solanaAsk(method, params, at)
    case 'bip122':
      if (method === 'getAccountAddresses')
        return { result: accounts.map(({ address }) => ({ address, intention: 'payment' })) }
      throw new Refusal(CODES.unsupportedMethod, 'On Bitcoin, this wallet shows its address but signs nothing.')
    case 'polkadot':
      throw new Refusal(CODES.unsupportedMethod, 'On Polkadot, this wallet shows its address but signs nothing.')
  }
}
