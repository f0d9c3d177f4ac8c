//! Connects an EVM wallet and signs in to the site by one approval: `wallet_connect` with the capability `signInWithEthereum`
//! (https://eips.ethereum.org/EIPS/eip-7846).

import type { Eip1193Provider } from '../adapters/eip155/provider.ts'
import type { SIWXMessageData } from '../host/siwx.ts'
import { field, thrownToJson, toJson } from './json.ts'
import type { Site } from './oneClick.ts'
import type { WalletRequest } from './perform/wallet.ts'
import { type Fields, fieldsOf, textsOf } from './signedFields.ts'
import { messageOf } from './signIn.ts'

/** Codes of a visitor's refusal and of a request that the wallet shows already (EIP-1193, EIP-1474): it is asked nothing more then. */
const SHOWN: readonly unknown[] = [4001, -32_002]

/** Time limit in milliseconds for a wallet to tell its chain. */
const PATIENCE = 1_000

/** Wallets that can't: they connect, and the visitor signs in after it. */
const unfit = new WeakSet<Eip1193Provider>()

/**
 * Asks the wallet to sign in on the chain where it is, and tells the core of the session. Resolves with the accounts; `undefined` if wallet or
 * site cannot sign in this way, so that the wallet is to be asked to connect alone. Rejects if the visitor refuses.
 */
export async function connectSigned(
  { provider }: Pick<WalletRequest, 'provider'>,
  { options, networks, dispatch }: Site
): Promise<readonly unknown[] | undefined> {
  if (unfit.has(provider)) return undefined
  const chain = await chainOf(provider).catch(() => 0)
  const chainId = `eip155:${chain}`
  if (!networks.has(chainId)) return undefined
  const message = await messageOf(options, chainId).catch(() => undefined)
  if (!message) return undefined
  // Until it has answered: a visitor who tries again is not held up by a wallet that never does.
  unfit.add(provider)
  try {
    const fields = written(message)
    const capabilities = { signInWithEthereum: { ...fields, chainId: `0x${chain.toString(16)}` } }
    const params = [{ version: '1', capabilities }]
    const answer = field(toJson(await provider.request({ method: 'wallet_connect', params })), 'accounts')
    const accounts = (answer as readonly unknown[]).map((account) => field(account, 'address'))
    // A wallet that signed another text has connected nonetheless.
    const session = sessionOf(field(answer, 0), { ...fields, chainId })
    if (session) {
      unfit.delete(provider)
      dispatch({ feature: 'siwx', event: { type: 'walletSigned', sessions: [session] } })
    }
    return accounts.length > 0 ? accounts : undefined
  } catch (error) {
    if (!SHOWN.includes(field(thrownToJson(error), 'code'))) return undefined
    unfit.delete(provider)
    throw error
  }
}

/** Number of the chain on which the wallet is, and so the one of the connection; 0 if it doesn't tell. */
async function chainOf(provider: Eip1193Provider): Promise<number> {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE))
  const told = await Promise.race([provider.request({ method: 'eth_chainId' }), late])
  return typeof told === 'string' && /^0x[0-9a-f]{1,13}$/i.test(told) ? Number(told) : 0
}

/** Fields as wallets write them: with a time of issue, and with each time in the form of `Date`. */
function written(message: SIWXMessageData): Fields {
  const fields = { issuedAt: new Date().toISOString(), ...fieldsOf(message) }
  const times = (['issuedAt', 'expirationTime', 'notBefore'] as const).flatMap((name) => {
    const time = fields[name]
    return time === undefined ? [] : [[name, new Date(time).toISOString()]]
  })
  return { ...fields, ...Object.fromEntries(times) }
}

/** Session of the account, if it signed the text of these fields; the letters of its address may have any case. */
function sessionOf(account: unknown, fields: Omit<SIWXMessageData, 'accountAddress'>) {
  const signed = field(field(account, 'capabilities'), 'signInWithEthereum')
  const message = String(field(signed, 'message'))
  const [, accountAddress = ''] = message.split('\n')
  const data = { ...fields, accountAddress }
  const own = accountAddress.toLowerCase() === String(field(account, 'address')).toLowerCase()
  if (!own || !textsOf(data).includes(message)) return undefined
  return toJson({ ...data, data, message, signature: field(signed, 'signature') })
}
