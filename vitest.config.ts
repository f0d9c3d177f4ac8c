import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const views = {
  include: ['packages/*/src/**/*.test.tsx'],
  environment: 'happy-dom' as const
}

/**
 * What may differ between one React and another, tried on the oldest that the widget says it runs on: the hooks, mounting and unmounting,
 * views that come late, a form, a list, and drawing on a server.
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
          environment: 'node'
        }
      },
      { test: { ...views, name: 'views', include: [...views.include, 'examples/*/src/**/*.test.tsx'] } },
      {
        resolve: {
          alias: {
            react: react18('react'),
            'react-dom': react18('react-dom'),
            // Its other form asks for React in a way that no alias changes.
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
          // What is taken in heeds the aliases; Node would give it the React beside it.
          server: { deps: { inline: ['@testing-library/react'] } }
        }
      }
    ]
  }
})
