//! A server that lies, in the browser: whatever it says, the wallet is asked for what the visitor meant, or for nothing.
//! `crates/server/tests/whole/hostile.rs` tells every lie to the core. Here one lie for each kind of answer that money depends on goes
//! through the whole page, and then lies in all fields at once: the server lies, its node included, and the node that the network names
//! is honest.

import type { Locator } from 'playwright-core'
import { decodeFunctionData, encodeFunctionData, erc20Abi, type Hex, parseAbi, parseEther, parseUnits } from 'viem'
import { beforeAll, expect, it } from 'vitest'
import { ACCOUNT, SECOND_ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { coinOf, contractOf } from './world/coins.ts'
import { KINDS, LIAR, Liar, type Lie } from './world/liar.ts'
import { STRICT_CSP } from './world/server.ts'
import { Traffic } from './world/traffic.ts'

const world = useWorld({ csp: STRICT_CSP.replace("connect-src 'self'", `connect-src 'self' ${LIAR}`) })

const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const USDC = contractOf('usdc')
const ROUTERS = ['uniswapV2Router', 'uniswapV3Router'].map((name) => contractOf(name).toLowerCase())
const DOLLARS = parseUnits('2', 6)
/** Pages at a time. */
const LANES = 3

/** Places of answers in which an earlier journey met a lie. */
const lied = new Set<string>()

/** Requests that a page may send to a wallet without moving anything. */
const HARMLESS = ['eth_requestAccounts', 'eth_accounts', 'eth_chainId', 'wallet_getCapabilities', 'wallet_getAssets']

interface Transaction {
  readonly to: string
  readonly value?: Hex
  readonly data?: Hex
}

/** Something that the visitor wants. */
interface Journey {
  /** View that the host opens, already filled in. */
  readonly open: { readonly view: string; readonly arguments: Readonly<Record<string, string>> }
  /** Fields of answers that the transaction could depend on. */
  readonly fields: RegExp
  /** Whether a transaction is what the visitor meant; `minimum` is the least amount of USDC that the preview promises. */
  isMeant(transaction: Transaction, minimum: bigint): boolean
}

const JOURNEYS = {
  name: {
    open: { view: 'WalletSend', arguments: { to: 'alice.eth', amount: '1' } },
    fields: /^eth_call \S+ result$|\/profile\/\S+ (name|addresses.*address)$|\/history .*(sentTo|recipient)$/,
    isMeant: ({ to, value, data }) =>
      same(to, SECOND_ACCOUNT) && BigInt(value ?? '0x') === parseEther('1') && (data ?? '0x') === '0x'
  },
  token: {
    open: { view: 'WalletSend', arguments: { to: BOB, amount: '2', assetAddress: USDC } },
    fields: /^eth_.* result$|\/balance .*(address|decimals|numeric|chainId)$/,
    isMeant: ({ to, value, data }) =>
      same(to, USDC) &&
      BigInt(value ?? 0) === 0n &&
      data === encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [BOB, DOLLARS] })
  },
  coin: {
    open: { view: 'Swap', arguments: { amount: '0.5', fromToken: 'ETH', toToken: USDC } },
    fields:
      /^eth_call \S+ result$|\/tokens .*(address|decimals)$|\/price .*price$|\/quotes .*(Amount\w*|Account|spender|gas|expiry)$|\/build-transaction /,
    isMeant: ({ to, value, data }, minimum) => {
      const bought = boughtBy(to, data ?? '0x')
      return (
        BigInt(value ?? 0) === parseEther('0.5') &&
        same(bought.receiver, ACCOUNT) &&
        same(bought.token, USDC) &&
        bought.minimum >= minimum
      )
    }
  },
  approval: {
    open: { view: 'Swap', arguments: { amount: '2', fromToken: USDC, toToken: 'ETH' } },
    fields:
      /^eth_call \S+ result$|\/tokens .*(address|decimals|eip2612)$|\/quotes .*(fromAmount|toAmount\w*|spender|allowance)$/,
    isMeant: ({ to, value, data }) =>
      same(to, USDC) &&
      BigInt(value ?? 0) === 0n &&
      ROUTERS.some(
        (router) =>
          data === encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [router as Hex, DOLLARS] })
      )
  }
} satisfies Record<string, Journey>

const EXCHANGE = parseAbi([
  'struct Swap { bytes path; address recipient; uint256 amountIn; uint256 amountOutMinimum; }',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 minimum, address[] path, address to, uint256 deadline) payable',
  'function multicall(uint256 deadline, bytes[] data) payable',
  'function exactInput(Swap swap) payable',
  'function sweepToken(address token, uint256 minimum, address receiver) payable'
])

