//! Browser wallet whose account is a contract: it announces itself to the page (EIP-6963), and a key in the test signs for the contract.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { type Address, concat, encodeFunctionData, getAddress, type Hex, pad, parseAbi } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { serializeErc6492Signature } from 'viem/utils'
import { repository } from '../world/program.ts'
import type { Chain } from '../world/world.ts'

/** Connector of the wallet in the list. */
export const CONTRACT_WALLET = 'test.portico.contract'

const factoryAbi = parseAbi([
  'function addressOf(address owner) view returns (address)',
  'function deploy(address owner) returns (address)'
])

export interface ContractWallet {
  readonly address: Address
  /** Whether the signatures are of another key than the owner's. */
  forges: boolean
  /** Whether the signatures say how the contract is deployed (ERC-6492). */
  wraps: boolean
  /** Methods that the page asked for, oldest first. */
  readonly asked: string[]
  /** Prepares a page for the wallet, before it is loaded. */
  announce(page: Page): Promise<void>
}

/** Wallet of a contract that is deployed on this chain (EIP-1271). */
export async function deployedWallet(chain: Chain): Promise<ContractWallet> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const address = await deploy(chain, concat([code('Account'), pad(owner.address)]))
  return walletOf(chain, owner, address)
}

/** Wallet of a contract whose address is known, and that is not deployed on this chain (ERC-6492). */
export async function counterfactualWallet(chain: Chain): Promise<ContractWallet> {
  const owner = privateKeyToAccount(generatePrivateKey())
  const factory = await deploy(chain, code('AccountFactory'))
  const args = [owner.address] as const
  const question = encodeFunctionData({ abi: factoryAbi, functionName: 'addressOf', args })
  const told = (await chain.request('eth_call', [{ to: factory, data: question }, 'latest'])) as Hex
  const factoryData = encodeFunctionData({ abi: factoryAbi, functionName: 'deploy', args })
  return walletOf(chain, owner, getAddress(`0x${told.slice(-40)}`), { factory, factoryData })
}

function code(name: string): Hex {
  return `0x${readFileSync(join(repository(), `crates/server/contracts/${name}.hex`), 'utf8').trim()}`
}

async function deploy(chain: Chain, data: Hex): Promise<Address> {
  const [from] = (await chain.request('eth_accounts')) as Address[]
  const hash = await chain.request('eth_sendTransaction', [{ from, data }])
  // The block of the transaction may still be made.
  await chain.request('evm_mine')
  const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as { contractAddress: Address }
  return getAddress(receipt.contractAddress)
}

interface Deployment {
  readonly factory: Address
  readonly factoryData: Hex
}

function walletOf(chain: Chain, owner: PrivateKeyAccount, address: Address, deployment?: Deployment): ContractWallet {
  const stranger = privateKeyToAccount(generatePrivateKey())
  const wallet = { address, forges: false, wraps: deployment !== undefined, asked: [] as string[], announce }
  async function sign(raw: Hex): Promise<Hex> {
    const signature = await (wallet.forges ? stranger : owner).signMessage({ message: { raw } })
    if (!wallet.wraps || !deployment) return signature
    return serializeErc6492Signature({ address: deployment.factory, data: deployment.factoryData, signature })
  }
  async function answer(method: string, params: readonly Hex[]): Promise<unknown> {
    wallet.asked.push(method)
    switch (method) {
      case 'eth_accounts':
      case 'eth_requestAccounts':
        return [address]
      case 'eth_chainId':
        return `0x${chain.id.toString(16)}`
      case 'personal_sign':
        return sign(params[0] ?? '0x')
      default:
        return chain.request(method, params)
    }
  }
  async function announce(page: Page): Promise<void> {
    await page.exposeBinding('askContractWallet', (_, method: string, params: Hex[]) => answer(method, params))
    await page.addInitScript(provideWallet, CONTRACT_WALLET)
  }
  return wallet
}

/** Runs in the page. */
function provideWallet(rdns: string): void {
  const { askContractWallet } = window as unknown as { askContractWallet(method: string, params: unknown): unknown }
  const provider = {
    request: ({ method, params = [] }: { method: string; params?: unknown }) => askContractWallet(method, params),
    on() {},
    removeListener() {}
  }
  const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"
  const info = { uuid: '3f0e3c9e-5a0c-4c52-9d3c-6f1f54c0a1d2', name: 'Contract wallet', icon, rdns }
  const detail = Object.freeze({ info, provider })
  const tell = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', tell)
  tell()
}
