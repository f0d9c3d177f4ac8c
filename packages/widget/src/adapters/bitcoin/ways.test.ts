// @vitest-environment happy-dom

import { BITCOIN_TEST_KEYS, type BitcoinKey, bitcoinKeysOf, signBitcoinText } from '@portico/testkit'
import { base64, hex } from '@scure/base'
import { describe, expect, it, vi } from 'vitest'
import { BitcoinProvider } from './BitcoinProvider.ts'
import { LeatherWay, SatsConnectWay } from './RequestWay.ts'
import { StandardWay } from './StandardWay.ts'
import { BY_CHAIN, BY_NETWORK, MAIN_ALONE, UnisatWay } from './UnisatWay.ts'
import type { Way } from './way.ts'

const MAINNET = 'bip122:000000000019d6689c085ae165831e93'
const SIGNET = 'bip122:00000008819873e925422c1ff0f99f7c'
const [PAYMENT, ORDINAL] = bitcoinKeysOf(BITCOIN_TEST_KEYS[0] as Uint8Array, 'mainnet') as [BitcoinKey, BitcoinKey]
const [ADDRESS, TAPROOT] = [PAYMENT.address, ORDINAL.address]
const SIGNET_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const KEY = `02${'ab'.repeat(32)}`
/** Signatures of the text "gm". */
const SIGNATURE = base64.encode(signBitcoinText('gm', PAYMENT, 'ecdsa'))
const WITNESS = base64.encode(signBitcoinText('gm', PAYMENT, 'bip322'))
const TAPROOT_WITNESS = base64.encode(signBitcoinText('gm', ORDINAL, 'bip322'))
const TXID = 'AB'.repeat(32)

/** Partially signed transaction whose transaction has one byte. */
const psbtOf = (byte: number, ...more: number[]) =>
  Uint8Array.of(0x70, 0x73, 0x62, 0x74, 0xff, 1, 0, 1, byte, ...more, 0, 0)
const PSBT = base64.encode(psbtOf(1))
const SIGNED = psbtOf(1, 1, 9, 1, 9)

function provided(way: Way, chain = MAINNET) {
  return new BitcoinProvider('Wallet', way, () => chain)
}

const connect = (provider: BitcoinProvider, silent = false) =>
  provider.request({ method: 'getAccountAddresses', params: { silent } })

/** Object with `request`, whose answers are by method. */
function requested(answers: Readonly<Record<string, unknown>>) {
  return vi.fn(async (method: string, _params?: unknown): Promise<unknown> => {
    const answer = answers[method]
    if (answer === undefined) return { error: { code: -32_601, message: 'no such method' } }
    return typeof answer === 'object' && answer !== null && 'error' in answer ? answer : { result: answer }
  })
}

const OWN = { address: ADDRESS, publicKey: KEY, purpose: 'payment' }
const MAIN = { bitcoin: { name: 'Mainnet' } }

