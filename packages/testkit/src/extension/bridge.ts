//! Script of the extension beside the page: carries questions to the service worker, and decisions back. The page may send it anything.

import './chrome.ts'
import { type Ask, type Decided, MARK, type ToWorker } from './messages.ts'

window.addEventListener('message', async ({ source, data }: MessageEvent<Ask | undefined>) => {
  if (source !== window || data?.mark !== MARK || typeof data.ask !== 'number') return
  const message: ToWorker = { type: 'ask', asked: data.asked }
  const approved = (await chrome.runtime.sendMessage<boolean>(message)) === true
  const decided: Decided = { mark: MARK, decided: data.ask, approved }
  window.postMessage(decided, location.origin)
})
