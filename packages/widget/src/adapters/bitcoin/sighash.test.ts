import { BITCOIN_TEST_KEYS, type BitcoinKey, bitcoinKeysOf } from '@portico/testkit'
import { base64, hex } from '@scure/base'
import { SigHash, Transaction } from '@scure/btc-signer'
import { describe, expect, it, vi } from 'vitest'
import { BitcoinProvider } from './BitcoinProvider.ts'
import { LeatherWay, SatsConnectWay } from './RequestWay.ts'
import { StandardWay } from './StandardWay.ts'
import { MAIN_ALONE, UnisatWay } from './UnisatWay.ts'
import type { Way } from './way.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SECRET = BITCOIN_TEST_KEYS[0] as Uint8Array
const KEY = bitcoinKeysOf(SECRET, 'mainnet')[0] as BitcoinKey
const ADDRESS = KEY.address
/** All outputs, and this input alone. */
const ONE_INPUT = SigHash.ALL_ANYONECANPAY

/** Transaction of three inputs of the account, encoded by another library; the second input names a type. */
function spending(): string {
  const transaction = new Transaction()
  const { script } = KEY
  for (const [index, sighashType] of [undefined, SigHash.SINGLE, undefined].entries())
    transaction.addInput({
      txid: 'cd'.repeat(32),
      index,
      witnessUtxo: { amount: 20_000n, script },
      ...(sighashType === undefined ? {} : { sighashType })
    })
  transaction.addOutput({ amount: 10_000n, script })
  transaction.addOutput({ amount: 9_000n, script })
  return base64.encode(transaction.toPSBT())
}

/** Wallet of each way: it keeps what it is asked, and signs all that its own library can read. */
function walletOf(way: string) {
  const asked = vi.fn((_params: unknown) => {})
  const psbts: Transaction[] = []
  const sign = (bytes: Uint8Array): Uint8Array => {
    psbts.push(Transaction.fromPSBT(bytes))
    const transaction = Transaction.fromPSBT(bytes)
    transaction.sign(SECRET, [SigHash.ALL, SigHash.SINGLE, ONE_INPUT])
    return transaction.toPSBT()
  }
  const request = async (method: string, params: { psbt: string; hex: string }) => {
    if (method !== 'signPsbt') return { result: { addresses: [{ address: ADDRESS, purpose: 'payment' }] } }
    const { psbt, hex: inHex, ...rest } = params
    asked(rest)
    return {
      result: psbt ? { psbt: base64.encode(sign(base64.decode(psbt))) } : { hex: hex.encode(sign(hex.decode(inHex))) }
    }
  }
  const features = {
    'standard:connect': { version: '1.0.0', connect: async () => ({}) },
    'bitcoin:signTransaction': {
      version: '1.0.0',
      async signTransaction({ psbt, inputsToSign }: { psbt: Uint8Array; inputsToSign: readonly object[] }) {
        asked(inputsToSign)
        return [{ signedPsbt: sign(psbt) }]
      }
    }
  }
  const unisat = {
    requestAccounts: async () => [ADDRESS],
    async signPsbt(psbt: string, { toSignInputs }: { toSignInputs: unknown }) {
      asked(toSignInputs)
      return hex.encode(sign(hex.decode(psbt)))
    }
  }
  const accounts = [{ address: ADDRESS, chains: ['bitcoin:mainnet'], publicKey: KEY.publicKey, features: [] }]
  const ways: Readonly<Record<string, () => Way>> = {
    'of the Wallet Standard': () => new StandardWay({ name: 'Wallet', accounts, features } as never),
    'of sats-connect': () => new SatsConnectWay({ request }),
    'of Leather': () => new LeatherWay({ request }),
    'of UniSat': () => new UnisatWay(unisat, MAIN_ALONE)
  }
  return { way: (ways[way] as () => Way)(), asked, psbts }
}

