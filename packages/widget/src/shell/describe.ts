//! What the core is told at boot.

import { storageKeys } from '../generated/constants.ts'
import type { Boot, Environment } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import { field, type Json, toJson } from './json.ts'
import { externalWallets } from './listen/external.ts'
import { matches } from './media.ts'
import { readStorage } from './perform/storage.ts'

export function describe(options: CreateAppKit): Boot {
  return { environment: environment(), options: optionsToJson(options), stored: readStorage(storageKeys) }
}

/** The shorter side of a tablet in CSS pixels. */
const TABLET = 820

function environment(): Environment {
  const [seed] = crypto.getRandomValues(new BigUint64Array(1))
  const { userAgent, maxTouchPoints } = navigator
  // iPadOS says that it is a Mac.
  const ios = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
  return {
    mobile: isMobile(),
    ios,
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

/** The host's options as JSON: functions stand as `true`, and so does all that has methods. */
export function optionsToJson(options: CreateAppKit): Json {
  // A getter that throws is an option that was not given.
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
  const pictures = externalWallets(options).flatMap(({ id, imageUrl }) => (imageUrl ? [[id, imageUrl]] : []))
  return {
    ...(toJson(rest, 'true') as { readonly [name: string]: Json }),
    // A viem chain also carries functions, which mean nothing to the core.
    networks: Array.isArray(networks) ? each(networks, (network) => toJson(network)) : toJson(networks),
    defaultNetwork: toJson(defaultNetwork),
    // The core says what is wrong with one that is no list.
    adapters: Array.isArray(adapters)
      ? each(adapters, (adapter) => ({ namespace: toJson(field(adapter, 'namespace')) }))
      : adapters === undefined
        ? null
        : typeof adapters,
    // Nobody could leave the screen that it forces.
    ...((field(rest, 'headless') ?? field(rest.features, 'headless')) === true ? { allowUnsupportedChain: true } : {}),
    ...(pictures.length > 0
      ? { connectorImages: toJson({ ...Object.fromEntries(pictures), ...rest.connectorImages }) }
      : {}),
    ...(siwx ? { siwx: { required: required(() => siwx.getRequired?.()) } } : {}),
    ...(siweConfig
      ? { siweConfig: { required: required(() => siweConfig.required ?? siweConfig.options?.required) } }
      : {})
  }
}

const MOST_NETWORKS = 20_000

/** Each with a budget of its own, so that none costs the others. */
function each(list: unknown, read: (one: unknown) => Json): Json[] {
  const length = Array.isArray(list) ? Math.min(list.length, MOST_NETWORKS) : 0
  return Array.from({ length }, (_, index) => read(field(list, index)))
}

function required(ask: () => unknown): boolean {
  try {
    return ask() !== false
  } catch {
    return true
  }
}
