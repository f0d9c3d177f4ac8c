//! Gallery of the embedded wallet's frame. `?case=Code.wrong` shows one state, and no case lists them; `theme=light` and `lang=ar` change its look.

import { createRoot } from 'react-dom/client'
import '../../../packages/frame/src/frame.css'
import { Secrets } from '../../../packages/frame/src/secrets.ts'
import { cases } from '../../../packages/frame/src/testing/cases.ts'
import { language, speak, words } from '../../../packages/frame/src/text/words.ts'
import { FrameView } from '../../../packages/frame/src/views/FrameView.tsx'

const wanted = new URLSearchParams(location.search)
const root = document.documentElement
root.dataset.theme = wanted.get('theme') === 'light' ? 'light' : 'dark'
await speak(wanted.get('lang') ?? 'en')
root.lang = language()
root.dir = words().direction

const place = document.querySelector('#frame')
const found = cases[wanted.get('case') ?? '']
if (place && found) {
  const { snapshot, secret } = found
  const secrets = new Secrets()
  if (secret) secrets.show(secret)
  const machine = { snapshot, subscribe: () => () => {}, dispatch: () => {} }
  createRoot(place).render(<FrameView machine={machine} secrets={secrets} />)
} else {
  for (const name of Object.keys(cases)) {
    const link = document.createElement('a')
    wanted.set('case', name)
    link.href = `?${wanted}`
    link.textContent = name
    place?.append(link, document.createElement('br'))
  }
}
