//! Methods for the active chain: EIP-695, EIP-3085 and EIP-3326.

import { invalidParams, ProviderRpcError, RPC_ERROR } from '../provider.ts'
import { askChain, type Chain, hexChainId } from './chain.ts'
import type { Hands, Method } from './hands.ts'
import * as params from './params.ts'

const ADD = 'wallet_addEthereumChain'
const SWITCH = 'wallet_switchEthereumChain'

export const chainMethods: Record<string, Method> = {
  async eth_chainId({ state }) {
    return hexChainId(state.chain.chainId)
  },

  async net_version({ state }) {
    return String(state.chain.chainId)
  },

  async [SWITCH](hands, received) {
    const chainId = params.chainId(params.record(params.list(received)[0], 'the chain').chainId)
    const chain = hands.state.findChain(chainId)
    if (!chain) {
      const message = `Unrecognized chain ID "${hexChainId(chainId)}". Try adding the chain using ${ADD} first.`
      throw new ProviderRpcError(RPC_ERROR.unknownChain, message)
    }
    return switchTo(hands, SWITCH, chain)
  },

  async [ADD](hands, received) {
    const chain = parseChain(params.list(received)[0])
    const known = hands.state.findChain(chain.chainId)
    if (known) return switchTo(hands, ADD, known)
    return hands.alone(ADD, async () => {
      await requireSameChain(chain)
      await hands.ask(ADD, { kind: 'addChain', network: chain.name, chainId: chain.chainId, rpcUrl: chain.rpcUrl })
      hands.state.addChain(chain)
      hands.state.switchChain(chain)
      return null
    })
  }
}

async function switchTo({ state, ask, alone }: Hands, method: string, chain: Chain): Promise<null> {
  if (chain.chainId === state.chain.chainId) return null
  return alone(SWITCH, async () => {
    await ask(method, { kind: 'switchChain', from: state.chain.name, to: chain.name })
    state.switchChain(chain)
    return null
  })
}

function parseChain(value: unknown): Chain {
  const chain = params.record(value, 'the chain')
  const currency = params.record(chain.nativeCurrency, 'nativeCurrency')
  params.text(currency.symbol, 'nativeCurrency.symbol')
  if (currency.decimals !== 18) throw invalidParams('Expected nativeCurrency.decimals to be 18.')
  const urls = params.list(chain.rpcUrls)
  const rpcUrl = urls.find((url): url is string => typeof url === 'string' && isReachableScheme(url))
  if (rpcUrl === undefined) throw invalidParams('Expected rpcUrls to hold at least one https URL.')
  return { chainId: params.chainId(chain.chainId), name: params.text(chain.chainName, 'chainName'), rpcUrl }
}

/** Plain http is allowed for this machine only. */
function isReachableScheme(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1'))
}

/** EIP-3085 requires the wallet to check the id with the node; otherwise a page could pass one chain off as another. */
async function requireSameChain({ chainId, rpcUrl }: Chain): Promise<void> {
  const answered = await askChain(rpcUrl, 'eth_chainId').catch(() => {
    throw invalidParams(`The node at ${rpcUrl} does not answer.`)
  })
  if (answered !== hexChainId(chainId)) {
    throw invalidParams(`The node at ${rpcUrl} has the chain id ${String(answered)}, not ${hexChainId(chainId)}.`)
  }
}
