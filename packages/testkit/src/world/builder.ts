//! The hands that build a world: each transaction is mined before the next, at a time that is told.

import type { Address, Hash, Hex } from 'viem'
import { createPublicClient, createWalletClient, defineChain, getContractAddress, http, toHex } from 'viem'
import type { Anvil } from '../anvil.ts'
import type { Artefact } from './compile.ts'

/** Seconds; the first of June 2025, UTC. */
export const BEGIN = 1_748_736_000
const DAY = 86_400

/** Anvil's own accounts, whose keys it holds. */
export const ACCOUNTS = [
  '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65',
  '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc',
  '0x976EA74026E726554dB657fA54763abd0C3a0aa9',
  '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955',
  '0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f',
  '0xa0Ee7A142d267C1f36714E4a8F75612F20a79720'
] as const satisfies readonly Address[]

export interface Deployed {
  readonly address: Address
  readonly abi: Artefact['abi']
}

export interface Sent {
  readonly from: Address
  readonly to: Address
  /** In wei. */
  readonly value?: bigint
}

export class Builder {
  readonly #anvil: Anvil
  readonly #wallet
  readonly #reader
  #now = BEGIN
  #fees = {}

  constructor(anvil: Anvil) {
    this.#anvil = anvil
    const chain = defineChain({
      id: anvil.chainId,
      name: 'World',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [anvil.rpcUrl] } }
    })
    const transport = http(anvil.rpcUrl)
    this.#wallet = createWalletClient({ chain, transport })
    this.#reader = createPublicClient({ chain, transport, pollingInterval: 5, cacheTime: 0 })
    // Told, so that nothing is asked for before each transaction.
    this.#fees = { maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 6_000_000n }
  }

  /** What comes next happens on the next day. */
  nextDay(): void {
    this.#now += DAY
  }

  async setCode(address: Address, code: Hex): Promise<void> {
    await this.#anvil.request('anvil_setCode', [address, code])
  }

  async setStorage(address: Address, slot: Hex, value: Hex): Promise<void> {
    await this.#anvil.request('anvil_setStorageAt', [address, slot, value])
  }

  async setBalance(address: Address, wei: bigint): Promise<void> {
    await this.#anvil.request('anvil_setBalance', [address, toHex(wei)])
  }

  async deploy(from: Address, { abi, bytecode }: Artefact, args: readonly unknown[] = []): Promise<Deployed> {
    const nonce = BigInt(await this.#reader.getTransactionCount({ address: from }))
    await this.#mined(() =>
      this.#wallet.deployContract({ account: from, abi, bytecode, args: [...args], ...this.#fees })
    )
    return { abi, address: getContractAddress({ from, nonce }) }
  }

  async write(from: Address, { abi, address }: Deployed, functionName: string, args: readonly unknown[], value = 0n) {
    await this.#mined(() =>
      this.#wallet.writeContract({ account: from, abi, address, functionName, args: [...args], value, ...this.#fees })
    )
  }

  async send({ from, to, value = 0n }: Sent): Promise<void> {
    await this.#mined(() => this.#wallet.sendTransaction({ account: from, to, value, ...this.#fees }))
  }

  /** A transaction that is mined and fails. */
  async fail(from: Address, { abi, address }: Deployed, functionName: string): Promise<void> {
    await this.#mined(
      () => this.#wallet.writeContract({ account: from, abi, address, functionName, args: [], ...this.#fees }),
      'reverted'
    )
  }

  async #mined(send: () => Promise<Hash>, wanted: 'success' | 'reverted' = 'success'): Promise<void> {
    this.#now += 12
    await this.#anvil.request('evm_setNextBlockTimestamp', [this.#now])
    const receipt = await this.#reader.waitForTransactionReceipt({ hash: await send() })
    if (receipt.status !== wanted) throw new Error(`A transaction of the world came to be ${receipt.status}`)
  }
}
