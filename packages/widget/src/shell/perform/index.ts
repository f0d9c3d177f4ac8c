import type { CoreEvent, Operation, Outcome, SignInCall } from '../../generated/core.ts'
import type { FrameHands } from '../frame/hands.ts'
import { thrownToJson } from '../json.ts'
import { discoverWallets } from '../listen/providers.ts'
import type { Page } from '../page.ts'
import type { Parts } from '../parts.ts'
import type { RelayHands } from '../relay/hands.ts'
import { copyText, leadTab, openLink, openTab } from './browser.ts'
import { answerHost, type HostHands, publishEvent } from './host.ts'
import { sendHttp } from './http.ts'
import { fetchPictures, preloadPicture } from './pictures.ts'
import { readStorage, removeStorage, writeStorage } from './storage.ts'
import { type ConnectSigned, disconnectWallet, requestWallet, unwatchWallet, watchWallet } from './wallet.ts'

/** Dependencies of all operations. */
export interface Hands {
  readonly page: Page
  readonly host: HostHands
  dispatch(event: CoreEvent): void
  /** Element that contains the modal. */
  readonly near: () => Element
  readonly coreParts: Parts
  /** WalletConnect client. */
  readonly relay: RelayHands
  /** Frame of the embedded wallet. */
  readonly frame: FrameHands
  /** Asks a wallet to connect and sign in at once; answers `undefined` if it is to be asked to connect alone. */
  readonly connectSigned: ConnectSigned
  /** Calls a function of the host's sign-in. */
  readonly signIn: (call: SignInCall, given: unknown) => Promise<Outcome>
  /** Resolves when the opening modal has been drawn; `undefined` while none is opening. */
  opening?: Promise<void> | undefined
  /** URL of the host's own server, if configured. */
  readonly endpoint?: string | undefined
}

/** Performs one operation, starting within the caller's stack, and answers exactly once; a thrown error is an answer too. */
export function perform(operation: Operation, hands: Hands, answer: (outcome: Outcome) => void): void {
  let outcome: Outcome | Promise<Outcome>
  try {
    outcome = carryOut(operation, hands)
  } catch (error) {
    outcome = failed(error)
  }
  if ('then' in outcome) outcome.then(answer, (error) => answer(failed(error)))
  else answer(outcome)
}

function failed(error: unknown): Outcome {
  return { type: 'failed', error: thrownToJson(error) }
}

function carryOut(operation: Operation, hands: Hands): Outcome | Promise<Outcome> {
  const { page, host } = hands
  switch (operation.type) {
    case 'discoverWallets':
      return discoverWallets(page, hands.dispatch)
    case 'requestWallet':
      return requestWallet(page, operation.handle, operation.method, operation.params, hands.connectSigned)
    case 'disconnectWallet':
      return disconnectWallet(page, operation.handle)
    case 'watchWallet':
      if (operation.link) hands.relay.there().link(operation.handle, operation.link)
      // Set the provider's chain to the core's before listening to it.
      if (operation.chain) hands.relay.there().stand(operation.handle, operation.chain)
      return watchWallet(page, operation.handle, hands.dispatch)
    case 'unwatchWallet':
      return unwatchWallet(page, operation.handle)
    case 'loadPart':
      return hands.coreParts.open(operation.part)
    case 'openRelay':
      // If the visitor has just opened the modal, draw it first.
      return hands.opening ? hands.opening.then(hands.relay.open) : hands.relay.open()
    case 'openPairing':
      return hands.relay.there().pair(operation.namespaces)
    case 'closePairing':
      return hands.relay.there().close(operation.topic)
    case 'endSession':
      return hands.relay.there().end(operation.topic)
    case 'openFrame':
      return hands.frame.open(operation.chain)
    case 'askFrame':
      return hands.frame.ask(operation.event, operation.payload)
    case 'askSignIn':
      return hands.signIn(operation.call, operation.given)
    case 'openLink':
      return openLink(operation.href, operation.target)
    case 'openTab':
      return openTab(operation.small)
    case 'leadTab':
      return leadTab(operation.href)
    case 'leadLogin':
      return hands.frame.lead(operation.href, operation.origin)
    case 'sendHttp':
      // Requests never affect the first frame: draw the modal first.
      return hands.opening
        ? hands.opening.then(() => sendHttp(operation, hands.endpoint))
        : sendHttp(operation, hands.endpoint)
    case 'sendMessage':
      return import('./socket.ts').then(({ sendMessage }) =>
        sendMessage(page, operation.url, operation.text, hands.dispatch)
      )
    case 'fetchPictures':
      return fetchPictures(page, operation.url, operation.timeout)
    case 'preloadPicture':
      return preloadPicture(operation.url, operation.timeout)
    case 'writeStorage':
      return writeStorage(operation.area, operation.key, operation.value)
    case 'removeStorage':
      return removeStorage(operation.area, operation.key)
    case 'readStorage':
      return { type: 'answered', value: readStorage([operation.prefix]) }
    case 'copyText':
      return copyText(operation.text, hands.near)
    case 'answerHost':
      return answerHost(host, operation.ticket, operation.answer)
    case 'tellAlert':
      host.warn(operation)
      return { type: 'done' }
    case 'tellDeveloper':
      host.log(operation.text)
      return { type: 'done' }
    case 'publishEvent':
      return publishEvent(host, operation.event, operation.properties, operation.address)
    default:
      return failed(new Error(`Unknown operation ${(operation satisfies never as Operation).type}`))
  }
}