async function connected(way: string) {
  const wallet = walletOf(way)
  const provider = new BitcoinProvider('Wallet', wallet.way, () => MAINNET)
  await provider.request({ method: 'getAccountAddresses' })
  return { ...wallet, provider }
}

const signInput = (index: number, sighashTypes?: readonly number[]) => ({
  index,
  address: ADDRESS,
  ...(sighashTypes ? { sighashTypes } : {})
})

/** How each way names the allowed types of the inputs 0 and 2, besides the transaction. */
const NAMED: Readonly<Record<string, unknown>> = {
  'of the Wallet Standard': [
    { account: expect.anything(), signingIndexes: [0], sigHash: 'ALL|ANYONECANPAY' },
    { account: expect.anything(), signingIndexes: [2] }
  ],
  'of sats-connect': { signInputs: { [ADDRESS]: [0, 2] }, broadcast: false },
  'of Leather': { signAtIndex: [0, 2], broadcast: false, network: 'mainnet', allowedSighash: [ONE_INPUT, 0, 1] },
  'of UniSat': [
    { index: 0, address: ADDRESS, sighashTypes: [ONE_INPUT] },
    { index: 2, address: ADDRESS }
  ]
}

describe.each(Object.keys(NAMED))('types of signatures for a wallet %s', (way) => {
  it('are in the transaction that it signs, and in the parameters that it has for them', async () => {
    const { provider, asked, psbts } = await connected(way)
    const given = { psbt: spending(), signInputs: [signInput(0, [ONE_INPUT]), signInput(2)] }
    const { psbt } = await provider.signPSBT(given)
    expect(asked.mock.calls).toEqual([[NAMED[way]]])
    const types = [0, 1, 2].map((index) => psbts[0]?.getInput(index).sighashType)
    expect(types).toEqual([ONE_INPUT, SigHash.SINGLE, undefined])
    const signed = Transaction.fromPSBT(base64.decode(psbt))
    const used = [0, 1, 2].map((index) => signed.getInput(index).partialSig?.[0]?.[1].at(-1))
    expect(used).toEqual([ONE_INPUT, SigHash.SINGLE, SigHash.ALL])
  })

  it('are those that the transaction names, or the usual one of several, which stays as it is', async () => {
    const { provider, psbts } = await connected(way)
    const signInputs = [signInput(0, [SigHash.NONE, SigHash.ALL]), signInput(1, [SigHash.SINGLE, ONE_INPUT])]
    await provider.signPSBT({ psbt: spending(), signInputs })
    expect(base64.encode(psbts[0]?.toPSBT() as Uint8Array)).toBe(spending())
  })

  it('are refused before the wallet is asked, where the transaction names another one or none can be named', async () => {
    const { provider, asked } = await connected(way)
    for (const signInputs of [
      [signInput(1, [SigHash.ALL])],
      [signInput(0, [SigHash.NONE, ONE_INPUT])],
      [signInput(3, [ONE_INPUT])],
      [signInput(0, [])],
      [signInput(0, [0x41])],
      [signInput(0, [1.5])],
      [signInput(0, ['1' as never])],
      [signInput(0, 1 as never)],
      [signInput(0, [ONE_INPUT]), signInput(0, [SigHash.ALL])]
    ])
      await expect(
        provider.signPSBT({ psbt: spending(), signInputs }),
        JSON.stringify(signInputs)
      ).rejects.toMatchObject({ code: -32602 })
    expect(asked).not.toHaveBeenCalled()
  })
})

it('types of signatures are written into no transaction whose inputs are cut off or have a type of another length', async () => {
  const { provider } = await connected('of sats-connect')
  const whole = base64.decode(spending())
  const type = hex.encode(whole).indexOf('01030403000000') / 2
  for (const bytes of [whole.subarray(0, type), Uint8Array.of(...whole.subarray(0, type), 1, 3, 1, 3, 0)])
    await expect(
      provider.signPSBT({ psbt: base64.encode(bytes), signInputs: [signInput(0, [ONE_INPUT])] })
    ).rejects.toMatchObject({ code: -32602 })
})
