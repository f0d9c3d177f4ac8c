import { render } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { Anchor } from './Anchor.tsx'

const HOSTILE = [
  '',
  'javascript:alert(1)',
  'JavaScript://%0aalert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://a.example/x',
  'file:///etc/passwd',
  'about:blank',
  'intent://a#Intent;scheme=x;end',
  'view-source://a.example',
  'wc:topic@2',
  'http://a.example/',
  'http://localhost.evil.example/',
  'http://localhost@evil.example/',
  'https://a.example\\@evil.example/',
  '//a.example'
]

const led = (href: string) =>
  render(<Anchor href={href}>link</Anchor>)
    .container.querySelector('a')
    ?.getAttribute('href')

describe('a link out of the page', () => {
  it('leads nowhere with a scheme that is not of the list', () => {
    for (const href of HOSTILE) expect(led(href), href).toBeNull()
  })

  it('leads to a page, to one of this machine, and to an app', () => {
    for (const href of [
      'https://a.example/tx/0x1',
      'http://localhost:4000/tx',
      'http://127.0.0.1/',
      'rainbow://wc?uri=x'
    ])
      expect(led(href), href).toBe(href)
  })
})