/** Token, receiver and minimum of a swap of the coin on one of the two exchanges; throws if it is any other call. */
function boughtBy(to: string, data: Hex): { token: string; receiver: string; minimum: bigint } {
  const call = decodeFunctionData({ abi: EXCHANGE, data })
  if (call.functionName === 'swapExactETHForTokensSupportingFeeOnTransferTokens' && same(to, ROUTERS[0])) {
    const [minimum, path, receiver] = call.args
    return { token: path.at(-1) ?? '', receiver, minimum }
  }
  if (call.functionName !== 'multicall' || !same(to, ROUTERS[1])) throw new Error(`Not a swap: ${data}`)
  const [swap, sweep, ...more] = call.args[1].map((data) => decodeFunctionData({ abi: EXCHANGE, data }))
  if (swap?.functionName !== 'exactInput' || sweep?.functionName !== 'sweepToken' || more.length > 0)
    throw new Error(`Not a swap: ${data}`)
  const [{ amountIn }] = swap.args
  const [token, minimum, receiver] = sweep.args
  return { token, receiver: amountIn === parseEther('0.5') ? receiver : '', minimum }
}

const same = (one: string, other = '') => one.toLowerCase() === other.toLowerCase()

beforeAll(async () => {
  await coinOf(world.one, 'usdc').mint(ACCOUNT, parseUnits('1000', 6))
})

/** Does a journey in front of this server, and returns the transactions that the wallet was asked for and did not get approved. */
async function run({ open, isMeant }: Journey, liar: Liar): Promise<{ meant: boolean; transaction: Transaction }[]> {
  const traffic = new Traffic()
  const visit = await world.comeBack(`/?endpoints=${LIAR}&relays=off&networks=31337`, {
    clock: true,
    prepare: async (page) => {
      traffic.follow(page)
      await liar.stand(page)
    }
  })
  await visit.control(({ setApproval }) => setApproval(() => false))
  await visit.page.evaluate((wanted) => {
    const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
    // Rejects, because the wallet refuses.
    kit.open(wanted).catch(() => {})
  }, open)
  const swap = visit.modal.part('swap-action-button')
  const [review, confirm] = open.view === 'Swap' ? [swap, swap] : [visit.modal.reviewButton, visit.modal.sendButton]
  // A server that lies about everything can refuse the view; it opens nothing in its place.
  await visit.modal.card.waitFor()
  await traffic.settle(visit.page)
  // On a busy machine the view may still compile while no request is open. Only an honest server surely brings the button to life.
  while (liar.isHonest && !(await review.isEnabled())) await traffic.settle(visit.page)
  await press(review)
  await traffic.settle(visit.page)
  while (liar.isHonest && !(await confirm.isEnabled())) await traffic.settle(visit.page)
  const promised = await visit.modal.card
    .locator('dd bdi[title$=" USDC"]')
    .evaluateAll(([fact]) => fact?.getAttribute('title'))
  const minimum = parseUnits((promised ?? '0').replace(/[, A-Z]/g, ''), 6)
  await press(confirm)
  await traffic.settle(visit.page)
  // A visitor who insists, where the widget asks once more.
  if (!(await visit.control(({ requests }) => requests.some(({ method }) => method === 'eth_sendTransaction')))) {
    await press(confirm)
    await traffic.settle(visit.page)
  }
  const told = await visit.control(({ requests }) => JSON.stringify(requests))
  await liar.stop()
  await visit.close()
  const requests = JSON.parse(told) as { method: string; params: [Transaction] }[]
  const others = requests.filter(({ method }) => method !== 'eth_sendTransaction')
  for (const { method } of others) expect(HARMLESS).toContain(method)
  return requests
    .filter((request) => !others.includes(request))
    .map(({ params: [transaction] }) => ({ meant: meant(() => isMeant(transaction, minimum)), transaction }))
}

function meant(check: () => boolean): boolean {
  try {
    return check()
  } catch {
    return false
  }
}

/** Presses a button as a script of the page would: also one that is disabled, which must lead nowhere. */
async function press(button: Locator): Promise<void> {
  for (const one of await button.all()) await one.evaluate((element: HTMLElement) => element.click())
}

it.each(Object.entries<Journey>(JOURNEYS))(
  'no lie of a server changes what the wallet is asked for: %s',
  // One journey for each lie.
  { timeout: 150_000 },
  async (_, journey) => {
    const honest = new Liar(world.origin)
    expect(await run(journey, honest)).toMatchObject([{ meant: true }])
    const told = [...honest.fields].filter(([field]) => journey.fields.test(field)).map(([, lie]) => lie)
    expect(told.length).toBeGreaterThan(3)
    // The last field of each kind of answer that no earlier journey needed.
    const lies = [...new Map(told.map((lie) => [lie.place, lie])).values()].filter(({ place }) => !lied.has(place))
    for (const { place } of lies) lied.add(place)
    const found: unknown[] = []
    const untold: Lie[] = []
    const lane = async () => {
      for (let lie = lies.shift(); lie; lie = lies.shift()) {
        const liar = new Liar(world.origin, lie)
        const sent = await run(journey, liar)
        // Reads that need one node only may go to the honest one.
        if (liar.told === 0 && lie.place.startsWith('/')) untold.push(lie)
        found.push(...sent.filter(({ meant }) => !meant).map(({ transaction }) => ({ lie, transaction })))
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    expect(found).toEqual([])
    expect(untold).toEqual([])
    for (const kind of KINDS) {
      const liar = new Liar(world.origin, kind)
      const sent = await run(journey, liar)
      expect(liar.told).toBeGreaterThan(10)
      expect(sent.filter(({ meant }) => !meant)).toEqual([])
    }
  }
)
