//! Runs the state machine of the sign client: passes inputs in and performs its outputs. All decisions are the machine's.

import { Alarm } from './alarm.ts'
import type { ClientOutput } from './generated/client.ts'
import type { Bound } from './load.ts'
import type { Kept } from './records.ts'
import { type OpenSocket, Sockets } from './sockets.ts'
import type { ClientEvent } from './types.ts'
import { codes, WalletConnectError } from './WalletConnectError.ts'

/** Input of the machine; the commands of `SignClient` carry a `ticket`. */
export type Input = { readonly type: string; readonly [part: string]: unknown }

interface Told {
  readonly outputs: readonly ClientOutput[]
  readonly timeout: number | null
}

/** Pending caller of a command. */
interface Waiting {
  resolve(value: unknown): void
  reject(error: WalletConnectError): void
}

export interface ExecutorParts {
  /** Starts a machine from the stored records. */
  readonly boot: (stored: string, now: number) => Pick<Bound, 'handle' | 'drop'>
  readonly records: Kept
  readonly open: OpenSocket
  readonly now: () => number
  readonly tell: (event: ClientEvent) => void
}

/** Maximum number of restarts within `HEALTHY_MS`; after the next trap the machine stays stopped. */
const RESTARTS = 3
const HEALTHY_MS = 60_000

export class Executor {
  readonly #parts: ExecutorParts
  readonly #sockets: Sockets
  readonly #alarm: Alarm
  readonly #waiting = new Map<number, Waiting>()
  /** Inputs that arrived while the outputs of a turn were performed, with their tickets. */
  readonly #queue: [input: string, ticket: number][] = []
  #machine: ReturnType<ExecutorParts['boot']> | undefined
  #doing = false
  #lastTicket = 0
  #restarts: number[] = []

  constructor(parts: ExecutorParts) {
    this.#parts = parts
    this.#sockets = new Sockets(parts.open, (input) => this.turn(input))
    this.#alarm = new Alarm(parts.now, (slept) => {
      if (slept) this.turn({ type: 'wake' })
      this.turn({ type: 'tick' })
    })
  }

  /** Throws if the machine cannot parse its configuration. */
  start(): void {
    this.#machine = this.#boot()
    this.#perform(read(this.#machine.handle(JSON.stringify({ type: 'tick' }), this.#parts.now())))
  }

  /** Stops the machine and rejects all pending calls. */
  stop(): void {
    this.#machine = undefined
    this.#alarm.set(null)
    this.#sockets.closeAll()
    this.#refuseAll('The client was stopped')
  }

  /** Runs a command whose answer may come later. */
  ask<Answer>(command: Input): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) =>
      this.#command(command, { resolve: resolve as (value: unknown) => void, reject })
    )
  }

  /** Runs a command that the machine answers in the same turn. */
  askNow<Answer>(command: Input): Answer {
    if (this.#doing) throw new WalletConnectError(codes.stopped, 'The client is in the middle of a turn')
    let answer: { readonly value: unknown } | undefined
    let refusal: WalletConnectError | undefined
    this.#command(command, {
      resolve: (value) => {
        answer = { value }
      },
      reject: (error) => {
        refusal = error
      }
    })
    if (answer) return answer.value as Answer
    throw refusal ?? new WalletConnectError(codes.stopped, 'There was no answer')
  }

  turn(input: Input): void {
    this.#turn(JSON.stringify(input))
  }

  #turn(input: string, ticket = 0): void {
    if (this.#doing) {
      this.#queue.push([input, ticket])
      return
    }
    if (!this.#machine) return
    let told: Told | undefined
    try {
      told = read(this.#machine.handle(input, this.#parts.now()))
    } catch (error) {
      if (!(error instanceof WalletConnectError)) {
        this.#recover(error)
        return
      }
      this.#settle(ticket, (waiting) => waiting.reject(error))
    }
    if (told) this.#perform(told)
    const next = this.#queue.shift()
    if (next) this.#turn(...next)
  }

  #command(command: Input, waiting: Waiting): void {
    if (!this.#machine) {
      waiting.reject(new WalletConnectError(codes.stopped, 'The client was stopped'))
      return
    }
    this.#lastTicket += 1
    const ticket = this.#lastTicket
    // Throws if the command is not JSON. The caller gets that error, and no call is pending yet.
    const input = JSON.stringify({ ...command, ticket })
    this.#waiting.set(ticket, waiting)
    this.#turn(input, ticket)
  }

  /** First performs all effects, then reports answers and events, since their listeners may run the next command at once. */
  #perform({ outputs, timeout }: Told): void {
    this.#doing = true
    for (const output of outputs) {
      try {
        this.#do(output)
      } catch (error) {
        // The page's own socket or store threw. Continue with the other outputs.
        console.error('[portico] Part of the WalletConnect client failed:', error)
      }
    }
    this.#doing = false
    this.#alarm.set(timeout)
    for (const output of outputs) {
      if (output.type === 'told') this.#parts.tell(output.event)
      else if (output.type === 'answered') this.#settle(output.ticket, (waiting) => waiting.resolve(output.value))
      else if (output.type === 'refused') {
        const error = new WalletConnectError(output.code, output.message, output.data)
        this.#settle(output.ticket, (waiting) => waiting.reject(error))
      }
    }
  }

  #do(output: ClientOutput): void {
    if (output.type === 'open') this.#sockets.open(output.socket, output.url)
    else if (output.type === 'send') this.#sockets.send(output.socket, output.text)
    else if (output.type === 'close') this.#sockets.close(output.socket)
    else if (output.type === 'store') this.#parts.records.set(output.key, output.value)
    else if (output.type === 'remove') this.#parts.records.delete(output.key)
  }

  #settle(ticket: number, act: (waiting: Waiting) => void): void {
    const waiting = this.#waiting.get(ticket)
    this.#waiting.delete(ticket)
    if (waiting) act(waiting)
  }

  #refuseAll(why: string): void {
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const waiting of all) waiting.reject(new WalletConnectError(codes.stopped, why))
  }

  #boot(): ReturnType<ExecutorParts['boot']> {
    const { boot, records, now } = this.#parts
    return boot(JSON.stringify(records.entries()), now())
  }

  /** Replaces a machine that trapped, which must not be called again. The next one starts from the stored records. */
  #recover(error: unknown): void {
    console.error('[portico] The WalletConnect client restarted after an error:', error)
    this.#queue.length = 0
    this.#sockets.closeAll()
    this.#machine?.drop()
    this.#machine = undefined
    const now = this.#parts.now()
    this.#restarts = [...this.#restarts.filter((at) => now - at < HEALTHY_MS), now]
    this.#alarm.set(null)
    this.#refuseAll('The client was started anew after an error')
    if (this.#restarts.length > RESTARTS) return
    try {
      this.start()
    } catch (cause) {
      this.#machine = undefined
      console.error("[portico] Couldn't start the WalletConnect client:", cause)
    }
  }
}

/** Parses the machine's answer: JSON, or `!` and the part that was not understood. */
function read(told: string): Told {
  if (told.startsWith('!')) throw new WalletConnectError(codes.notUnderstood, `Not understood: ${told.slice(1)}`)
  return JSON.parse(told)
}
