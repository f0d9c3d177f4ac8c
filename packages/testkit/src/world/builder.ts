//! Builder of the test world: each transaction is mined before the next, at a given block time.

import { type Address, encodeDeployData, encodeFunctionData, getAddress, type Hex, toHex } from 'viem'
import type { Anvil } from '../anvil.ts'
import type { Artefact, Creation } from './compile.ts'

/** Start of the world in seconds: 1 June 2025, UTC. */
export const BEGIN = 1_748_736_000
const DAY = 86_400
const SUCCEEDED: Hex = '0x1'
const FAILED: Hex = '0x0'

/** Anvil's own accounts, which the node can sign for. */
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

/** Fixed gas limit and fees per gas in wei, so that no transaction needs an estimate first. */
const FEES = { gas: toHex(8_000_000), maxFeePerGas: toHex(3_000_000_000), maxPriorityFeePerGas: toHex(1_000_000_000) }

interface Receipt {
  readonly status: Hex
  readonly contractAddress: Address | null
}

export class Builder {
  readonly #anvil: Anvil
  #now = BEGIN

  constructor(anvil: Anvil) {
    this.#anvil = anvil
  }

  /** Moves the time of the next transaction one day ahead. */
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

  async deploy(from: Address, { abi, bytecode }: Creation, args: readonly unknown[] = []): Promise<Deployed> {
    const { contractAddress } = await this.#mined({ from, data: encodeDeployData({ abi, bytecode, args: [...args] }) })
    if (!contractAddress) throw new Error('A contract of the world has no address')
    return { abi, address: getAddress(contractAddress) }
  }

  async write(from: Address, { abi, address }: Deployed, functionName: string, args: readonly unknown[], value = 0n) {
    const data = encodeFunctionData({ abi, functionName, args: [...args] })
    await this.#mined({ from, to: address, data, value: toHex(value) })
  }

  async send({ from, to, value = 0n }: Sent): Promise<void> {
    await this.#mined({ from, to, value: toHex(value) })
  }

  /** Sends a transaction that is mined and fails. */
  async fail(from: Address, { abi, address }: Deployed, functionName: string): Promise<void> {
    await this.#mined({ from, to: address, data: encodeFunctionData({ abi, functionName, args: [] }) }, FAILED)
  }

  async #mined(transaction: Readonly<Record<string, Hex>>, wanted: Hex = SUCCEEDED): Promise<Receipt> {
    this.#now += 12
    await this.#anvil.request('evm_setNextBlockTimestamp', [this.#now])
    const receipt = (await this.#anvil.request('eth_sendTransactionSync', [{ ...transaction, ...FEES }])) as Receipt
    if (receipt.status !== wanted) throw new Error(`A transaction of the world has the status ${receipt.status}`)
    return receipt
  }
}
