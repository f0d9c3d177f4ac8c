import type { Outcome } from '../../generated/core.ts'
import type { Page } from '../page.ts'
import { sendHttp } from './http.ts'

/** A picture that a page may draw without asking anybody. No scripts live in these. */
const PICTURE = /^data:image\/(webp|png|jpeg|gif);base64,[\w+/=]+$/

/** Fetches pictures of wallets and keeps them where views look: they never cross into the core. */
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
