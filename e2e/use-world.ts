//! A world for each test file, a visit for each test, and what must hold after every one.

import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { Visit, VisitOptions } from './world/visit.ts'
import { startWorld, type World, type WorldOptions } from './world/world.ts'

export type UsedWorld = Pick<World, 'one' | 'two' | 'origin' | 'browser'> & {
  visit(path?: string, options?: VisitOptions): Promise<Visit>
}

/** `options` may be made once the tests begin. */
export function useWorld(options?: WorldOptions | (() => Promise<WorldOptions>)): UsedWorld {
  let world: World | undefined
  let visits: Visit[] = []

  beforeAll(async () => {
    world = await startWorld(typeof options === 'function' ? await options() : options)
  })

  afterEach(async () => {
    const ended = visits
    visits = []
    await Promise.all(ended.map((visit) => visit.close()))
    expect(ended.flatMap(({ errors }) => errors.map((error) => error.stack))).toEqual([])
  })

  afterAll(() => world?.stop())

  const there = (): World => {
    if (!world) throw new Error('The world is there in tests only')
    return world
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
    get browser() {
      return there().browser
    },
    async visit(path = '/', visitOptions = {}) {
      const visit = await there().visit(path, visitOptions)
      visits.push(visit)
      return visit
    }
  }
}
