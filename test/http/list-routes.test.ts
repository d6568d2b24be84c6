import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { describedContracts } from '../../src/contracts/service.routes.ts'
import { type FieldType, type ListRules, operatorsOf } from '../../src/filter.ts'
import { MAX_DEPTH, MAX_TESTS } from '../../src/http/filters.ts'
import { picture } from '../contracts/a/pictures.ts'
import { evento } from '../contracts/b/epizootias-app.ts'
import { PLACES, putAlertas } from '../harness/alertas.ts'
import { testApp } from '../harness/app.ts'
import { putAgenda, putBoletim } from '../harness/boletins.ts'
import { putPar } from '../harness/duplicidades.ts'
import { MULTIPART, multipart } from '../harness/multipart.ts'

/** What every list of the service has in common, tried on every list there is. */
const t = await testApp()
after(() => t.close())
const administrador = await t.administrador()
const admin = t.as(administrador)

const casos: number[] = []
for (let i = 0; i < 7; i++) {
  await t.person({ grupos: ['usuario'] })
  await admin.post('/noticias', { titulo: `Notícia ${i}`, conteudo: 'Texto', fonte: 'Fonte' })
  const { body, text } = await admin.post('/agravos/casos', {
    tipo_agravo: 'dengue',
    numero_notificacao: `n${i}`,
    data_notificacao: '2024-01-10',
    paciente_nome: 'Maria da Silva',
    municipio_residencia: i < 6 ? 'Recife' : 'Olinda',
    estado_residencia: 'PE',
    bairro_residencia: 'Pina',
  })
  assert.ok(body.id, text)
  casos.push(body.id)
}
const [caso = 0, ...others] = casos
for (const id of others.slice(0, 3)) await admin.delete(`/agravos/casos/${id}?motivo=teste`)
for (const paciente_idade of [1, 2, 3]) await admin.put(`/agravos/casos/${caso}`, { paciente_idade })
for (let i = 0; i < 3; i++) await attach()
for (let i = 0; i < 3; i++) await admin.get(`/agravos/casos/${caso}?identificado=true`)
for (let i = 0; i < 4; i++) await importFile(i)
for (const nome of ['Laboratório', 'Hospital', 'Painel']) await admin.post('/contas-de-servico', { nome })
for (let i = 0; i < 4; i++)
  await admin.put('/series/temp_min/valores', {
    valores: [{ municipio: 'Olinda', data: `2024-01-0${i + 1}`, valor: 20 + i }],
  })
const epizootias: number[] = []
for (let i = 0; i < 4; i++) epizootias.push((await admin.post('/epizootias', evento())).body.id)
for (const animais_mortos of [1, 2, 3]) await admin.put(`/epizootias/${epizootias[0]}`, { animais_mortos })
for (let i = 0; i < 3; i++) {
  const { body } = await admin.post('/epizootias', evento({ animais_mortos: 1 }))
  await admin.delete(`/epizootias/${body.id}?motivo=engano`)
}
for (let i = 0; i < 4; i++) await importEpizootias(i)
const webhook = await webhookWithEntregas()
await putAlertas(t.database.pool, t.clock.now(), {}, PLACES.caruaru, PLACES.pernambuco, PLACES.brasil)
for (let i = 0; i < 3; i++) {
  const author = { id: administrador.id, nome: 'Admin' }
  await putBoletim(t.database.pool, author, t.clock.now())
  await putAgenda(t.database.pool, author, t.clock.now())
}
const [, , , , ...livres] = casos
for (const other of livres) await putPar(t.database.pool, [caso, other], t.clock.now())
for (const other of livres) {
  const { body } = await admin.post(`/agravos/casos/${caso}/fundir`, { caso_id: other })
  await admin.post(`/agravos/fusoes/${body.fusao_id}/desfazer`)
}
const { body: grupos } = await admin.get('/grupos?nome[eq]=usuario')

