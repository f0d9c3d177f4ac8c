import type { Records } from '../keeper/database.ts'

/** Records in memory, with the structured clone of IndexedDB left out: the keys are the same objects. */
export class MemoryRecords implements Records {
  readonly all = new Map<string, unknown>()

  async get(key: string): Promise<unknown> {
    return this.all.get(key)
  }

  async keep(key: string, value: unknown): Promise<unknown> {
    if (!this.all.has(key)) this.all.set(key, value)
    return this.all.get(key)
  }

  async set(key: string, value: unknown): Promise<void> {
    this.all.set(key, value)
  }

  async change(key: string, make: (value: unknown) => unknown): Promise<void> {
    this.all.set(key, make(this.all.get(key)))
  }

  async delete(key: string): Promise<void> {
    this.all.delete(key)
  }
}
