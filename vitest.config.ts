import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const views = {
  include: ['packages/*/src/**/*.test.tsx'],
  environment: 'happy-dom' as const,
  // Hosts' tests compile the core, beside everything else that a whole run does.
  testTimeout: 20_000
}

/**
 * Tests that also run on the oldest supported React, because they cover what differs between its versions: hooks, mounting and unmounting,
 * lazy views, a form, a list, and rendering on a server.
 */
const smoke = [
  'host/hooks',
  'host/server',
  'modal/mount',
  'modal/views',
  'modal/swipe',
  'connect/ConnectView',
  'send/send',
  'ui/Long',
  'ui/lazy',
  'text/text'
]

const react18 = (name: string) => join(import.meta.dirname, 'packages/react-18/node_modules', name)

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'logic',
          include: ['packages/*/src/**/*.test.ts', 'examples/*/src/**/*.test.ts'],
          environment: 'node',
          testTimeout: views.testTimeout
        }
      },
      { test: { ...views, name: 'views', include: [...views.include, 'examples/*/src/**/*.test.tsx'] } },
      {
        resolve: {
          alias: {
            react: react18('react'),
            'react-dom': react18('react-dom'),
            // The CommonJS build requires React in a form that the aliases do not reach.
            '@testing-library/react': join(
              import.meta.dirname,
              'node_modules/@testing-library/react/dist/@testing-library/react.esm.js'
            )
          }
        },
        test: {
          ...views,
          name: 'react 18',
          include: [...smoke.map((name) => `packages/widget/src/${name}.test.tsx`), 'packages/react-18/*.spec.tsx'],
          // The aliases apply to inlined modules only; otherwise Node would resolve the React beside it.
          server: { deps: { inline: ['@testing-library/react'] } }
        }
      }
    ]
  }
})
