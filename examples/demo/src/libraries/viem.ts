import type { EIP1193Provider } from 'viem'
import { AMOUNT, MESSAGE, RECEIVER } from './values.ts'

export async function sign(provider: EIP1193Provider): Promise<string> {
  const { createWalletClient, custom, verifyMessage } = await import('viem')
  const client = createWalletClient({ transport: custom(provider) })
  const account = await onlyAccount(client.getAddresses())
  const signature = await client.signMessage({ account, message: MESSAGE })
  const valid = await verifyMessage({ address: account, message: MESSAGE, signature })
  return `${valid ? 'valid' : 'invalid'} signature ${signature}`
}

export async function send(provider: EIP1193Provider): Promise<string> {
  const { createWalletClient, custom, parseEther } = await import('viem')
  const client = createWalletClient({ transport: custom(provider) })
  const account = await onlyAccount(client.getAddresses())
  const hash = await client.sendTransaction({ account, chain: null, to: RECEIVER, value: parseEther(AMOUNT) })
  return `sent ${hash}`
}

async function onlyAccount(asked: Promise<`0x${string}`[]>): Promise<`0x${string}`> {
  const [account] = await asked
  if (!account) throw new Error('The wallet shows no account')
  return account
}
