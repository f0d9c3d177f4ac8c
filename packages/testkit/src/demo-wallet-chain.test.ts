import { type AddressInfo, createServer } from 'node:net'
import { BrowserProvider, parseEther as ethersParseEther, verifyMessage as ethersVerifyMessage } from 'ethers'
import {
  createPublicClient,
  createWalletClient,
  custom,
  http,
  parseEther,
  stringToHex,
  verifyMessage,
  verifyTypedData
} from 'viem'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Anvil, startAnvil } from './anvil.ts'
import { type Approval, createDemoWallet, type DemoWalletOptions } from './index.ts'

const FIRST = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const SECOND = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const START_LIMIT = 60_000

// These tests run a real chain, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let local: Anvil
let other: Anvil

beforeAll(async () => {
  ;[local, other] = await Promise.all([startAnvil(), startAnvil({ chainId: 31338 })])
}, START_LIMIT)

afterAll(async () => {
  await Promise.all([local?.stop(), other?.stop()])
})

function wallet(options: Partial<DemoWalletOptions> = {}) {
  const chains = [
    { chainId: 31337, name: 'Local', rpcUrl: local.rpcUrl },
    { chainId: 31338, name: 'Other', rpcUrl: other.rpcUrl }
  ]
  return createDemoWallet({ chains, approval: 'auto', ...options })
}

async function connected(options: Partial<DemoWalletOptions> = {}) {
  const made = wallet(options)
  await made.provider.request({ method: 'eth_requestAccounts' })
  return made
}

function reader({ rpcUrl }: Anvil) {
  return createPublicClient({ transport: http(rpcUrl), pollingInterval: 50 })
}

describe('signing', () => {
  it('signs a message that viem verifies, in either order of the parameters, as text or as bytes', async () => {
    const { provider } = await connected()
    const message = 'Grüße from the demo'
    for (const params of [
      [stringToHex(message), FIRST],
      [FIRST, stringToHex(message)],
      [message, FIRST]
    ]) {
      const signature = (await provider.request({ method: 'personal_sign', params })) as `0x${string}`
      expect(await verifyMessage({ address: FIRST, message, signature })).toBe(true)
    }
  })

  it('shows the text of a message, or its bytes when they are no text', async () => {
    const shown: Approval[] = []
    const { provider, controls } = await connected()
    controls.setApproval((approval) => {
      shown.push(approval)
      return true
    })
    await provider.request({ method: 'personal_sign', params: [stringToHex('Hello'), FIRST] })
    await provider.request({ method: 'personal_sign', params: ['0xff00', FIRST] })
    expect(shown).toMatchObject([{ message: 'Hello' }, { message: '0xff00' }])
  })

  const typedData = {
    domain: { name: 'Mail', chainId: 31337n, verifyingContract: '0xcccccccccccccccccccccccccccccccccccccccc' },
    types: { Mail: [{ name: 'to', type: 'address' } as const, { name: 'amount', type: 'uint256' } as const] },
    primaryType: 'Mail',
    message: { to: SECOND, amount: 2n ** 200n }
  } as const

  it('signs typed data that viem verifies', async () => {
    const { provider } = await connected()
    const client = createWalletClient({ transport: custom(provider) })
    const signature = await client.signTypedData({ account: FIRST, ...typedData })
    expect(await verifyTypedData({ address: FIRST, signature, ...typedData })).toBe(true)
  })

  it('refuses typed data for another chain, and data that does not fit its types', async () => {
    const { provider } = await connected()
    const sign = (data: object) => provider.request({ method: 'eth_signTypedData_v4', params: [FIRST, data] })
    const data = { ...typedData, message: { to: SECOND, amount: '1' } }
    await expect(sign({ ...data, domain: { chainId: 1 } })).rejects.toMatchObject({ code: -32602 })
    await expect(sign({ ...data, domain: {}, message: { to: 'x', amount: 1 } })).rejects.toMatchObject({ code: -32602 })
  })
})

