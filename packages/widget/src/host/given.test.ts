//! Hosts whose options throw, are endless, or are not objects.

// @vitest-environment happy-dom

import { describe, expect, it } from 'vitest'
import { createAppKit } from './createAppKit.ts'
import type { CreateAppKit } from './options.ts'
import { freshPage, kitOf, ONE, options, reasonOf } from './test-page.ts'

freshPage()

function throwing(name: string, more: object = {}): never {
  return Object.defineProperty({ ...more }, name, {
    enumerable: true,
    get() {
      throw new Error('getter')
    }
  }) as never
}

function revoked(target: object): never {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy as never
}

const hostile: readonly (readonly [name: string, value: Partial<CreateAppKit>])[] = [
  ['defaultNetwork', { defaultNetwork: throwing('id', ONE) }],
  ['themeVariables', { themeVariables: throwing('--w3m-accent') }],
  ['features', { features: throwing('headless') }],
  ['messages', { messages: throwing('titleConnect') }],
  ['endpoints', { endpoints: throwing('base') }],
  ['connectorImages', { connectorImages: throwing('x') }],
  ['networks', { networks: [ONE, throwing('id', ONE)] }],
  ['the options', throwing('features')],
  ...['defaultNetwork', 'themeVariables', 'features', 'messages', 'endpoints', 'chainImages', 'wasmUrl'].map(
    (name) => [`a revoked ${name}`, { [name]: revoked({}) }] as const
  ),
  ...['connectors', 'adapters'].map((name) => [`a revoked ${name}`, { [name]: revoked([]) }] as const)
]

describe('options that throw when they are read', () => {
  it.each(hostile)('are options that were not given: %s', async (name, given) => {
    const kit = createAppKit(Object.defineProperties(options(), Object.getOwnPropertyDescriptors(given)))
    expect(await reasonOf(kit.open())).toBe('resolved')
    expect(kit.isOpen()).toBe(true)
    expect(kit.getCaipNetworks()).toHaveLength(name === 'networks' ? 1 : 2)
  })
})

describe('options of ten million characters', () => {
  it.each(['themeVariables', 'messages'])('hold nothing up: %s', async (name) => {
    const text = 'x'.repeat(10_000_000) as never
    const kit = kitOf({ [name]: text })
    kit.setThemeVariables(text)
    expect(kit.getThemeVariables()).toEqual({})
    expect(await reasonOf(kit.open())).toBe('resolved')
  })
})

describe('calls with nothing to read', () => {
  it('are as those without arguments, whether the core is there or not', async () => {
    for (const early of [true, false]) {
      const kit = kitOf()
      if (!early) await kit.preload()
      kit.updateOptions(null as never)
      kit.updateRemoteFeatures(null as never)
      kit.updateFeatures(throwing('history', { swaps: false }))
      expect(kit.features).toMatchObject({ swaps: false })
      expect(await reasonOf(kit.open(null as never))).toBe('resolved')
      expect(kit.getConnectorImage(null as never)).toBeUndefined()
      const connected = reasonOf(kit.connect(null as never))
      await kit.close()
      expect(await connected).toBe('modalClosed')
    }
  })

  it('leave what comes after them as it is', async () => {
    const kit = kitOf()
    kit.setConnectors(7 as never)
    kit.addConnector({ id: 'late', name: 'Late', provider: { request: async () => null } } as never)
    await kit.preload()
    expect(kit.getConnectors().map(({ id }) => id)).toEqual(['late'])
  })
})

it('adapters that are no list adapt nothing', () => {
  for (const adapters of [7, 'x', {}, null] as never[]) expect(kitOf({ adapters }).chainAdapters).toEqual({})
})
