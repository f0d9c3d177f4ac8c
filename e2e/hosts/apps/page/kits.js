import { createAppKit } from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { mainnet, optimism } from '@portico/widget/networks'

const kits = [
  [mainnet, optimism],
  [optimism, mainnet]
].map((networks) =>
  createAppKit({
    projectId: networks[0].name.replaceAll(' ', '-'),
    adapters: [new EthersAdapter()],
    networks,
    chainImages: { [networks[0].id]: '/nothing.png' }
  })
)
// The second button follows the modal that was made last, as any does.
document.getElementById('first').kit = kits[0]
