import { describe, expect, it } from 'vitest'
import { FIELDS, typeInto } from './bench/fields.ts'
import { type Block, SLOWDOWN } from './bench/typing.ts'
import { useWorld } from './use-world.ts'

const world = useWorld()

/** Limit in milliseconds on a processor four times slower: twice the 8 ms that `cargo xtask bench account` requires on an idle machine. */
const LONGEST = 16

/** Maximum number of rounds. The fastest round of each letter counts, because load only adds time. Usually one round is enough. */
const ROUNDS = 5

/**
 * Time of the slowest letter on a processor four times slower. The letters are typed at full speed and their thread time is multiplied:
 * the browser's own slowdown works by wall time and depends on the other tests.
 */
const slowest = (letters: readonly Block[][]) =>
  SLOWDOWN * Math.max(...letters.map((blocks) => Math.min(...blocks.map(({ script }) => script))))

describe('a letter that is typed, with a processor four times slower', () => {
  it.each(FIELDS)('does not block the page in $name', async (field) => {
    const letters = await typeInto(world, field, {
      rounds: ROUNDS,
      slowdown: 1,
      enough: (letters) => slowest(letters) < LONGEST
    })
    expect(slowest(letters)).toBeLessThan(LONGEST)
  })
})
