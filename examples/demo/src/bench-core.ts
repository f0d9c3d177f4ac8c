//! Benchmark of the core without views: time of one event on a page with many announced wallets.

import type { Boot, CoreEvent } from '../../../packages/widget/src/generated/core.ts'
import initialise, { Core } from '../../../packages/widget/wasm/portico.js'
import wasm from '../../../packages/widget/wasm/portico_bg.wasm?url'
import { anvilOne, anvilTwo } from './networks.ts'

declare global {
  interface Window {
    /** Median time of each event in milliseconds; resolves when the measurement is done. */
    coreTimes: Promise<Record<string, number>>
  }
}

const WALLETS = 500
const TIMES = 200

function walletFound(number: number): CoreEvent {
  const handle = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
  const wallet = {
    kind: 'ANNOUNCED',
    namespace: 'eip155',
    handle,
    name: `Wallet number ${number}`,
    rdns: `com.example.wallet${number}`,
    icon: 'data',
    flags: []
  } as const
  return { feature: 'connect', event: { type: 'walletFound', wallet } }
}

const opened: CoreEvent = {
  feature: 'modal',
  event: { type: 'openAsked', view: null, namespace: null, uri: null, arguments: null, ticket: null }
}

/** Measured events. Each is dispatched after its `before` event, so that it changes the snapshot every time. */
const EVENTS: readonly [name: string, before: CoreEvent, event: CoreEvent][] = [
  ['the modal opens', { feature: 'modal', event: { type: 'closeAsked' } }, opened],
  [
    'a wallet is chosen',
    { feature: 'modal', event: { type: 'backAsked' } },
    { feature: 'connect', event: { type: 'walletChosen', connector: 'com.example.wallet250' } }
  ],
  [
    'the modal goes back',
    { feature: 'modal', event: { type: 'viewAsked', view: 'WhatIsAWallet' } },
    { feature: 'modal', event: { type: 'backAsked' } }
  ]
]

async function measure(): Promise<Record<string, number>> {
  await initialise({ module_or_path: wasm })
  const boot: Boot = {
    environment: {
      mobile: false,
      ios: false,
      android: false,
      mac: false,
      safari: false,
      telegram: false,
      origin: location.origin,
      page: location.origin + location.pathname,
      seed: '0'
    },
    options: { projectId: 'demo', networks: [anvilOne, anvilTwo], adapters: [{ namespace: 'eip155' }] },
    stored: []
  }
  const core = new Core(JSON.stringify(boot), Date.now())
  core.first()
  // Does the work of the shell for an event, up to the snapshot.
  const dispatch = (event: CoreEvent): unknown => JSON.parse(core.dispatch(JSON.stringify(event), Date.now())).changes
  for (let number = 0; number < WALLETS; number += 1) dispatch(walletFound(number))
  const medians: Record<string, number> = {}
  for (const [name, before, event] of EVENTS)
    medians[name] = medianOf(
      TIMES,
      () => dispatch(before),
      () => dispatch(event)
    )
  let next = WALLETS
  medians['one more wallet announces itself'] = medianOf(
    TIMES,
    () => {},
    () => dispatch(walletFound(next++))
  )
  return medians
}

function medianOf(times: number, before: () => void, work: () => void): number {
  const taken = Array.from({ length: times }, () => {
    before()
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return taken.sort((a, b) => a - b)[times / 2] ?? 0
}

window.coreTimes = measure()
