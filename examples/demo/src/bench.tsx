//! React and the widget, and nothing else: what bench-bare.html does not load, the widget costs.

import { EthersAdapter } from '@portico/widget/ethers'
import { createAppKit } from '@portico/widget/react'
import { createRoot } from 'react-dom/client'
import { anvilOne, anvilTwo } from './networks.ts'

createAppKit({
  adapters: [new EthersAdapter()],
  networks: [anvilOne, anvilTwo],
  projectId: 'demo',
  endpoints: '/',
  // What a measurement adds, such as relays.
  ...(window as { more?: object }).more
})

const root = document.getElementById('root')
if (root) createRoot(root).render(<appkit-button />)
