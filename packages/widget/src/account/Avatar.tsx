import { createElement, memo, type ReactNode } from 'react'
import { avatarOf, type Shape } from '../shell/avatar.ts'

/** Avatar generated from an address, the same as on the account button. */
export const Avatar = memo(function Avatar({ address }: { address: string }) {
  return (
    <svg className="avatar" viewBox="0 0 64 64" aria-hidden="true" data-testid="single-account-avatar">
      {avatarOf(address).map(element)}
    </svg>
  )
})

/** React writes attributes with a hyphen in camelCase. */
const named = (attributes: Shape[1]) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name.replace(/-./, ([, letter]) => `${letter}`.toUpperCase()),
      value
    ])
  )

function element([name, attributes, children = []]: Shape, index: number): ReactNode {
  return createElement(name, { ...named(attributes), key: index }, ...children.map(element))
}
