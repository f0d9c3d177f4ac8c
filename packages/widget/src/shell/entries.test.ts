//! The built core with some parts missing: in any order of events, no entry is called while its slot is empty, which would trap.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Core, initSync, __wbg_reset_state as renew } from '../../wasm/portico.js'
import type { CoreEvent, Effect, Operation, Outcome, Part } from '../generated/core.ts'
import { partFiles } from '../generated/parts.ts'

const NETWORKS = [31337, 31338].map((id) => ({
  id,
  name: `Anvil ${id}`,
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: ['https://rpc.example'] } }
}))
const HANDLES = ['uuid-a', 'uuid-b']
const ADDRESSES = ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']
const VIEWS = [
  'Connect',
  'Account',
  'Networks',
  'WalletSend',
  'WalletSendPreview',
  'SolanaSend',
  'SolanaSendPreview',
  'BitcoinSend',
  'BitcoinSendPreview',
  'OnRampProviders',
  'Swap',
  'ChooseAccountName',
  'RegisterAccountName'
] as const
const TABS = ['tokens', 'nfts', 'activity'] as const

const moduleOf = (name: string) =>
  new WebAssembly.Module(readFileSync(join(import.meta.dirname, `../../wasm/portico_${name}.wasm`)))
const first = moduleOf('bg')
const modules = new Map((Object.keys(partFiles) as Part[]).map((part) => [part, moduleOf(part)]))

/** Fresh instance of the first module with the given parts. */
function instance(parts: readonly Part[]): void {
  initSync({ module: first })
  renew()
  const p = { ...initSync({ module: first }) }
  let h = {}
  for (const part of parts) {
    const { exports } = new WebAssembly.Instance(modules.get(part) as WebAssembly.Module, { p, h })
    if (part === 'home') h = { ...exports }
  }
}

/** Seeded random numbers: the same sequence for the same seed. */
function chance(seed: number) {
  let state = seed
  const below = (bound: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % bound
  }
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)] as T }
}

type Chance = ReturnType<typeof chance>

function event({ one }: Chance, ticket: number): CoreEvent {
  const handle = one(HANDLES)
  const wallet = {
    kind: 'ANNOUNCED',
    namespace: 'eip155',
    handle,
    name: handle,
    rdns: handle,
    icon: 'data',
    flags: []
  } as const
  const open = { type: 'openAsked', view: one([null, ...VIEWS]), namespace: null, uri: null, ticket } as const
  return one<CoreEvent>([
    { feature: 'connect', event: { type: 'walletFound', wallet } },
    { feature: 'connect', event: { type: 'walletChosen', connector: handle } },
    {
      feature: 'connect',
      event: { type: 'accountsChanged', handle, accounts: one([[], ADDRESSES, [...ADDRESSES].reverse(), 5]) }
    },
    { feature: 'connect', event: { type: 'walletDisconnected', handle } },
    { feature: 'connect', event: { type: 'disconnectAsked', namespace: null, ticket } },
    { feature: 'connect', event: { type: 'accountAsked', namespace: 'eip155', address: one(ADDRESSES), ticket } },
    { feature: 'connections', event: { type: 'readAsked' } },
    {
      feature: 'connections',
      event: { type: 'deleteAsked', connector: handle, address: one(ADDRESSES), namespace: null, ticket }
    },
    { feature: 'network', event: { type: 'networkChosen', chain: one(['eip155:31337', 'eip155:31338']) } },
    { feature: 'network', event: { type: 'chainChanged', handle, chain: one(['0x7a69', '0x7a6a', '0x1', null]) } },
    { feature: 'modal', event: { ...open, arguments: one([null, { amount: '1', to: ADDRESSES[1] }]) } },
    { feature: 'modal', event: { type: 'viewAsked', view: one(VIEWS) } },
    { feature: 'modal', event: { type: 'backAsked' } },
    { feature: 'modal', event: { type: 'closeAsked' } },
    {
      feature: 'config',
      event: {
        type: 'optionsChanged',
        options: one([{}, { embedded: true }, { siwx: true }, { features: { multiWallet: true } }])
      }
    },
    { feature: 'account', event: { type: 'tabChosen', tab: one(TABS) } },
    { feature: 'account', event: { type: 'refreshAsked', ticket } },
    { feature: 'account', event: { type: 'pageShown' } },
    { feature: 'name', event: { type: 'typed', text: 'alice' } },
    { feature: 'activity', event: { type: 'moreAsked', ticket } },
    { feature: 'send', event: { type: 'amountTyped', text: '1' } },
    { feature: 'send', event: { type: 'confirmAsked' } },
    { feature: 'onramp', event: { type: 'amountTyped', text: '100' } },
    { feature: 'onramp', event: { type: 'openAsked' } },
    { feature: 'onramp', event: one([{ type: 'returned' }, { type: 'checkAsked' }, { type: 'linkFollowed' }]) },
    { feature: 'swap', event: { type: 'amountTyped', text: '1' } },
    { feature: 'swap', event: { type: 'confirmAsked' } }
  ])
}

function outcome({ below, one }: Chance, operation: Operation, parts: readonly Part[]): Outcome {
  if (operation.type === 'loadPart' && parts.includes(operation.part)) return { type: 'done' }
  if (operation.type === 'loadPart' || below(4) === 0) return { type: 'failed', error: { code: 4001, message: 'no' } }
  if (operation.type === 'sendHttp')
    return { type: 'httpAnswered', status: 200, retryAfter: null, body: one(['{}', '[]', '']) }
  if (operation.type !== 'requestWallet') return { type: 'done' }
  return { type: 'answered', value: operation.method.endsWith('ccounts') ? ADDRESSES : one(['0x7a69', '0x7a6a', null]) }
}

it.each([[[]], ...[...modules.keys()].map((part) => [[...new Set<Part>(['home', part])]])])(
  'does not trap, whatever happens while there is %j',
  (parts) => {
    let wanted = 0
    for (let seed = 1; seed <= 20; seed++) {
      const dice = chance(seed)
      instance(parts)
      let now = 1_700_000_000_000
      const environment = {
        mobile: false,
        ios: false,
        android: false,
        mac: false,
        safari: false,
        telegram: false,
        origin: 'https://page.example',
        page: 'https://page.example/',
        seed: '0'
      }
      const options = { projectId: 'test', networks: NETWORKS, adapters: [{ namespace: 'eip155' }] }
      const core = new Core(JSON.stringify({ environment, options, stored: [] }), now)
      const effects: Effect[] = []
      const hear = (said: string) => {
        expect(said).not.toMatch(/^!/)
        effects.push(...(JSON.parse(said) as { effects: Effect[] }).effects)
      }
      hear(core.first())
      for (let step = 0; step < 300; step++) {
        now += dice.one([0, 10, 500, 4_000])
        const [effect] = dice.below(2) ? effects.splice(dice.below(effects.length || 1), 1) : []
        if (effect) hear(core.resolve(effect.id, JSON.stringify(outcome(dice, effect.operation, parts)), now))
        else if (dice.below(4)) hear(core.dispatch(JSON.stringify(event(dice, step)), now))
        else hear(core.tick(now))
        if (effect?.operation.type === 'loadPart') wanted++
      }
    }
    expect(wanted).toBeGreaterThan(20)
  }
)
