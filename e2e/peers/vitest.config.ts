import { defineConfig } from 'vitest/config'
import { Sum } from '../reporter.ts'

// Without this, WalletConnect's own clients query an internet service that verifies the page's origin.
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
