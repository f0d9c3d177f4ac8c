export { EthersAdapter } from './adapters/eip155/EthersAdapter.ts'
