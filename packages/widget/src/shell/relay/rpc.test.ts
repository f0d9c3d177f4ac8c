import { expect, it } from 'vitest'
import { PorticoError } from '../../host/PorticoError.ts'
import { resultOf } from './rpc.ts'

it('the result of a response may be any value, and false and null as well', async () => {
  for (const result of ['0x1', null, false, []]) {
    expect(await resultOf(Promise.resolve({ jsonrpc: '2.0', id: 0, result }))).toEqual(result)
  }
})

it('what a node refuses is an error with its code and data', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08' }
  await expect(resultOf(Promise.resolve({ id: 0, error }))).rejects.toMatchObject(error)
})

it('what the core refuses is an error with its code, and an internal one where it has none', async () => {
  const none = Promise.reject(
    new PorticoError('chainDisconnected', 'No RPC URL for this network. Add one to rpcUrls.', 4901)
  )
  await expect(resultOf(none)).rejects.toMatchObject({
    code: 4901,
    message: 'No RPC URL for this network. Add one to rpcUrls.'
  })
  const restarted = Promise.reject(new PorticoError('restarted', 'Started again'))
  await expect(resultOf(restarted)).rejects.toMatchObject({ code: -32603, message: 'Started again' })
})
