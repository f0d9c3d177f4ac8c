import { render } from '@testing-library/react'
import { version } from 'react'
import { version as domVersion } from 'react-dom'
import { expect, it } from 'vitest'
import { dependencies } from './package.json'

it('the tests of this project run on the React of this package', () => {
  expect({ react: version, 'react-dom': domVersion }).toEqual(dependencies)
  // An element of one React that another draws is refused.
  expect(render(<p>drawn</p>).container.textContent).toBe('drawn')
})