describe('a wallet of sats-connect', () => {
  const known = { addresses: [OWN, { address: 'SP2J6', purpose: 'stacks' }], network: MAIN }

  it('is asked for its addresses the older way if it does not know the newer one', async () => {
    const request = requested({ getAddresses: { addresses: [OWN] } })
    expect(await connect(provided(new SatsConnectWay({ request })))).toEqual([OWN])
    expect(request.mock.calls).toEqual([
      ['wallet_connect', { addresses: ['payment', 'ordinals'], network: 'Mainnet' }],
      ['getAddresses', { purposes: ['payment', 'ordinals'] }]
    ])
  })

  it('keeps the addresses of other chains to itself', async () => {
    const request = requested({ wallet_connect: known })
    expect(await connect(provided(new SatsConnectWay({ request })))).toEqual([OWN])
  })

  it('is refused on another network than the page', async () => {
    const request = requested({ wallet_connect: known, wallet_getAccount: known })
    for (const silent of [true, false])
      await expect(connect(provided(new SatsConnectWay({ request }), SIGNET), silent)).rejects.toMatchObject({
        code: 4901
      })
  })

  it('tells its refusals by the codes that pages know', async () => {
    for (const [code, read] of [
      [-32_000, 4001],
      [-32_603, -32_603]
    ]) {
      const request = requested({ wallet_connect: { error: { code, message: 'No' } } })
      await expect(connect(provided(new SatsConnectWay({ request })))).rejects.toMatchObject({
        code: read,
        message: 'No'
      })
      const throwing = { request: () => Promise.reject({ error: { code, message: 'No' } }) }
      await expect(connect(provided(new SatsConnectWay(throwing)))).rejects.toMatchObject({ code: read })
    }
  })

  it('sends, and signs with the address that was asked for', async () => {
    const answers = { wallet_connect: known, sendTransfer: { txid: TXID } }
    const request = requested({ ...answers, signMessage: { signature: SIGNATURE, address: ADDRESS } })
    const provider = provided(new SatsConnectWay({ request }))
    await connect(provider)
    expect(await provider.sendTransfer({ recipient: TAPROOT, amount: 1_000n })).toBe(TXID.toLowerCase())
    expect(request).toHaveBeenLastCalledWith('sendTransfer', { recipients: [{ address: TAPROOT, amount: 1_000 }] })
    expect(await provider.signMessage({ message: 'gm', protocol: 'ecdsa' })).toBe(SIGNATURE)
    expect(request).toHaveBeenLastCalledWith('signMessage', { address: ADDRESS, message: 'gm', protocol: 'ECDSA' })
    const lying = requested({ ...answers, sendTransfer: {}, signMessage: { signature: SIGNATURE, address: TAPROOT } })
    const other = provided(new SatsConnectWay({ request: lying }))
    await connect(other)
    await expect(other.signMessage({ message: 'gm' })).rejects.toThrow('another address')
    await expect(other.sendTransfer({ recipient: ADDRESS, amount: 1 })).rejects.toThrow('without the id')
  })

  it("sends from the wallet's first account alone, and says what to do while another one is in use", async () => {
    const second = bitcoinKeysOf(BITCOIN_TEST_KEYS[1] as Uint8Array, 'mainnet')[0] as BitcoinKey
    const two = { ...known, addresses: [OWN, { ...OWN, address: second.address }] }
    const request = requested({ wallet_connect: two, sendTransfer: { txid: TXID } })
    const active = { address: second.address }
    const wallet = new SatsConnectWay({ request })
    const provider = new BitcoinProvider(
      'Wallet',
      wallet,
      () => MAINNET,
      undefined,
      () => active.address
    )
    await connect(provider)
    const transfer = { recipient: TAPROOT, amount: 1 }
    const message = 'Wallet pays from its first account. Choose that one, or sign a transaction.'
    await expect(provider.sendTransfer(transfer)).rejects.toMatchObject({ code: 4200, message })
    await expect(provider.request({ method: 'sendTransfer', params: transfer })).rejects.toMatchObject({ message })
    expect(request).toHaveBeenCalledTimes(1)
    // The account of another wallet in use chooses none of this one.
    for (const address of [ADDRESS, SIGNET_ADDRESS]) {
      active.address = address
      expect(await provider.sendTransfer(transfer)).toBe(TXID.toLowerCase())
    }
  })

  it('is refused where it signs another transaction, or by another protocol', async () => {
    const signed = (psbt: unknown) =>
      requested({ wallet_connect: known, signPsbt: { psbt }, signMessage: { address: ADDRESS, signature: WITNESS } })
    const params = { psbt: PSBT, signInputs: [{ index: 0, address: ADDRESS }] }
    const answered = async (psbt: unknown) => {
      const provider = provided(new SatsConnectWay({ request: signed(psbt) }))
      await connect(provider)
      return provider
    }
    const good = await answered(hex.encode(SIGNED))
    expect(await good.signPSBT(params)).toEqual({ psbt: base64.encode(SIGNED) })
    await expect(good.signPSBT({ ...params, broadcast: true })).rejects.toThrow('without the id')
    await expect(good.signMessage({ message: 'gm', protocol: 'ecdsa' })).rejects.toThrow('did not sign by ECDSA')
    expect(await good.signMessage({ message: 'gm' })).toBe(WITNESS)
    for (const [psbt, text] of [
      [base64.encode(psbtOf(2)), 'another transaction'],
      [null, 'without a transaction'],
      ['cHNidA==', 'without a transaction']
    ])
      await expect((await answered(psbt)).signPSBT(params)).rejects.toThrow(text as string)
  })
})

