//! Balances of Bitcoin, from the source of unspent outputs that the host names. The widget itself asks nobody.

/** Unspent output of a transaction, as Esplora's `GET /address/<address>/utxo` tells it. */
export interface Utxo {
  readonly txid: string
  readonly vout: number
  /** Satoshis. */
  readonly value: number
}

export interface UtxoSource {
  /** Unspent outputs of an address on a network, by its CAIP-2 id. */
  getUTXOs(input: { readonly address: string; readonly network: string }): Promise<readonly Utxo[]>
}

/** Limit of outputs, far above those of any visitor. */
const MOST_OUTPUTS = 100_000

/** Satoshis of an address, as a decimal text. An output that has no amount refuses the whole answer. */
export async function balanceOf(source: UtxoSource, address: string, network: string): Promise<string> {
  const outputs: unknown = await source.getUTXOs({ address, network })
  if (!Array.isArray(outputs) || outputs.length > MOST_OUTPUTS) throw new Error('The source answered without outputs')
  let sum = 0n
  const known = new Set<string>()
  for (const output of outputs as (Partial<Utxo> | null)[]) {
    const { txid, vout, value } = output ?? {}
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw new Error('The source answered with an output without an amount')
    const id = `${txid}:${vout}`
    if (!known.has(id)) sum += BigInt(value)
    known.add(id)
  }
  return String(sum)
}
