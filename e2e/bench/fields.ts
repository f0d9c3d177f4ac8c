//! Fields that visitors type into, in a page whose account has 2,000 tokens and can swap as many.

import type { Locator } from 'playwright-core'
import { giveMuch, TOKENS } from '../world/many.ts'
import type { Visit } from '../world/visit.ts'
import type { World } from '../world/world.ts'
import { type Block, type } from './typing.ts'

interface TypedField {
  readonly name: string
  readonly text: string
  /** Goes from the account view to the field. */
  find(visit: Visit): Promise<Locator>
  /** URL of the request that the page sends when typing pauses. */
  readonly asks?: RegExp
}

async function openForm(visit: Visit, feature: 'send' | 'swaps', first: Locator): Promise<Locator> {
  await visit.modal.part(`wallet-features-${feature}-button`).click()
  await first.waitFor()
  return first
}

const openSend = (visit: Visit) => openForm(visit, 'send', visit.modal.part('send-amount'))

/** Goes from the account view to the swap form's pay amount; selects the token to receive if `symbol` is given. */
export async function openSwap(visit: Visit, symbol?: string): Promise<Locator> {
  const amount = await openForm(visit, 'swaps', visit.modal.part('swap-input-sourceToken'))
  if (symbol === undefined) return amount
  const search = await seek(visit, 'swap-select-token-button-toToken', 'swap-select-token-search-input')
  await search.fill(symbol)
  await visit.modal.part(`swap-select-token-item-${symbol}`).click()
  await amount.waitFor()
  return amount
}

async function seek(visit: Visit, button: string, field: string): Promise<Locator> {
  await visit.modal.part(button).click()
  const found = visit.modal.part(field)
  await found.waitFor()
  return found
}

const SOMEBODY = '0x00000000000000000000000000000000000c0D09'

export const FIELDS: readonly TypedField[] = [
  {
    name: 'the amount of a send',
    text: '12.345678',
    async find(visit) {
      const amount = await openSend(visit)
      const priced = visit.page.waitForResponse(/\/v1\?/)
      await visit.modal.part('send-receiver').fill(SOMEBODY)
      await priced
      return amount
    },
    asks: /\/v1\?/
  },
  {
    name: 'the receiver of a send, an address',
    text: SOMEBODY,
    async find(visit) {
      await openSend(visit)
      return visit.modal.part('send-receiver')
    },
    asks: /\/v1\?/
  },
  {
    name: 'the receiver of a send, a name',
    text: 'somebody.portico.eth',
    async find(visit) {
      await openSend(visit)
      return visit.modal.part('send-receiver')
    },
    asks: /\/v1\/profile\//
  },
  {
    name: 'the search for a token to send',
    text: 'token 1234',
    async find(visit) {
      await openSend(visit)
      return seek(visit, 'send-token', 'send-select-token-search-input')
    }
  },
  {
    name: 'the amount of a swap',
    text: '1.234567',
    find: (visit) => openSwap(visit, 'USDC'),
    asks: /\/convert\/quotes\?/
  },
  {
    name: 'the search for a token to pay with',
    text: 'token 1234',
    async find(visit) {
      await openSwap(visit)
      return seek(visit, 'swap-select-token-button-sourceToken', 'swap-select-token-search-input')
    }
  },
  {
    name: 'the search for a token to receive',
    text: 'token 1234',
    async find(visit) {
      await openSwap(visit)
      return seek(visit, 'swap-select-token-button-toToken', 'swap-select-token-search-input')
    }
  }
]

/** Goes from a fresh page to the account view of such a visitor. */
export async function enter(world: Pick<World, 'visit'>): Promise<Visit> {
  const visit = await world.visit('/', { prepare: giveMuch })
  const { modal } = visit
  await modal.connectButton.click()
  await modal.ready()
  await modal.wallet().click()
  await visit.wallet.approve('connect')
  await modal.gone()
  await modal.accountButton.click()
  await modal.card.locator(`[role="listitem"][aria-setsize="${TOKENS}"]`).first().waitFor()
  return visit
}

interface Typing {
  readonly rounds: number
  readonly slowdown?: number
  /** Ends the rounds early. */
  readonly enough?: (letters: readonly Block[][]) => boolean
}

/** Types the text in several rounds, and returns the blocks of each letter in each round. */
export async function typeInto(
  world: Pick<World, 'visit'>,
  field: TypedField,
  { rounds, slowdown, enough = () => false }: Typing
): Promise<Block[][]> {
  const visit = await enter(world)
  const input = await field.find(visit)
  const letters: Block[][] = Array.from(field.text, () => [])
  for (let round = 0; round < rounds && !enough(letters); round += 1) {
    await input.fill('')
    const { asks } = field
    const followed = async () => asks && visit.page.waitForResponse(asks)
    const blocks = await type(visit.page, input, field.text, followed, slowdown)
    for (const [letter, block] of blocks.entries()) letters[letter]?.push(block)
  }
  await visit.close()
  return letters
}
