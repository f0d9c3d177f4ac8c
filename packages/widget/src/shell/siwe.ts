//! A sign-in for EVM wallets (`siweConfig`) in the form of one for every namespace (`siwx`).

import type { SIWEConfig, SIWEMethods, SIWEOptions, SIWXConfig, SIWXMessage } from '../host/siwx.ts'

/** Functions and settings of both forms of the option. */
export function partsOfSiwe(config: SIWEConfig): { methods: SIWEMethods; options: SIWEOptions } {
  return 'methods' in config
    ? { methods: config.methods, options: config.options ?? {} }
    : { methods: config, options: config }
}

/** Longest timer of browsers in milliseconds: a longer one rings at once. */
const LONGEST = 2_147_483_647

/** Age in milliseconds from which a nonce is replaced before it is signed; `undefined` for the widget's own. */
export function lifeOfNonce(config: SIWEConfig): number | undefined {
  return interval(partsOfSiwe(config).options.nonceRefetchIntervalMs)
}

/** Milliseconds between two questions for the session of a visitor who signed in. */
export function pauseOfSession(config: SIWEConfig): number {
  return interval(partsOfSiwe(config).options.sessionRefetchIntervalMs) ?? 300_000
}

/** A value that is no interval counts as none. */
function interval(given: unknown): number | undefined {
  return typeof given === 'number' && given > 0 ? Math.ceil(Math.min(given, LONGEST)) : undefined
}

const numberOf = (chainId: string) => Number(chainId.split(':')[1])

/** Whether the site's one session is of this account and network, as far as its options tell them apart. */
export function isSessionOf(
  config: SIWEConfig,
  session: NonNullable<Awaited<ReturnType<SIWEMethods['getSession']>>>,
  chainId: string,
  address: string
): boolean {
  const { options } = partsOfSiwe(config)
  const sameAccount = String(session.address).toLowerCase() === address.toLowerCase()
  const sameChain = Number(session.chainId) === numberOf(chainId)
  return (
    (sameAccount || options.signOutOnAccountChange === false) && (sameChain || options.signOutOnNetworkChange === false)
  )
}

export function mapToSIWX(config: SIWEConfig): SIWXConfig {
  const { methods, options } = partsOfSiwe(config)
  const signOut = async () => {
    if ((await methods.signOut()) !== false) methods.onSignOut?.()
  }
  return {
    async createMessage({ accountAddress, chainId, notBefore }): Promise<SIWXMessage> {
      const asked = await methods.getMessageParams?.()
      const { statement, resources, requestId, domain = location.host, uri = location.href } = asked ?? {}
      const issuedAt = asked?.iat ?? new Date().toISOString()
      const nonce = await methods.getNonce(accountAddress)
      // Written when it is read: before a wallet connects there is no account that it could name.
      const text = () =>
        methods.createMessage({
          ...asked,
          domain,
          uri,
          address: `did:pkh:${chainId}:${accountAddress}`,
          chainId: numberOf(chainId),
          nonce,
          version: '1',
          iat: issuedAt,
          ...(notBefore === undefined ? {} : { nbf: notBefore })
        })
      return {
        accountAddress,
        chainId,
        domain,
        uri,
        nonce,
        version: '1',
        issuedAt,
        ...(statement === undefined ? {} : { statement }),
        ...(resources === undefined ? {} : { resources }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(asked?.exp === undefined ? {} : { expirationTime: asked.exp }),
        ...((notBefore ?? asked?.nbf) === undefined ? {} : { notBefore: notBefore ?? asked?.nbf }),
        toString: text
      } as SIWXMessage
    },
    async addSession({ message, signature, cacao }) {
      const valid = await methods.verifyMessage({ message, signature, ...(cacao ? { cacao } : {}) })
      if (valid !== true) throw new Error("The site didn't accept the signature")
      const session = await methods.getSession()
      if (!session) throw new Error('The site has no session')
      methods.onSignIn?.(session)
    },
    async setSessions(sessions) {
      if (sessions.length === 0) await signOut()
    },
    async getSessions(chainId, address) {
      const session = await methods.getSession()
      if (!session) return []
      if (!isSessionOf(config, session, chainId, address)) {
        // A site has one session: that of another account or network ends before the visitor is asked.
        await signOut()
        return []
      }
      const data = { accountAddress: address, chainId, domain: '', uri: '', version: '1', nonce: '' }
      return [{ data, message: '', signature: '' }]
    },
    revokeSession: signOut,
    getRequired: () => options.required !== false,
    signOutOnDisconnect: options.signOutOnDisconnect !== false
  }
}
