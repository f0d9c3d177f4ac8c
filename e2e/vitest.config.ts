import { defineConfig } from 'vitest/config'
import { Sum } from './reporter.ts'

/** File whose tests measure the processor's time to the millisecond. It runs after the others, alone. */
const measured = ['typing.spec.ts']

export default defineConfig({
  root: import.meta.dirname,
  test: {
    environment: 'node',
    // The files of a process share a browser and chains, which are reset for each file; each file has a server of its own.
    pool: 'forks',
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 25 } },
    reporters: ['default', new Sum()],
    projects: [
      {
        extends: true,
        test: {
          name: 'journeys',
          include: ['*.spec.ts'],
          exclude: measured,
          maxWorkers: 2,
          sequence: { groupOrder: 0 }
        }
      },
      { extends: true, test: { name: 'measured', include: measured, maxWorkers: 1, sequence: { groupOrder: 1 } } }
    ]
  }
})
