// @vitest-environment node

import { renderToString } from 'react-dom/server'
import { expect, it } from 'vitest'
import {
  AppKitButton,
  createAppKit,
  useAppKitAccount,
  useAppKitConnection,
  useAppKitConnections,
  useAppKitNetwork,
  useAppKitState
} from '../react.ts'
import { ONE, options, TWO } from './test-page.ts'

function Page() {
  const { status } = useAppKitAccount()
  const { chainId } = useAppKitNetwork()
  const { open } = useAppKitState()
  const { connections, recentConnections } = useAppKitConnections()
  const { connection = 'none', isPending } = useAppKitConnection()
  return (
    <p>
      {status} {String(chainId)} {String(open)} {connections.length + recentConnections.length} {String(connection)}{' '}
      {String(isPending)} <AppKitButton label="Join" />
    </p>
  )
}

it('a server makes one for each visitor', () => {
  expect(createAppKit(options())).not.toBe(createAppKit(options()))
})

it('a server makes the modal, renders what the options say, and asks nothing of a browser', async () => {
  const kit = createAppKit(options({ defaultNetwork: TWO, networks: [ONE, TWO] }))
  const text = renderToString(<Page />).replaceAll('<!-- -->', '')
  expect(text).toBe('<p>disconnected 31338 false 0 none false <appkit-button label="Join"></appkit-button></p>')
  await expect(kit.open()).rejects.toMatchObject({ reason: 'noBrowser' })
  await expect(kit.preload()).resolves.toBeUndefined()
  kit.setThemeMode('light')
  expect(kit.getThemeMode()).toBe('light')
})
