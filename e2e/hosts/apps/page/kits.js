import { createAppKit } from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { mainnet, optimism } from '@portico/widget/networks'

const kits = [mainnet, optimism].map((network) =>
  createAppKit({
    projectId: network.name.replaceAll(' ', '-'),
    adapters: [new EthersAdapter()],
    networks: [network],
    chainImages: { [network.id]: '/nothing.png' }
  })
)
// The second button follows the modal that was made last, as any does.
document.getElementById('first').kit = kits[0]
