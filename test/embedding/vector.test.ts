import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBase64Vector, readVector } from '../../src/embedding/vector.ts'
import { vectors } from './support/results.ts'

const base64 = (numbers: readonly number[]) => Buffer.from(new Float32Array(numbers).buffer).toString('base64')

describe('a vector of numbers', () => {
  it('is kept as float32, or refused with the reason, never coerced (case 23)', () => {
    const given: Record<string, unknown> = {
      a: [1, 0],
      b: [0.5, 0.5],
      z: [0, 0],
      n: [Number.NaN, 1],
      i: [Number.POSITIVE_INFINITY, 0],
      d: [1, 0, 0],
      e: [],
      s: ['1', '0'],
      nul: null,
      holes: Array(2),
      typed: new Float32Array(2),
    }
    expect(Object.entries(given).map(([name, value]) => [name, vectors([readVector(value, 2)])[0]])).toEqual([
      ['a', [1, 0]],
      ['b', [0.5, 0.5]],
      ['z', 'zero_vector'],
      ['n', 'non_finite'],
      ['i', 'non_finite'],
      ['d', 'wrong_dimension'],
      ['e', 'wrong_dimension'],
      ['s', 'non_numeric'],
      ['nul', 'missing_vector'],
      ['holes', 'non_numeric'],
      ['typed', 'non_numeric'],
    ])
  })
})

describe('a vector in base64', () => {
  it('is bit for bit what was encoded', () => {
    const floats = fc
      .array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 40 })
      .filter(numbers => numbers.some(number => number !== 0))
    fc.assert(
      fc.property(floats, numbers => {
        expect(vectors([readBase64Vector(base64(numbers), numbers.length)])).toEqual([numbers])
      }),
    )
  })

  it.each([
    ['one float too few', base64([1]), 'wrong_dimension'],
    ['one float too many', base64([1, 2, 3]), 'wrong_dimension'],
    ['a byte too many', Buffer.alloc(9, 1).toString('base64'), 'wrong_dimension'],
    ['nothing', '', 'wrong_dimension'],
    ['not padded', base64([1, 2]).replaceAll('=', ''), 'non_numeric'],
    ['of the other alphabet', '_-__AAAAAAAA', 'non_numeric'],
    ['with white space', ` ${base64([1, 2])} `, 'non_numeric'],
    ['of NaN', base64([Number.NaN, 1]), 'non_finite'],
    ['of infinity', base64([1, Number.NEGATIVE_INFINITY]), 'non_finite'],
    ['of zeros', base64([0, -0]), 'zero_vector'],
  ])('%s: %s is %s', (_name, text, code) => {
    expect(vectors([readBase64Vector(text, 2)])).toEqual([code])
  })
})
