import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testApp } from '../../harness/app.ts'
import { schemasOf } from '../../harness/ledger.ts'
import { problems } from '../refusals.ts'

const t = await testApp()
after(() => t.close())
const anybody = t.as(await t.person())
const analista = t.as(await t.person({ grupos: ['analista'] }))

interface Place {
  codigo: string
  nome: string
  populacao: number[] | null
}
interface Municipio extends Place {
  sede: { latitude: number; longitude: number }
}
interface Regiao extends Place {
  municipios: Municipio[]
}
interface Estado extends Place {
  codigo_ibge: string
  regioes_saude: Regiao[]
  municipios_sem_regiao: Municipio[]
}
interface Arvore {
  totais: { estados: number; regioes_saude: number; municipios: number }
  anos: number[]
  estados: Estado[]
}

const matchesDocument = schemasOf(t.document)([
  ...['paths', '/api/v1/territorios', 'get', 'responses', '200', 'content', 'application/json', 'schema'],
])

async function arvore(query = ''): Promise<Arvore> {
  const { status, body, text } = await anybody.get(`/territorios${query}`)
  assert.equal(status, 200, text)
  assert.ok(matchesDocument?.(body), JSON.stringify(matchesDocument?.errors))
  return body
}

/** `PE > RS Recife > Recife`, for every municipality. */
const branches = ({ estados }: Arvore) =>
  estados.flatMap((estado) => [
    ...estado.regioes_saude.flatMap((regiao) =>
      regiao.municipios.map(({ nome }) => `${estado.codigo} > ${regiao.nome} > ${nome}`),
    ),
    ...estado.municipios_sem_regiao.map(({ nome }) => `${estado.codigo} > - > ${nome}`),
  ])

const only = <T>(list: T[]): T => {
  assert.equal(list.length, 1)
  return list[0] as T
}
const sum = (list: (number[] | null | undefined)[], i: number) =>
  list.reduce((total, figures) => total + (figures?.[i] ?? 0), 0)

