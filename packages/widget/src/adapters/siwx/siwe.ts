//! Sign-in messages of EVM accounts (EIP-4361) for `siweConfig` and for the site's server: written, read and verified. Nothing here needs a
//! page, so that a server on Node.js imports it too.

import type { AppKitNetwork } from '../../host/options.ts'
import type { SIWECreateMessageArgs, SIWEMethods, SIWEOptions, SIWXMessageData } from '../../host/siwx.ts'
import { EIP155Verifier } from './EIP155Verifier.ts'
import { isPlain, textOf } from './InformalMessenger.ts'

/** `siweConfig` with its functions and its settings apart. A setting that is not given keeps its default. */
export function createSIWEConfig(config: SIWEMethods & SIWEOptions): { methods: SIWEMethods; options: SIWEOptions } {
  const {
    required,
    enabled,
    signOutOnDisconnect,
    signOutOnAccountChange,
    signOutOnNetworkChange,
    nonceRefetchIntervalMs,
    sessionRefetchIntervalMs,
    ...methods
  } = config
  const options = {
    required,
    enabled,
    signOutOnDisconnect,
    signOutOnAccountChange,
    signOutOnNetworkChange,
    nonceRefetchIntervalMs,
    sessionRefetchIntervalMs
  }
  return { methods, options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) }
}

/** Arguments of `createMessage`, in the names of CACAO (CAIP-74); the address is given apart. */
export type FormatMessageArgs = Omit<SIWECreateMessageArgs, 'address'> & {
  readonly domain?: unknown
  readonly uri?: unknown
}

/**
 * Text to sign (EIP-4361).
 * @param iss Account as `did:pkh:eip155:<chain>:<address>`, which `createMessage` is given as `address`.
 * @throws {TypeError} If a field is missing, has a line break, or the account is not of this form.
 */
export function formatMessage(args: FormatMessageArgs, iss: string): string {
  const { statement, exp, nbf, requestId, resources } = args as Readonly<Record<string, unknown>>
  const data: SIWXMessageData = {
    accountAddress: getDidAddress(iss),
    chainId: `eip155:${getDidChainId(iss)}`,
    domain: text(args.domain, 'domain'),
    uri: text(args.uri, 'uri'),
    version: text(args.version, 'version'),
    nonce: text(args.nonce, 'nonce'),
    issuedAt: text(args.iat, 'iat'),
    ...(statement === undefined ? {} : { statement: text(statement, 'statement') }),
    ...(exp === undefined ? {} : { expirationTime: text(exp, 'exp') }),
    ...(nbf === undefined ? {} : { notBefore: text(nbf, 'nbf') }),
    ...(requestId === undefined ? {} : { requestId: text(requestId, 'requestId') }),
    ...(Array.isArray(resources) ? { resources: resources.map((resource) => text(resource, 'resources')) } : {})
  }
  return textOf(data)
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || !isPlain(value)) throw new TypeError(`\`${name}\` must be one line of text`)
  return value
}

/** Address of an account written as a DID (`did:pkh`). */
export function getDidAddress(iss: string): string {
  return partsOf(iss).address
}

/** Number of the chain of an account written as a DID (`did:pkh`), as text. */
export function getDidChainId(iss: string): string {
  return partsOf(iss).chain
}

function partsOf(iss: string): { chain: string; address: string } {
  const [, chain, address] = /^did:pkh:eip155:(\d+):(0x[0-9a-fA-F]{40})$/.exec(iss) ?? []
  if (chain === undefined || address === undefined) {
    throw new TypeError('Use an account in the form did:pkh:eip155:<chain>:<address>')
  }
  return { chain, address }
}

/**
 * Address of a sign-in message: its second line, and no other address that the text may have.
 * @throws {TypeError} If it is no sign-in message of an EVM account.
 */
export function getAddressFromMessage(message: string): string {
  return read(message).accountAddress
}

/**
 * CAIP-2 id of the chain of a sign-in message, for example `eip155:1`.
 * @throws {TypeError} If it is no sign-in message of an EVM account.
 */
export function getChainIdFromMessage(message: string): string {
  return read(message).chainId
}

const FORM =
  /^(\S+) wants you to sign in with your Ethereum account:\n(0x[0-9a-fA-F]{40})\n\n(?:[^\n]+\n)?\nURI: (\S+)\nVersion: 1\nChain ID: (\d+)\nNonce: ([a-zA-Z0-9]{8,})\nIssued At: (\S+)(?:\n|$)/

function read(message: string): SIWXMessageData {
  const [, domain, accountAddress, uri, chain, nonce, issuedAt] = FORM.exec(message) ?? []
  if (!domain || !accountAddress || !uri || !chain || !nonce || !issuedAt) {
    throw new TypeError('Use a sign-in message of EIP-4361')
  }
  const [expirationTime, notBefore] = ['Expiration Time', 'Not Before'].map(
    (label) => new RegExp(`^${label}: (.*)$`, 'm').exec(message)?.[1]
  )
  return {
    ...{ accountAddress, chainId: `eip155:${chain}`, domain, uri, version: '1', nonce, issuedAt },
    ...(expirationTime === undefined ? {} : { expirationTime }),
    ...(notBefore === undefined ? {} : { notBefore })
  }
}

export interface VerifySignatureArgs {
  /** Account that should have signed. */
  readonly address: string
  readonly message: string
  readonly signature: string
  /** CAIP-2 id of the chain that the session is for. */
  readonly chainId: string
  /** Networks at whose first `rpcUrls.default` contract accounts are asked (EIP-1271, ERC-6492). Without it only keys can sign. */
  readonly networks?: readonly AppKitNetwork[]
}

/**
 * Whether this account signed this sign-in message for this chain. The caller still compares nonce, domain and times with its own.
 * Rejects if the chain of a contract account cannot be asked.
 */
export async function verifySignature(args: VerifySignatureArgs): Promise<boolean> {
  const { address, message, signature, chainId, networks = [] } = args
  const data = FORM.test(message) ? read(message) : undefined
  if (data?.chainId !== chainId || data.accountAddress.toLowerCase() !== address.toLowerCase()) return false
  return new EIP155Verifier({ networks }).verify({ data, message, signature })
}
