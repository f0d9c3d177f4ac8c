//! Calls the functions of the host's sign-in for the core.

import type { Outcome, SignInCall } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWXConfig, SIWXMessageData, SIWXMessageInput, SIWXSession } from '../host/siwx.ts'
import { field, toJson } from './json.ts'
import type { SignInPage, SiweSite } from './siweSession.ts'

/** The host's sign-in, with what a `siweConfig` has besides. */
type Site = SIWXConfig & Partial<Pick<SiweSite, 'life' | 'follow'>>

type Given = { readonly chainId: string; readonly accountAddress: string } & SIWXSession & {
    /** Sessions that the wallet signed by the same approval. */
    readonly others?: readonly SIWXSession[]
  }

export async function askSite(
  options: CreateAppKit,
  page: SignInPage,
  call: SignInCall,
  given: unknown
): Promise<Outcome> {
  const site = await siteOf(options)
  if (!site) throw new Error('SIWX is not enabled')
  const subject = given as Given
  const answer = await ask(site, options, call, subject)
  site.follow?.({ call, subject, answer }, page)
  return { type: 'answered', value: toJson(answer) }
}

/** Time limit in milliseconds for a message before the connection: a QR code or the wallet's window waits for it. */
const PATIENCE = 5_000

/**
 * Message for an account that a wallet has yet to name; `undefined` if the site signs by a function of its own, doesn't answer in time, or its
 * visitors don't sign in.
 */
export async function messageOf(options: CreateAppKit, chainId: string): Promise<SIWXMessageData | undefined> {
  // A headless host signs its visitors in by itself.
  if (field(options, 'headless') === true || field(options.features, 'headless') === true) return undefined
  const site = await siteOf(options)
  if (!site || site.signMessage) return undefined
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE))
  return Promise.race([site.createMessage({ chainId, accountAddress: '' }), late])
}

/** The code for a `siweConfig` is fetched by the pages that have one. */
async function siteOf({ siwx, siweConfig }: CreateAppKit): Promise<Site | undefined> {
  return siwx ?? (siweConfig && (await import('./siweSession.ts')).siteOfSiwe(siweConfig))
}

function ask(site: Site, options: CreateAppKit, call: SignInCall, given: Given): Promise<unknown> {
  const { chainId, accountAddress, message, others = [] } = given
  switch (call) {
    case 'getSessions':
      return site.getSessions(chainId, accountAddress)
    case 'createMessage':
      return write(site, options, { chainId, accountAddress })
    case 'signMessage':
      return Promise.resolve(site.signMessage?.({ message, chainId, accountAddress }))
    case 'addSession':
      return save(site, [given, ...others].map(sessionOf))
    case 'revokeSession':
      return site.revokeSession(chainId, accountAddress)
  }
}

/** HTTP's "Too Early": the core says that the clock of this device is wrong. */
const TOO_EARLY = 425

/** HTTP's "Request Timeout": the core says that the visitor took too long. */
const TOO_LATE = 408

/** Age in milliseconds of a message that a site with the same time would not yet refuse: a younger one is old only for a clock that is late. */
const YOUNG = 300_000

/** HTTP's "Service Unavailable": the core says that the signature cannot be verified now. */
const UNAVAILABLE = 503

/** Names of the errors of a request that had no answer. */
const UNANSWERED: readonly unknown[] = ['TypeError', 'TimeoutError', 'AbortError']

/**
 * Saves the first session, and the others of its approval with it if the site takes them together: answers with the accounts and chains that it
 * saved then. A refusal has an HTTP status as code, by which the core tells the visitor the reason.
 */
async function save(site: SIWXConfig, sessions: SIWXSession[]): Promise<SIWXMessageInput[] | undefined> {
  const [session] = sessions as [SIWXSession]
  try {
    if (sessions.length === 1 || !site.addSessions) return void (await site.addSession(session))
    const saved = await site.addSessions(sessions)
    return saved.map(({ data: { chainId, accountAddress } }) => ({ chainId, accountAddress }))
  } catch (error) {
    const code = codeOf(error, session.data)
    if (code === undefined) throw error
    throw Object.assign(new Error(String(field(error, 'message')), { cause: error }), { code })
  }
}

function sessionOf({ data, message, signature, cacao }: SIWXSession): SIWXSession {
  return { data, message, signature, ...(cacao && { cacao }) }
}

/** Status of the site's server; `undefined` for an error that says the reason in its own words. */
function codeOf(error: unknown, data: SIWXMessageData): number | undefined {
  const status = field(error, 'status')
  if (typeof status !== 'number') return UNANSWERED.includes(field(error, 'name')) ? UNAVAILABLE : undefined
  return codeOfTime(field(error, 'field'), field(error, 'message'), data) ?? status
}

/**
 * Reason why the site refused a time of the message, which comes from the clock of this device. By that same clock the visitor took long or didn't,
 * whether it is right or wrong.
 */
function codeOfTime(name: unknown, words: unknown, data: SIWXMessageData): number | undefined {
  const since = (time: string | undefined) => Date.now() - Date.parse(time ?? '')
  switch (name) {
    case 'issuedAt':
      return !/future/i.test(String(words)) && since(data?.issuedAt) >= YOUNG ? TOO_LATE : TOO_EARLY
    case 'expirationTime':
      return since(data?.expirationTime) >= 0 ? TOO_LATE : TOO_EARLY
    case 'notBefore':
      return TOO_EARLY
  }
  return undefined
}

async function write(
  site: Site,
  { metadata }: CreateAppKit,
  subject: Pick<SIWXMessageData, 'chainId' | 'accountAddress'>
) {
  const data = await site.createMessage(subject)
  // The text of an object without a text of its own is "[object Object]".
  const own = data && data.toString !== Object.prototype.toString
  return {
    data,
    message: own ? data.toString() : '',
    signs: typeof site.signMessage === 'function',
    life: site.life,
    name: field(metadata, 'name'),
    icon: iconOf(field(field(metadata, 'icons'), 0))
  }
}

/** Address of the page's icon, which may be relative to the page. */
function iconOf(icon: unknown): string | undefined {
  try {
    return new URL(String(icon), location.href).href
  } catch {
    return undefined
  }
}
