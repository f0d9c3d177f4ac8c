import { defineConfig } from 'vitest/config'
import { Sum } from '../reporter.ts'

// Other clients ask a service on the internet who verifies the origin of a page, unless this is set.
process.env.IS_VITEST = 'true'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.spec.ts'],
    environment: 'node',
    // Each file has a relay and a chain of its own.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', new Sum()]
  }
})