describe('GET /territorios', () => {
  it('answers every state, health region and municipality to any account', async () => {
    const tree = await arvore()
    assert.deepEqual(tree.totais, { estados: 27, regioes_saude: 449, municipios: 5571 })
    assert.equal(tree.estados.length, 27)
    assert.equal(tree.estados.flatMap((estado) => estado.regioes_saude).length, 449)
    assert.equal(new Set(branches(tree)).size, 5571)
    assert.deepEqual([tree.anos.length, tree.anos[0], tree.anos.at(-1)], [25, 2000, 2024])
  })

  it('has names, codes, seat and population by year', async () => {
    const { estados, anos } = await arvore('?estado=PE')
    const { regioes_saude, populacao, ...estado } = only(estados)
    assert.deepEqual(estado, {
      codigo: 'PE',
      codigo_ibge: '26',
      nome: 'Pernambuco',
      municipios_sem_regiao: [],
    })
    assert.equal(populacao?.at(-1), 9_539_029)
    const regiao = regioes_saude.find(({ codigo }) => codigo === '26010')
    assert.deepEqual([regiao?.nome, regiao?.municipios.length], ['RS Recife', 20])
    assert.equal(regiao?.populacao?.[0], 3_666_743)
    const recife = regiao?.municipios.find(({ nome }) => nome === 'Recife')
    assert.deepEqual([recife?.codigo, recife?.sede], ['2611606', { latitude: -8.04666, longitude: -34.8771 }])
    assert.deepEqual(
      [2000, 2023, 2024].map((ano) => recife?.populacao?.[anos.indexOf(ano)]),
      [1_485_173, 1_592_362, 1_587_707],
    )
  })

  it('has in every larger place the sum of what it holds, in every year', async () => {
    const { estados, anos } = await arvore()
    for (const estado of estados)
      for (const i of anos.keys()) {
        assert.equal(
          estado.populacao?.[i],
          sum(
            estado.regioes_saude.map((one) => one.populacao),
            i,
          ),
        )
        for (const { nome, populacao, municipios } of estado.regioes_saude)
          assert.equal(
            populacao?.[i],
            sum(
              municipios.map((one) => one.populacao),
              i,
            ),
            nome,
          )
      }
  })

  it('has null, not 0, for the municipality without population, which is in no region', async () => {
    const { estados } = await arvore('?estado=MT')
    const { codigo, nome, populacao } = only(only(estados).municipios_sem_regiao)
    assert.deepEqual([codigo, nome, populacao], ['5101837', 'Boa Esperança do Norte', null])
  })

  for (const [nivel, keys] of [
    ['estado', []],
    ['regiao_saude', ['regioes_saude']],
    ['municipio', ['regioes_saude', 'municipios_sem_regiao']],
  ] as const)
    it(`ends at the level ${nivel}, and counts what is below`, async () => {
      const { totais, estados } = await arvore(`?estado=MT&nivel=${nivel}`)
      assert.deepEqual(totais, { estados: 1, regioes_saude: 16, municipios: 142 })
      const estado = only(estados)
      assert.deepEqual(Object.keys(estado), ['codigo', 'codigo_ibge', 'nome', 'populacao', ...keys])
      assert.equal(
        estado.regioes_saude?.some(({ municipios }) => municipios !== undefined) ?? false,
        nivel === 'municipio',
      )
    })

  for (const busca of ['SÃO LOURENÇO', 'sao lourenco', 'sao-lourenço', 'SãO%20lOuReNcO'])
    it(`finds names by ${busca}, each inside of its state and region`, async () => {
      const found = branches(await arvore(`?busca=${busca}`))
      const ofRegion = found.filter((one) => one.startsWith('MG > RS São Lourenço > '))
      // The region of that name comes with all its municipalities.
      assert.equal(ofRegion.length, 24)
      assert.deepEqual(found.filter((one) => !ofRegion.includes(one)).toSorted(), [
        'ES > RS Sul > Divino de São Lourenço',
        'PE > RS Recife > São Lourenço da Mata',
        'PI > RS Serra da Capivara > São Lourenço do Piauí',
        'RS > RS 21 - Sul > São Lourenço do Sul',
        'SC > RS Xanxerê > São Lourenço do Oeste',
        'SP > RS Mananciais > São Lourenço da Serra',
      ])
    })

  it('finds a state by its name, with all that is in it', async () => {
    const found = await arvore('?busca=pernambuco')
    assert.deepEqual(found, await arvore('?estado=PE'))
  })

  it('searches inside of a state, and shows whole populations beside a part of the branches', async () => {
    const { totais, estados } = await arvore('?busca=lourenço&estado=PE')
    assert.deepEqual(totais, { estados: 1, regioes_saude: 1, municipios: 1 })
    const [estado, whole] = [only(estados), only((await arvore('?estado=PE')).estados)]
    assert.deepEqual(estado.populacao, whole.populacao)
    const regiao = only(estado.regioes_saude)
    assert.deepEqual(
      regiao.populacao,
      whole.regioes_saude.find(({ codigo }) => codigo === regiao.codigo)?.populacao,
    )
  })

  it('finds the region of a municipality', async () => {
    const { estados } = await arvore('?busca=fernando%20de%20noronha&nivel=regiao_saude')
    assert.deepEqual(
      only(estados).regioes_saude.map(({ codigo, nome }) => [codigo, nome]),
      [['26010', 'RS Recife']],
    )
  })

  it('finds the municipality that is in no region', async () => {
    assert.deepEqual(branches(await arvore('?busca=boa%20esperanca%20do%20norte')), [
      'MT > - > Boa Esperança do Norte',
    ])
  })

  for (const busca of ['nenhures', '--', '%25%25'])
    it(`finds nothing by ${busca}`, async () => {
      const { totais, estados } = await arvore(`?busca=${busca}`)
      assert.deepEqual([totais, estados], [{ estados: 0, regioes_saude: 0, municipios: 0 }, []])
    })

  for (const [query, expected] of [
    ['?estado=XX', ['estado INVALID_VALUE']],
    ['?nivel=bairro', ['nivel INVALID_VALUE']],
    ['?busca=a', ['busca TOO_SHORT']],
    ['?busca=', ['busca TOO_SHORT']],
    [`?busca=${'a'.repeat(101)}`, ['busca TOO_LONG']],
    ['?busca=a%00b', ['busca INVALID_FORMAT']],
    ['?busca=aa&busca=bb', ['busca INVALID_TYPE']],
    ['?uf=PE', ['uf UNKNOWN_FIELD']],
    ['?estado=pe&nivel=x&page=1', ['page UNKNOWN_FIELD', 'estado INVALID_VALUE', 'nivel INVALID_VALUE']],
  ] as const)
    it(`refuses ${query.slice(0, 30)}`, async () => {
      const { status, body } = await anybody.get(`/territorios${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details).toSorted(), [...expected].toSorted())
    })

  it('is kept for a day by who read it, and not sent again while it is the same', async () => {
    for (const path of ['/territorios', '/territorios?estado=PE', '/territorios?busca=recife']) {
      const { headers } = await anybody.get(path)
      assert.match(String(headers.etag), /^"[\w-]{43}"$/)
      assert.equal(headers['cache-control'], 'private, max-age=86400')
      assert.equal(headers['content-type'], 'application/json; charset=utf-8')
      for (const match of [String(headers.etag), `"outro", ${headers.etag}`, `W/${headers.etag}`, '*']) {
        const again = await anybody.get(path, { headers: { 'if-none-match': match } })
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', headers.etag], path)
      }
      const other = await anybody.get(path, { headers: { 'if-none-match': '"outro"' } })
      assert.equal(other.status, 200)
    }
  })

  it('has a tag for each answer', async () => {
    const tags = await Promise.all(
      ['', '?estado=PE', '?estado=PB', '?nivel=estado', '?busca=recife'].map(
        async (query) => (await anybody.get(`/territorios${query}`)).headers.etag,
      ),
    )
    assert.equal(new Set(tags).size, 5)
  })

  for (const [encoding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const)
    it(`is sent in ${encoding}, a third of its size or about`, async () => {
      const token = (await t.person()).token
      const headers = { authorization: `Bearer ${token}`, 'accept-encoding': encoding }
      const { rawPayload, ...answer } = await t.server.inject({ url: '/api/v1/territorios', headers })
      assert.equal(answer.headers['content-encoding'], encoding)
      const plain = await anybody.get('/territorios')
      assert.equal(decode(rawPayload).toString(), plain.text)
      assert.ok(rawPayload.length < plain.text.length * 0.4, `${rawPayload.length} of ${plain.text.length}`)
      assert.notEqual(answer.headers.etag, plain.headers.etag)
    })
})

describe('GET /agravos/regioes-saude', () => {
  it('lists all, with the state of each', async () => {
    const { status, body } = await analista.get('/agravos/regioes-saude')
    assert.equal(status, 200)
    assert.equal(body.total, 449)
    assert.equal(new Set(body.items.map(({ codigo }: Place) => codigo)).size, 449)
    assert.deepEqual(body.items[0], { codigo: '11001', nome: 'RS Vale do Jamari', estado: 'RO' })
  })

  it('lists those of a state', async () => {
    const { body } = await analista.get('/agravos/regioes-saude?estado=RR')
    assert.equal(body.total, 2)
    assert.deepEqual(
      body.items.map(({ codigo, estado }: { codigo: string; estado: string }) => `${estado} ${codigo}`),
      ['RR 14001', 'RR 14002'],
    )
  })

  for (const [query, expected] of [
    ['?estado=XX', ['estado INVALID_VALUE']],
    ['?estado=', ['estado INVALID_VALUE']],
    ['?uf=PE', ['uf UNKNOWN_FIELD']],
  ] as const)
    it(`refuses ${query}`, async () => {
      const { status, body } = await analista.get(`/agravos/regioes-saude${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), expected)
    })
})