describe('Leather', () => {
  const own = { symbol: 'BTC', type: 'p2wpkh', address: ADDRESS, publicKey: KEY }
  const accounts = { addresses: [{ ...own, type: 'p2tr', address: TAPROOT }, own, { symbol: 'STX', address: 'SP2J6' }] }

  it('has its Taproot address for ordinals, and is asked nothing without a click', async () => {
    const request = requested({ getAddresses: accounts })
    const provider = provided(new LeatherWay({ request }))
    expect(await connect(provider, true)).toEqual([])
    expect(request).not.toHaveBeenCalled()
    expect(await connect(provider)).toMatchObject([
      { address: ADDRESS, purpose: 'payment' },
      { address: TAPROOT, purpose: 'ordinal' }
    ])
  })

  it('is asked by the kind of the address, in hex, and with its name of the network', async () => {
    const answers = { getAddresses: accounts, sendTransfer: { txid: TXID }, signPsbt: { hex: hex.encode(SIGNED) } }
    const request = requested({ ...answers, signMessage: { signature: TAPROOT_WITNESS, address: TAPROOT } })
    const provider = provided(new LeatherWay({ request }))
    await connect(provider)
    expect(await provider.signMessage({ message: 'gm', address: TAPROOT })).toBe(TAPROOT_WITNESS)
    const asked = { message: 'gm', paymentType: 'p2tr', network: 'mainnet' }
    expect(request).toHaveBeenLastCalledWith('signMessage', asked)
    await expect(provider.signMessage({ message: 'gm' })).rejects.toThrow('another address')
    await provider.signPSBT({ psbt: PSBT, signInputs: [{ index: 0, address: ADDRESS }] })
    const given = { hex: hex.encode(psbtOf(1)), signAtIndex: [0], broadcast: false, network: 'mainnet' }
    expect(request).toHaveBeenLastCalledWith('signPsbt', given)
    await provider.sendTransfer({ recipient: ADDRESS, amount: '5' })
    const sent = { recipients: [{ address: ADDRESS, amount: '5' }], network: 'mainnet' }
    expect(request).toHaveBeenLastCalledWith('sendTransfer', sent)
    await expect(provider.switchNetwork(SIGNET)).rejects.toMatchObject({ code: 4200 })
  })
})

