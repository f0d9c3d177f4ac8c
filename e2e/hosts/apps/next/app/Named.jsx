'use client'
import { AppKitButton, useAppKitAccount } from '@portico/widget/react'
import { useState } from 'react'

export function Named() {
  const { status } = useAppKitAccount()
  const [more, setMore] = useState(0)
  return (
    <>
      <p data-testid="status">{status}</p>
      <AppKitButton namespace="eip155" label="In React" charsStart={3} disabled={false} />
      <button type="button" onClick={() => setMore(more + 1)}>
        More
      </button>
      {more > 0 && <AppKitButton namespace={more > 1 ? undefined : 'eip155'} label={`More ${more}`} />}
    </>
  )
}
