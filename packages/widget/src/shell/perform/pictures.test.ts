import { afterEach, expect, it, vi } from 'vitest'
import { Page } from '../page.ts'
import { fetchPictures } from './pictures.ts'

const webp = 'data:image/webp;base64,UklGRg=='

function answers(status: number, body: string) {
  vi.stubGlobal('location', new URL('https://page.example/'))
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })))
}

afterEach(() => vi.unstubAllGlobals())

it('a server that refuses leaves the page without pictures', async () => {
  answers(503, '')
  const page = new Page()
  expect((await fetchPictures(page, '/getWalletImages?ids=a', 1000)).type).toBe('failed')
  expect(page.icons.size).toBe(0)
})

it('nonsense is thrown, for whoever performs it to answer', async () => {
  answers(200, '<html>')
  await expect(fetchPictures(new Page(), '/x', 1000)).rejects.toThrow()
})

it('only pictures that run nothing and ask nobody are kept, under names that no wallet of the page has', async () => {
  const images = [
    { id: 'a', data: webp },
    { id: 'b', data: 'https://stranger.example/b.webp' },
    { id: 'c', data: 'data:image/svg+xml;base64,PHN2Zz4=' },
    { id: 7, data: webp },
    null
  ]
  answers(200, JSON.stringify({ images }))
  const page = new Page()
  expect(await fetchPictures(page, '/x', 1000)).toEqual({ type: 'done' })
  expect([...page.icons]).toEqual([['image:a', webp]])
})
