//! WalletConnect's own JavaScript clients, in the last releases under Apache-2.0 and older ones, used through their public API only.

import { WalletKit } from '@reown/walletkit'
import { Core } from '@walletconnect/core'
import { SignClient } from '@walletconnect/sign-client'
import { buildAuthObject, populateAuthPayload } from '@walletconnect/utils'
import { Core as Core216 } from 'core-2.16'
import { SignClient as SignClient217 } from 'sign-client-2.17'
import { WalletKit as WalletKit10 } from 'walletkit-1.0'
import { Inbox } from '../world/Inbox.ts'
import { PROJECT } from '../world/relay.ts'
import type { Cacao, DappEvent, SignedIn, SigningDapp, StartDapp, StartWallet, Wallet, WalletEvent } from './side.ts'

let started = 0

/** Options without telemetry, and with separate storage for each client in the process. */
function options(relayUrl: string) {
  started += 1
  return {
    relayUrl,
    projectId: PROJECT,
    logger: 'silent',
    telemetryEnabled: false,
    storageOptions: { database: ':memory:' },
    customStoragePrefix: `side-${started}`
  }
}

const metadata = (name: string) => ({ name, description: `${name} of a test`, url: 'https://app.example', icons: [] })
const over = { code: 6000, message: 'User disconnected.' }

/** Part of their transport that is accessible to users. */
interface Transport {
  transportClose(): Promise<void>
  transportOpen(): Promise<void>
}

const line = ({ relayer }: { readonly relayer: Transport }) => ({
  offline: () => relayer.transportClose(),
  online: () => relayer.transportOpen(),
  // These clients check the time themselves, every few seconds.
  wake: () => undefined
})

function dapp(
  start: (parts: ReturnType<typeof options> & { metadata: ReturnType<typeof metadata> }) => Promise<unknown>
): StartDapp<SigningDapp> {
  return async (relayUrl): Promise<SigningDapp> => {
    const client = (await start({ ...options(relayUrl), metadata: metadata('Their dapp') })) as Client
    const inbox = new Inbox<DappEvent>()
    client.on('session_update', ({ topic, params }) => inbox.push({ type: 'updated', topic, ...params }))
    client.on('session_extend', ({ topic }) => inbox.push({ type: 'extended', topic }))
    client.on('session_delete', ({ topic }) => inbox.push({ type: 'deleted', topic }))
    client.on('session_event', ({ topic, params: { event, chainId } }) =>
      inbox.push({ type: 'emitted', topic, chainId, name: event.name, data: event.data })
    )
    return {
      inbox,
      ...line(client.core as never),
      topics: () => client.session.getAll().map(({ topic }) => topic),
      granted: (topic) => client.session.get(topic).namespaces,
      expiry: (topic) => client.session.get(topic).expiry,
      ping: (topic) => client.ping({ topic }),
      delete: (topic) => client.disconnect({ topic, reason: over }),
      async offer(asked) {
        const { uri, approval } = await client.connect({ optionalNamespaces: asked as never })
        if (!uri) throw new Error('It offers no pairing')
        const session = approval().then(({ topic }) => topic)
        session.catch(() => undefined)
        return { uri, session }
      },
      request: (topic, chainId, method, params) => client.request({ topic, chainId, request: { method, params } }),
      async signIn({ aud, chains, methods, resources, ...asked }) {
        const { uri, response } = await client.authenticate({
          ...asked,
          uri: aud,
          chains: [...chains],
          ...(methods.length > 0 && { methods: [...methods] }),
          ...(resources && { resources: [...resources] })
        })
        if (!uri) throw new Error('It offers no pairing')
        const signedIn = response().then(
          ({ auths = [], session }): SignedIn => ({ cacaos: auths as Cacao[], topic: session?.topic }),
          // They reject with the wallet's message only.
          (reason) => Promise.reject(typeof reason === 'string' ? new Error(reason) : reason)
        )
        signedIn.catch(() => undefined)
        return { uri, signedIn }
      },
      stop: () => (client.core as unknown as { relayer: Transport }).relayer.transportClose()
    }
  }
}

