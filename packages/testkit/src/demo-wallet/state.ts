import type { Address } from 'viem'
import { type ProviderEvent, ProviderRpcError, RPC_ERROR } from '../provider.ts'
import { type Chain, hexChainId } from './chain.ts'
import type { Memory } from './storage.ts'

export interface StateOptions {
  readonly accounts: readonly Address[]
  readonly chains: readonly Chain[]
  readonly locked: boolean
  readonly memory: Memory
  readonly emit: (event: ProviderEvent, payload: unknown) => void
}

/** State of the wallet: its chains, the active one, the permitted accounts. Every change that a page can notice emits its event. */
export class WalletState {
  readonly accounts: readonly Address[]
  readonly #memory: Memory
  readonly #emit: StateOptions['emit']
  readonly #addedChains: Chain[]
  readonly #ownChains: readonly Chain[]
  #permitted: readonly Address[]
  #chain: Chain
  #locked: boolean
  #connected = true

  constructor({ accounts, chains, locked, memory, emit }: StateOptions) {
    const [firstChain] = chains
    if (!firstChain) throw new TypeError('The demo wallet needs at least one chain.')
    if (accounts.length === 0) throw new TypeError('The demo wallet needs at least one account.')
    const { permitted, chainId, addedChains } = memory.recall()
    this.accounts = accounts
    this.#memory = memory
    this.#emit = emit
    this.#locked = locked
    this.#ownChains = chains
    this.#addedChains = addedChains.filter((added) => chains.every((own) => own.chainId !== added.chainId))
    this.#permitted = permitted.filter((address) => accounts.includes(address))
    this.#chain = this.findChain(chainId) ?? firstChain
  }

  get chain(): Chain {
    return this.#chain
  }

  get locked(): boolean {
    return this.#locked
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Accounts that the page may see now, the selected one first. */
  get visible(): readonly Address[] {
    return this.#locked ? [] : [...this.#permitted]
  }

  get permitted(): readonly Address[] {
    return this.#permitted
  }

  /** The wallet's own chains, then those that pages added. */
  get chains(): readonly Chain[] {
    return [...this.#ownChains, ...this.#addedChains]
  }

  findChain(chainId: number | undefined): Chain | undefined {
    return this.chains.find((chain) => chain.chainId === chainId)
  }

  permit(accounts: readonly Address[]): void {
    this.#changeAccounts(() => {
      this.#permitted = accounts
    })
    this.#save()
  }

  lock(): void {
    this.#changeAccounts(() => {
      this.#locked = true
    })
  }

  unlock(): void {
    this.#changeAccounts(() => {
      this.#locked = false
    })
  }

  addChain(chain: Chain): void {
    this.#addedChains.push(chain)
    this.#save()
  }

  switchChain(chain: Chain): void {
    if (chain.chainId === this.#chain.chainId) return
    this.#chain = chain
    this.#save()
    this.#emit('chainChanged', hexChainId(chain.chainId))
  }

  /** Marks the provider as connected in the sense of EIP-1193: its chain responded. */
  reached(): void {
    if (this.#connected) return
    this.#connected = true
    this.#emit('connect', { chainId: hexChainId(this.#chain.chainId) })
  }

  lost(reason = new ProviderRpcError(RPC_ERROR.disconnected, 'The wallet is disconnected from its chain.')): void {
    if (!this.#connected) return
    this.#connected = false
    this.#emit('disconnect', reason)
  }

  #changeAccounts(change: () => void): void {
    const before = this.visible.join()
    change()
    const after = this.visible
    if (after.join() !== before) this.#emit('accountsChanged', after)
  }

  #save(): void {
    this.#memory.remember({
      permitted: this.#permitted,
      chainId: this.#chain.chainId,
      addedChains: this.#addedChains
    })
  }
}
