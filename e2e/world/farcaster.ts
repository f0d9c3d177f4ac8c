//! Farcaster for tests: the three endpoints of its relay, and its registries on a chain. The visitor's app is `@farcaster/auth-client`.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWalletClient, viemConnector } from '@farcaster/auth-client'
import { type Hex, numberToHex, padHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Addresses of the registries on every chain that has them, as the server knows them. */
const ID_REGISTRY = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
const KEY_REGISTRY = '0x00000000Fc1237824fb747aBDE0FF18990E59b7e'

/** `idOf(address)`: the stored word under the address. */
const ID_CODE = '0x6004355460005260206000f3'
/** `keyDataOf(uint256,bytes)`: the stored word under the key's address as the state, and the type of keys that sign in. */
const KEY_CODE = '0x60643554600052600260205260406000f3'

type Request = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Puts the registries on a chain. */
export async function deployRegistries(request: Request): Promise<void> {
  await request('anvil_setCode', [ID_REGISTRY, ID_CODE])
  await request('anvil_setCode', [KEY_REGISTRY, KEY_CODE])
}

/** Registers a person whose custody address this is. */
export async function register(request: Request, address: Hex, fid: number): Promise<void> {
  await request('anvil_setStorageAt', [ID_REGISTRY, padHex(address, { size: 32 }), numberToHex(fid, { size: 32 })])
}

/** Adds a key with which persons sign in. */
export async function addKey(request: Request, address: Hex): Promise<void> {
  await request('anvil_setStorageAt', [KEY_REGISTRY, padHex(address, { size: 32 }), numberToHex(1, { size: 32 })])
}

interface Channel {
  readonly nonce: string
  readonly url: string
  signed?: Readonly<Record<string, unknown>>
}

export interface Relay {
  readonly origin: string
  /** Everything that apps signed, the oldest first. */
  readonly signed: readonly Readonly<Record<string, unknown>>[]
  /** What the relay tells instead of what an app signed. */
  forge: ((signed: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>) | undefined
  stop(): Promise<void>
}

/** Starts the relay: it opens channels, takes what apps sign, and tells it. */
export async function startRelay(): Promise<Relay> {
  const channels = new Map<string, Channel>()
  const all: Record<string, unknown>[] = []
  const server = createServer(async (request, response) => {
    const tell = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    const channel = channels.get(token)
    const path = `${request.method} ${request.url}`
    if (path === 'POST /v1/channel') {
      const { nonce, siweUri, domain } = await read(request)
      const channelToken = randomUUID()
      const query = new URLSearchParams({
        channelToken,
        nonce: String(nonce),
        siweUri: String(siweUri),
        domain: String(domain)
      })
      const url = `https://farcaster.xyz/~/siwf?${query}`
      channels.set(channelToken, { nonce: String(nonce), url })
      tell(201, { channelToken, url, connectUri: url, nonce })
    } else if (!channel) tell(401, { message: 'Unauthorized' })
    else if (path === 'POST /v1/channel/authenticate') {
      channel.signed = await read(request)
      all.push(channel.signed)
      tell(201, { state: 'completed', ...channel.signed })
    } else if (path === 'GET /v1/channel/status') {
      const { nonce, url, signed } = channel
      const told = signed && (relay.forge?.(signed) ?? signed)
      tell(signed ? 200 : 202, { state: signed ? 'completed' : 'pending', nonce, url, ...told })
    } else tell(404, { message: 'Not found' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    signed: all,
    forge: undefined,
    stop() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
  return relay
}

async function read(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const piece of request) text += piece
  return JSON.parse(text)
}

export interface Approval {
  readonly key: Hex
  readonly fid: number
  readonly username: string
  /** Domain that the app signs; that of the link by default. */
  readonly domain?: string
}

/** The visitor's app: opens the address of the code, and signs for a person. */
export async function approveInApp(
  relay: Relay,
  address: string,
  { key, fid, username, domain }: Approval
): Promise<void> {
  const app = createWalletClient({ relay: relay.origin, ethereum: viemConnector({ rpcUrl: relay.origin }) })
  const { channelToken } = app.parseSignInURI({ uri: address })
  const asked = new URL(address).searchParams
  const account = privateKeyToAccount(key)
  const built = app.buildSignInMessage({
    address: account.address,
    fid,
    domain: domain ?? asked.get('domain') ?? '',
    uri: asked.get('siweUri') ?? '',
    nonce: asked.get('nonce') ?? ''
  })
  if (built.isError) throw built.error
  const signature = await account.signMessage({ message: built.message })
  const done = await app.authenticate({
    channelToken: channelToken ?? '',
    authKey: 'a key of the app',
    message: built.message,
    signature,
    authMethod: 'custody',
    fid,
    username,
    bio: '',
    displayName: username,
    pfpUrl: 'https://example.org/picture.png'
  })
  if (done.isError) throw done.error
}
