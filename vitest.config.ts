import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'logic',
          include: ['packages/*/src/**/*.test.ts'],
          environment: 'node'
        }
      },
      {
        test: {
          name: 'views',
          include: ['packages/*/src/**/*.test.tsx'],
          environment: 'happy-dom'
        }
      }
    ]
  }
})