describe('sending', () => {
  it('sends ETH and shows beforehand what it costs at most', async () => {
    const shown: Approval[] = []
    const { provider, controls } = await connected()
    controls.setApproval((approval) => {
      shown.push(approval)
      return true
    })
    const to = '0x00000000000000000000000000000000000a11ce'
    const transaction = { from: FIRST, to, value: '0xde0b6b3a7640000' }
    const hash = (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as `0x${string}`
    const receipt = await reader(local).waitForTransactionReceipt({ hash })
    expect(receipt).toMatchObject({ status: 'success', from: FIRST, to })
    expect(await reader(local).getBalance({ address: to })).toBe(parseEther('1'))
    expect(shown).toMatchObject([{ kind: 'send', account: FIRST, to, value: parseEther('1'), network: 'Local' }])
    const [approval] = shown
    const fee = approval?.kind === 'send' ? approval.fee : undefined
    expect(fee).toBeGreaterThanOrEqual(receipt.gasUsed * receipt.effectiveGasPrice)
  })

  it('sends several transactions at once, each with its own nonce', async () => {
    const { provider } = await connected()
    const to = '0x00000000000000000000000000000000000b0b01'
    const send = () => provider.request({ method: 'eth_sendTransaction', params: [{ from: FIRST, to, value: '0x1' }] })
    const hashes = (await Promise.all([send(), send(), send()])) as `0x${string}`[]
    for (const hash of hashes) await reader(local).waitForTransactionReceipt({ hash })
    expect(await reader(local).getBalance({ address: to })).toBe(3n)
  })

  it('respects the gas, fees and nonce of the page, and an old gas price', async () => {
    const { provider } = await connected()
    const nonce = await reader(local).getTransactionCount({ address: FIRST })
    const hex = (value: number) => `0x${value.toString(16)}`
    const send = (extra: object) =>
      provider.request({
        method: 'eth_sendTransaction',
        params: [{ from: FIRST, to: SECOND, gas: '0x7530', ...extra }]
      }) as Promise<`0x${string}`>
    const fees = { maxFeePerGas: '0x12a05f2000', maxPriorityFeePerGas: '0x3b9aca00' }
    const modern = await send({ ...fees, nonce: hex(nonce) })
    const old = await send({ gasPrice: '0x12a05f2000', nonce: hex(nonce + 1) })
    expect(await reader(local).getTransaction({ hash: modern })).toMatchObject({
      type: 'eip1559',
      nonce,
      gas: 30_000n,
      maxFeePerGas: 80_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n
    })
    expect(await reader(local).getTransaction({ hash: old })).toMatchObject({ type: 'legacy', nonce: nonce + 1 })
  })

  it('creates a contract', async () => {
    const { provider } = await connected()
    // Init code that returns the single byte 0x00 as the contract's code.
    const transaction = { from: FIRST, data: '0x60016000f3' }
    const hash = (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as `0x${string}`
    const receipt = await reader(local).waitForTransactionReceipt({ hash })
    expect(receipt.contractAddress).toMatch(/^0x/)
  })

  it('sends nothing when refused', async () => {
    const { provider, controls } = await connected()
    controls.setApproval(() => false)
    const before = await reader(local).getTransactionCount({ address: FIRST })
    const params = [{ from: FIRST, to: SECOND, value: '0x1' }]
    await expect(provider.request({ method: 'eth_sendTransaction', params })).rejects.toMatchObject({ code: 4001 })
    expect(await reader(local).getTransactionCount({ address: FIRST })).toBe(before)
  })

  it('warns of a transaction that will fail and passes on what the node says', async () => {
    const shown: Approval[] = []
    const { provider, controls } = await connected()
    controls.setApproval((approval) => {
      shown.push(approval)
      return true
    })
    const params = [{ from: FIRST, to: SECOND, value: '0xffffffffffffffffffffffff' }]
    const sent = provider.request({ method: 'eth_sendTransaction', params })
    await expect(sent).rejects.toMatchObject({
      name: 'ProviderRpcError',
      message: expect.stringMatching(/insufficient/i)
    })
    // Init code that reverts.
    const reverting = provider.request({
      method: 'eth_sendTransaction',
      params: [{ from: FIRST, data: '0x60006000fd' }]
    })
    await expect(reverting).rejects.toMatchObject({ message: expect.stringMatching(/revert/i) })
    expect(shown).toMatchObject([
      { warning: expect.stringMatching(/insufficient/i) },
      { warning: expect.stringMatching(/revert/i) }
    ])
  })
})

describe('networks', () => {
  it('switches, tells the page in hexadecimal, and reads from the new chain', async () => {
    const { provider } = await connected()
    const heard: unknown[] = []
    provider.on('chainChanged', (chainId: unknown) => heard.push(chainId))
    const switchTo = (chainId: string) =>
      provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
    expect(await switchTo('0x7a6a')).toBeNull()
    expect(await switchTo('0x7a6a')).toBeNull()
    expect(heard).toEqual(['0x7a6a'])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')
    expect(await provider.request({ method: 'net_version' })).toBe('31338')

    const client = createWalletClient({ transport: custom(provider) })
    const hash = await client.sendTransaction({ account: FIRST, chain: null, to: SECOND, value: 1n })
    const receipt = await reader(other).waitForTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    await expect(switchTo('0x1')).rejects.toMatchObject({ code: 4902 })
    expect(heard).toEqual(['0x7a6a'])
  })

  it('stays where it is when the switch is refused, and takes one switch at a time', async () => {
    const { provider, controls } = wallet()
    controls.setApproval(() => new Promise(() => {}))
    const ask = { method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] }
    const first = provider.request(ask)
    await expect(provider.request(ask)).rejects.toMatchObject({ code: -32002 })
    controls.refuse()
    await expect(first).rejects.toMatchObject({ code: 4001 })
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  })

  it('adds a network that its node confirms, and switches to it', async () => {
    const storage = new Map<string, string>()
    const options = {
      chains: [{ chainId: 31337, name: 'Local', rpcUrl: local.rpcUrl }],
      storage: {
        getItem: (key: string) => storage.get(key) ?? null,
        setItem: (k: string, v: string) => void storage.set(k, v)
      }
    }
    const { provider } = wallet(options)
    const chain = {
      chainId: '0x7a6a',
      chainName: 'Added',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: [other.rpcUrl]
    }
    const add = (change: object) =>
      provider.request({ method: 'wallet_addEthereumChain', params: [{ ...chain, ...change }] })
    await expect(add({ chainId: '0x7a6b' })).rejects.toMatchObject({ code: -32602 })
    await expect(add({ rpcUrls: ['ftp://127.0.0.1'] })).rejects.toMatchObject({ code: -32602 })
    await expect(add({ nativeCurrency: { symbol: 'X', decimals: 6 } })).rejects.toMatchObject({ code: -32602 })
    expect(await add({})).toBeNull()
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')

    const reloaded = wallet(options)
    expect(await reloaded.provider.request({ method: 'eth_chainId' })).toBe('0x7a6a')
  })

  it('rejects with 4900 and tells of the disconnection while its chain is out of reach, and recovers', async () => {
    // A port that is held, so that no other test's chain answers there.
    const gone = createServer((socket) => socket.destroy())
    await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
    const { port } = gone.address() as AddressInfo
    onTestFinished(() => void gone.close())
    const { provider } = wallet({
      chains: [
        { chainId: 31337, name: 'Gone', rpcUrl: `http://127.0.0.1:${port}` },
        { chainId: 31338, name: 'Other', rpcUrl: other.rpcUrl }
      ]
    })
    const heard: unknown[] = []
    provider.on('disconnect', (error: { code: number }) => heard.push(error.code))
    provider.on('connect', (info: unknown) => heard.push(info))
    await provider.request({ method: 'eth_requestAccounts' })
    const balance = { method: 'eth_getBalance', params: [FIRST, 'latest'] }
    await expect(provider.request(balance)).rejects.toMatchObject({ code: 4900 })
    await expect(provider.request(balance)).rejects.toMatchObject({ code: 4900 })
    const send = provider.request({ method: 'eth_sendTransaction', params: [{ from: FIRST, to: SECOND }] })
    await expect(send).rejects.toMatchObject({ code: 4900 })
    expect(provider.isConnected()).toBe(false)
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: '0x7a6a' }] })
    expect(await provider.request(balance)).toMatch(/^0x/)
    expect(heard).toEqual([4900, { chainId: '0x7a6a' }])
  })
})

