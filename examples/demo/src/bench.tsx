//! Page with React and the widget only: the difference to bench-bare.html is the cost of the widget.

import { EthersAdapter } from '@portico/widget/ethers'
import { createAppKit } from '@portico/widget/react'
import { createRoot } from 'react-dom/client'
import { anvilOne, anvilTwo } from './networks.ts'

createAppKit({
  adapters: [new EthersAdapter()],
  networks: [anvilOne, anvilTwo],
  projectId: 'demo',
  endpoints: '/',
  // Options that a benchmark adds, such as relays.
  ...(window as { more?: object }).more
})

const root = document.getElementById('root')
if (root) createRoot(root).render(<appkit-button />)