type Client = Awaited<ReturnType<typeof SignClient.init>>
type Kit = Awaited<ReturnType<typeof WalletKit.init>>
type AuthPayload = Parameters<typeof populateAuthPayload>[0]['authPayload']

function wallet(
  start: (parts: ReturnType<typeof options>, about: ReturnType<typeof metadata>) => Promise<unknown>
): StartWallet {
  return async (relayUrl, { signIn = false, projectId = PROJECT } = {}): Promise<Wallet> => {
    const kit = (await start({ ...options(relayUrl), projectId }, metadata('Their wallet'))) as Kit
    const inbox = new Inbox<WalletEvent>()
    kit.on('session_proposal', ({ id, params }) =>
      inbox.push({ type: 'proposed', id, name: params.proposer.metadata.name, pairingTopic: params.pairingTopic ?? '' })
    )
    kit.on('session_request', ({ topic, id, params: { request, chainId } }) =>
      inbox.push({ type: 'requested', topic, id, chainId, method: request.method, params: request.params })
    )
    kit.on('session_delete', ({ topic }) => inbox.push({ type: 'deleted', topic }))
    const asked = new Map<number, AuthPayload>()
    // A wallet without a listener for this event counts as one without sign-in support.
    if (signIn) {
      kit.on('session_authenticate', ({ id, params: { requester, authPayload } }) => {
        asked.set(id, authPayload)
        inbox.push({ type: 'signInAsked', id, name: requester.metadata.name, chains: authPayload.chains })
      })
    }
    return {
      inbox,
      ...line(kit.core as never),
      topics: () => Object.keys(kit.getActiveSessions()),
      granted: (topic) => kit.getActiveSessions()[topic]?.namespaces,
      expiry: (topic) => kit.getActiveSessions()[topic]?.expiry ?? 0,
      ping: (topic) => kit.engine.signClient.ping({ topic }),
      delete: (topic) => kit.disconnectSession({ topic, reason: over }),
      pair: (uri) => kit.pair({ uri }),
      approve: async (id, namespaces) => (await kit.approveSession({ id, namespaces: namespaces as never })).topic,
      reject: (id, reason) => kit.rejectSession({ id, reason }),
      answer: (topic, id, result) => kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', result } }),
      refuse: (topic, id, error) => kit.respondSessionRequest({ topic, response: { id, jsonrpc: '2.0', error } }),
      // Their `acknowledged` misses a response that arrives before the relay has confirmed the request.
      update: (topic, namespaces) => kit.updateSession({ topic, namespaces: namespaces as never }),
      extend: (topic) => kit.extendSession({ topic }),
      emit: (topic, chainId, name, data) => kit.emitSessionEvent({ topic, chainId, event: { name, data } }),
      async signIn(id, { signs, chains, methods, address, sign, lie = {} }) {
        const known = asked.get(id)
        if (!known) throw new Error('It was not asked')
        const authPayload = { ...known, ...lie }
        const request = populateAuthPayload({ authPayload, chains: [...chains], methods: [...methods] })
        const auths: ReturnType<typeof buildAuthObject>[] = []
        for (const chain of signs) {
          const issuer = `did:pkh:${chain}:${address}`
          const s = await sign(kit.formatAuthMessage({ request, iss: issuer }))
          auths.push(buildAuthObject(request, { t: 'eip191', s }, issuer))
        }
        return (await kit.approveSessionAuthenticate({ id, auths })).session?.topic
      },
      refuseSignIn: (id) => kit.rejectSessionAuthenticate({ id, reason: { code: 5000, message: 'User rejected.' } }),
      stop: () => (kit.core as unknown as { relayer: Transport }).relayer.transportClose()
    }
  }
}

export const signClient = dapp((parts) => SignClient.init(parts))
export const signClient217 = dapp((parts) => SignClient217.init(parts))
export const walletKit = wallet((parts, about) => WalletKit.init({ core: new Core(parts), metadata: about }))
export const walletKit10 = wallet((parts, about) =>
  WalletKit10.init({ core: new Core216(parts) as never, metadata: about })
)
