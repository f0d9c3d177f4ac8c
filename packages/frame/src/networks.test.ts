import { expect, it } from 'vitest'
import { readNetworks } from './networks.ts'

const answering = (body: string) => async () => new Response(body)

it('names are those that the server tells, of the right form', async () => {
  const told = {
    networks: [
      { chain: 'eip155:31337', name: 'Devnet', coin: 'DEV' },
      { chain: 'eip155:5', name: 'Old', coin: null },
      { chain: 5, name: 'Old' },
      { chain: 'eip155:6' },
      null
    ]
  }
  expect(await readNetworks(answering(JSON.stringify(told)))).toEqual([
    { chain: 'eip155:31337', name: 'Devnet', coin: 'DEV' },
    { chain: 'eip155:5', name: 'Old', coin: null }
  ])
})

it('a server that tells none, nonsense or nothing leaves the numbers', async () => {
  for (const body of ['', '[]', '{"networks":"x"}', 'null']) expect(await readNetworks(answering(body))).toEqual([])
  expect(await readNetworks(() => Promise.reject(new Error('offline')))).toEqual([])
})

it('the names are asked of the own origin, without cookies', async () => {
  const asked: [string, RequestInit][] = []
  await readNetworks(async (url, init) => {
    asked.push([url, init])
    return new Response('{}')
  })
  expect(asked[0]?.[0]).toBe('/networks.json')
  expect(asked[0]?.[1]).toMatchObject({ credentials: 'omit', redirect: 'error' })
})
