//! Transactions before the test: a few of every kind that an account can send and receive.

import { ACCOUNTS, type Builder } from './builder.ts'
import { amount, metadata, type Tokens } from './tokens.ts'

const ETHER = 10n ** 18n
const [VISITOR, ALICE, BOB, CAROL, PAINTER] = ACCOUNTS
/** Number of transactions and of transfers that is more than one page of an explorer. */
const BUSY = 60

export async function makeHistory(builder: Builder, tokens: Tokens): Promise<void> {
  const days = [fill, coins, transfers, trade, pictures, badges, wraps, internals, failures, spam, busyAccount]
  for (const day of days) {
    builder.nextDay()
    await day(builder, tokens)
  }
}

async function fill(builder: Builder, { usdc, dai, ticket, exchange }: Tokens) {
  const dollars = amount(2_500, 6)
  await builder.write(VISITOR, usdc, 'mint', [VISITOR, dollars])
  await builder.write(VISITOR, dai, 'mint', [VISITOR, amount(1_000, 18)])
  await builder.write(VISITOR, ticket, 'mint', [VISITOR, 3n])
  await builder.write(ALICE, usdc, 'mint', [ALICE, dollars])
  await builder.write(BOB, usdc, 'mint', [BOB, dollars])
  await builder.write(ALICE, dai, 'mint', [exchange.address, amount(50_000, 18)])
}

async function coins(builder: Builder) {
  await builder.send({ from: ALICE, to: VISITOR, value: ETHER })
  await builder.send({ from: VISITOR, to: BOB, value: ETHER / 4n })
}

async function transfers(builder: Builder, { usdc, dai, ticket }: Tokens) {
  await builder.write(ALICE, usdc, 'transfer', [VISITOR, amount(42.5, 6)])
  await builder.write(VISITOR, dai, 'transfer', [BOB, amount(12.25, 18)])
  await builder.write(VISITOR, ticket, 'burn', [1n])
}

async function trade(builder: Builder, { usdc, dai, exchange }: Tokens) {
  const give = amount(100, 6)
  await builder.write(VISITOR, usdc, 'approve', [exchange.address, give])
  await builder.write(VISITOR, exchange, 'swap', [usdc.address, give, dai.address, amount(99.5, 18)])
}

async function pictures(builder: Builder, { pictures }: Tokens) {
  const mint = (to: string, id: bigint, uri: string) =>
    builder.write(to as typeof VISITOR, pictures, 'mint', [to, id, uri])
  await mint(VISITOR, 1n, metadata('Red dawn', [220, 50, 50]))
  await mint(VISITOR, 2n, metadata('Green valley', [50, 180, 90]))
  await mint(ALICE, 3n, metadata('Blue hour', [50, 90, 220]))
  await mint(PAINTER, 4n, metadata('Yellow dunes', [230, 200, 40]))
  await builder.write(VISITOR, pictures, 'transferFrom', [VISITOR, ALICE, 2n])
  await builder.write(ALICE, pictures, 'transferFrom', [ALICE, VISITOR, 3n])
}

async function badges(builder: Builder, { badges }: Tokens) {
  // Not by the deployer, on whose nonce the addresses of later contracts depend.
  await builder.write(PAINTER, badges, 'setUri', [8n, metadata('Badge', [40, 130, 150], 'planets')])
  await builder.write(PAINTER, badges, 'setUri', [9n, metadata('Badge', [200, 90, 50], 'sails')])
  await builder.write(VISITOR, badges, 'mint', [VISITOR, 7n, 5n])
  await builder.write(ALICE, badges, 'mintBatch', [VISITOR, [8n, 9n], [2n, 1n]])
  await builder.write(VISITOR, badges, 'safeTransferFrom', [VISITOR, ALICE, 7n, 2n, '0x'])
}

async function wraps(builder: Builder, { weth }: Tokens) {
  await builder.write(VISITOR, weth, 'deposit', [], ETHER / 2n)
  await builder.write(VISITOR, weth, 'withdraw', [ETHER / 5n])
}

async function internals(builder: Builder, { forwarder }: Tokens) {
  await builder.write(ALICE, forwarder, 'forward', [VISITOR], ETHER / 8n)
}

async function failures(builder: Builder, { forwarder }: Tokens) {
  await builder.fail(VISITOR, forwarder, 'fail')
}

async function spam(builder: Builder, { reverting, lying }: Tokens) {
  await builder.write(BOB, reverting, 'mint', [VISITOR, amount(1_000_000, 18)])
  await builder.write(BOB, lying, 'mint', [VISITOR, 10n ** 30n])
}

async function busyAccount(builder: Builder, { usdc }: Tokens) {
  for (let turn = 1; turn <= BUSY; turn++) {
    await builder.send({ from: BOB, to: CAROL, value: BigInt(turn) })
    await builder.write(BOB, usdc, 'transfer', [CAROL, BigInt(turn)])
  }
}
