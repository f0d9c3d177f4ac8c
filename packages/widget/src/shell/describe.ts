//! What the core is told at boot.

import { storageKeys } from '../generated/constants.ts'
import type { Boot, Environment } from '../generated/core.ts'
import type { CreateAppKit } from '../host/options.ts'
import { field, type Json, toJson } from './json.ts'
import { readStorage } from './perform/storage.ts'

export function describe(options: CreateAppKit): Boot {
  return { environment: environment(), options: optionsToJson(options), stored: readStorage(storageKeys) }
}

/** The shorter side of a tablet in CSS pixels. */
const TABLET = 820

function environment(): Environment {
  return { mobile: isMobile(), origin: location.origin, timeZone: timeZone() }
}

function isMobile(): boolean {
  const { userAgentData } = navigator as { userAgentData?: { mobile?: unknown } }
  if (typeof userAgentData?.mobile === 'boolean') return userAgentData.mobile
  return matchMedia('(pointer: coarse)').matches && Math.min(screen.width, screen.height) <= TABLET
}

function timeZone(): string | null {
  try {
    return Intl.DateTimeFormat().resolvedOptions().timeZone ?? null
  } catch {
    return null
  }
}

/** The host's options as JSON: functions stand as `true`, and so does all that has methods. */
export function optionsToJson(options: CreateAppKit): Json {
  const { adapters, networks, defaultNetwork, siwx, siweConfig, wasmUrl: _, ...rest } = options
  return {
    ...(toJson(rest, 'true') as { readonly [name: string]: Json }),
    // A viem chain also carries functions, which mean nothing to the core.
    networks: toJson(networks),
    defaultNetwork: toJson(defaultNetwork),
    adapters: Array.isArray(adapters)
      ? adapters.map((adapter) => ({ namespace: toJson(field(adapter, 'namespace')) }))
      : [],
    ...(siwx ? { siwx: { required: required(() => siwx.getRequired?.()) } } : {}),
    ...(siweConfig
      ? { siweConfig: { required: required(() => siweConfig.required ?? siweConfig.options?.required) } }
      : {})
  }
}

function required(ask: () => unknown): boolean {
  try {
    return ask() !== false
  } catch {
    return true
  }
}
