import assert from 'node:assert/strict'
import { isUtf8 } from 'node:buffer'
import { createHash, randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { sql } from '../../src/db/sql.ts'
import { discardArquivo, readArquivo, storeArquivo, useArquivo } from '../../src/domain/arquivos/arquivos.ts'
import { cleanUp } from '../../src/domain/cleanup/cleanup.ts'
import { storeImportFile } from '../../src/domain/importacao/upload.ts'
import { testApp } from '../harness/app.ts'

const t = await testApp()
after(() => t.close())

const { pool } = t.database
const PIECE = 256 * 1024
const DAY = 86_400_000
const PLANTED = Buffer.from('o laudo de Maria da Silva Santos; ')

async function* inChunks(content: Buffer, sizes: number[]): AsyncGenerator<Buffer> {
  let from = 0
  for (let i = 0; from < content.length; i++) {
    const size = sizes[i % sizes.length] as number
    yield content.subarray(from, from + size)
    from += size
  }
}

async function contentOf(id: string): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of readArquivo(t.app, id)) parts.push(part)
  return Buffer.concat(parts)
}

const store = (content: Buffer, sizes = [64 * 1024]) => storeArquivo(t.app, inChunks(content, sizes))

const left = async () =>
  (await pool.first(sql`
    select (select count(*) from arquivos) as arquivos, (select count(*) from arquivos_partes) as partes`)) as {
    arquivos: number
    partes: number
  }

const isThere = async (id: string) => (await pool.first(sql`select from arquivos where id = ${id}`)) !== null

describe('A stored file', () => {
  it('comes back byte for byte, whatever its size and the chunks it came in', async () => {
    const near = (middle: number) => fc.integer({ min: Math.max(0, middle - 2), max: middle + 2 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(near(0), near(1000), near(PIECE), near(2 * PIECE), near(3 * PIECE)),
        fc.array(
          fc.oneof(fc.integer({ min: 400, max: 9000 }), near(64 * 1024), near(PIECE), near(2 * PIECE)),
          {
            minLength: 1,
            maxLength: 5,
          },
        ),
        async (size, sizes) => {
          const content = randomBytes(size)
          const { id, tamanho, sha256, start } = await store(content, sizes)
          assert.equal(tamanho, size)
          assert.ok(sha256.equals(createHash('sha256').update(content).digest()))
          assert.ok(start.equals(content.subarray(0, 512)))
          assert.ok((await contentOf(id)).equals(content))
          const pieces = await pool.first(
            sql`select count(*) as n from arquivos_partes where arquivo_id = ${id}`,
          )
          assert.deepEqual(pieces, { n: Math.ceil(size / PIECE) })
          await discardArquivo(pool, id)
        },
      ),
      { numRuns: 60 },
    )
    assert.deepEqual(await left(), { arquivos: 0, partes: 0 })
  })

  it('that is to be imported is checked as a text while it arrives, whatever the chunks', async () => {
    const piece = fc.constantFrom('a', 'ção;', '€', '😀', '\n', '\0', '\xe9')
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 30 }),
        // Chunks of a few bytes only in short files: a long one would be a million chunks.
        fc.oneof(
          fc.tuple(
            fc.nat({ max: 3000 }),
            fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 3 }),
          ),
          fc.tuple(
            fc.nat({ max: PIECE }),
            fc.array(fc.integer({ min: 400, max: 40_000 }), { minLength: 1, maxLength: 3 }),
          ),
        ),
        async (pieces, [before, sizes]) => {
          // A lone \xe9 is no UTF-8; what follows it is.
          const bytes = pieces.map((one) => Buffer.from(one, one === '\xe9' ? 'latin1' : 'utf8'))
          const content = Buffer.concat([Buffer.alloc(before, 'x'), ...bytes, Buffer.from('.')])
          const { id, text } = await storeImportFile(t.app, inChunks(content, sizes), 'casos.csv')
          const nul = content.indexOf(0)
          assert.deepEqual(text, { utf8: isUtf8(content), nul: nul === -1 ? null : nul })
          await discardArquivo(pool, id)
        },
      ),
      { numRuns: 60 },
    )
  })

  it('comes back from chunks of a single byte, and with empty ones between', async () => {
    const content = randomBytes(3000)
    async function* trickle() {
      for (const byte of content) {
        yield Buffer.from([byte])
        yield Buffer.alloc(0)
      }
    }
    const { id } = await storeArquivo(t.app, trickle())
    assert.ok((await contentOf(id)).equals(content))
  })

  it('is encrypted piece by piece: nothing of it is in the tables, and equal pieces look different', async () => {
    const content = Buffer.alloc(2 * PIECE, PLANTED)
    const { id } = await store(content)
    const rows = await pool.rows<{ conteudo: Buffer }>(sql`
      select conteudo from arquivos_partes where arquivo_id = ${id} order by ordem`)
    assert.equal(rows.length, 2)
    for (const { conteudo } of rows) assert.ok(!conteudo.includes('Maria'))
    assert.ok(
      !rows[0]?.conteudo
        .subarray(28, 128)
        .equals((rows[1] as { conteudo: Buffer }).conteudo.subarray(28, 128)),
    )
    const dump = await pool.first<{ texto: string }>(sql`
      select string_agg(a::text, '') as texto from arquivos a`)
    assert.ok(!dump?.texto.includes(PLANTED.toString('hex')))
  })

  for (const [what, spoil] of Object.entries({
    'whose pieces were swapped': (id: string) => sql`
      update arquivos_partes p set conteudo = q.conteudo from arquivos_partes q
       where p.arquivo_id = ${id} and q.arquivo_id = ${id} and p.ordem <> q.ordem`,
    'in which a bit was changed': (id: string) => sql`
      update arquivos_partes set conteudo = set_byte(conteudo, 5000, get_byte(conteudo, 5000) # 1)
       where arquivo_id = ${id} and ordem = 1`,
    'that lacks its last piece': (id: string) => sql`
      delete from arquivos_partes where arquivo_id = ${id} and ordem = 1`,
    'in which a piece was cut short': (id: string) => sql`
      update arquivos_partes set conteudo = substring(conteudo for 5000) where arquivo_id = ${id} and ordem = 1`,
  }))
    it(`${what} does not open`, async () => {
      const { id } = await store(randomBytes(2 * PIECE))
      await pool.run(spoil(id))
      await assert.rejects(contentOf(id))
    })

  it('does not open with the pieces of another file', async () => {
    const [one, other] = [await store(randomBytes(1000)), await store(randomBytes(1000))]
    await pool.run(sql`
      update arquivos_partes set conteudo = (select conteudo from arquivos_partes where arquivo_id = ${other.id})
       where arquivo_id = ${one.id}`)
    await assert.rejects(contentOf(one.id))
    assert.equal((await contentOf(other.id)).length, 1000)
  })
})

