import { useState } from 'react'
import { Avatar } from './Avatar.tsx'

/** The account's own picture, or a generated avatar where there is none or it fails to load. */
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