describe('GET /agravos/populacao', () => {
  const RECIFE = { nivel: 'municipio', codigo: '2611606', nome: 'Recife', estado: 'PE' }
  const BONITO = { nivel: 'municipio', codigo: '2602308', nome: 'Bonito', estado: 'PE' }

  for (const [query, lugar, populacao, populacao_ano] of [
    ['municipio=2611606&ano=2023', RECIFE, 1_592_362, 2023],
    ['municipio=261160&ano=2023', RECIFE, 1_592_362, 2023],
    ['municipio=recife&ano=2000', RECIFE, 1_485_173, 2000],
    ['municipio=Recife&estado=PE&regiao_saude=26010', RECIFE, 1_587_707, 2024],
    ['municipio=2611606&ano=2031', RECIFE, 1_587_707, 2024],
    ['municipio=2611606&ano=1970', RECIFE, 1_485_173, 2000],
    [
      'regiao_saude=26010&ano=2020',
      { nivel: 'regiao_saude', codigo: '26010', nome: 'RS Recife', estado: 'PE' },
      4_168_667,
      2020,
    ],
    [
      'estado=PE&ano=2022',
      { nivel: 'estado', codigo: 'PE', nome: 'Pernambuco', estado: 'PE' },
      9_493_026,
      2022,
    ],
    // With a municipality that has no population: left out of the sum.
    [
      'estado=MT&ano=2024',
      { nivel: 'estado', codigo: 'MT', nome: 'Mato Grosso', estado: 'MT' },
      3_836_399,
      2024,
    ],
    ['ano=2010', { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null }, 194_749_329, 2010],
    ['', { nivel: 'pais', codigo: null, nome: 'Brasil', estado: null }, 212_583_750, 2024],
    [
      'municipio=5101837&ano=2024',
      { nivel: 'municipio', codigo: '5101837', nome: 'Boa Esperança do Norte', estado: 'MT' },
      null,
      null,
    ],
  ] as const)
    it(`answers ${query || 'the country in the last year'}`, async () => {
      const { status, body } = await analista.get(`/agravos/populacao?${query}`)
      assert.equal(status, 200)
      assert.deepEqual(body, { lugar, populacao, populacao_ano })
    })

  it('tells namesakes apart by the state or by the health region', async () => {
    const { body } = await analista.get('/agravos/populacao?municipio=bonito&estado=PE')
    assert.deepEqual(body.lugar, BONITO)
    const regiao = t.app.municipios.byCodigo(2602308)?.regiao?.codigo
    const byRegion = await analista.get(`/agravos/populacao?municipio=bonito&regiao_saude=${regiao}`)
    assert.deepEqual(byRegion.body.lugar, BONITO)
  })

  for (const [query, expected] of [
    ['municipio=9999999', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=26116', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=Nenhures', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=--', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=Recife&estado=SP', ['municipio UNKNOWN_MUNICIPIO']],
    ['municipio=2611606&estado=SP', ['municipio INCONSISTENT']],
    ['municipio=2611606&regiao_saude=26001', ['municipio INCONSISTENT']],
    ['municipio=5101837&regiao_saude=51001', ['municipio INCONSISTENT']],
    ['municipio=Bonito', ['estado INCONSISTENT']],
    ['municipio=Bonito&regiao_saude=35011', ['estado INCONSISTENT']],
    ['regiao_saude=26010&estado=SP', ['regiao_saude INCONSISTENT']],
    ['regiao_saude=26099', ['regiao_saude UNKNOWN']],
    ['regiao_saude=recife', ['regiao_saude UNKNOWN']],
    ['regiao_saude=026010', ['regiao_saude UNKNOWN']],
    ['regiao_saude=26099&municipio=9999999', ['regiao_saude UNKNOWN', 'municipio UNKNOWN_MUNICIPIO']],
    ['estado=BR', ['estado INVALID_VALUE']],
    ['municipio=', ['municipio REQUIRED']],
    ['ano=0', ['ano TOO_SMALL']],
    ['ano=10000', ['ano TOO_LARGE']],
    ['ano=2020.5', ['ano INVALID_TYPE']],
    ['ano=este', ['ano INVALID_TYPE']],
    ['bairro=Pina', ['bairro UNKNOWN_FIELD']],
  ] as const)
    it(`refuses ${query}`, async () => {
      const { status, body } = await analista.get(`/agravos/populacao?${query}`)
      assert.equal(status, 422)
      assert.deepEqual(problems(body.error.details), expected)
    })

  it('says in Portuguese what is wrong', async () => {
    const { body } = await analista.get('/agravos/populacao?regiao_saude=26099&ano=x')
    assert.equal(body.error.details[0].message, 'Deve ser do tipo número inteiro')
    const { body: unknown } = await analista.get('/agravos/populacao?regiao_saude=26099')
    assert.equal(unknown.error.details[0].message, 'Não existe: 26099')
  })
})
