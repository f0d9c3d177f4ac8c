//! Supported requests on Solana: the signature of a text.

import { base58 } from '@scure/base'
import { signSolana } from './accounts.ts'
import { type Ask, CODES, invalid, Refusal, recordIn } from './ask.ts'
import { signInWarning } from './sign-in.ts'
import { permitted, type Situation } from './situation.ts'
import { hides, textOf, wholeText } from './text.ts'

export function solanaAsk(method: string, params: unknown, at: Situation): Ask | { readonly result: unknown } {
  switch (method) {
    case 'solana_getAccounts':
    case 'solana_requestAccounts':
      return { result: at.accounts.map(({ address }) => ({ pubkey: address })) }
    case 'solana_signMessage':
      return signMessage(recordIn(params, 'the parameters'), at)
    default:
      throw new Refusal(CODES.unsupportedMethod, 'On Solana, this wallet signs messages but not transactions.')
  }
}

function signMessage({ message, pubkey }: Readonly<Record<string, unknown>>, at: Situation): Ask {
  const account = permitted(pubkey, at)
  const bytes = bytesOf(message)
  const text = textOf(bytes)
  // Solana signs raw bytes without a prefix, so bytes that are not text could be a transaction.
  if (text === null) throw new Refusal(CODES.invalidParams, 'This wallet signs texts only; the message is not one.')
  const warning = signInWarning(text, { host: at.peer.host, address: account.address })
  return {
    title: 'Sign a message',
    network: at.network,
    account,
    body: { type: 'message', text: wholeText(text), bytes: false },
    warnings: [
      ...(warning === null ? [] : [warning]),
      ...(hides(text) ? ['This message has invisible characters, named in ⟨ ⟩.'] : [])
    ],
    verb: 'Sign',
    perform: async () => ({ signature: base58.encode(signSolana(bytes)) })
  }
}

function bytesOf(message: unknown): Uint8Array {
  // Base58 decoding takes quadratic time.
  if (typeof message !== 'string' || message.length > 20_000) throw invalid('the message to be a text in base58')
  try {
    return base58.decode(message)
  } catch {
    throw invalid('the message to be a text in base58')
  }
}
