import { expect, it } from 'vitest'
import { openDatabase, StorageError } from './database.ts'

it('a browser that throws at its database denies storage', async () => {
  const throwing = openDatabase(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  await expect(throwing.get('device')).rejects.toBeInstanceOf(StorageError)
  await expect(throwing.keep('device', 1)).rejects.toBeInstanceOf(StorageError)
})

it('a browser that fails to open it denies storage, and is asked again', async () => {
  let asked = 0
  const failing = openDatabase(() => {
    asked += 1
    const request = { onerror: () => {}, error: new DOMException('denied', 'InvalidStateError') }
    queueMicrotask(() => request.onerror())
    return { open: () => request } as unknown as IDBFactory
  })
  await expect(failing.get('device')).rejects.toBeInstanceOf(StorageError)
  await expect(failing.get('device')).rejects.toBeInstanceOf(StorageError)
  expect(asked).toBe(2)
})
