//! Measures the WalletConnect chunk, compared with WalletConnect's own client, and writes its section of docs/benchmarks.md.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, release } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'esbuild'
import * as dapps from '../../packages/walletconnect/wasm/walletconnect.js'
// Loaded a second time for a memory of its own, as on another device.
import * as wallets from '../../packages/walletconnect/wasm/walletconnect.js?wallet'
import * as bench from '../../target/bench/wasm/walletconnect.js'

const here = dirname(fileURLToPath(import.meta.url))
const chunk = join(here, '../../packages/walletconnect/dist')
const page = join(here, '../../docs/benchmarks.md')
const SECTION = '\n## WalletConnect\n'
const LIMITS = { bytes: 60 * 1024, microseconds: 50 }
const RUNS = 3000
const CHAIN = 'eip155:1'
const NOW = Date.now()

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  }).length

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]

/** Bundles a package with the same bundler, target and compression as our chunk. */
async function bundled(specifier) {
  const { outputFiles } = await build({
    stdin: { contents: `export { SignClient } from '${specifier}'`, resolveDir: here },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    minify: true,
    charset: 'utf8',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'error'
  })
  return brotli(outputFiles[0].contents)
}

/** Client state machine with its outputs, and a relay that accepts everything. */
class Side {
  constructor(name, glue) {
    this.glue = glue
    const metadata = { name, description: '', url: 'https://app.example', icons: [] }
    const config = JSON.stringify({ relays: [{ relayUrl: 'wss://relay.example' }], metadata })
    this.client = glue.start(config, crypto.getRandomValues(new Uint8Array(32)).join(), '{}', NOW)
    this.tickets = 0
    this.told = []
    this.published = []
    this.topics = new Set()
  }

  handle(text) {
    return this.glue.handle(this.client, text, NOW)
  }

  say(input) {
    return this.turn(JSON.stringify(input))
  }

  command(input) {
    this.tickets += 1
    return this.say({ ...input, ticket: this.tickets })
  }

  turn(text) {
    const said = this.handle(text)
    if (said.startsWith('!')) throw new Error(`${said}: ${text}`)
    const { outputs } = JSON.parse(said)
    for (const output of outputs) {
      if (output.type === 'open') this.socket = output.socket
      if (output.type === 'open') this.opening = true
      if (output.type === 'told' || output.type === 'answered') this.told.push(output)
      if (output.type === 'refused') throw new Error(JSON.stringify(output))
      if (output.type === 'send') this.sent(JSON.parse(output.text))
    }
    if (this.opening) {
      this.opening = false
      this.say({ type: 'opened', socket: this.socket })
    }
    return outputs
  }

  sent({ id, method, params }) {
    if (!method) return
    if (method === 'irn_publish') this.published.push(params)
    const topics = params.topics ?? [params.topic]
    if (method.includes('ubscribe')) for (const topic of topics) this.topics.add(topic)
    const result = method.includes('ubscribe') ? (params.topics ? topics : 'a') : true
    this.answers ??= []
    this.answers.push(JSON.stringify({ id, jsonrpc: '2.0', result }))
  }

  /** Delivers the relay's responses to the client. */
  settle() {
    while (this.answers?.length) this.say({ type: 'message', socket: this.socket, text: this.answers.shift() })
  }
}

let delivered = 10 ** 15

/** Message that a relay delivers, as an input of the receiving client. */
function delivery({ topic, message, tag }, { socket }) {
  delivered += 1
  const params = { id: 'a'.repeat(64), data: { topic, message, tag, publishedAt: NOW } }
  const text = JSON.stringify({ id: delivered, jsonrpc: '2.0', method: 'irn_subscription', params })
  return JSON.stringify({ type: 'message', socket, text })
}

/** Exchanges frames until none is left; messages for topics without a subscriber are stored. */
function exchange(one, other) {
  for (let busy = true; busy; ) {
    one.settle()
    other.settle()
    busy = false
    for (const [from, to] of [
      [one, other],
      [other, one]
    ]) {
      const heard = from.published.filter(({ topic }) => to.topics.has(topic))
      from.published = from.published.filter((mail) => !heard.includes(mail))
      for (const mail of heard) to.turn(delivery(mail, to))
      busy ||= heard.length > 0 || from.answers?.length > 0 || to.answers?.length > 0
    }
  }
}

const told = (side, type) => side.told.map(({ event }) => event).find((event) => event?.type === type)

function connected() {
  const dapp = new Side('dapp', dapps)
  const wallet = new Side('wallet', wallets)
  const what = { methods: ['personal_sign'], events: [] }
  dapp.command({ type: 'propose', optionalNamespaces: { eip155: { chains: [CHAIN], ...what } } })
  wallet.command({ type: 'pair', uri: dapp.told.find(({ value }) => value?.uri).value.uri })
  exchange(dapp, wallet)
  const { proposal } = told(wallet, 'proposed')
  const accounts = [`${CHAIN}:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266`]
  wallet.command({ type: 'approve', proposal: proposal.id, namespaces: { eip155: { accounts, ...what } } })
  exchange(dapp, wallet)
  return { dapp, wallet, topic: told(dapp, 'settled').session.topic }
}

