import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { join, opaque, prepared, sql } from '../../src/db/sql.ts'

describe('A statement of fragments', () => {
  it('numbers its values in the order of its text, those of a fragment in each place where it stands', () => {
    const isOf = sql`a = ${1} or b = ${'two'}`
    const statement = sql`select ${0} where (${isOf}) and ${join([isOf, sql`true`, sql`c < ${3}`], ' and ')} limit ${4}`
    assert.equal(
      statement.text,
      'select $1 where (a = $2 or b = $3) and a = $4 or b = $5 and true and c < $6 limit $7',
    )
    assert.deepEqual(statement.parameters, [0, 1, 'two', 1, 'two', 3, 4])
  })

  it('has nothing between no fragments, and no separator beside one', () => {
    assert.equal(sql`(${join([], ' and ')})`.text, '()')
    assert.equal(sql`(${join([sql`a`], ' and ')})`.text, '(a)')
  })

  it('casts a value that the planner shall not see, and sends the value itself', () => {
    const statement = sql`${1} ${opaque([2], 'integer[]')} ${3}`
    assert.equal(statement.text, '$1 (select $2::integer[])::integer[] $3')
    assert.deepEqual(statement.parameters, [1, [2], 3])
  })
})

describe('The name of a statement', () => {
  const ofId = (id: number) => sql`select ${id}`

  it('is that of its template where it has no fragments', () => {
    assert.ok(ofId(1).name)
    assert.equal(ofId(1).name, ofId(2).name)
    assert.notEqual(ofId(1).name, sql`select - ${1}`.name)
  })

  it('is that of its text where it was prepared, and there is none for other statements of fragments', () => {
    const inOrder = (direction: 'asc' | 'desc', id: number) =>
      sql`select ${id} order by 1 ${direction === 'asc' ? sql`asc` : sql`desc`}`
    assert.equal(inOrder('asc', 1).name, undefined)
    assert.ok(prepared(inOrder('asc', 1)).name)
    assert.equal(prepared(inOrder('asc', 1)).name, prepared(inOrder('asc', 2)).name)
    assert.notEqual(prepared(inOrder('asc', 1)).name, prepared(inOrder('desc', 1)).name)
  })
})
