import { expect, it } from 'vitest'
import { useWorld } from './use-world.ts'
import { countIdleWork } from './world/idle-work.ts'

const world = useWorld()

it('a page that never opens the modal asks for nothing and runs no timer after load', async () => {
  const work = await countIdleWork(world.browser, `${world.origin}/idle.html?testkit=off`)
  expect(work.loaded).toBeGreaterThan(0)
  expect(work.requests).toEqual([])
  expect(work.timers).toEqual([])
})
