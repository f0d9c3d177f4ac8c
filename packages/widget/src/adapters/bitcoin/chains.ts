//! Networks of Bitcoin, under the names that each kind of wallet has for them.

export interface BitcoinChain {
  /** CAIP-2 id, from the first 32 digits of the genesis block's hash (CAIP-4 of bip122). */
  readonly id: string
  /** Form of its addresses, which the test networks share. */
  readonly form: 'main' | 'test' | 'regtest'
  /** Name in the Wallet Standard, after `bitcoin:`, and in Leather. */
  readonly name: string
  readonly satsConnect: string
  readonly unisat: string
}

const chain = (reference: string, form: BitcoinChain['form'], name: string): BitcoinChain => ({
  id: `bip122:${reference}`,
  form,
  name,
  satsConnect: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
  unisat: `BITCOIN_${name.toUpperCase()}`
})

export const CHAINS: readonly BitcoinChain[] = [
  chain('000000000019d6689c085ae165831e93', 'main', 'mainnet'),
  chain('000000000933ea01ad0ee984209779ba', 'test', 'testnet'),
  chain('00000000da84f2bafbbc53dee25a72ae', 'test', 'testnet4'),
  chain('00000008819873e925422c1ff0f99f7c', 'test', 'signet'),
  chain('0f9188f13cb7b2c71f2a335e3a4fc328', 'regtest', 'regtest')
]

/** Network with this CAIP-2 id, or with another name of it. */
export function chainOf(name: unknown): BitcoinChain | undefined {
  return CHAINS.find(({ id, satsConnect, unisat }) => [id, satsConnect, unisat].includes(name as string))
}