/** Time from the command to the frame, and from the frame to the wallet's event, without the time of a socket. */
function roundTrip({ dapp, wallet, topic }) {
  const params = ['0x'.padEnd(700, 'ab'), '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266']
  const times = []
  let bytes = 0
  for (let run = 0; run < RUNS; run += 1) {
    dapp.tickets += 1
    const command = JSON.stringify({
      ...{ type: 'request', ticket: dapp.tickets, topic, chainId: CHAIN },
      ...{ method: 'personal_sign', params }
    })
    const begun = performance.now()
    const sealed = dapp.handle(command)
    const between = performance.now()
    const frames = JSON.parse(sealed).outputs.filter(({ type }) => type === 'send')
    const { id, params: mail } = JSON.parse(frames[0].text)
    bytes = mail.message.length
    const input = delivery(mail, wallet)
    const resumed = performance.now()
    const opened = wallet.handle(input)
    times.push((between - begun + performance.now() - resumed) * 1000)
    const { event } = JSON.parse(opened).outputs.find(({ type }) => type === 'told')
    dapp.say({ type: 'message', socket: dapp.socket, text: JSON.stringify({ id, jsonrpc: '2.0', result: true }) })
    const error = { code: 5000, message: 'no' }
    wallet.command({ type: 'respond', topic, id: event.request.id, error })
    wallet.settle()
    for (const answer of wallet.published.splice(0)) dapp.handle(delivery(answer, dapp))
    dapp.settle()
  }
  return { median: median(times.slice(RUNS / 3)), bytes }
}

/** Time to seal, open and parse 1 KB of JSON, in a module that differs from the shipped one only by this function. */
function envelope() {
  const request = { method: 'personal_sign', params: ['', '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'] }
  const payload = { id: NOW * 1000, jsonrpc: '2.0', method: 'wc_sessionRequest', params: { request, chainId: CHAIN } }
  const missing = 1024 - JSON.stringify(payload).length
  request.params[0] = '0x'.padEnd(missing, 'ab')
  const text = JSON.stringify(payload)
  const times = []
  for (let run = 0; run < RUNS; run += 1) {
    const begun = performance.now()
    const fields = bench.envelope(text)
    times.push((performance.now() - begun) * 1000)
    if (fields !== 4 || text.length !== 1024) throw new Error('The envelope was not opened')
  }
  return median(times.slice(RUNS / 3))
}

const moduleOf = (folder, file) => ({ module: readFileSync(join(folder, file)) })
dapps.initSync(moduleOf(chunk, 'walletconnect_bg.wasm'))
wallets.initSync(moduleOf(chunk, 'wallet_bg.wasm'))
bench.initSync(moduleOf(join(here, '../../target/bench/wasm'), 'bench_bg.wasm'))
const sizes = Object.fromEntries(
  ['dapp.js', 'walletconnect_bg.wasm', 'index.js', 'wallet_bg.wasm'].map((file) => [
    file,
    brotli(readFileSync(join(chunk, file)))
  ])
)
const ours = sizes['dapp.js'] + sizes['walletconnect_bg.wasm']
const whole = sizes['index.js'] + sizes['wallet_bg.wasm']
const theirs = await bundled('@walletconnect/sign-client')
const alone = envelope()
const { median: time, bytes } = roundTrip(connected())

const kept = (is) => (is ? 'kept' : 'missed')
const kilobytes = (size) => `${(size / 1024).toFixed(1)} KB`
const rows = [
  [
    'The chunk: machine, glue and driver',
    `${LIMITS.bytes / 1024} KB`,
    kilobytes(ours),
    kept(ours <= LIMITS.bytes),
    `${kilobytes(sizes['walletconnect_bg.wasm'])} of it the module; with the wallet's side and the sign-in ${kilobytes(whole)}; the JavaScript sign client 2.21.8, which has both, bundled and compressed in the same way: ${kilobytes(theirs)}`
  ],
  [
    'An envelope with 1 KB of JSON sealed, opened and read',
    `${LIMITS.microseconds} µs`,
    `${alone.toFixed(1)} µs`,
    kept(alone <= LIMITS.microseconds),
    `median of ${RUNS}; the module as it is shipped, with one more function that does these three`
  ],
  [
    `A request sealed by one client and opened by another, an envelope of ${bytes} characters`,
    '',
    `${time.toFixed(1)} µs`,
    '',
    `median of ${RUNS}; with the reading of the command, the frames, what is remembered of each message, and the records that are kept`
  ]
]
const date = execFileSync('date', ['+%F'], { encoding: 'utf8' }).trim()
const about = `\`cargo xtask bench chunk\`, ${date}, ${availableParallelism()} cores, Linux ${release().split('.').slice(0, 2).join('.')}, ${cpus()[0].model.trim()}, Node ${process.versions.node}.`
const table = [
  '| Budget | At most | Measured | | |',
  '|---|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`)
]
const text = `${SECTION}\n${about}\n\n${table.join('\n')}\n`
const before = readFileSync(page, 'utf8')
// The relay's section is the last, so a new section goes before it.
const place = before.includes(SECTION) ? SECTION : '\n## Relay\n'
const [above, old = ''] = before.split(place)
// The subsections below the table are written by a test and stay.
const rest = old
  .split(/(?=\n###? )/)
  .slice(1)
  .join('')
const below = place === SECTION ? rest : before.includes(place) ? place + old : ''
writeFileSync(page, `${above.trimEnd()}\n${text}${below}`)
console.log(table.join('\n'))
if (rows.some((row) => row.includes('missed'))) process.exitCode = 1
