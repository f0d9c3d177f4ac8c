//! A server that lies, in a browser: the page of a visitor who presses every button to go on, and a server whose answers have one wrong
//! field at a time. The wallet is asked for what the visitor meant, or for nothing. The server's answers are read from an honest run, so
//! that a new field is lied about as well. `crates/server/tests/whole/hostile.rs` tells many more lies to the core alone.

import type { DemoWallet } from '@portico/testkit'
import type { Page } from 'playwright-core'
import { decodeFunctionData, erc20Abi, getAddress, type Hex, parseAbi, parseEther, parseUnits } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACCOUNT } from './pages/journey.ts'
import { useWorld } from './use-world.ts'
import { coinOf, contractOf } from './world/coins.ts'
import { type Lie, liesAbout, lieTo } from './world/liar.ts'
import type { Visit } from './world/visit.ts'

const world = useWorld()

const BOB = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
/** Owner of `alice.eth`. */
const ALICE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const HALF = parseEther('0.5')

/** Looks at the modal without a change before it counts as stopped. A lie is one of many, so that a slow one may pass for stopped. */
const [HONEST, LYING] = [100, 8]

/** Transaction that the wallet shows to its user. */
interface Asked {
  readonly to: string
  readonly value: bigint
  readonly data: Hex
}

interface Journey {
  /** Arguments of `open`, as a host gives them. */
  readonly view: string
  readonly arguments: () => Readonly<Record<string, string>>
  /** Number of grave fields in the answers, at least. */
  readonly fields: number
  /** Whether the visitor meant this. */
  readonly isMeant: (asked: Asked) => boolean
}

const swaps = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 least, address[] path, address to, uint256 deadline)',
  'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 limit) swap)',
  'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) swap)',
  'function multicall(uint256 deadline, bytes[] data)'
])

const sweeps = parseAbi(['function sweepToken(address token, uint256 least, address to)'])

/** Placeholder by which the router means itself. */
const ROUTER = '0x0000000000000000000000000000000000000002'

const is = (address: string, other: string) => address.toLowerCase() === other.toLowerCase()
const isExchange = (address: string) =>
  ['uniswapV2Router', 'uniswapV3Router'].some((name) => is(address, contractOf(name)))

/** Receiver and bought token of a swap of half an ether. */
function bought(data: Hex): readonly [receiver: string, token: string] {
  const call = decodeFunctionData({ abi: swaps, data })
  if (call.functionName === 'multicall') {
    const [, [swap = '0x', handedOn, ...more]] = call.args
    if (more.length > 0) throw new Error('Other calls beside the swap')
    // The router receives what it buys, and hands it on.
    const [receiver, token] = bought(swap)
    if (handedOn === undefined) return [receiver, token]
    const [swept, , visitor] = decodeFunctionData({ abi: sweeps, data: handedOn }).args
    if (!is(receiver, ROUTER) || !is(swept, token)) throw new Error('Another token is handed on')
    return [visitor, token]
  }
  if (call.functionName === 'exactInput') {
    const [{ recipient, path }] = call.args
    return [recipient, `0x${path.slice(-40)}`]
  }
  if (call.functionName === 'exactInputSingle') {
    const [{ recipient, tokenOut }] = call.args
    return [recipient, tokenOut]
  }
  const [, path, receiver] = call.args
  return [receiver, path.at(-1) ?? '']
}

const journeys = {
  'a swap of a coin': {
    view: 'Swap',
    arguments: () => ({ fromToken: 'ETH', toToken: 'USDC', amount: '0.5' }),
    fields: 15,
    isMeant({ to, value, data }) {
      const [receiver, token] = bought(data)
      return isExchange(to) && value === HALF && is(receiver, ACCOUNT) && is(token, contractOf('usdc'))
    }
  },
  'a swap of a token': {
    view: 'Swap',
    arguments: () => ({ fromToken: 'USDC', toToken: 'ETH', amount: '100' }),
    fields: 15,
    // The exact amount is permitted; the swap waits for it.
    isMeant({ to, value, data }) {
      const call = decodeFunctionData({ abi: erc20Abi, data })
      const [spender, amount] = call.args as readonly [string, bigint]
      const permits = call.functionName === 'approve' && isExchange(spender) && amount === parseUnits('100', 6)
      return permits && is(to, contractOf('usdc')) && value === 0n
    }
  },
  'a payment to a name': {
    view: 'WalletSend',
    arguments: () => ({ amount: '0.5', to: 'alice.eth' }),
    fields: 2,
    isMeant: ({ to, value, data }) => is(to, ALICE) && value === HALF && (data === '0x' || data === undefined)
  },
  'a payment of a token': {
    view: 'WalletSend',
    arguments: () => ({ amount: '2', to: BOB, assetAddress: contractOf('usdc') }),
    fields: 1,
    isMeant({ to, value, data }) {
      const call = decodeFunctionData({ abi: erc20Abi, data })
      const [receiver, amount] = call.args as readonly [string, bigint]
      const pays = call.functionName === 'transfer' && is(receiver, BOB) && amount === parseUnits('2', 6)
      return pays && is(to, contractOf('usdc')) && value === 0n
    }
  }
} satisfies Readonly<Record<string, Journey>>

