import { createAppKit } from '@portico/widget'
import { EthersAdapter } from '@portico/widget/ethers'
import { mainnet } from '@portico/widget/networks'

const options = { projectId: 'page', adapters: [new EthersAdapter()], networks: [mainnet] }
const { wasmUrl } = document.documentElement.dataset
window.kit = createAppKit({ ...options, ...(wasmUrl && { wasmUrl }) })
