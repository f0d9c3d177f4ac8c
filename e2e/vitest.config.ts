import { defineConfig } from 'vitest/config'
import { Sum } from './reporter.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.spec.ts'],
    environment: 'node',
    // The files of a process share a browser and chains, which are reset for each file; each file has a server of its own.
    pool: 'forks',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 25 } },
    reporters: ['default', new Sum()]
  }
})
