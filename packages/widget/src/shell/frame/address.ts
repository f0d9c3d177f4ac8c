//! Address and rights of the embedded wallet's frame.

import { frame as forms } from '../../generated/constants.ts'
import type { CreateAppKit } from '../../host/options.ts'
import { field } from '../json.ts'

/** What the frame may do in its page: run its own scripts under its own origin, open the pages of a login, print and save a recovery kit. */
export const SANDBOX =
  'allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox allow-forms allow-modals allow-downloads allow-storage-access-by-user-activation'

/** Features of the browser that the page hands on to the wallet's origin, and to no other. */
export function rightsOf({ origin }: URL): string {
  const rights = ['publickey-credentials-get', 'publickey-credentials-create', 'clipboard-write', 'storage-access']
  return rights.map((right) => `${right} ${origin}`).join('; ')
}

/** Path of the build that the host pins, or of the server's present one. A pin with a mistake must not open just any build. */
function buildOf(options: CreateAppKit): string {
  const pin = field(options.embeddedWallet, 'frameIntegrity')
  if (pin === undefined) return 'latest'
  if (!/^[\da-f]{64}$/.test(String(pin))) throw new Error('Use 64 hexadecimal digits as `frameIntegrity`')
  return `${pin}/index.html`
}

/** Longest address of a page to which the server sends a visitor back. */
const LONGEST = 2048

/** Address of this page, to which the server may send a visitor back. */
export function here(): string {
  const { href, origin, pathname } = location
  return href.length < LONGEST ? href : origin + pathname
}

/** Address of the frame (spec 7.11, 9.14). Throws for a host without one, and for a page that has no origin to which the frame could answer. */
export function addressOf(options: CreateAppKit, chain: string | null): URL {
  const base = String(field(options.embeddedWallet, 'url')).replace(/\/+$/, '')
  if (location.origin === 'null') throw new Error("Can't use the embedded wallet on a page without an origin")
  const address = new URL(`${base}/frame/v4/${buildOf(options)}`)
  const asked = {
    projectId: options.projectId,
    chainId: chain ?? '',
    host: location.origin,
    version: forms.version,
    enableLogger: String(options.enableAuthLogger ?? true),
    // That of the modal: the frame draws inside of it.
    lang: String(options.locale || document.documentElement.lang || 'en')
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  // For a service that sends the visitor back to this page. No server of the frame learns it.
  address.hash = String(new URLSearchParams({ back: here() }))
  return address
}
