//! Wallet Standard, with its extension for Bitcoin.

import type { BitcoinVault } from './bitcoin-wallet.ts'
import type { BitcoinKey, BitcoinNetworkName } from './signing.ts'

interface Account {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

interface PsbtInput {
  readonly psbt: Uint8Array
  readonly chain: string
  readonly inputsToSign: readonly { readonly account: Account; readonly signingIndexes: readonly number[] }[]
}

/** Networks on which the wallet has accounts, and the standard's names of those with the same addresses. */
const CHAINS = {
  mainnet: ['bitcoin:mainnet'],
  signet: ['bitcoin:testnet', 'bitcoin:testnet4', 'bitcoin:signet'],
  regtest: ['bitcoin:regtest']
} as const
const SIGNING = ['bitcoin:signMessage', 'bitcoin:signTransaction']

export function standardFace(vault: BitcoinVault) {
  const listeners = new Set<(change: { accounts: readonly Account[] }) => void>()
  const accounts = (): readonly Account[] =>
    Object.entries(CHAINS).flatMap(([network, chains]) =>
      vault.permitted(network as keyof typeof CHAINS).map((key) => account(key, chains))
    )
  const account = ({ address, publicKey }: BitcoinKey, chains: readonly string[]): Account => ({
    address: vault.mode === 'nonsense' ? `${address}x` : address,
    publicKey,
    chains,
    features: SIGNING
  })
  vault.follow(() => {
    for (const listener of listeners) listener({ accounts: accounts() })
  })
  return {
    version: '1.0.0',
    name: vault.name,
    icon: vault.icon,
    chains: Object.values(CHAINS).flat(),
    get accounts() {
      return accounts()
    },
    features: {
      'bitcoin:connect': {
        version: '1.0.0',
        async connect(_purposes: { purposes: readonly string[] }) {
          await vault.connect()
          return { accounts: accounts() }
        }
      },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => vault.disconnect() },
      'standard:events': {
        version: '1.0.0',
        on(_event: 'change', listener: (change: { accounts: readonly Account[] }) => void) {
          listeners.add(listener)
          return () => listeners.delete(listener)
        }
      },
      'bitcoin:signMessage': {
        version: '1.0.0',
        async signMessage(...inputs: readonly { account: Account; message: Uint8Array }[]) {
          return Promise.all(
            inputs.map(async ({ account: { address }, message }) => {
              const signature = await vault.signMessage(address, new TextDecoder().decode(message), undefined)
              return { signedMessage: vault.mode === 'other' ? Uint8Array.of(...message, 63) : message, signature }
            })
          )
        }
      },
      'bitcoin:signTransaction': {
        version: '1.0.0',
        async signTransaction(...inputs: readonly PsbtInput[]) {
          return Promise.all(
            inputs.map(async ({ psbt, chain, inputsToSign }) => {
              const all = inputsToSign.flatMap(({ account: { address }, signingIndexes }) =>
                signingIndexes.map((index) => ({ address, index }))
              )
              const network = chain.slice('bitcoin:'.length) as BitcoinNetworkName
              const { psbt: signedPsbt } = await vault.signPsbt({ psbt, network, inputs: all, broadcast: false })
              return { signedPsbt }
            })
          )
        }
      }
    }
  } as const
}
