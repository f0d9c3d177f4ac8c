//! Window of the extension: one question of a page, and the visitor's two answers.

import './chrome.ts'
import type { Shown, ToWorker } from './messages.ts'

const id = location.hash.slice(1)

const send = <T>(message: ToWorker) => chrome.runtime.sendMessage<T>(message)

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** The worker knows the question once the window is there. */
async function shown(): Promise<Shown> {
  for (;;) {
    const found = await send<Shown | undefined>({ type: 'shown', id })
    if (found) return found
    await new Promise(requestAnimationFrame)
  }
}

const { origin, asked } = await shown()
const list = document.createElement('dl')
for (const [label, value] of asked.rows) list.append(element('dt', label), element('dd', value))
const buttons = document.createElement('footer')
for (const [text, approved] of [
  ['Reject', false],
  ['Approve', true]
] as const) {
  const button = element('button', text)
  button.addEventListener('click', () => void send({ type: 'decide', id, approved }))
  buttons.append(button)
}
document.body.dataset.kind = asked.kind
document.body.append(element('h1', asked.kind), element('p', origin), list, buttons)
