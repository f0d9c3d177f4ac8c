//! Connects a Solana wallet and signs in to the site by one approval (`solana:signIn` of the Wallet Standard).

import { LOCALNET, standardChain } from '../adapters/solana/chains.ts'
import { field, thrownToJson } from './json.ts'
import type { Site } from './oneClick.ts'
import type { WalletRequest } from './perform/wallet.ts'
import { fieldsOf, textsOf } from './signedFields.ts'
import { messageOf } from './signIn.ts'

/** Feature of the Wallet Standard, and name of the request to the widget's provider. */
const SIGN_IN = 'solana:signIn'

/** EIP-1193 code: the visitor refused. */
const REFUSED = 4001

/** Provider of the widget over a wallet of the Wallet Standard; providers of other kinds have no `wallet`. */
interface SignInProvider {
  readonly wallet?: { readonly features: Readonly<Record<string, unknown>> }
}

/** What the provider answers: the account that signed, the text and the signature in base58. */
interface Signed {
  readonly accounts: readonly string[]
  readonly address: string
  readonly message: string
  readonly signature: string
}

/** Wallets whose sign-in failed: they connect, and the visitor signs in after it. */
const unfit = new WeakSet<object>()

/**
 * Asks the wallet to sign in on the network of a request to connect, and tells the core of the session. Resolves with the accounts; `undefined` if wallet or site
 * cannot sign in this way, so that the wallet is to be asked to connect alone. Rejects if the visitor refuses.
 */
export async function connectSigned(
  { provider, params }: Pick<WalletRequest, 'provider' | 'params'>,
  { options, dispatch }: Pick<Site, 'options' | 'dispatch'>
): Promise<{ readonly accounts: readonly string[] } | undefined> {
  const { wallet } = provider as SignInProvider
  const chainId = String(field(params, 'network'))
  const chain = standardChain(chainId)
  // The standard has one name for all networks of developers, so a signature for it says nothing about the site's own.
  if (field(params, 'silent') || !wallet || !(SIGN_IN in wallet.features) || unfit.has(wallet) || chain === LOCALNET)
    return undefined
  const message = await messageOf(options, chainId).catch(() => undefined)
  if (!message) return undefined
  try {
    const fields = fieldsOf(message)
    const signed = (await provider.request({ method: SIGN_IN, params: { ...fields, chainId: chain } })) as Signed
    const data = { ...fields, chainId, accountAddress: signed.address }
    // A wallet that signed another text has connected nonetheless.
    if (textsOf({ ...data, chainId: chain }).includes(signed.message)) {
      const session = { ...data, data, message: signed.message, signature: signed.signature }
      dispatch({ feature: 'siwx', event: { type: 'walletSigned', sessions: [session] } })
    } else {
      unfit.add(wallet)
    }
    return { accounts: signed.accounts }
  } catch (error) {
    if (field(thrownToJson(error), 'code') === REFUSED) throw error
    unfit.add(wallet)
    return undefined
  }
}