describe('UniSat, and OKX and Bitget on the main network', () => {
  function unisat(more: object = {}) {
    const heard = new Map<string, (payload: unknown) => void>()
    let chain = 'BITCOIN_MAINNET'
    const accounts = async () => [chain === 'BITCOIN_MAINNET' ? ADDRESS : SIGNET_ADDRESS]
    const wallet = {
      requestAccounts: vi.fn(accounts),
      getAccounts: vi.fn(accounts),
      getPublicKey: async () => KEY,
      getChain: async () => ({ enum: chain }),
      switchChain: vi.fn(async (next: string) => {
        chain = next
      }),
      signMessage: vi.fn(async (_message: string, type: string) => (type === 'ecdsa' ? SIGNATURE : WITNESS)),
      signPsbt: vi.fn(async () => hex.encode(SIGNED)),
      pushPsbt: vi.fn(async () => TXID),
      sendBitcoin: vi.fn(async () => TXID),
      on: (event: string, listener: (payload: unknown) => void) => heard.set(event, listener),
      ...more
    }
    return { wallet, heard }
  }

  it('connects on the page’s network, silently where it may, and follows its wallet', async () => {
    const { wallet, heard } = unisat()
    const provider = provided(new UnisatWay(wallet, BY_CHAIN), SIGNET)
    const told: unknown[] = []
    provider.on('chainChanged', (one: never) => told.push(one))
    provider.on('accountsChanged', (one: never) => told.push(one))
    await expect(connect(provider, true)).rejects.toMatchObject({ code: 4901 })
    expect(await connect(provider)).toEqual([{ address: SIGNET_ADDRESS, publicKey: KEY, purpose: 'payment' }])
    expect(wallet.switchChain).toHaveBeenCalledWith('BITCOIN_SIGNET')
    await wallet.switchChain('BITCOIN_MAINNET')
    heard.get('chainChanged')?.({ enum: 'BITCOIN_MAINNET' })
    await expect.poll(() => told).toEqual([MAINNET, [ADDRESS]])
    heard.get('accountsChanged')?.([])
    await expect.poll(() => told.at(-1)).toEqual([])
  })

  it('ends the connection where the wallet goes to a network that is not Bitcoin’s', async () => {
    const { wallet, heard } = unisat()
    const provider = provided(new UnisatWay(wallet, BY_CHAIN))
    await connect(provider)
    const told = vi.fn()
    provider.on('accountsChanged', told)
    heard.get('chainChanged')?.({ enum: 'FRACTAL_BITCOIN_MAINNET' })
    await expect.poll(() => told.mock.calls).toEqual([[[]]])
    await expect(provider.signMessage({ message: 'gm' })).rejects.toMatchObject({ code: 4100 })
  })

  it('signs by the protocol that fits the address, and sends what it signed', async () => {
    const { wallet } = unisat()
    const provider = provided(new UnisatWay(wallet, BY_CHAIN))
    await connect(provider)
    expect(await provider.signMessage({ message: 'gm' })).toBe(SIGNATURE)
    expect(await provider.signMessage({ message: 'gm', protocol: 'bip322' })).toBe(WITNESS)
    const signInputs = [{ index: 0, address: ADDRESS }]
    const answer = await provider.signPSBT({ psbt: PSBT, signInputs, broadcast: true })
    expect(answer).toEqual({ psbt: base64.encode(SIGNED), txid: TXID.toLowerCase() })
    expect(wallet.signPsbt).toHaveBeenCalledWith(hex.encode(psbtOf(1)), {
      autoFinalized: true,
      toSignInputs: signInputs
    })
    expect(await provider.sendTransfer({ recipient: ADDRESS, amount: 5 })).toBe(TXID.toLowerCase())
    expect(wallet.sendBitcoin).toHaveBeenCalledWith(ADDRESS, 5)
    const taproot = unisat({ requestAccounts: async () => [TAPROOT], signMessage: vi.fn(async () => TAPROOT_WITNESS) })
    const other = provided(new UnisatWay(taproot.wallet, MAIN_ALONE))
    expect(await connect(other)).toMatchObject([{ address: TAPROOT, purpose: 'payment' }])
    expect(await other.signMessage({ message: 'gm' })).toBe(TAPROOT_WITNESS)
    expect(taproot.wallet.signMessage).toHaveBeenCalledWith('gm', 'bip322-simple')
  })

  it('refuses a network that the wallet does not have for pages, and what it has no function for', async () => {
    const { wallet } = unisat()
    await expect(connect(provided(new UnisatWay(wallet, MAIN_ALONE), SIGNET))).rejects.toMatchObject({ code: 4902 })
    expect(wallet.requestAccounts).not.toHaveBeenCalled()
    const provider = provided(new UnisatWay(unisat({ sendBitcoin: undefined }).wallet, MAIN_ALONE))
    await connect(provider)
    await expect(provider.sendTransfer({ recipient: ADDRESS, amount: 1 })).rejects.toMatchObject({ code: 4200 })
    await expect(provider.switchNetwork(SIGNET)).rejects.toMatchObject({ code: 4902 })
  })

  it.each([null, 'nobody', [null], [7], [''], [`${ADDRESS}q`], Array(101).fill(ADDRESS)])(
    'is not connected by %j',
    async (accounts) => {
      const provider = provided(new UnisatWay(unisat({ requestAccounts: async () => accounts }).wallet, MAIN_ALONE))
      await expect(connect(provider)).rejects.toThrow()
      expect(await provider.getAccountAddresses()).toEqual([])
    }
  )

  it('is not connected on the main network with an address of a test network', async () => {
    const provider = provided(
      new UnisatWay(unisat({ requestAccounts: async () => [SIGNET_ADDRESS] }).wallet, MAIN_ALONE)
    )
    await expect(connect(provider)).rejects.toMatchObject({ code: 4901 })
  })
})

