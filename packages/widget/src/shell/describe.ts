//! Boot data for the core: options, environment and stored entries.

import { storageKeys } from '../generated/constants.ts'
import type { Boot, Environment } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import type { SIWEOptions } from '../host/siwx.ts'
import { field, type Json, toJson } from './json.ts'
import { externalWallets } from './listen/external.ts'
import { matches } from './media.ts'
import { readStorage } from './perform/storage.ts'

export function describe(options: CreateAppKit): Boot {
  return { environment: environment(), options: optionsToJson(options), stored: readStorage(storageKeys) }
}

/** Shorter side of a tablet in CSS pixels. */
const TABLET = 820

function environment(): Environment {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1))
  const { userAgent, maxTouchPoints } = navigator
  // iPadOS identifies as a Mac.
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return {
    mobile: isMobile(),
    ios,
    mac: !ios && /Macintosh/.test(userAgent),
    android: /Android/.test(userAgent),
    safari: /Version\/.* Safari\//.test(userAgent) && !/CriOS|FxiOS|EdgiOS|OPiOS|Chrome/.test(userAgent),
    telegram: ['TelegramWebviewProxy', 'Telegram', 'TelegramWebviewProxyProto'].some((name) => name in window),
    origin: location.origin,
    page: location.origin + location.pathname,
    seed: String(seed?.toString(16))
  }
}

function isMobile(): boolean {
  const { userAgentData } = navigator as { userAgentData?: { mobile?: unknown } }
  if (typeof userAgentData?.mobile === 'boolean') return userAgentData.mobile
  return matches('(pointer: coarse)') && Math.min(screen.width, screen.height) <= TABLET
}

/** The host's options as JSON; functions and objects with methods become `true`. */
export function optionsToJson(options: CreateAppKit): Json {
  // An option whose getter throws counts as absent.
  const given = Object.fromEntries(Object.keys(options).map((name) => [name, field(options, name)]))
  const {
    adapters,
    networks,
    defaultNetwork,
    siwx,
    siweConfig,
    wasmUrl: _,
    connectors: __,
    messages: ___,
    ...rest
  } = given as unknown as CreateAppKit
  const pictures = externalWallets(options).flatMap(({ id, imageUrl, installed }) =>
    imageUrl && !installed ? [[id, imageUrl]] : []
  )
  const headless = (field(rest, 'headless') ?? field(rest.features, 'headless')) === true
  // A headless host signs its visitors in by itself.
  const signsIn = !headless
  const siwe = (field(siweConfig, 'options') ?? siweConfig) as SIWEOptions | undefined
  return {
    ...(toJson(rest, 'true') as { readonly [name: string]: Json }),
    // A viem chain also has functions, which the core does not need.
    networks: Array.isArray(networks) ? each(networks, (network) => toJson(network)) : toJson(networks),
    defaultNetwork: toJson(defaultNetwork),
    // A value that is not a list is reported by the core.
    adapters: Array.isArray(adapters)
      ? each(adapters, (adapter) => ({ namespace: toJson(field(adapter, 'namespace')) }))
      : adapters === undefined
        ? null
        : typeof adapters,
    // Headless hosts draw nothing: the visitor could not leave the UnsupportedChain view.
    // The embedded wallet needs the modal for its login and its approvals.
    ...(headless ? { allowUnsupportedChain: true, embeddedWallet: null } : {}),
    ...(pictures.length > 0
      ? { connectorImages: toJson({ ...Object.fromEntries(pictures), ...rest.connectorImages }) }
      : {}),
    ...(signsIn && siwx
      ? { siwx: { required: unless(() => siwx.getRequired?.()), signsOut: unless(() => siwx.signOutOnDisconnect) } }
      : {}),
    ...(signsIn && siwe && unless(() => siwe.enabled)
      ? { siweConfig: { required: unless(() => siwe.required), signsOut: unless(() => siwe.signOutOnDisconnect) } }
      : {})
  }
}

const MOST_NETWORKS = 20_000

/** Converts each item with a size limit of its own, so that an oversized one does not affect the others. */
function each(list: unknown, read: (one: unknown) => Json): Json[] {
  const length = Array.isArray(list) ? Math.min(list.length, MOST_NETWORKS) : 0
  return Array.from({ length }, (_, index) => read(field(list, index)))
}

/** Whether the host did not say no; a mistake of its code is none. */
function unless(ask: () => unknown): boolean {
  try {
    return ask() !== false
  } catch {
    return true
  }
}
