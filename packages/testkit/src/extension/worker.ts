//! Service worker of the extension: opens a window for each question, and passes on what the visitor decides there.

import './chrome.ts'
import type { Shown, ToWorker } from './messages.ts'

interface Open extends Shown {
  readonly window: number
  decide(approved: boolean): void
}

const open = new Map<string, Open>()

let last = 0

chrome.runtime.onMessage.addListener((message: ToWorker, sender, answer) => {
  switch (message.type) {
    case 'ask': {
      last += 1
      const id = String(last)
      const url = `ask.html#${id}`
      void chrome.windows.create({ url, type: 'popup', width: 380, height: 560 }).then(({ id: window }) => {
        open.set(id, { origin: sender.origin ?? '', asked: message.asked, window, decide: answer })
      })
      // The answer comes later.
      return true
    }
    case 'shown': {
      const one = open.get(message.id)
      answer(one && ({ origin: one.origin, asked: one.asked } satisfies Shown))
      return false
    }
    case 'decide': {
      const one = open.get(message.id)
      open.delete(message.id)
      one?.decide(message.approved)
      if (one) void chrome.windows.remove(one.window)
      return false
    }
  }
})

chrome.windows.onRemoved.addListener((window) => {
  for (const [id, one] of open)
    if (one.window === window) {
      open.delete(id)
      one.decide(false)
    }
})
