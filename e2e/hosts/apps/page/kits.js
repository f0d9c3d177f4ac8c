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
// Without a `kit`, a button belongs to the modal that was created last; the first button is bound to the first modal.
document.getElementById('first').kit = kits[0]
