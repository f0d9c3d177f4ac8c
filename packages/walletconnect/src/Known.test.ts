import { expect, it } from 'vitest'
import { WalletKnown } from './Known.ts'
import type { SessionRequest } from './types.ts'

const request = (topic: string, id: number) => ({ topic, id }) as SessionRequest

it('two applications may choose one id', () => {
  const known = new WalletKnown()
  known.heard({ type: 'requested', request: request('aa', 1) })
  known.heard({ type: 'requested', request: request('bb', 1) })
  known.heard({ type: 'requested', request: request('bb', 1) })
  expect(known.requests.map(({ topic }) => topic)).toEqual(['aa', 'bb'])
  known.responded('aa', 1)
  expect(known.requests.map(({ topic }) => topic)).toEqual(['bb'])
})