describe('Binance', () => {
  function binance() {
    const heard = new Map<string, (payload: unknown) => void>()
    let network = 'livenet'
    const accounts = async () => [network === 'livenet' ? ADDRESS : SIGNET_ADDRESS]
    const wallet = {
      requestAccounts: vi.fn(accounts),
      getAccounts: vi.fn(accounts),
      getPublicKey: async () => KEY,
      getNetwork: async () => network,
      switchNetwork: vi.fn(async (next: string) => {
        network = next
      }),
      signMessage: vi.fn(async (_message: string, type: string) => (type === 'ecdsa' ? SIGNATURE : WITNESS)),
      signPsbt: vi.fn(async () => hex.encode(SIGNED)),
      on: (event: string, listener: (payload: unknown) => void) => heard.set(event, listener)
    }
    return { wallet, heard }
  }

  it('connects on the page’s network under its own name of it, and follows its wallet', async () => {
    const { wallet, heard } = binance()
    const provider = provided(new UnisatWay(wallet, BY_NETWORK), SIGNET)
    const told: unknown[] = []
    provider.on('chainChanged', (one: never) => told.push(one))
    provider.on('accountsChanged', (one: never) => told.push(one))
    expect(await connect(provider)).toEqual([{ address: SIGNET_ADDRESS, publicKey: KEY, purpose: 'payment' }])
    expect(wallet.switchNetwork.mock.calls).toEqual([['signet']])
    await wallet.switchNetwork('livenet')
    heard.get('networkChanged')?.('livenet')
    await expect.poll(() => told).toEqual([MAINNET, [ADDRESS]])
    for (const nonsense of ['fractal', undefined, 7]) heard.get('networkChanged')?.(nonsense)
    await expect.poll(() => told.at(-1)).toEqual([])
  })

  it('is not asked for a network that it has no name for', async () => {
    const { wallet } = binance()
    const testnet4 = 'bip122:00000000da84f2bafbbc53dee25a72ae'
    await expect(connect(provided(new UnisatWay(wallet, BY_NETWORK), testnet4))).rejects.toMatchObject({ code: 4902 })
    expect(wallet.requestAccounts).not.toHaveBeenCalled()
  })

  it('signs texts and transactions, and asks for no signature on one that it could not send', async () => {
    const { wallet } = binance()
    const provider = provided(new UnisatWay(wallet, BY_NETWORK))
    await connect(provider)
    expect(await provider.signMessage({ message: 'gm', protocol: 'bip322' })).toBe(WITNESS)
    const params = { psbt: PSBT, signInputs: [{ index: 0, address: ADDRESS }] }
    expect(await provider.signPSBT(params)).toEqual({ psbt: base64.encode(SIGNED) })
    await expect(provider.signPSBT({ ...params, broadcast: true })).rejects.toMatchObject({ code: 4200 })
    expect(wallet.signPsbt).toHaveBeenCalledTimes(1)
    await expect(provider.sendTransfer({ recipient: ADDRESS, amount: 1 })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('a wallet of the Wallet Standard', () => {
  it('has no feature whose version is not known', async () => {
    const connectTo = vi.fn()
    const features = { 'standard:connect': { version: '2.0.0', connect: connectTo } }
    const account = { address: ADDRESS, chains: ['bitcoin:mainnet'], publicKey: hex.decode(KEY), features: [] }
    const wallet = { name: 'New', accounts: [account], features } as never
    await expect(connect(provided(new StandardWay(wallet)))).rejects.toMatchObject({ code: 4200 })
    expect(connectTo).not.toHaveBeenCalled()
  })

  it('is refused where it signed another message than the one that it was given', async () => {
    const account = { address: ADDRESS, chains: ['bitcoin:mainnet'], publicKey: hex.decode(KEY), features: [] }
    const signing = (signedMessage: unknown) => ({
      name: 'Sly',
      accounts: [account],
      features: {
        'standard:connect': { version: '1.0.0', connect: async () => ({}) },
        'bitcoin:signMessage': {
          version: '1.0.0',
          signMessage: async () => [{ signedMessage, signature: base64.decode(SIGNATURE) }]
        }
      }
    })
    const prefixed = new TextEncoder().encode('\x18Bitcoin Signed Message:\n\x02gm')
    const good = provided(new StandardWay(signing(prefixed) as never))
    await connect(good)
    expect(await good.signMessage({ message: 'gm' })).toBe(SIGNATURE)
    for (const other of [undefined, new TextEncoder().encode('gn'), new TextEncoder().encode('gm!')]) {
      const provider = provided(new StandardWay(signing(other) as never))
      await connect(provider)
      await expect(provider.signMessage({ message: 'gm' })).rejects.toThrow('another message')
    }
  })
})
