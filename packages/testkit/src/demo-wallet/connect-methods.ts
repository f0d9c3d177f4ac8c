//! Connection and sign-in by one approval: `wallet_connect` of ERC-7846 with its capability `signInWithEthereum`.

import { type Address, getAddress, isHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { invalidParams } from '../provider.ts'
import type { Hands, Method } from './hands.ts'
import * as params from './params.ts'

/** Fields in which the signed text can differ from the asked one; `none` is a wallet that connects and does not sign. */
export const ONE_CLICK_LIES = ['nonce', 'domain', 'uri', 'statement', 'chain', 'account', 'none'] as const

export type OneClick = 'honest' | (typeof ONE_CLICK_LIES)[number]

const LIES: Readonly<Record<string, Partial<Parameters<typeof createSiweMessage>[0]>>> = {
  nonce: { nonce: '00000000' },
  domain: { domain: 'thief.example' },
  uri: { uri: 'https://thief.example/' },
  statement: { statement: 'Give everything away.' },
  chain: { chainId: 1 },
  account: { address: '0x000000000000000000000000000000000000dEaD' }
}

export const connectMethods: Record<string, Method> = {
  async wallet_connect(hands, received) {
    const { capabilities = {} } = params.record(params.list(received)[0], 'the request')
    const asked = params.record(params.record(capabilities, 'capabilities').signInWithEthereum, 'signInWithEthereum')
    return hands.alone('connect', async () => {
      const account = hands.state.permitted[0] ?? (hands.state.accounts[0] as Address)
      const message = messageOf(hands, account, asked)
      await hands.ask('wallet_connect', { kind: 'sign', account, network: hands.state.chain.name, message })
      hands.state.unlock()
      hands.state.permit([account])
      const signature = await hands.signer(account).signMessage({ message })
      const granted = hands.oneClick === 'none' ? {} : { signInWithEthereum: { message, signature } }
      return { accounts: [{ address: account, capabilities: granted }] }
    })
  }
}

/** The text as another library writes it, with the fields that the wallet adds. */
function messageOf({ oneClick = 'honest' }: Hands, account: Address, asked: Readonly<Record<string, unknown>>): string {
  const { chainId, nonce, domain, uri, issuedAt, expirationTime, notBefore, ...rest } = asked
  if (!isHex(chainId)) throw invalidParams('Expected the chain as a hex quantity.')
  const time = (name: string, value: unknown) => (value === undefined ? {} : { [name]: new Date(String(value)) })
  return createSiweMessage({
    ...rest,
    version: '1',
    address: getAddress(account),
    chainId: Number(chainId),
    nonce: String(nonce),
    domain: String(domain ?? location.host),
    uri: String(uri ?? location.href),
    ...time('issuedAt', issuedAt),
    ...time('expirationTime', expirationTime),
    ...time('notBefore', notBefore),
    ...LIES[oneClick]
  })
}
