import { describe, expect, it } from 'vitest'
import { FIELDS, typeInto } from './bench/fields.ts'
import type { Block } from './bench/typing.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

/**
 * Limit in milliseconds: twice the 8 ms that `cargo xtask bench account` requires on an otherwise idle machine, because other tests run at
 * the same time.
 */
const LONGEST = 16

/** Maximum number of rounds. The fastest round of each letter counts, because load only adds time. Usually one round is enough. */
const ROUNDS = 5

/** Time of the slowest letter. */
const slowest = (letters: readonly Block[][]) =>
  Math.max(...letters.map((blocks) => Math.min(...blocks.map(({ script }) => script))))

describe('a letter that is typed, with a processor four times slower', () => {
  it.each(FIELDS)('does not block the page in $name', async (field) => {
    const letters = await typeInto(world, field, ROUNDS, (letters) => slowest(letters) < LONGEST)
    expect(slowest(letters)).toBeLessThan(LONGEST)
  })
})
