//! Writes the text of a message to sign (EIP-4361; CAIP-122 for other namespaces).

import type { SIWXMessage, SIWXMessageData, SIWXMessageInput } from '../../host/siwx.ts'

/** Writes the messages of a sign-in. */
export interface SIWXMessenger {
  createMessage(input: SIWXMessageInput): Promise<SIWXMessage>
}

export interface InformalMessengerOptions {
  readonly domain: string
  readonly uri: string
  /** Nonce of one message: 8 letters and digits or more, each given once. */
  getNonce(input: SIWXMessageInput): Promise<string>
  getRequestId?(): Promise<string>
  /** Sentence that the visitor agrees to, on one line. */
  readonly statement?: string
  readonly resources?: readonly string[]
  /** Validity of a message in milliseconds. */
  readonly expiration?: number
  /** Write the reference of a chain alone, as EIP-4361 says. Default `true`; without it other namespaces have the whole CAIP-2 id. */
  readonly clearChainIdNamespace?: boolean
}

export const names: Readonly<Record<string, string>> = {
  eip155: 'Ethereum',
  solana: 'Solana',
  bip122: 'Bitcoin',
  polkadot: 'Polkadot'
}

export class InformalMessenger implements SIWXMessenger {
  readonly #options: InformalMessengerOptions

  constructor(options: InformalMessengerOptions) {
    this.#options = options
    // A server has no location, and may write for any page.
    const host = globalThis.location?.host
    if (host && options.domain !== host) {
      console.warn(`Sign-in: set \`domain\` to ${host}, the host of this page, instead of ${options.domain}.`)
    }
  }

  async createMessage(input: SIWXMessageInput): Promise<SIWXMessage> {
    const { domain, uri, statement, resources, expiration } = this.#options
    const nonce = await this.#options.getNonce(input)
    const requestId = await this.#options.getRequestId?.()
    const now = Date.now()
    const data: SIWXMessageData = {
      accountAddress: input.accountAddress,
      chainId: input.chainId,
      domain,
      uri,
      version: '1',
      nonce,
      issuedAt: new Date(now).toISOString(),
      ...given('statement', statement),
      ...given('expirationTime', expiration === undefined ? undefined : new Date(now + expiration).toISOString()),
      ...given('notBefore', input.notBefore),
      ...given('requestId', requestId),
      ...given('resources', resources)
    }
    const text = textOf(data, this.#options.clearChainIdNamespace ?? true)
    return { ...data, toString: () => text }
  }
}

const given = <Name extends keyof SIWXMessageData>(name: Name, value: SIWXMessageData[Name] | undefined) =>
  value === undefined ? {} : { [name]: value }

/** Text of a message. Its lines are its grammar, so no field may have more than one. */
export function textOf(data: SIWXMessageData, alone = true): string {
  const [namespace = '', reference = ''] = data.chainId.split(':')
  const { statement, expirationTime, notBefore, requestId, resources } = data
  for (const field of [...Object.values(data), ...(resources ?? [])]) {
    if (typeof field === 'string' && !isPlain(field))
      throw new Error('Use message fields without line breaks and characters that turn the direction')
  }
  return [
    `${data.domain} wants you to sign in with your ${names[namespace] ?? namespace} account:`,
    data.accountAddress,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${data.uri}`,
    `Version: ${data.version}`,
    `Chain ID: ${alone || namespace === 'eip155' ? reference : data.chainId}`,
    `Nonce: ${data.nonce}`,
    `Issued At: ${data.issuedAt}`,
    ...(expirationTime === undefined ? [] : [`Expiration Time: ${expirationTime}`]),
    ...(notBefore === undefined ? [] : [`Not Before: ${notBefore}`]),
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)])
  ].join('\n')
}

/**
 * Whether a text is one line that reads as it is: without control characters, the line breaks of Unicode (U+0085, U+2028, U+2029) and its marks of
 * direction, which can make a text look like another one.
 */
export function isPlain(text: string): boolean {
  return !/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u.test(text)
}
