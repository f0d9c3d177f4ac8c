import type { EIP1193Provider } from 'viem'
import { AMOUNT, MESSAGE, RECEIVER } from './values.ts'

export async function sign(provider: EIP1193Provider): Promise<string> {
  const { BrowserProvider, verifyMessage } = await import('ethers')
  const signer = await new BrowserProvider(provider).getSigner()
  const signature = await signer.signMessage(MESSAGE)
  const valid = verifyMessage(MESSAGE, signature) === (await signer.getAddress())
  return `${valid ? 'valid' : 'invalid'} signature ${signature}`
}

export async function send(provider: EIP1193Provider): Promise<string> {
  const { BrowserProvider, parseEther } = await import('ethers')
  const signer = await new BrowserProvider(provider).getSigner()
  const sent = await signer.sendTransaction({ to: RECEIVER, value: parseEther(AMOUNT) })
  return `sent ${sent.hash}`
}
