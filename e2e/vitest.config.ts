import { defineConfig } from 'vitest/config'
import { Sum } from './reporter.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.spec.ts'],
    environment: 'node',
    // Each file has chains, a server and a browser of its own.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000, interval: 25 } },
    reporters: ['default', new Sum()]
  }
})
