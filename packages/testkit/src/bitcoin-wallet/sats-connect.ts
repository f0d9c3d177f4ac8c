//! Object of sats-connect: answers are JSON-RPC, errors have its own codes.

import { base64 } from '@scure/base'
import type { BitcoinVault } from './bitcoin-wallet.ts'
import type { BitcoinKey, BitcoinNetworkName } from './signing.ts'

interface Listener {
  readonly eventName: string
  readonly cb: (event: unknown) => void
}

const USER_REJECTION = -32_000
const METHOD_NOT_FOUND = -32_601
const ACCESS_DENIED = -32_002

/** Names of the networks of Spark, which a wallet of several chains tells beside that of Bitcoin. */
const SPARK = { mainnet: 'mainnet', testnet: 'regtest' }

const capitalized = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

export function satsConnectFace(vault: BitcoinVault) {
  const listeners = new Set<Listener>()
  let told = vault.network

  const described = (keys: readonly BitcoinKey[]) =>
    keys.map(({ address, publicKey, purpose, kind }) => ({
      address: vault.mode === 'nonsense' ? `${address}x` : address,
      publicKey: [...publicKey].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
      purpose,
      addressType: kind,
      walletType: 'software'
    }))
  const networks = () => {
    const other = vault.network === 'mainnet' ? 'mainnet' : 'testnet'
    return { bitcoin: { name: capitalized(vault.network) }, stacks: { name: other }, spark: { name: SPARK[other] } }
  }
  const account = () => ({
    id: vault.name,
    addresses: described(vault.permitted()),
    walletType: 'software',
    network: networks()
  })

  async function answer(method: string, params: Readonly<Record<string, never>>): Promise<unknown> {
    const given = params as Readonly<Record<string, unknown>>
    switch (method) {
      case 'wallet_connect':
        await vault.connect(given.network ? (String(given.network).toLowerCase() as BitcoinNetworkName) : undefined)
        told = vault.network
        return account()
      case 'wallet_getAccount':
        if (vault.permitted().length === 0) throw { code: ACCESS_DENIED, message: 'Access denied.' }
        return account()
      case 'wallet_disconnect':
        vault.disconnect()
        return null
      case 'wallet_changeNetwork':
        vault.switchNetwork(String(given.name).toLowerCase() as BitcoinNetworkName)
        told = vault.network
        return null
      case 'signMessage': {
        const address = String(given.address)
        const protocol = given.protocol === undefined ? undefined : given.protocol === 'BIP322' ? 'bip322' : 'ecdsa'
        const signature = await vault.signMessage(address, String(given.message), protocol)
        const used = signature.length === 65 ? 'ECDSA' : 'BIP322'
        return { address, signature: base64.encode(signature), messageHash: '', protocol: used }
      }
      case 'signPsbt': {
        const inputs = Object.entries(given.signInputs as Record<string, number[]>).flatMap(([address, indexes]) =>
          indexes.map((index) => ({ address, index }))
        )
        const { psbt, txid } = await vault.signPsbt({
          psbt: base64.decode(String(given.psbt)),
          network: vault.network,
          inputs,
          broadcast: given.broadcast === true
        })
        return { psbt: base64.encode(psbt), ...(txid === undefined ? {} : { txid }) }
      }
      case 'sendTransfer': {
        const [first] = given.recipients as { address: string; amount: number }[]
        return { txid: await vault.send(first?.address ?? '', first?.amount ?? 0) }
      }
      default:
        throw { code: METHOD_NOT_FOUND, message: `Method ${method} not found.` }
    }
  }

  vault.follow(() => {
    const addresses = described(vault.permitted())
    const type = told === vault.network ? 'accountChange' : 'networkChange'
    told = vault.network
    const event = { type, ...networks(), addresses }
    for (const { eventName, cb } of [...listeners]) {
      if (addresses.length === 0 && eventName === 'disconnect') cb({ type: 'disconnect' })
      if (addresses.length > 0 && eventName === type) cb(event)
    }
  })

  return {
    async request(method: string, params?: unknown): Promise<unknown> {
      try {
        return { jsonrpc: '2.0', id: '1', result: await answer(method, (params ?? {}) as never) }
      } catch (thrown) {
        const { code, message } = thrown as { code: number; message: string }
        return { jsonrpc: '2.0', id: '1', error: { code: code === 4001 ? USER_REJECTION : code, message } }
      }
    },
    addListener(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
