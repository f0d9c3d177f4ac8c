import { defineConfig } from 'vitest/config'
import { Sum } from '../reporter.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['*.spec.ts'],
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 15_000, interval: 25 } },
    reporters: ['default', new Sum()]
  }
})
