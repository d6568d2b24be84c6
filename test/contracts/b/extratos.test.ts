import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createRandom } from '../../../src/demo/random.ts'
import type { Person } from '../../harness/app.ts'
import { bind, RECIFE } from '../../harness/bound.ts'
import { problems } from '../refusals.ts'
import { askParquet } from './duckdb.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import {
  bestLoss,
  classSizes,
  lossOfExtrato,
  QUASE,
  quaseRows,
  type RiscoDoArquivo,
  readExtrato,
} from './extrato-conferido.ts'
import { csv, type Linha, sinan } from './importacoes-app.ts'

/** Research extracts, judged from the file alone. */

const app = await exportacoesApp()
const { t, gestor, analista } = app
after(() => t.close())

const PATH = '/agravos/casos/extratos'
const PEDIDO = {
  formato: 'csv',
  k: 5,
  finalidade: 'Sazonalidade por faixa etária',
  orgao: 'Universidade Federal',
}
const CASES = 1_200

/** Cases that crowd in a few places and weeks, as an epidemic does. */
function rows(): Linha[] {
  const random = createRandom(26)
  const one = <V>(values: readonly V[]) => values[random.below(1 + random.below(values.length))] as V
  return Array.from({ length: CASES }, () => {
    const day = `2024-0${1 + random.below(3)}-${String(1 + random.below(28)).padStart(2, '0')}`
    return sinan({
      ...{
        DT_NOTIFIC: '2024-04-25',
        DT_SIN_PRI: day,
        NM_PACIENT: 'Joana Planta da Silva',
        NM_BAIRRO: 'Ibura',
        NU_CEP: '51200000',
      },
      ...{
        ID_MN_RESI: one(['261160', '260790', '260960', '261070']),
        NU_IDADE_N: String(4000 + random.below(80)),
      },
      ...{
        CS_SEXO: one(['F', 'M']),
        CS_RACA: one(['4', '1', '2', '9', '3', '5']),
        ID_UNIDADE: '0000477',
        ID_OCUPA_N: '999991',
      },
      ...{
        CLASSI_FIN: one(['10', '5', '11']),
        FEBRE: one(['1', '2']),
        DIABETES: one(['2', '1']),
        HOSPITALIZ: one(['2', '1']),
      },
    })
  })
}
before(async () => {
  const { importados } = await app.importar(csv(...rows()), { by: gestor })
  assert.equal(importados, CASES)
})

interface Risco extends RiscoDoArquivo {
  k: number
  menor_classe: number
  risco_maximo: number
  risco_medio: number
  finalidade: string
}

async function extracted(
  body: object = {},
  by: Person = gestor,
): Promise<{ casos: Record<string, string>[]; risco: Risco; file: Buffer }> {
  const file = await app.fileOf({ ...PEDIDO, ...body }, by, PATH)
  const { casos, risco } = await readExtrato(file)
  return { casos, risco: risco as Risco, file }
}

