import { cleanup, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { drawAvatar } from '../shell/avatar.ts'
import { Avatar } from './Avatar.tsx'

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

const inModal = (address: string) => render(<Avatar address={address} />).container.querySelector('svg')?.innerHTML

it('an address has the same avatar on the account button and in the modal', () => {
  for (const address of [ADDRESS, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8']) {
    expect(inModal(address)).toBe(drawAvatar(address).innerHTML)
    cleanup()
  }
})

it('the case of an address does not change its avatar, another address does', () => {
  const own = inModal(ADDRESS)
  cleanup()
  expect(inModal(ADDRESS.toLowerCase())).toBe(own)
  cleanup()
  expect(inModal('0x70997970C51812dc3A010C7d01b50e0d17dc79C8')).not.toBe(own)
})
