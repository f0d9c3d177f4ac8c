import { describe, expect, it } from 'vitest'
import { ACCOUNT, request, session, TOPIC, world } from '../testing/fakes.ts'
import { doneFor } from './done.ts'
import type { Question } from './question.ts'
import { memoryRecords } from './storage.ts'

const hello = request('personal_sign', ['0x68656c6c6f', ACCOUNT])

describe('what was done', () => {
  const sessions = [session()]
  const result = expect.stringMatching(/^0x[0-9a-f]{130}$/)
  const told = (from: ReturnType<typeof world>) => from.wallet.view().notices.map(({ words }) => words)

  it('is never answered with an error, though the app cannot be told', async () => {
    const all = world({ sessions, refuse: { respond: new Error('The relay did not take the message') } })
    all.tell({ type: 'requested', request: hello })
    await all.wallet.approve(all.question())
    expect(all.calls).toEqual([['respond', TOPIC, 7, { result }]])
    expect(all.wallet.view().questions).toEqual([])
    expect(told(all)).toEqual(["Done. The app couldn't be notified."])
  })

  it('is answered once more, and not done twice, when the client tells of the request anew', async () => {
    const all = world({ sessions, refuse: { respond: new Error('The relay did not take the message') } })
    all.tell({ type: 'requested', request: hello })
    await all.wallet.approve(all.question())
    for (let again = 0; again < 3; again += 1) all.tell({ type: 'requested', request: hello })
    expect(all.wallet.view().questions).toEqual([])
    expect(all.calls).toHaveLength(2)
    expect(all.calls[1]).toEqual(all.calls[0])
  })

  it('is not done twice after the page was loaded again', async () => {
    const before = world({ sessions, refuse: { respond: new Error('offline') } })
    before.tell({ type: 'requested', request: hello })
    await before.wallet.approve(before.question())
    const after = world({ sessions, records: before.records, requests: [hello] })
    expect(after.wallet.view().questions).toEqual([])
    await expect.poll(() => doneFor(after.records, TOPIC, 7)).toBeUndefined()
    expect(after.calls).toEqual(before.calls)
  })

  it('is answered where the browser keeps nothing more', async () => {
    const all = world({ sessions })
    all.tell({ type: 'requested', request: hello })
    all.records.set = () => {
      throw new Error('QuotaExceededError')
    }
    await all.wallet.approve(all.question())
    expect(all.calls).toEqual([['respond', TOPIC, 7, { result }]])
    expect(told(all)).toEqual(['Signed for Shop.'])
  })

  it('in another tab is not done here as well, nor while it is being done there', async () => {
    const records = memoryRecords()
    const [here, there] = [world({ sessions, records }), world({ sessions, records, refuse: { respond: new Error() } })]
    for (const { tell } of [here, there]) tell({ type: 'requested', request: hello })
    const never = () => Promise.reject(new Error('done twice'))
    const twice = { ...here.question(), ask: { body: { type: 'message' }, perform: never } } as unknown as Question
    await Promise.all([there.wallet.approve(there.question()), here.wallet.approve(twice)])
    expect(here.wallet.view().questions).toEqual([])
    expect(here.calls).toEqual([['respond', TOPIC, 7, { result }]])
  })

  it('and never ended, as the page went away, is answered and not done again', async () => {
    const before = world({ sessions })
    before.tell({ type: 'requested', request: hello })
    let end: (hash: string) => void = () => undefined
    const perform = (begins: (hash: string) => void) => {
      begins('0xaa')
      return new Promise<string>((resolve) => {
        end = resolve
      })
    }
    const sending = { ...before.question(), ask: { body: { type: 'transaction' }, perform } } as unknown as Question
    const approved = before.wallet.approve(sending)
    await expect.poll(() => doneFor(before.records, TOPIC, 7)).toBeDefined()
    const after = world({ sessions, records: before.records, requests: [hello] })
    expect(after.wallet.view().questions).toEqual([])
    expect(after.calls).toEqual([['respond', TOPIC, 7, { result: '0xaa' }]])
    end('0xaa')
    await approved
  })

  it('is answered once where a button is pressed twice', async () => {
    const all = world({ sessions })
    all.tell({ type: 'requested', request: hello })
    const question = all.question()
    await Promise.all([all.wallet.approve(question), all.wallet.approve(question)])
    expect(all.calls).toHaveLength(1)
  })

  it('is no longer kept once the app was told', async () => {
    const all = world({ sessions })
    all.tell({ type: 'requested', request: hello })
    await all.wallet.approve(all.question())
    expect(doneFor(all.records, TOPIC, 7)).toBeUndefined()
  })

  it('that is stored as nonsense is as if nothing was done', () => {
    for (const nonsense of ['{', 'null', '{"topic":1}', '[null,{"topic":"x"},7]']) {
      const { wallet, records, tell } = world({ sessions })
      records.set('done', nonsense)
      tell({ type: 'requested', request: hello })
      expect(wallet.view().questions).toHaveLength(1)
    }
  })

  it('and sent is called so', async () => {
    const { wallet, calls, tell, question } = world({ sessions, refuse: { respond: new Error('offline') } })
    tell({ type: 'requested', request: hello })
    const sent = { ...question(), ask: { body: { type: 'transaction' }, perform: async () => '0xaa' } }
    await wallet.approve(sent as unknown as Question)
    expect(wallet.view().notices.map(({ words }) => words)).toEqual(["Sent. The app couldn't be notified."])
    expect(calls).toEqual([['respond', TOPIC, 7, { result: '0xaa' }]])
  })

  it('is refused once more, and not asked again, where the app could not be told', async () => {
    const all = world({ sessions, refuse: { respond: new Error('offline') } })
    all.tell({ type: 'requested', request: hello })
    await all.wallet.refuse(all.question())
    for (let again = 0; again < 3; again += 1) all.tell({ type: 'requested', request: hello })
    expect(all.wallet.view().questions).toEqual([])
    expect(all.calls).toHaveLength(2)
  })

  it('is nothing where it failed: the app hears why', async () => {
    const { wallet, calls, tell, question } = world({ sessions })
    tell({ type: 'requested', request: hello })
    const perform = () => Promise.reject(new Error('No funds.'))
    const failing = { ...question(), ask: { body: { type: 'transaction' }, perform } }
    await wallet.approve(failing as unknown as Question)
    expect(calls).toEqual([['respond', TOPIC, 7, { error: { code: -32603, message: 'No funds.' } }]])
  })
})
