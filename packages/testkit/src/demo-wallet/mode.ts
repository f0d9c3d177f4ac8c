//! Modes in which a demo wallet misbehaves, so that a page can be tested against the wallets of the real world.

import type { RequestArguments } from '../provider.ts'

/** Methods that prompt the visitor. */
export const ASKING_METHODS: readonly string[] = [
  'eth_requestAccounts',
  'wallet_connect',
  'wallet_requestPermissions',
  'personal_sign',
  'eth_signTypedData_v4',
  'eth_sendTransaction',
  'wallet_sendCalls',
  'wallet_switchEthereumChain',
  'wallet_addEthereumChain'
]

/** Invalid responses of a wallet in the mode `nonsense`; `mixed` is a different one for each method. */
export const NONSENSE = ['mixed', 'object', 'chainId', 'empty', 'address', 'number', 'null', 'string', 'bare'] as const

export type Nonsense = (typeof NONSENSE)[number]

/** Failures of a wallet in the mode `throws`: `sync` throws out of `request` instead of rejecting. */
export const THROWS = ['sync', 'string', 'codeless', 'undefined'] as const

export type Throws = (typeof THROWS)[number]

interface Concern {
  /** Methods that the mode applies to; all of them when absent. */
  readonly methods?: readonly string[] | undefined
}

export type Mode =
  | ({ readonly type: 'normal' } & Concern)
  | ({ readonly type: 'refuse' } & Concern)
  | ({ readonly type: 'slow'; readonly delay: number } & Concern)
  | ({ readonly type: 'silent' } & Concern)
  | ({ readonly type: 'nonsense'; readonly answer: Nonsense } & Concern)
  | ({ readonly type: 'twice' } & Concern)
  | ({ readonly type: 'throws'; readonly how: Throws } & Concern)

const DEFAULT_DELAY = 3_000

/**
 * Parses a mode: `type[:argument][@method+method]`, as in `slow:2000`, `nonsense:chainId`, `refuse@eth_sendTransaction`. `@asking` stands
 * for every method that prompts the visitor.
 */
export function parseMode(text: string): Mode {
  const [, type, argument, only] = /^([a-z]+)(?::([^@]*))?(?:@(.+))?$/i.exec(text) ?? []
  const methods = only?.split(/[+ ]/).flatMap((method) => (method === 'asking' ? ASKING_METHODS : [method]))
  switch (type) {
    case 'normal':
    case 'refuse':
    case 'silent':
    case 'twice':
      return { type, methods }
    case 'slow': {
      const delay = argument === undefined ? DEFAULT_DELAY : Number(argument)
      if (!(delay >= 0)) throw new TypeError(`Not a delay in milliseconds: '${argument}'`)
      return { type, delay, methods }
    }
    case 'nonsense':
      return { type, answer: oneOf(NONSENSE, argument ?? 'mixed'), methods }
    case 'throws':
      return { type, how: oneOf(THROWS, argument ?? 'sync'), methods }
    default:
      throw new TypeError(`Not a mode of the demo wallet: '${text}'`)
  }
}

function oneOf<T extends string>(words: readonly T[], word: string): T {
  const found = words.find((candidate) => candidate === word)
  if (found === undefined) throw new TypeError(`Expected one of ${words.join(', ')}, not '${word}'`)
  return found
}

export function concerns(mode: Mode, method: string): boolean {
  return mode.methods === undefined || mode.methods.includes(method)
}

/**
 * Responds to a request according to the mode. Not `async`: a wallet that throws before it returns a promise is one of the cases. The modes
 * `refuse` and `twice` are handled elsewhere: a refusal comes after the checks before a prompt, and `twice` is about events.
 */
export function underMode(mode: Mode, args: RequestArguments, answer: () => Promise<unknown>): Promise<unknown> {
  if (!concerns(mode, args.method)) return answer()
  switch (mode.type) {
    case 'slow':
      return new Promise((resolve) => setTimeout(resolve, mode.delay)).then(answer)
    case 'silent':
      return new Promise(() => {})
    case 'nonsense':
      return nonsense(mode.answer, args.method, answer)
    case 'throws':
      return broken(mode.how)
    default:
      return answer()
  }
}

function broken(how: Throws): Promise<never> {
  switch (how) {
    case 'sync':
      throw new Error('The wallet broke.')
    case 'string':
      return Promise.reject('The wallet broke.')
    case 'codeless':
      return Promise.reject(new Error('The wallet broke.'))
    case 'undefined':
      return Promise.reject(undefined)
  }
}

function nonsense(kind: Nonsense, method: string, answer: () => Promise<unknown>): Promise<unknown> {
  const accounts = method === 'eth_requestAccounts' || method === 'eth_accounts'
  switch (kind) {
    case 'number':
      return Promise.resolve(42)
    case 'null':
      return Promise.resolve(null)
    case 'object':
      return Promise.resolve({ nonsense: true })
    case 'string':
      return Promise.resolve('nonsense')
    // Returns the value itself instead of a promise: `request(…).then` is then not a function.
    case 'bare':
      return 42 as unknown as Promise<unknown>
    case 'empty':
      return accounts ? Promise.resolve([]) : answer()
    case 'address':
      return accounts ? Promise.resolve(['0x123', 7]) : answer()
    case 'chainId':
      return method === 'eth_chainId' ? Promise.resolve('not-hexadecimal') : answer()
    case 'mixed': {
      if (accounts) return Promise.resolve({ nonsense: true })
      return Promise.resolve(method === 'eth_chainId' ? 'not-hexadecimal' : 42)
    }
  }
}