beforeAll(async () => {
  await coinOf(world.one, 'usdc').mint(ACCOUNT, parseUnits('10000', 6))
})

/** Goes the whole way, and returns the transactions that the wallet was asked for. */
async function go(visit: Visit, { view, arguments: preset }: Journey, patience: number): Promise<Asked[]> {
  const { page } = visit
  await page.evaluate(
    ([view, preset]) => {
      const { kit } = window as unknown as { kit: { open(options: object): Promise<unknown> } }
      void kit.open({ view, arguments: preset }).catch(() => {})
    },
    [view, preset()] as const
  )
  const asked: Asked[] = []
  if ((await insist(page, patience)) === 'asked') {
    const told = await visit.control(({ pending: [question] }) =>
      question?.kind === 'send'
        ? { to: String(question.to), value: String(question.value), data: String(question.data ?? '0x') }
        : null
    )
    if (told === null) throw new Error('The wallet asks for something else than a transaction')
    asked.push({ to: getAddress(told.to), value: BigInt(told.value), data: told.data as Hex })
    await visit.wallet.refuse('send')
  }
  return asked
}

/**
 * Presses the main button of the modal again and again; returns whether the wallet asks in the end. A modal in which nothing has changed for
 * this many looks, of 50 ms each, has stopped.
 */
function insist(page: Page, patience: number): Promise<'asked' | 'stopped'> {
  return page.evaluate(async (patience) => {
    const main = () => {
      const root = document.querySelector('w3m-modal')?.shadowRoot ?? document
      const buttons = [...root.querySelectorAll<HTMLElement>('.card button.primary')]
      return { button: buttons.at(-1), text: root.querySelector('.card')?.textContent ?? '' }
    }
    const [wallet] = (window as unknown as { demoWallets: readonly DemoWallet[] }).demoWallets
    let before = ''
    for (let same = 0, presses = 0, turns = 0; same < patience && presses < 8 && turns < 200; same++, turns++) {
      await new Promise((done) => setTimeout(done, 50))
      if (wallet?.controls.pending.length) return 'asked'
      const { button, text } = main()
      const busy = button?.getAttribute('aria-busy') === 'true'
      if (text !== before || busy) same = 0
      // Once nothing changes any more, the button is pressed.
      if (same === 3 && button && !busy) {
        presses += 1
        button.click()
      }
      before = text
    }
    return 'stopped'
  }, patience)
}

describe.each(Object.entries(journeys))('%s', (_, journey) => {
  it('is what the visitor meant, or nothing, whatever field of the server’s answers is wrong', async () => {
    const answers = new Map<string, unknown>()
    const honest = await world.comeBack('/', { prepare: (page) => lieTo(page, answers) })
    const meant = await go(honest, journey, HONEST)
    expect(meant.length).toBe(1)
    expect(meant.every((asked) => journey.isMeant(asked))).toBe(true)
    await honest.close()
    const lies = liesAbout(answers)
    expect(lies.length).toBeGreaterThanOrEqual(journey.fields)
    const foul: { lie: Lie; asked: Asked }[] = []
    for (const lie of lies) {
      const visit = await world.comeBack('/', { prepare: (page) => lieTo(page, new Map(), lie) })
      for (const asked of await go(visit, journey, LYING)) {
        let fair = false
        try {
          fair = journey.isMeant(asked)
        } catch {
          // Data that no reader knows.
        }
        if (!fair) foul.push({ lie, asked })
      }
      await visit.close()
    }
    expect(foul).toEqual([])
  }, 240_000)
})