async function attach() {
  const part = (head: string) => `--limite\r\nContent-Disposition: form-data; ${head}\r\n`
  const payload = Buffer.concat([
    Buffer.from(`${part('name="tipo"')}\r\nexame\r\n`),
    Buffer.from(`${part('name="arquivo"; filename="a.png"')}Content-Type: image/png\r\n\r\n`),
    await picture('png'),
    Buffer.from('\r\n--limite--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=limite' }
  const { status, text } = await admin.request('POST', `/agravos/casos/${caso}/anexos`, { headers, payload })
  assert.equal(status, 201, text)
}

async function importEpizootias(i: number) {
  const content = `numero;data_ocorrencia;municipio;especie_grupo;suspeita\nL${i};2024-01-10;2609600;pnh;raiva\n`
  const payload = multipart(
    { field: 'modo', content: 'importar' },
    { field: 'file', content, filename: `e${i}.csv` },
  )
  const { status, text } = await admin.request('POST', '/epizootias/bulk', { headers: MULTIPART, payload })
  assert.equal(status, 202, text)
  await t.jobWorker.runAll()
}

/** A job and an import each. */
async function importFile(i: number) {
  const header =
    'tipo_agravo;numero_notificacao;data_notificacao;paciente_nome;municipio_residencia;estado_residencia'
  const line = `dengue;importado-${i};2024-01-10;Maria da Silva;Recife;PE`
  const payload = multipart(
    { field: 'formato', content: 'csv' },
    { field: 'modo', content: 'importar' },
    { field: 'file', content: `${header}\n${line}`, filename: `casos-${i}.csv` },
  )
  const answer = await admin.request('POST', '/agravos/casos/bulk', { headers: MULTIPART, payload })
  assert.equal(answer.status, 202, answer.text)
  await t.jobWorker.runAll()
}

/** Three webhooks; of one of them, the tests that its receiver never answered. */
async function webhookWithEntregas(): Promise<string> {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const { body, text } = await admin.post('/webhooks', {
      url: `http://127.0.0.1:${1024 + i}/`,
      eventos: ['agravo.criado'],
    })
    assert.ok(body.id, text)
    ids.push(body.id)
  }
  const [first = ''] = ids
  for (let i = 0; i < 4; i++) await admin.post(`/webhooks/${first}/testar`)
  return first
}

/** A disease in four versions. */
async function agravoWithVersoes(): Promise<string> {
  const { body } = await admin.get('/agravos/tipos/modelos/malaria')
  for (let i = 0; i < 4; i++) {
    const made = { ...body, descricao: `Versão ${i}` }
    const { status, text } = await (i === 0
      ? admin.post('/agravos/tipos', made)
      : admin.put('/agravos/tipos/malaria', made))
    assert.ok(status < 300, text)
  }
  return 'malaria'
}
const agravo = await agravoWithVersoes()

/** Whose list is asked for, where the path names a resource. */
const RESOURCES: [prefix: string, id: number | string][] = [
  ['/agravos/casos/{id}', caso],
  ['/grupos/{grupo_id}', grupos.grupos[0].id],
  ['/webhooks/{id}', webhook],
  ['/agravos/tipos/{codigo}', agravo],
  ['/epizootias/{id}', epizootias[0] as number],
]

function reach(path: string): string {
  const relative = path.replace('/api/v1', '')
  if (!relative.includes('{')) return relative
  const [prefix, id] = RESOURCES.find(([one]) => relative.startsWith(one)) ?? []
  assert.ok(prefix, `no resource of this test stands for ${path}`)
  return relative.replace(/\{\w+\}/, String(id))
}

type Item = Record<string, unknown>
const keyOf = (item: Item) => String(item.id ?? item.job_id ?? JSON.stringify(item))

interface Page {
  items: Item[]
  total: number
  page: number
  size: number
  pages: number
  links: Record<'first' | 'prev' | 'next' | 'last', string | null>
  meta: { timestamp: string }
}

/** A page, its array under one name whatever the list calls it. */
async function page(path: string, query: string): Promise<Page> {
  const { status, body, text } = await admin.get(`${path}?${query}`)
  assert.equal(status, 200, `${query}: ${text}`)
  const arrays = Object.values(body).filter(Array.isArray) as Item[][]
  assert.equal(arrays.length, 1, 'one array')
  return { ...body, items: arrays[0] as Item[] }
}

const EXTREMES: Partial<Record<FieldType, string[]>> = {
  integer: ['2147483647', '-2147483647', '0'],
  date: ['0001-01-01', '9999-12-31'],
  datetime: ['0001-01-01', '9999-12-31', '9999-12-31T23:59:59Z'],
}
const MISSPELT = [
  'nada',
  '__proto__',
  'constructor',
  'toString',
  'Page',
  'nome_',
  'a.b',
  '[eq]',
  'a[eq][like]',
]
const problemsOf = (body: { error: { details: { field: string; code: string }[] } }) =>
  body.error.details.map(({ field, code }) => `${field} ${code}`)
const deep = (levels: number) => `{"and":[`.repeat(levels) + ']}'.repeat(levels)
const info = { title: '', version: '', description: '', publicUrl: null }
const rows = describedContracts(info)
  .contracts.flatMap((contract) => contract.rows)
  .filter(({ input }) => input.list !== undefined)

describe('The lists of the service', () => {
  it('are at least these', () => {
    const paths = rows.map(({ path }) => path.replace('/api/v1', ''))
    const expected = ['/usuarios', '/grupos', '/noticias', '/auditoria', '/agravos/casos']
    for (const path of [...expected, '/agravos/importacoes', '/jobs', '/webhooks'])
      assert.ok(paths.includes(path), path)
  })
})

describe('Statistics, the map and the feed', () => {
  for (const path of [
    '/agravos/casos/estatisticas/resumo',
    '/agravos/casos/mapa-calor',
    '/epizootias/mapa',
    '/epizootias/estatisticas',
    '/usuarios/estatisticas',
    '/eventos',
    '/eventos/aovivo',
  ])
    it(`${path} refuses a parameter that it does not know, and names it`, async () => {
      for (const name of ['muncipio', '__proto__', 'constructor', 'limit']) {
        const { status, body, text } = await admin.get(`${path}?${name}=1`)
        assert.equal(status, 422, text)
        assert.deepEqual(problemsOf(body), [`${name} UNKNOWN_FIELD`])
      }
    })
})

for (const row of rows)
  describe(`${row.method} ${row.path}`, () => {
    const path = reach(row.path)
    const { fields, sortable } = row.input.list as ListRules

    async function refuses(queries: string[]) {
      for (const query of queries) {
        const { status, body, text } = await admin.get(`${path}?${query}`)
        assert.equal(status, 422, `${query}: ${text}`)
        assert.equal(body.error.code, 'VALIDATION_ERROR', query)
        assert.ok(body.error.details.length > 0)
      }
    }

    it('has rows to page through', async () => {
      assert.ok((await page(path, '')).total >= 3)
    })

    it('refuses pages and sizes out of bounds, or that are no integer', async () => {
      const bad = ['0', '-1', '1.5', 'abc', '', '9'.repeat(30), 'NaN', '1e1']
      await refuses([...bad, '1000000001'].map((value) => `page=${value}`))
      await refuses([...bad, '101'].map((value) => `size=${value}`))
    })

    it('answers its first page of 50, and an empty one past the end', async () => {
      const first = await page(path, '')
      assert.deepEqual([first.page, first.size], [1, 50])
      for (const number of [999_999, 1_000_000_000]) {
        const beyond = await page(path, `page=${number}&size=100`)
        assert.deepEqual([beyond.items, beyond.total, beyond.page], [[], first.total, number])
        assert.equal(beyond.links.next, null)
      }
    })

    it('has an envelope whose numbers and links agree, and `next` leads through every row once', async () => {
      const { total } = await page(path, '')
      const seen: string[] = []
      let next: string | null = `/api/v1${path}?size=2`
      for (let number = 1; next !== null; number++) {
        const body = await page(...(next.replace('/api/v1', '').split('?') as [string, string]))
        assert.deepEqual([body.total, body.page, body.size], [total, number, 2])
        assert.equal(body.pages, Math.ceil(total / 2))
        assert.ok(body.items.length === 2 || number === body.pages)
        const at = (target: number) => `/api/v1${path}?size=2&page=${target}`
        assert.deepEqual(body.links, {
          first: at(1),
          prev: number > 1 ? at(number - 1) : null,
          next: number < body.pages ? at(number + 1) : null,
          last: at(body.pages),
        })
        assert.ok(!Number.isNaN(Date.parse(body.meta.timestamp)))
        seen.push(...body.items.map(keyOf))
        next = body.links.next
      }
      assert.equal(seen.length, total)
      assert.equal(new Set(seen).size, total, 'no row twice')
    })

    for (const sort of sortable)
      it(`sorted by ${sort} is the same twice, page by page, and the other way round`, async () => {
        const { items: whole } = await page(path, `sort=${sort}&size=100`)
        for (const order of ['asc', 'desc']) {
          const query = `sort=${sort}&order=${order}`
          const once = (await page(path, `${query}&size=100`)).items.map(keyOf)
          assert.deepEqual((await page(path, `${query}&size=100`)).items.map(keyOf), once)
          const paged: string[] = []
          for (let number = 1; paged.length < once.length; number++) {
            const { items } = await page(path, `${query}&size=3&page=${number}`)
            assert.ok(items.length > 0)
            paged.push(...items.map(keyOf))
          }
          assert.deepEqual(paged, once)
          // Those without a value are last in both directions.
          const told = whole.filter((item) => item[sort] !== null).map(keyOf)
          if (order === 'desc' && told.length === whole.length && sort in (whole[0] as Item))
            assert.deepEqual(once, whole.map(keyOf).toReversed())
        }
        assert.deepEqual(
          (await page(path, `sort=${sort}&order=asc&size=100`)).items,
          whole,
          '`asc` unless asked',
        )
      })

    it('refuses an unknown field to sort by and an unknown direction', async () => {
      const names = ['nada', '', '__proto__', 'constructor', 'senha_hash', `${sortable[0]},id`]
      await refuses(names.map((name) => `sort=${name}`))
      await refuses(['', 'up', 'ASC', 'desc;'].map((order) => `order=${order}`))
    })

    it('refuses an unknown operator, and an operator on an unknown field', async () => {
      const unknown = ['nada', '__proto__', 'constructor', 'toString', 'senha_hash']
      await refuses(unknown.map((name) => `${name}[eq]=1`))
      for (const [name, field] of Object.entries(fields)) {
        await refuses([`${name}[regex]=1`, `${name}[]=1`, `${name}[constructor]=1`])
        if (!operatorsOf(field).includes('like')) await refuses([`${name}[like]=1`])
      }
    })

    it('refuses every other parameter, and names it', async () => {
      for (const name of MISSPELT) {
        const { status, body, text } = await admin.get(`${path}?size=2&${name}=1`)
        assert.equal(status, 422, text)
        assert.deepEqual(problemsOf(body), [`${name} UNKNOWN_FIELD`])
        for (const known of ['page', 'search', ...Object.keys(fields)])
          assert.ok(body.error.details[0].message.includes(known), known)
      }
    })

    it('refuses JSON that is broken, too deep, too long, or names what is no field', async () => {
      const [name = 'nada'] = Object.keys(fields)
      const tests = Array.from({ length: MAX_TESTS + 1 }, () => ({ [name]: '1' }))
      const bad = [
        '{',
        '{"and":',
        '{"and":{}}',
        '{"or":[1]}',
        '{"or":[null]}',
        deep(MAX_DEPTH + 1),
        deep(40),
        JSON.stringify({ and: tests }),
        JSON.stringify({ [name]: { regex: '1' } }),
        JSON.stringify({ [name]: { in: Array(101).fill('1') } }),
        '{"nada":1}',
        '{"__proto__":1}',
        '{"__proto__":{"eq":1}}',
        '{"constructor":1}',
        '{"constructor":{"prototype":1}}',
        `{"${name}":{"__proto__":1}}`,
        `{"${name}":null}`,
        `{"${name}":[]}`,
      ]
      await refuses(bad.map((json) => `search=${encodeURIComponent(json)}`))
      assert.equal(({} as Item).eq, undefined)
    })

    it('understands JSON that asks for nothing, everything, or an empty choice of each field', async () => {
      const { total } = await page(path, '')
      const counted = async (json: unknown) =>
        (await page(path, `search=${encodeURIComponent(JSON.stringify(json))}`)).total
      assert.deepEqual([await counted({}), await counted({ and: [] })], [total, total])
      if (Object.keys(fields).length > 0) assert.equal(await counted({ or: [] }), 0)
      for (const [name, field] of Object.entries(fields))
        if (operatorsOf(field).includes('in')) assert.equal(await counted({ [name]: { in: [] } }), 0, name)
    })

    for (const [name, field] of Object.entries(fields)) {
      if (operatorsOf(field).includes('like'))
        it(`takes \`%\`, \`_\` and \`\\\` in ${name}[like] as they are`, async () => {
          for (const text of ['%', '%%', '_%_', '\\', '\\%', '％'])
            assert.equal((await page(path, `${name}[like]=${encodeURIComponent(text)}`)).total, 0, text)
        })

      it(`refuses ${name} given twice, and the NUL character in it`, async () => {
        await refuses([`${name}=1&${name}=2`, `${name}=a%00b`])
      })

      const values = EXTREMES[field.type] ?? []
      if (values.length > 0)
        it(`answers whatever ${name} is compared with`, async () => {
          for (const op of operatorsOf(field))
            for (const value of values) await page(path, `${name}[${op}]=${value}`)
        })
    }

    it('refuses paging and search given twice, and the NUL character', async () => {
      await refuses([
        'page=1&page=2',
        'size=1&size=2',
        `sort=${sortable[0]}&sort=${sortable[0]}`,
        'order=asc&order=desc',
        'search=a&search=b',
        'search=a%00b',
        `search=${'x'.repeat(201)}`,
      ])
    })
  })
