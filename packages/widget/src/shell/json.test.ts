import { describe, expect, it } from 'vitest'
import { thrownToJson, toJson } from './json.ts'

const hostile = new Proxy(
  {},
  {
    ownKeys: () => {
      throw new Error('no')
    },
    get: () => {
      throw new Error('no')
    }
  }
)
const revoked = Proxy.revocable([], {})
revoked.revoke()

describe('toJson', () => {
  it('keeps what JSON can say', () => {
    const value = { a: [1, 'x', true, null], b: { c: -0.5 } }
    expect(toJson(value)).toEqual(value)
  })

  it('leaves out what it cannot, and says null where a list needs a place', () => {
    expect(toJson({ f: () => 1, s: Symbol('s'), u: undefined, n: Number.NaN })).toEqual({})
    expect(toJson([() => 1, Symbol('s'), undefined, Number.POSITIVE_INFINITY])).toEqual([null, null, null, null])
    expect(toJson(undefined)).toBeNull()
  })

  it('writes a bigint as a number where one holds it, else as text', () => {
    expect(toJson([31337n, 2n ** 70n])).toEqual([31337, '1180591620717411303424'])
  })

  it('cuts circles, depths and texts without an end', () => {
    const circle: Record<string, unknown> = { a: 1 }
    circle.self = circle
    expect(toJson(circle)).toEqual({ a: 1 })
    let deep: unknown = 'bottom'
    for (let i = 0; i < 100; i += 1) deep = { deep }
    expect(JSON.stringify(toJson(deep)).length).toBeLessThan(200)
    expect(String(toJson('x'.repeat(10_000_000))).length).toBe(200_000)
    expect(JSON.stringify(toJson(Array.from({ length: 1_000_000 }, () => 1))).length).toBeLessThan(200_000)
  })

  it('asks no array to copy itself, and believes no length', () => {
    const array = Object.assign([1, 2], {
      slice: () => {
        throw new Error('no')
      },
      map: () => [{ toJSON: () => 'evil' }]
    })
    expect(toJson(array)).toEqual([1, 2])
    class Liar extends Array {
      static override get [Symbol.species](): never {
        throw new Error('no')
      }
    }
    expect(toJson(Liar.from([1, 2]))).toEqual([1, 2])
    const endless = new Proxy([1], {
      get: (target, name) => (name === 'length' ? Number.POSITIVE_INFINITY : Reflect.get(target, name))
    })
    expect(JSON.stringify(toJson(endless)).length).toBeLessThan(200_000)
  })

  it('keeps about a megabyte of text in all, names included', () => {
    const many = Array.from({ length: 100 }, () => 'x'.repeat(150_000))
    expect(JSON.stringify(toJson(many)).length).toBeLessThan(1_001_000)
    const named = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${'n'.repeat(150_000)}${index}`, 1]))
    expect(JSON.stringify(toJson(named)).length).toBeLessThan(1_001_000)
  })

  it('survives getters that throw, proxies that throw, and revoked proxies', () => {
    const trap = {
      good: 1,
      get bad() {
        throw new Error('no')
      }
    }
    expect(toJson(trap)).toEqual({ good: 1 })
    expect(toJson(hostile)).toBeNull()
    expect(toJson([revoked.proxy])).toEqual([null])
  })

  it('takes no prototype from a field', () => {
    const value = toJson(JSON.parse('{"__proto__":{"evil":1},"a":2}'))
    expect(value).toEqual({ a: 2 })
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it('writes true for functions and instances where the options are read', () => {
    class Signer {
      secret = 1
    }
    expect(toJson({ f() {}, signer: new Signer(), plain: { a: 1 } }, 'true')).toEqual({
      f: true,
      signer: true,
      plain: { a: 1 }
    })
  })
})

describe('thrownToJson', () => {
  it('reads code, message and data of an error, though none of them is enumerable', () => {
    const error = Object.assign(new Error('refused'), { code: 4001, data: { originalError: { code: 4902 } } })
    expect(thrownToJson(error)).toEqual({ code: 4001, message: 'refused', data: { originalError: { code: 4902 } } })
  })

  it('takes a text, and nothing from nonsense', () => {
    expect(thrownToJson('no')).toEqual({ message: 'no' })
    for (const thrown of [undefined, null, 7, Symbol('s'), hostile, revoked.proxy])
      expect(thrownToJson(thrown)).toEqual({})
  })

  it('cuts a message that is a dump', () => {
    expect(thrownToJson({ message: 'x'.repeat(9_999_999) })).toEqual({ message: 'x'.repeat(1_000) })
  })
})