describe('libraries', () => {
  it('lets a viem wallet client connect, sign and send', async () => {
    const { provider } = wallet()
    const client = createWalletClient({ transport: custom(provider) })
    const [address] = await client.requestAddresses()
    if (!address) throw new Error('no address')
    expect(await client.getChainId()).toBe(31337)
    const signature = await client.signMessage({ account: address, message: 'hello' })
    expect(await verifyMessage({ address, message: 'hello', signature })).toBe(true)
    const to = '0x00000000000000000000000000000000000c0de1'
    const hash = await client.sendTransaction({ account: address, chain: null, to, value: parseEther('0.5') })
    await reader(local).waitForTransactionReceipt({ hash })
    expect(await reader(local).getBalance({ address: to })).toBe(parseEther('0.5'))
  })

  it('lets an ethers browser provider connect, sign and send', async () => {
    const { provider } = wallet()
    const browser = new BrowserProvider(provider, undefined, { pollingInterval: 50 })
    const signer = await browser.getSigner()
    const signature = await signer.signMessage('hello')
    expect(ethersVerifyMessage('hello', signature)).toBe(await signer.getAddress())
    const types = { Vote: [{ name: 'choice', type: 'uint8' }] }
    const typed = await signer.signTypedData({ name: 'Poll', chainId: 31337 }, types, { choice: 3 })
    expect(
      await verifyTypedData({
        address: FIRST,
        domain: { name: 'Poll', chainId: 31337 },
        types,
        primaryType: 'Vote',
        message: { choice: 3 },
        signature: typed as `0x${string}`
      })
    ).toBe(true)
    const to = '0x00000000000000000000000000000000000c0de2'
    const sent = await signer.sendTransaction({ to, value: ethersParseEther('0.25') })
    const receipt = await sent.wait()
    expect(receipt?.status).toBe(1)
    expect(await browser.getBalance(to)).toBe(ethersParseEther('0.25'))
    browser.destroy()
  })
})
