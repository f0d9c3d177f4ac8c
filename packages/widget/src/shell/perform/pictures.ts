import type { Outcome } from '../../generated/core.ts'
import type { Page } from '../page.ts'
import { sendHttp } from './http.ts'

/** Pictures that a page may draw without a request. These formats contain no scripts. */
const PICTURE = /^data:image\/(webp|png|jpeg|gif);base64,[\w+/=]+$/

/** Fetches pictures of wallets and stores them for the views: they never cross into the core. */
export async function fetchPictures(page: Page, url: string, timeout: number): Promise<Outcome> {
  const outcome = await sendHttp({ method: 'GET', url, body: null, timeout })
  if (outcome.type !== 'httpAnswered') return outcome
  if (outcome.status !== 200) return { type: 'failed', error: null }
  const { images } = JSON.parse(outcome.body) as { images?: unknown }
  for (const image of Array.isArray(images) ? images : []) {
    if (typeof image?.id === 'string' && PICTURE.test(image.data)) page.icons.set(`image:${image.id}`, image.data)
  }
  return { type: 'done' }
}

/** Loads a picture into the browser's cache. One that is slow is drawn when it comes. */
export function preloadPicture(url: string, timeout: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const picture = new Image()
    const timer = setTimeout(resolve, timeout, { type: 'done' })
    const end = (outcome: Outcome) => () => {
      clearTimeout(timer)
      resolve(outcome)
    }
    picture.onload = end({ type: 'done' })
    picture.onerror = end({ type: 'failed', error: null })
    picture.src = url
  })
}
