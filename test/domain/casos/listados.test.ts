import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Db } from '../../../src/db/db.ts'
import { sql } from '../../../src/db/sql.ts'
import { createListados } from '../../../src/domain/casos/reading/listados.ts'
import { consultaApp } from '../../contracts/b/casos-consulta-app.ts'

const { t, newCaso, exclude } = await consultaApp()
const { pool } = t.database
after(() => t.close())

const keys = async () =>
  (await pool.rows<{ escrita: string }>(sql`select id || '/' || xmin as escrita from casos order by id`)).map(
    ({ escrita }) => escrita,
  )

describe('The cases of lists', () => {
  it('are read once, and again when they changed', async () => {
    const asked: unknown[] = []
    const watched: Db = {
      ...pool,
      rows(query) {
        asked.push(query.values[0])
        return pool.rows(query)
      },
    }
    const listados = createListados()
    const read = async () => listados.read(watched, await keys(), (caso) => `${caso.status}`)

    const [one, two] = [await newCaso(), await newCaso()]
    const id = Number(one)
    assert.deepEqual(await read(), ['em_investigacao', 'em_investigacao'])
    assert.deepEqual(await read(), ['em_investigacao', 'em_investigacao'])
    assert.deepEqual(asked, [[id, Number(two)]])

    await pool.run(sql`update casos set status = 'encerrado' where id = ${id}`)
    assert.deepEqual(await read(), ['encerrado', 'em_investigacao'])
    assert.deepEqual(asked.slice(1), [[id]])
  })

  it('leave out what went away after the page was looked up', async () => {
    const before = await keys()
    const gone = await newCaso()
    const all = await keys()
    await exclude(gone)
    const texts = await createListados().read(pool, all, ({ id }) => String(id))
    assert.deepEqual(
      texts,
      before.map((escrita) => escrita.split('/')[0]),
    )
  })
})
