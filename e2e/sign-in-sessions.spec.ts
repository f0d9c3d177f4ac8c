//! Sign-in in two steps by a wallet on another device, for accounts of Solana, Bitcoin and Polkadot: the wallet connects, and then signs the message.

import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { cryptoWaitReady, encodeAddress, sr25519PairFromSeed, sr25519Sign } from '@polkadot/util-crypto'
import { base58, base64, hex } from '@scure/base'
import { p2wpkh, WIF } from '@scure/btc-signer'
import { Signer } from 'bip322-js'
import { describe, expect, it } from 'vitest'
import { connected, disconnected } from './pages/journey.ts'
import { scan, shown, usePhones } from './pages/remote.ts'
import { useWorld } from './use-world.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()
const phone = usePhones(world)

/** Account of a wallet, and how the wallet signs a request of its namespace. */
interface Signing {
  readonly page: string
  readonly chain: string
  readonly method: string
  readonly address: string
  /** Text to sign in the parameters. */
  text(params: Record<string, string>): string | undefined
  sign(text: string): unknown
}

const SEED = new Uint8Array(32).fill(7)

function onSolana(): Signing {
  const reference = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  return {
    page: `solana=${reference},only`,
    chain: `solana:${reference}`,
    method: 'solana_signMessage',
    address: base58.encode(ed25519.getPublicKey(SEED)),
    text: ({ message = '' }) => new TextDecoder().decode(base58.decode(message)),
    sign: (text) => ({ signature: base58.encode(ed25519.sign(new TextEncoder().encode(text), SEED)) })
  }
}

function onBitcoin(): Signing {
  const address = p2wpkh(secp256k1.getPublicKey(SEED, true)).address ?? ''
  return {
    page: 'bitcoin=mainnet,only',
    chain: 'bip122:000000000019d6689c085ae165831e93',
    method: 'signMessage',
    address,
    text: ({ message }) => message,
    sign: (text) => {
      const signature = Signer.sign(WIF().encode(SEED), address, text)
      return { address, signature: hex.encode(base64.decode(String(signature))) }
    }
  }
}

async function onPolkadot(): Promise<Signing> {
  await cryptoWaitReady()
  const pair = sr25519PairFromSeed(SEED)
  return {
    page: 'polkadot=polkadot,only',
    chain: 'polkadot:91b171bb158e2d3848fa23a9f1c25182',
    method: 'polkadot_signMessage',
    address: encodeAddress(pair.publicKey, 0),
    text: ({ message }) => message,
    // Wallets wrap a text, so that it can never be a transaction.
    sign: (text) => ({ signature: `0x${hex.encode(sr25519Sign(`<Bytes>${text}</Bytes>`, pair))}` })
  }
}

const sign = ({ modal, page }: Visit) => modal.part('w3m-connecting-siwe-sign').and(page.locator(':not([aria-busy])'))

/** Account of the session, as the server tells it. */
const me = ({ page }: Visit): Promise<string> =>
  page.evaluate(async () => {
    const [{ token }] = JSON.parse(localStorage.getItem('@portico/siwx') ?? '[]')
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch('/auth/v1/me?projectId=demo', { headers })).json()).sub
  })

const stored = ({ page }: Visit) => page.evaluate(() => localStorage.getItem('@portico/siwx'))

describe.each([
  ['Solana', onSolana],
  ['Bitcoin', onBitcoin],
  ['Polkadot', onPolkadot]
] as const)('an account of %s over the relay', (name, start) => {
  /** Visit with a session that has to sign in, and the wallet of the session. */
  async function asked() {
    const signing = await start()
    const { page, chain, method, address } = signing
    const [visit, wallet] = [await world.visit(`/?siwx=server&${page}`, { alone: true }), await phone()]
    const [namespace = ''] = chain.split(':')
    const topic = await wallet.approve(await scan(wallet, await shown(visit)), {
      [namespace]: {
        chains: [chain],
        accounts: [`${chain}:${address}`],
        methods: [method],
        events: ['accountsChanged']
      }
    })
    await sign(visit).waitFor()
    /** The visitor asks for the signature; the wallet's request. */
    const request = async () => {
      await sign(visit).click()
      const asked = await wallet.inbox.next('requested')
      expect([asked.method, asked.chainId]).toEqual([method, chain])
      return { id: asked.id, text: signing.text(asked.params as Record<string, string>) ?? '' }
    }
    return { visit, wallet, topic, signing, request }
  }

  it('spec_3_18_4_25_and_4_26_connects_signs_in_at_the_server_and_is_signed_in_after_a_reload', async () => {
    const { visit, wallet, topic, signing, request } = await asked()
    const { id, text } = await request()
    const lines = text.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      `${new URL(world.origin).host} wants you to sign in with your ${name} account:`,
      signing.address
    ])
    expect(lines).toContain(`Chain ID: ${signing.chain.split(':')[1]}`)
    await wallet.answer(topic, id, signing.sign(text))
    await visit.modal.gone()
    await connected(visit)
    expect(await me(visit)).toBe(`${signing.chain}:${signing.address}`)
    await visit.page.reload()
    await connected(visit)
    await visit.modal.gone()
    expect([await me(visit), wallet.inbox.count('requested')]).toEqual([`${signing.chain}:${signing.address}`, 0])
  })

  it('spec_4_27_and_8_8_is_asked_again_after_a_refusal_and_after_the_signature_of_another_message', async () => {
    const { visit, wallet, topic, signing, request } = await asked()
    const first = await request()
    await wallet.refuse(topic, first.id, { code: 5000, message: 'User rejected.' })
    await visit.modal.snacks('Signature declined')
    const second = await request()
    expect(second.text).not.toBe(first.text)
    await wallet.answer(topic, second.id, signing.sign(first.text))
    await visit.modal.says(/signature/)
    await sign(visit).waitFor()
    expect(await stored(visit)).toBeNull()
    const third = await request()
    await wallet.answer(topic, third.id, signing.sign(third.text))
    await visit.modal.gone()
    expect(await me(visit)).toBe(`${signing.chain}:${signing.address}`)
  })

  it('spec_4_28_is_disconnected_by_cancel_and_the_wallet_hears_it', async () => {
    const { visit, wallet, topic } = await asked()
    await visit.modal.part('w3m-connecting-siwe-cancel').click()
    expect(await wallet.inbox.next('deleted')).toMatchObject({ topic })
    await visit.modal.close()
    await disconnected(visit)
  })
})
