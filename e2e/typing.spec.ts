import { describe, expect, it } from 'vitest'
import { FIELDS, typeInto } from './bench/fields.ts'
import { type Block, SLOWDOWN } from './bench/typing.ts'
import { useWorld } from './use-world.ts'

// Figures are of the browser that visitors have.
const world = useWorld({ windows: true })

/**
 * Limit in milliseconds on a processor four times slower. React draws a list that follows the typing in slices of 5 ms by the clock, whatever
 * the processor. Here the thread time is multiplied, so that a whole slice counts as 20 ms; two of them are the limit. A list that is drawn at
 * once takes several times as long. `cargo xtask bench account` measures the budget of 8 ms on a processor that is really slowed down.
 */
const LONGEST = 40

/** Maximum number of rounds. The fastest round of each letter counts, because load only adds time. Usually one round is enough. */
const ROUNDS = 10

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