describe('A file that does not arrive', () => {
  for (const bytes of [0, 10, PIECE - 1, PIECE, 3 * PIECE + 7])
    it(`leaves nothing behind when its source fails after ${bytes} bytes`, async () => {
      const before = await left()
      async function* interrupted() {
        yield* inChunks(randomBytes(bytes), [50_000])
        throw new Error('cut off')
      }
      await assert.rejects(storeArquivo(t.app, interrupted()), /cut off/)
      assert.deepEqual(await left(), before)
    })
})

describe('A file that cannot be stored', () => {
  for (const failing of [0, 1, 2])
    it(`is told, and leaves nothing behind, when its piece ${failing} of three is refused`, async () => {
      const before = await left()
      let pieces = 0
      const run: typeof pool.run = (query) => {
        if (query.text.includes('insert into arquivos_partes') && pieces++ === failing)
          return Promise.reject(new Error('the disk is full'))
        return pool.run(query)
      }
      const content = inChunks(randomBytes(3 * PIECE), [64 * 1024])
      await assert.rejects(storeArquivo({ ...t.app, db: { ...t.app.db, run } }, content), /the disk is full/)
      assert.ok(pieces > failing)
      assert.deepEqual(await left(), before)
    })
})

describe('Cleaning', () => {
  it('removes files that nothing uses after a day, and leaves those in use for ever', async () => {
    const [unused, used] = [await store(randomBytes(PIECE + 1)), await store(randomBytes(PIECE + 1))]
    await pool.transaction((tx) => useArquivo(tx, used.id))
    t.clock.advance(DAY - 60_000)
    await cleanUp(t.app)
    assert.deepEqual([await isThere(unused.id), await isThere(used.id)], [true, true])
    t.clock.advance(120_000)
    await cleanUp(t.app)
    assert.deepEqual([await isThere(unused.id), await isThere(used.id)], [false, true])
    await assert.rejects(contentOf(unused.id), { code: 'NOT_FOUND' })
    t.clock.advance(400 * DAY)
    await cleanUp(t.app)
    assert.equal((await contentOf(used.id)).length, PIECE + 1)
  })

  it('removes a file whose use was rolled back, and nothing can use one that is gone', async () => {
    const { id } = await store(randomBytes(10))
    const undone = pool.transaction(async (tx) => {
      await useArquivo(tx, id)
      throw new Error('undone')
    })
    await assert.rejects(undone, /undone/)
    t.clock.advance(2 * DAY)
    await cleanUp(t.app)
    assert.equal(await isThere(id), false)
    await assert.rejects(
      pool.transaction((tx) => useArquivo(tx, id)),
      { code: 'NOT_FOUND' },
    )
  })
})

describe('Memory', () => {
  it('does not grow with the size of a file that is stored and read as it comes', async () => {
    const MIB = 1024 * 1024
    setFlagsFromString('--expose-gc')
    const collectGarbage: () => void = runInNewContext('gc')
    const usage = () => {
      collectGarbage()
      const { heapUsed, external } = process.memoryUsage()
      return heapUsed + external
    }
    const chunk = randomBytes(64 * 1024)
    let seen: number[] = []
    async function* large(mib: number) {
      for (let i = 0; i < mib * 16; i++) {
        if (i % 64 === 63) seen.push(usage())
        yield Buffer.from(chunk)
      }
    }
    // What is freed is given back a little later, so single moments tell nothing; what is kept is there in all of them.
    const kept = () => Math.min(...seen.slice(-8))
    // A first one, so that only what a file adds is measured.
    await discardArquivo(pool, (await storeArquivo(t.app, large(32))).id)
    const first = kept()
    seen = []
    const { id, tamanho } = await storeArquivo(t.app, large(64))
    assert.equal(tamanho, 64 * MIB)
    // Whole, it would be all of 64 MiB.
    assert.ok(kept() - first < 44 * MIB, `stored: ${Math.round((kept() - first) / MIB)} MiB`)
    seen = []
    let read = 0
    for await (const part of readArquivo(t.app, id)) {
      read += part.length
      if (read % (2 * MIB) === 0) seen.push(usage())
    }
    assert.equal(read, tamanho)
    assert.ok(kept() - first < 44 * MIB, `read: ${Math.round((kept() - first) / MIB)} MiB`)
    await discardArquivo(pool, id)
  })
})
