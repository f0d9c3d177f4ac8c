//! Wallet on another device: our own client in Node, connected over the relay and controlled by the test; and the page's side of it.

import { afterEach } from 'vitest'
import { Ours, walletOf } from '../peers/sides/ours.ts'
import type { Knows } from '../peers/sides/side.ts'
import { account, granted } from '../peers/world/granted.ts'
import type { UsedWorld } from '../use-world.ts'
import type { Visit } from '../world/visit.ts'
import { connected, open } from './journey.ts'

export const ONE = 'eip155:31337'
export const TWO = 'eip155:31338'

export type Wallet = ReturnType<typeof walletOf>

/** Creates wallets on the server's relay or another one; they are stopped after the test. */
export function usePhones(world: UsedWorld): (relayUrl?: string, knows?: Knows) => Promise<Wallet> {
  let wallets: Wallet[] = []
  afterEach(async () => {
    await Promise.all(wallets.map((wallet) => wallet.stop()))
    wallets = []
  })
  return async (relayUrl = `${world.origin.replace('http', 'ws')}/relay`, knows?: Knows) => {
    const wallet = walletOf(await Ours.wallet('Phone', { relays: [relayUrl], projectId: 'demo' }), knows)
    wallets.push(wallet)
    return wallet
  }
}

export const code = ({ modal }: Visit) => modal.card.locator('wui-qr-code[uri]')

/** Goes from a fresh page to the QR code, and returns its URI. */
export async function shown(visit: Visit): Promise<string> {
  await open(visit)
  await visit.modal.wallet('walletconnect').click()
  return codeOf(visit)
}

/** Pairing URI of the QR code on the screen. */
export async function codeOf(visit: Visit): Promise<string> {
  return (await code(visit).getAttribute('uri')) ?? ''
}

/** The wallet pairs by a URI and approves these chains. Returns the topic of the session. */
export async function approve(wallet: Wallet, uri: string, ...chains: readonly string[]): Promise<string> {
  return grant(wallet, await scan(wallet, uri), ...chains)
}

/** The wallet pairs by a URI. Returns the id of the proposal. */
export async function scan(wallet: Pick<Wallet, 'pair' | 'inbox'>, uri: string): Promise<number> {
  await wallet.pair(uri)
  return (await wallet.inbox.next('proposed')).id
}

export function grant(
  wallet: Pick<Wallet, 'approve'>,
  proposal: number,
  ...chains: readonly string[]
): Promise<string> {
  const { eip155 } = granted(...chains)
  const methods = [...eip155.methods, 'wallet_switchEthereumChain']
  return wallet.approve(proposal, { eip155: { ...eip155, methods } })
}

/** Goes from a fresh page to a session on these chains. */
export async function paired(visit: Visit, wallet: Wallet, ...chains: readonly string[]): Promise<string> {
  const topic = await approve(wallet, await shown(visit), ...chains)
  await visit.modal.gone()
  await connected(visit)
  return topic
}

/** Sends a request to the connected wallet, as a library of the page does. A refusal is returned as its error code. */
export function ask(
  { page }: Pick<Visit, 'page'>,
  method: string,
  params: unknown = [],
  namespace = 'eip155'
): Promise<unknown> {
  return page.evaluate(
    ([method, params, namespace]) => {
      interface Provider {
        request(args: object): Promise<unknown>
      }
      const { kit } = window as unknown as { kit: { getProvider(namespace: string): Provider } }
      return kit
        .getProvider(namespace)
        .request({ method, params })
        .catch((error) => ({ code: error.code }))
    },
    [method, params, namespace] as const
  )
}

/** Requests a signature, which the wallet gives. Returns the chain id of the request. */
export async function signs(page: Pick<Visit, 'page'>, wallet: Wallet, topic: string): Promise<string> {
  const answer = ask(page, 'personal_sign', ['0x68656c6c6f', account.address])
  const { id, chainId } = await wallet.inbox.next('requested')
  const signature = await account.signMessage({ message: 'hello' })
  await wallet.answer(topic, id, signature)
  const got = await answer
  if (got !== signature) throw new Error(`The page was answered ${JSON.stringify(got)}`)
  return chainId
}
