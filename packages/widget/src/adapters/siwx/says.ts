import type { SIWXMessageData } from '../../host/siwx.ts'
import { LOCALNET, standardChain } from '../solana/chains.ts'

/**
 * Whether a signed text is the sign-in that its fields say: the account signed this account, chain, domain, address and nonce, and not any
 * other text. Each stands on a line of its own (EIP-4361, CAIP-122). The fields have no other end and beginning than the text.
 */
export function says(message: string, data: SIWXMessageData): boolean {
  const lines = message.split('\n')
  const [, reference] = data.chainId.split(':')
  const chains = [`Chain ID: ${reference}`, `Chain ID: ${data.chainId}`]
  // Wallets of the Wallet Standard name Solana's networks in its words.
  const named = standardChain(data.chainId)
  if (named !== LOCALNET) chains.push(`Chain ID: ${named}`)
  return (
    lines[0]?.startsWith(`${data.domain} wants you to sign in with your `) === true &&
    lines[1]?.toLowerCase() === data.accountAddress.toLowerCase() &&
    lines.includes(`URI: ${data.uri}`) &&
    lines.includes(`Nonce: ${data.nonce}`) &&
    lines.some((line) => chains.includes(line)) &&
    saysTime(lines, 'Expiration Time: ', data.expirationTime) &&
    saysTime(lines, 'Not Before: ', data.notBefore)
  )
}

function saysTime(lines: readonly string[], label: string, time: string | undefined): boolean {
  return time === undefined ? !lines.some((line) => line.startsWith(label)) : lines.includes(label + time)
}
