import { afterEach, expect, it, vi } from 'vitest'
import { fetchAttestationKey } from './attestation.ts'

afterEach(() => vi.unstubAllGlobals())

const answering = (answer: () => Response | Promise<Response>) => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(String(url))
    return answer()
  })
  return asked
}

it('asks the host of the relay over http for its key', async () => {
  const asked = answering(() => Response.json({ key: 'did:key:z6Mk' }))
  expect(await fetchAttestationKey('wss://relay.example/relay')).toBe('did:key:z6Mk')
  expect(await fetchAttestationKey('ws://localhost:8080')).toBe('did:key:z6Mk')
  expect(asked).toEqual(['https://relay.example/relay/attestation-key', 'http://localhost:8080/relay/attestation-key'])
})

it('has no key where the relay has none, answers nonsense or is away', async () => {
  for (const answer of [
    () => Response.json({ key: 'did:key:z6Mk' }, { status: 404 }),
    () => Response.json({ key: 7 }),
    () => Response.json({ key: 'z6Mk' }),
    () => Response.json(null),
    () => new Response('<html>'),
    () => Promise.reject(new TypeError('refused'))
  ]) {
    answering(answer)
    expect(await fetchAttestationKey('wss://relay.example')).toBeNull()
  }
  expect(await fetchAttestationKey('not a url')).toBeNull()
})
