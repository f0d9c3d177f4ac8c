import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createPublicClient,
  decodeFunctionData,
  defineChain,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseAbiParameters
} from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Anvil, startAnvil } from '../anvil.ts'
import { storedWorld } from './stored.ts'

/** Keys of anvil's ninth account, which the resolver trusts, and of its seventh, which it does not. */
const SIGNER: Hex = '0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97'
const STRANGER: Hex = '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e'
const LATER = 4_000_000_000n

const { state, addresses } = storedWorld()
const carol = addresses.accounts[3] as Hex
const resolver = addresses.contracts.offchainResolver as Hex
let anvil: Anvil
let gateway: Server
let said: { key: Hex; expires: bigint; account: Hex }

async function answer(sender: Hex, request: Hex): Promise<Hex> {
  const abi = parseAbi(['function resolve(bytes name, bytes data)'])
  decodeFunctionData({ abi, data: request })
  const result = encodeAbiParameters([{ type: 'address' }], [said.account])
  const hash = keccak256(
    encodePacked(
      ['bytes2', 'address', 'uint64', 'bytes32', 'bytes32'],
      ['0x1900', sender, said.expires, keccak256(request), keccak256(result)]
    )
  )
  const signature = await sign({ hash, privateKey: said.key, to: 'hex' })
  return encodeAbiParameters(parseAbiParameters('bytes, uint64, bytes'), [result, said.expires, signature])
}

function client() {
  const chain = defineChain({
    id: addresses.chainId,
    name: 'World',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [anvil.rpcUrl] } },
    contracts: { ensUniversalResolver: { address: addresses.contracts.universalResolver as Hex } }
  })
  return { chain, transport: http(anvil.rpcUrl) }
}

beforeAll(async () => {
  anvil = await startAnvil({ chainId: addresses.chainId, state })
  gateway = createServer(async (request, response) => {
    const [, sender, data] = (request.url ?? '').split('/') as [string, Hex, Hex]
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ data: await answer(sender, data) }))
  })
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/{sender}/{data}`
  const data = encodeFunctionData({ abi: parseAbi(['function setUrls(string[])']), args: [[url]] })
  await anvil.request('eth_sendTransactionSync', [{ from: addresses.accounts[9], to: resolver, data }])
})

afterAll(async () => {
  await new Promise((resolve) => gateway.close(resolve))
  await anvil.stop()
})

describe('a name that a gateway answers for', () => {
  const name = 'carol.portico.eth'
  const address = () => createPublicClient(client()).getEnsAddress({ name })

  it('is nothing when a stranger signed the answer', async () => {
    expect(privateKeyToAccount(STRANGER).address).not.toBe(addresses.accounts[8])
    said = { key: STRANGER, expires: LATER, account: carol }
    expect(await address()).toBeNull()
  })

  it('is nothing when the answer is too old', async () => {
    said = { key: SIGNER, expires: 1n, account: carol }
    expect(await address()).toBeNull()
  })

  it('is not the name of an account that the gateway does not give it to', async () => {
    said = { key: SIGNER, expires: LATER, account: resolver }
    expect(await createPublicClient(client()).getEnsName({ address: carol })).toBeNull()
  })

  it('leads to the account that the gateway says, and back', async () => {
    said = { key: SIGNER, expires: LATER, account: carol }
    expect(await address()).toBe(carol)
    expect(await createPublicClient(client()).getEnsName({ address: carol })).toBe(name)
  })
})
