import {
  createPublicClient,
  createWalletClient,
  custom,
  encodeFunctionData,
  http,
  multicall3Abi,
  parseEther
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { createDemoWallet, type DemoWalletOptions } from './index.ts'

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
const START_LIMIT = 60_000

/** Contract that reverts every call: PUSH0 PUSH0 REVERT. */
const REFUSING = '0x00000000000000000000000000000000000000aa'
/** Contract that stores its caller in slot 0. */
const NOTING = '0x00000000000000000000000000000000000000bb'

vi.setConfig({ testTimeout: 30_000 })

let anvil: Anvil
let bare: Anvil

beforeAll(async () => {
  ;[anvil, bare] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
  const { multicall3Bytecode } = (await import(
    new URL('../../../node_modules/viem/_esm/constants/contracts.js', import.meta.url).href
  )) as { multicall3Bytecode: string }
  // Runtime code that the constructor of Multicall3 returns.
  const code = await anvil.request('eth_call', [{ data: multicall3Bytecode }, 'latest'])
  await anvil.request('anvil_setCode', [MULTICALL3, code])
  await anvil.request('anvil_setCode', [REFUSING, '0x5f5ffd'])
  // CALLER PUSH0 SSTORE STOP
  await anvil.request('anvil_setCode', [NOTING, '0x335f5500'])
}, START_LIMIT)

afterAll(async () => {
  await Promise.all([anvil?.stop(), bare?.stop()])
})

async function connected(options: Partial<DemoWalletOptions> = {}) {
  const chains = [
    { chainId: 31337, name: 'Local', rpcUrl: anvil.rpcUrl },
    { chainId: 31338, name: 'Bare', rpcUrl: bare.rpcUrl }
  ]
  const wallet = createDemoWallet({ chains, approval: 'auto', batches: true, ...options })
  await wallet.provider.request({ method: 'eth_requestAccounts' })
  return wallet
}

const reader = () => createPublicClient({ transport: http(anvil.rpcUrl), pollingInterval: 50 })

const bundle = (calls: readonly object[], more: object = {}) => ({
  method: 'wallet_sendCalls',
  params: [{ version: '2.0.0', from: FIRST, chainId: '0x7a69', atomicRequired: true, calls, ...more }]
})

describe('what the wallet can do', () => {
  it('spec_7_6_it_says_on_which_chains_it_does_several_calls_together', async () => {
    const { provider } = await connected()
    expect(await provider.request({ method: 'wallet_getCapabilities', params: [FIRST] })).toEqual({
      '0x7a69': { atomic: { status: 'supported' } },
      '0x7a6a': { atomic: { status: 'unsupported' } }
    })
    expect(await provider.request({ method: 'wallet_getCapabilities', params: [FIRST, ['0x7a6a']] })).toEqual({
      '0x7a6a': { atomic: { status: 'unsupported' } }
    })
  })

  it('is nothing where it was not told to, and for an account that the page may not see', async () => {
    const { provider } = await connected({ batches: false })
    for (const method of ['wallet_getCapabilities', 'wallet_sendCalls', 'wallet_getCallsStatus']) {
      await expect(provider.request({ method, params: [FIRST] })).rejects.toMatchObject({ code: 4200 })
    }
    const able = await connected()
    await expect(able.provider.request({ method: 'wallet_getCapabilities', params: [SECOND] })).rejects.toMatchObject({
      code: 4100
    })
  })
})

describe('several calls', () => {
  it('are refused by the visitor, by chains without the code, and where a capability must be there that is not', async () => {
    const { provider, controls } = await connected()
    await expect(provider.request(bundle([{ to: SECOND }], { chainId: '0x7a6a' }))).rejects.toMatchObject({
      code: 5710
    })
    await expect(provider.request(bundle([{ to: SECOND }], { chainId: '0x1' }))).rejects.toMatchObject({ code: 5710 })
    await expect(provider.request(bundle([{ to: SECOND }], { capabilities: { paymaster: {} } }))).rejects.toMatchObject(
      {
        code: 5700
      }
    )
    for (const calls of [[], [{ to: 'nobody' }], [{ to: SECOND, value: '7' }], [{ to: SECOND, data: '0x7' }], [7]]) {
      await expect(provider.request(bundle(calls as object[]))).rejects.toMatchObject({ code: -32602 })
    }
    controls.setApproval(() => false)
    await expect(provider.request(bundle([{ to: SECOND }]))).rejects.toMatchObject({ code: 4001 })
  })

  it('are done together, and each comes from the account', async () => {
    const { provider } = await connected()
    const before = await reader().getBalance({ address: SECOND })
    const { id } = (await provider.request(
      bundle([
        { to: SECOND, value: '0xde0b6b3a7640000' },
        { to: NOTING, data: '0x' }
      ])
    )) as { id: string }
    await expect
      .poll(() => provider.request({ method: 'wallet_getCallsStatus', params: [id] }))
      .toMatchObject({ id, status: 200, atomic: true, chainId: '0x7a69', receipts: [{ status: '0x1' }] })
    expect((await reader().getBalance({ address: SECOND })) - before).toBe(parseEther('1'))
    const noted = await reader().getStorageAt({ address: NOTING, slot: '0x0' })
    expect(noted?.slice(-40)).toBe(FIRST.slice(2))
  })

  it('are none of them done where one fails', async () => {
    const { provider } = await connected()
    const before = await reader().getBalance({ address: SECOND })
    const { id } = (await provider.request(bundle([{ to: SECOND, value: '0x1' }, { to: REFUSING }]))) as { id: string }
    await expect
      .poll(() => provider.request({ method: 'wallet_getCallsStatus', params: [id] }))
      .toMatchObject({ status: 500, receipts: [{ status: '0x0' }] })
    expect(await reader().getBalance({ address: SECOND })).toBe(before)
  })

  it('that nobody sent are not known', async () => {
    const { provider } = await connected()
    for (const id of ['0x', `0x${'00'.repeat(64)}`]) {
      await expect(provider.request({ method: 'wallet_getCallsStatus', params: [id] })).rejects.toMatchObject({
        code: 5730
      })
    }
  })

  it('are understood by viem', async () => {
    const { provider } = await connected()
    const client = createWalletClient({ account: FIRST, transport: custom(provider) })
    const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'getCurrentBlockTimestamp' })
    const { id } = await client.sendCalls({
      chain: {
        id: 31337,
        name: 'Local',
        nativeCurrency: { name: 'E', symbol: 'E', decimals: 18 },
        rpcUrls: { default: { http: [] } }
      },
      calls: [{ to: MULTICALL3, data }],
      forceAtomic: true
    })
    expect((await client.waitForCallsStatus({ id, pollingInterval: 50 })).status).toBe('success')
  })
})
