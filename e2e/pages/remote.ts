//! A wallet on another device: our own client in Node, over the relay, which does what the test says. And the page that it meets.

import { afterEach } from 'vitest'
import { Ours, walletOf } from '../peers/sides/ours.ts'
import { account, granted } from '../peers/world/granted.ts'
import type { UsedWorld } from '../use-world.ts'
import type { Visit } from '../world/visit.ts'
import { connected, open } from './journey.ts'

export const ONE = 'eip155:31337'
export const TWO = 'eip155:31338'

export type Wallet = ReturnType<typeof walletOf>

/** Gives wallets, over the server's relay or another, which are gone after the test. */
export function usePhones(world: UsedWorld): (relayUrl?: string) => Promise<Wallet> {
  let wallets: Wallet[] = []
  afterEach(async () => {
    await Promise.all(wallets.map((wallet) => wallet.stop()))
    wallets = []
  })
  return async (relayUrl = `${world.origin.replace('http', 'ws')}/relay`) => {
    const wallet = walletOf(await Ours.wallet('Phone', { relays: [relayUrl], projectId: 'demo' }))
    wallets.push(wallet)
    return wallet
  }
}

export const code = ({ modal }: Visit) => modal.card.locator('wui-qr-code[uri]')

/** From a fresh page to the code on the screen. */
export async function shown(visit: Visit): Promise<string> {
  await open(visit)
  await visit.modal.wallet('walletconnect').click()
  return codeOf(visit)
}

/** What the code on the screen says. */
export async function codeOf(visit: Visit): Promise<string> {
  return (await code(visit).getAttribute('uri')) ?? ''
}

/** The wallet takes up a code and approves these chains, of whichever network the account is. */
export async function approve(wallet: Wallet, uri: string, ...chains: readonly string[]): Promise<string> {
  return grant(wallet, await scan(wallet, uri), ...chains)
}

/** The wallet takes up a code; the id of what is proposed to it. */
export async function scan(wallet: Wallet, uri: string): Promise<number> {
  await wallet.pair(uri)
  return (await wallet.inbox.next('proposed')).id
}

export function grant(wallet: Wallet, proposal: number, ...chains: readonly string[]): Promise<string> {
  const { eip155 } = granted(...chains)
  const methods = [...eip155.methods, 'wallet_switchEthereumChain']
  return wallet.approve(proposal, { eip155: { ...eip155, methods } })
}

/** From a fresh page to a session on these chains. */
export async function paired(visit: Visit, wallet: Wallet, ...chains: readonly string[]): Promise<string> {
  const topic = await approve(wallet, await shown(visit), ...chains)
  await visit.modal.gone()
  await connected(visit)
  return topic
}

/** Asks the connected wallet as a library of the page would. A refusal comes as its code. */
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

/** A signature goes all the way; tells for which chain it was asked. */
export async function signs(page: Pick<Visit, 'page'>, wallet: Wallet, topic: string): Promise<string> {
  const answer = ask(page, 'personal_sign', ['0x68656c6c6f', account.address])
  const { id, chainId } = await wallet.inbox.next('requested')
  const signature = await account.signMessage({ message: 'hello' })
  await wallet.answer(topic, id, signature)
  const got = await answer
  if (got !== signature) throw new Error(`The page was answered ${JSON.stringify(got)}`)
  return chainId
}
