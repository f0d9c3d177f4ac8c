import { afterEach, expect, it, vi } from 'vitest'
import { Page } from '../page.ts'
import { fetchPictures, preloadPicture } from './pictures.ts'

const webp = 'data:image/webp;base64,UklGRg=='

function answers(status: number, body: string) {
  vi.stubGlobal('location', new URL('https://page.example/'))
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(body, { status })))
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

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

/** Picture of a browser, which the test lets load or break. */
class SlowImage {
  static last: SlowImage
  src = ''
  onload = () => {}
  onerror = () => {}

  constructor() {
    SlowImage.last = this
  }
}

it('spec_9_3_a_picture_is_waited_for_until_it_is_there_or_broken_or_two_seconds_have_passed', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('Image', SlowImage)
  const there = preloadPicture('/a.webp', 2_000)
  expect(SlowImage.last.src).toBe('/a.webp')
  SlowImage.last.onload()
  expect(await there).toEqual({ type: 'done' })
  const broken = preloadPicture('/b.webp', 2_000)
  SlowImage.last.onerror()
  expect(await broken).toEqual({ type: 'failed', error: null })
  expect(vi.getTimerCount()).toBe(0)
  const slow = vi.fn()
  void preloadPicture('/c.webp', 2_000).then(slow)
  await vi.advanceTimersByTimeAsync(1_999)
  expect(slow).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(slow).toHaveBeenCalledExactlyOnceWith({ type: 'done' })
})
