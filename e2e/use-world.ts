//! Sets up a world for each test file and visits for each test, and checks conditions that must hold after every test.

import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { connect, connected } from './pages/journey.ts'
import type { Stored, Visit, VisitOptions } from './world/visit.ts'
import { startWorld, type World, type WorldOptions } from './world/world.ts'

export type UsedWorld = Pick<
  World,
  'one' | 'two' | 'origin' | 'identities' | 'relay' | 'shop' | 'browser' | 'explorer'
> & {
  /** Origin of the embedded wallet. */
  readonly wallet: string
  visit(path?: string, options?: VisitOptions): Promise<Visit>
  /** Visit of somebody who connected the demo wallet on an earlier page; the stored connection is restored. */
  comeBack(path?: string, options?: VisitOptions): Promise<Visit>
  /** Visit of somebody without a wallet to a page with the embedded wallet; `options` are further ones of the page. */
  newcomer(options?: string): Promise<Visit>
}

declare module 'vitest' {
  interface TaskMeta {
    /** State of each page of a failed test. */
    pages?: string[]
  }
}

/** State of a page whose test failed: what it showed, and what it asked for last. */
async function stateOf({ page, errors, requests }: Visit): Promise<string> {
  const state = page.evaluate(() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    const card = document.querySelector('w3m-modal')?.shadowRoot?.querySelector('.card')
    const popups = [...document.querySelectorAll('demo-wallet-popup')]
    const dialogs = popups.map(({ shadowRoot }) => shadowRoot?.querySelector('dialog')?.dataset.kind)
    return { shown: card?.textContent ?? null, dialogs, focused: focused?.outerHTML.slice(0, 200) ?? null }
  })
  const told = await state.catch((error: Error) => ({ unreadable: error.message }))
  return JSON.stringify({ url: page.url(), ...told, errors: errors.map(String), last: requests.slice(-8) }, null, 2)
}

/** Provides a world to the tests of a file. `options` can be a function, which is called when the tests start. */
export function useWorld(options?: WorldOptions | (() => Promise<WorldOptions>)): UsedWorld {
  let world: World | undefined
  let visits: Visit[] = []
  let stored: Stored | undefined

  beforeAll(async () => {
    stored = undefined
    world = await startWorld(typeof options === 'function' ? await options() : options)
  })

  afterEach(async ({ task }) => {
    const ended = visits
    visits = []
    if (task.result?.state === 'fail') task.meta.pages = await Promise.all(ended.map(stateOf))
    await Promise.all(ended.map((visit) => visit.close()))
    expect(ended.flatMap(({ errors }) => errors.map((error) => error.stack))).toEqual([])
    expect(ended.flatMap(({ faults }) => faults)).toEqual([])
  })

  afterAll(() => world?.stop())

  const there = (): World => {
    if (!world) throw new Error('The world is there in tests only')
    return world
  }
  const visit = async (path = '/', visitOptions: VisitOptions = {}) => {
    const visit = await there().visit(path, visitOptions)
    visits.push(visit)
    return visit
  }
  return {
    get one() {
      return there().one
    },
    get two() {
      return there().two
    },
    get origin() {
      return there().origin
    },
    get wallet() {
      return walletOf(there())
    },
    get shop() {
      return there().shop
    },
    get identities() {
      return there().identities
    },
    get relay() {
      return there().relay
    },
    get browser() {
      return there().browser
    },
    get explorer() {
      return there().explorer
    },
    visit,
    newcomer: (options = '') => {
      const login = encodeURIComponent(walletOf(there()))
      return visit(`/?login=${login}&testkit=off&relays=off${options}`, { alone: true })
    },
    async comeBack(path = '/', visitOptions = {}) {
      stored ??= await connection(visit)
      const back = await visit(path, { ...visitOptions, stored })
      await connected(back)
      return back
    }
  }
}

function walletOf({ wallet }: World): string {
  if (wallet === undefined) throw new Error('This world has no embedded wallet')
  return wallet
}

/** Storage entries of a page with a connection. */
async function connection(visit: () => Promise<Visit>): Promise<Stored> {
  const first = await visit()
  await connect(first)
  return first.page.evaluate(() => Object.entries(localStorage))
}
