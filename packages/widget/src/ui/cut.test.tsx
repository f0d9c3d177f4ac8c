import { afterEach, expect, it } from 'vitest'
import { titleCut } from './cut.ts'

afterEach(() => document.body.replaceChildren())

/** Element with this text in 100 px, of which it needs `needed`. */
function box(text: string, needed: number, html = `<b style="text-overflow:ellipsis">${text}</b>`): Element {
  document.body.innerHTML = `<p>${html}</p>`
  const element = document.querySelector('b, input') as Element
  Object.defineProperties(element, { clientWidth: { value: 100 }, scrollWidth: { value: needed, writable: true } })
  return element
}

it('a text that is cut has its whole text as a title, also when what surrounds it is reached', () => {
  const text = box('A long name', 101)
  titleCut(text)
  expect(text.getAttribute('title')).toBe('A long name')
  const within = box('Another long name', 101)
  titleCut(within.parentElement as Element)
  expect(within.getAttribute('title')).toBe('Another long name')
})

it('a text that is whole, or has a title of its own, gets none', () => {
  const whole = box('Short', 100)
  titleCut(whole)
  expect(whole.hasAttribute('title')).toBe(false)
  const own = box('', 101, '<b title="Full address" style="text-overflow:ellipsis">0x70…</b>')
  titleCut(own)
  expect(own.getAttribute('title')).toBe('Full address')
})

it('the title follows a text that changes, and goes when the text is whole again', () => {
  const text = box('A long name', 101)
  titleCut(text)
  text.textContent = 'Another one'
  titleCut(text)
  expect(text.getAttribute('title')).toBe('Another one')
  ;(text as unknown as { scrollWidth: number }).scrollWidth = 100
  titleCut(text)
  expect(text.hasAttribute('title')).toBe(false)
})

it('a field that is cut has its value as a title', () => {
  const field = box('', 101, '<input style="text-overflow:ellipsis" value="123456789">')
  titleCut(field)
  expect(field.getAttribute('title')).toBe('123456789')
})
