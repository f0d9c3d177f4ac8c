import { describe, expect, it } from 'vitest'
import { createScriptedProvider, deferred } from './index.ts'

describe('a scripted provider', () => {
  it('answers each request in its turn and remembers what was asked', async () => {
    const provider = createScriptedProvider([
      { method: 'eth_requestAccounts', does: 'answer', value: ['0x01'] },
      { method: 'personal_sign', does: 'answer', value: (params: unknown) => params },
      { method: 'eth_chainId', does: 'answer', value: '0x1', always: true }
    ])
    expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual(['0x01'])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(await provider.request({ method: 'personal_sign', params: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(await provider.request({ method: 'eth_chainId' })).toBe('0x1')
    expect(provider.requests).toHaveLength(4)
    provider.assertDone()
  })

  it('refuses, rejects, throws, hangs and answers nonsense', async () => {
    const provider = createScriptedProvider([
      { method: 'a', does: 'refuse' },
      { method: 'a', does: 'reject', reason: 'text' },
      { method: 'a', does: 'throw', reason: new Error('broken') },
      { method: 'a', does: 'nonsense', value: 7 },
      { method: 'a', does: 'hang' }
    ])
    const ask = () => provider.request({ method: 'a' })
    await expect(ask()).rejects.toMatchObject({ code: 4001 })
    await expect(ask()).rejects.toBe('text')
    expect(ask).toThrow('broken')
    expect(ask()).toBe(7)
    expect(await Promise.race([ask(), Promise.resolve('still waiting')])).toBe('still waiting')
  })

  it('settles late, when the test says so', async () => {
    const settled = deferred()
    const provider = createScriptedProvider([{ method: 'a', does: 'late', settled }])
    const request = provider.request({ method: 'a' })
    settled.resolve('at last')
    expect(await request).toBe('at last')
  })

  it('rejects what is out of turn and says so at the end', async () => {
    const provider = createScriptedProvider([{ method: 'first', does: 'hang' }])
    await expect(provider.request({ method: 'second' })).rejects.toMatchObject({ code: 4200 })
    expect(() => provider.assertDone()).toThrow('asked for second out of turn; never asked for first')
  })

  it('emits to those who listen and counts them', () => {
    const provider = createScriptedProvider([])
    const heard: unknown[] = []
    const listener = (payload: unknown) => heard.push(payload)
    provider.on('chainChanged', listener)
    provider.emit('chainChanged', '0x1')
    expect(provider.listenerCount('chainChanged')).toBe(1)
    provider.removeListener('chainChanged', listener)
    provider.emit('chainChanged', '0x2')
    expect(heard).toEqual(['0x1'])
    expect(provider.listenerCount('chainChanged')).toBe(0)
  })
})
