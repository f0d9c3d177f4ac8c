import { useState } from 'react'
import { Avatar } from './Avatar.tsx'

/** The account's own picture; one made of its address while there is none, or where it cannot be drawn. */
export function Face({ image, address }: { image: string | null; address: string }) {
  const [broken, setBroken] = useState<string>()
  if (!image || image === broken) return <Avatar address={address} />
  return (
    <img
      className="avatar"
      src={image}
      alt=""
      draggable="false"
      data-testid="single-account-avatar"
      onError={() => setBroken(image)}
    />
  )
}
