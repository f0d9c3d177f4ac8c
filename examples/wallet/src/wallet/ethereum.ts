//! Supported requests on EVM networks: EIP-191, EIP-712, EIP-1193, EIP-3085, EIP-3326.

import { type Hex, hexToBytes, isHex, stringToHex } from 'viem'
import { type Account, ethereumSigner } from './accounts.ts'
import { type Ask, CODES, invalid, listIn, Refusal, recordIn } from './ask.ts'
import { networkOf } from './networks.ts'
import { signInWarning } from './sign-in.ts'
import { permitted, type Situation } from './situation.ts'
import { hides, textOf, wholeText } from './text.ts'
import { sendTransaction } from './transaction.ts'
import { readTypedData, spends } from './typed-data.ts'

export function ethereumAsk(method: string, params: unknown, at: Situation): Ask | { readonly result: unknown } {
  switch (method) {
    case 'eth_accounts':
    case 'eth_requestAccounts':
      return { result: at.accounts.map(({ address }) => address) }
    case 'eth_chainId':
      return { result: `0x${Number(at.network.id.split(':')[1]).toString(16)}` }
    case 'personal_sign':
      return signMessage(listIn(params), at)
    case 'eth_signTypedData_v3':
      return signTypedData(listIn(params), at, 'no lists')
    case 'eth_signTypedData':
    case 'eth_signTypedData_v4':
      return signTypedData(listIn(params), at)
    case 'eth_sendTransaction':
      return sendTransaction(recordIn(listIn(params)[0], 'the transaction'), at)
    case 'wallet_switchEthereumChain':
    case 'wallet_addEthereumChain':
      return switchNetwork(recordIn(listIn(params)[0], 'the network').chainId, at)
    case 'eth_sign':
      throw new Refusal(CODES.unsupportedMethod, "This wallet doesn't sign what it can't show (eth_sign).")
    default:
      throw new Refusal(CODES.unsupportedMethod, "This wallet doesn't support that method.")
  }
}

function signerOf({ address }: Account) {
  const signer = ethereumSigner(address)
  if (!signer) throw new Refusal(CODES.internal, 'This wallet has no key for that account.')
  return signer
}

function signMessage([first, second]: readonly unknown[], at: Situation): Ask {
  // Old pages send the account first; wallets accept both orders.
  const swapped = isAddress(first) && !isAddress(second)
  const [message, address] = swapped ? [second, first] : [first, second]
  if (typeof message !== 'string') throw invalid('the message to be a text')
  const account = permitted(address, at)
  const raw = isHex(message) && message.length % 2 === 0 ? message : stringToHex(message)
  const text = textOf(hexToBytes(raw))
  const warning = text === null ? null : signInWarning(text, { host: at.peer.host, address: account.address })
  return {
    title: 'Sign a message',
    network: at.network,
    account,
    body: { type: 'message', text: text === null ? raw : wholeText(text), bytes: text === null },
    warnings: [
      ...(warning === null ? [] : [warning]),
      ...(text === null ? ["These are bytes, not text. You can't see what you agree to."] : []),
      ...(text !== null && hides(text) ? ['This message has invisible characters, named in ⟨ ⟩.'] : [])
    ],
    verb: 'Sign',
    perform: () => signerOf(account).signMessage({ message: { raw } })
  }
}

const isAddress = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{40}$/i.test(value)

/** Reads typed data. Version 3 (`no lists`) allows no arrays, and hashes everything else like version 4. */
function signTypedData([address, sent]: readonly unknown[], at: Situation, how?: 'no lists'): Ask {
  const account = permitted(address, at)
  const { definition, domain, message, chainId, primaryType } = readTypedData(sent)
  const fields = Object.values(definition.types as Record<string, readonly { type: string }[]>).flat()
  if (how && fields.some(({ type }) => type.endsWith(']'))) throw invalid('no lists, which version 3 cannot sign')
  // Refused, because signatures for another chain than the shown one are a common way to steal signatures.
  if (chainId !== null && String(chainId) !== at.network.id.split(':')[1]) {
    throw new Refusal(CODES.invalidParams, `The typed data is for chain ${chainId}, not for ${at.network.name}.`)
  }
  return {
    title: 'Sign data',
    network: at.network,
    account,
    body: { type: 'typedData', domain, message },
    warnings: spends(primaryType) ? ['This may let someone take your coins later, without asking again.'] : [],
    verb: 'Sign',
    perform: () => signerOf(account).signTypedData(definition)
  }
}

function switchNetwork(chainId: unknown, at: Situation): Ask {
  if (typeof chainId !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(chainId)) throw invalid('chainId to be hexadecimal')
  const to = networkOf(`eip155:${BigInt(chainId)}`)
  const [account] = at.accounts
  if (!to) throw new Refusal(CODES.unknownChain, "This wallet doesn't support that network.")
  if (!account) throw new Refusal(CODES.unauthorizedAccount, 'The session has no account there.')
  return {
    title: 'Switch network',
    network: at.network,
    account,
    body: { type: 'network', to },
    warnings: [],
    verb: 'Switch',
    perform: () => at.switchTo(to).then(() => null)
  }
}