describe('A research extract', () => {
  for (const k of [5, 10, 20])
    it(`has at least ${k} rows of every kind and leaves out at most five of a hundred cases`, async () => {
      const { casos, risco } = await extracted({ k })
      const sizes = classSizes(casos)
      assert.ok(Math.min(...sizes) >= k, `${Math.min(...sizes)}`)
      assert.ok(CASES - casos.length <= 0.05 * CASES)
      assert.deepEqual(
        [risco.k, risco.linhas, risco.suprimidas, risco.menor_classe],
        [k, casos.length, CASES - casos.length, Math.min(...sizes)],
      )
      assert.equal(risco.risco_maximo, 1 / Math.min(...sizes))
      assert.equal(risco.risco_medio, sizes.length / casos.length)
      assert.deepEqual(Object.keys(risco.niveis), QUASE)
    })

  it('is the one with the least loss of all that could be made', async () => {
    const rows = await quaseRows(t.database.pool)
    for (const k of [5, 10, 20])
      assert.equal(lossOfExtrato(await extracted({ k }), CASES), await bestLoss(rows, k))
  })

  it('as Parquet has the same kind of rows, and its sheet in the file', async () => {
    const file = await app.fileOf({ ...PEDIDO, formato: 'parquet' }, gestor, PATH)
    const casos = await askParquet(file, (path) => `select * from ${path}`)
    assert.ok(Math.min(...classSizes(casos)) >= 5)
    assert.match(file.toString('latin1'), /vigia\.risco/)
  })

  it('has nothing that names: neither initials, numbers, neighbourhood, CEP, unit, occupation nor other dates', async () => {
    const { casos, file } = await extracted()
    const [first = {}] = casos
    for (const nome of Object.keys(first))
      assert.doesNotMatch(nome, /nome|iniciais|numero|bairro|cep|cnes|ocupacao|data_|municipio/)
    assert.doesNotMatch(JSON.stringify(casos), /Planta|Ibura|51200000|0000477|999991|J\. ?P/)
    assert.ok(!file.includes('Planta'))
  })

  it('names each case by a pseudonym that no other extract has, in another order', async () => {
    const [one, other] = [await extracted(), await extracted()]
    const names = ({ casos }: typeof one) => casos.map(({ pseudonimo }) => pseudonimo)
    assert.equal(new Set([...names(one), ...names(other)]).size, one.casos.length + other.casos.length)
    const told = ({ casos }: typeof one) => casos.map(({ pseudonimo: _, ...rest }) => JSON.stringify(rest))
    assert.notDeepEqual(told(one), told(other))
    assert.deepEqual(told(one).toSorted(), told(other).toSorted())
  })

  it('gives what was not asked for at no level, and the rest finer', async () => {
    const { casos, risco } = await extracted({ quase_identificadores: ['lugar', 'sexo'] })
    assert.deepEqual(
      [risco.niveis.lugar, risco.niveis.sexo, risco.niveis.idade, risco.niveis.inicio],
      ['municipio', 'sexo', 'omitido', 'omitido'],
    )
    assert.ok(casos.every(({ idade, inicio, raca }) => `${idade}${inicio}${raca}` === ''))
    assert.ok(casos.some(({ lugar }) => lugar === '2611606'))
  })

  it('keeps what the disease did', async () => {
    const { casos } = await extracted()
    assert.ok(casos.every(({ tipo_agravo }) => tipo_agravo === 'dengue'))
    for (const nome of ['classificacao_final', 'hospitalizacao', 'dados_especificos.febre'])
      assert.equal(new Set(casos.map((caso) => caso[nome])).size > 1, true, nome)
  })

  it('of a bound account has the cases of its territory alone', async () => {
    const bound = await bind(t, await t.person({ grupos: ['gestor'] }), RECIFE)
    const { casos } = await extracted({ quase_identificadores: ['lugar'] }, bound)
    assert.deepEqual(new Set(casos.map(({ lugar }) => lugar)), new Set(['2611606']))
    assert.ok(casos.length < CASES)
  })

  it('of too few cases fails with a message, and leaves no file', async () => {
    const { body } = await t
      .as(gestor)
      .post(PATH, { ...PEDIDO, k: 20, filtros: { numero_notificacao: '7000001' } })
    await t.jobWorker.runAll()
    const job = await app.job(body.job_id, gestor)
    assert.deepEqual([job.status, job.codigo], ['failed', 'TOO_FEW_CASES'])
    assert.equal((await t.as(gestor).get(`/jobs/${body.job_id}/arquivo`)).status, 409)
  })

  it('tells the audit for whom and what for, how far it was generalised and how many rows', async () => {
    const { risco } = await extracted({ protocolo_etica: 'CAAE 12345' })
    const { detalhes, ator_id } = (await app.audit('casos.extraidos')).at(-1) ?? assert.fail()
    assert.equal(ator_id, gestor.id)
    const { finalidade, orgao, protocolo_etica, niveis, linhas, k } = detalhes
    assert.deepEqual(
      { finalidade, orgao, protocolo_etica, niveis, linhas, k },
      {
        ...{ finalidade: PEDIDO.finalidade, orgao: PEDIDO.orgao, protocolo_etica: 'CAAE 12345' },
        niveis: risco.niveis,
        linhas: risco.linhas,
        k: 5,
      },
    )
  })

  it('answers 422 to what is missing or unknown, and 403 without agravos.extrair', async () => {
    const refused = async (body: object) => {
      const answer = await t.as(gestor).post(PATH, { ...PEDIDO, ...body })
      assert.equal(answer.status, 422, answer.text)
      return problems(answer.body.error.details)
    }
    const before = await app.jobs()
    assert.deepEqual(await refused({ k: 3 }), ['k INVALID_VALUE'])
    assert.deepEqual(await refused({ formato: 'xlsx' }), ['formato INVALID_VALUE'])
    assert.deepEqual(await refused({ finalidade: undefined }), ['finalidade REQUIRED'])
    assert.equal((await refused({ finalidade: 'curta' })).length, 1)
    assert.equal((await refused({ quase_identificadores: ['cpf'] })).length, 1)
    assert.equal((await refused({ quase_identificadores: [] })).length, 1)
    assert.equal((await refused({ filtros: { nada: 1 } })).length, 1)
    const { status, body } = await t.as(analista).post(PATH, PEDIDO)
    assert.deepEqual([status, body.error.required_permission], [403, 'agravos.extrair'])
    assert.deepEqual(await app.jobs(), before)
  })
})
