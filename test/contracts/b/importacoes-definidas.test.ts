import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { FEBRE_DO_RIO, RIO } from '../../domain/importacao/layouts/agravos-definidos.ts'
import { csv, importacoesApp, type Linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, admin, importar, validar } = app
after(() => t.close())

async function define(body: object): Promise<void> {
  const { status, text } = await t.as(admin).post('/agravos/tipos', { ...body, ativar: true })
  assert.equal(status, 201, text)
}
await define(FEBRE_DO_RIO)
await define({ modelo: 'leptospirose' })
const { pool } = t.database

let number = 0
const rio = (more: Linha = {}): Linha => ({
  ...RIO,
  NU_NOTIFIC: `${9_000_000 + ++number}`,
  HIV: '1',
  RIO_BANHO: '2',
  ...more,
})

const ownOf = (numero: string) =>
  pool.first<{ dados: Record<string, unknown>; versao: number }>(sql`
    select dados, definicao_versao as versao from casos where numero_notificacao = ${numero} and excluido_em is null`)

/** Cases as an import leaves them, without what tells of the import itself. */
const casos = () =>
  pool.rows(sql`
    select numero_notificacao, tipo_agravo, classificacao_final, evolucao, dados from casos
    where excluido_em is null order by numero_notificacao`)

describe('a file of defined diseases', () => {
  it('is imported with the known ones in it, each row by its own definition', async () => {
    const known = sinan({ RIO_BANHO: '', HIV: '', CLI_ICTERI: '', CLASSI_FIN: '10' })
    const lepto = { ...known, NU_NOTIFIC: '9100001', ID_AGRAVO: 'A279', CLI_ICTERI: '1', CLASSI_FIN: '1' }
    const river = rio({ CLI_ICTERI: '1', CLASSI_FIN: '1', RIO_BANHO: '1' })
    const resultado = await importar(csv(known, lepto, river))
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 3, importados: 3 })
    const classOf = (numero: unknown) =>
      pool.value(sql`select classificacao_final from casos where numero_notificacao = ${numero as string}`)
    assert.deepEqual(
      [await classOf(known.NU_NOTIFIC), await classOf('9100001'), await classOf(river.NU_NOTIFIC)],
      ['dengue_sem_sinais_alarme', 'confirmado', 'descartado'],
    )
    assert.equal((await ownOf('9100001'))?.dados.ictericia, true)
    const stored = await ownOf(river.NU_NOTIFIC as string)
    assert.deepEqual(
      [stored?.dados.banho, stored?.dados.ictericia, stored?.dados.hiv],
      [true, undefined, undefined],
    )
    const { dados_especificos } = await app.read(river.NU_NOTIFIC as string)
    assert.deepEqual([dados_especificos.banho, dados_especificos.hiv], [true, true])
  })

  it('changes nothing again, and keeps what it has no column for', async () => {
    const linha = rio({ RIO_MERG: '5' })
    const numero = linha.NU_NOTIFIC as string
    await importar(csv(linha))
    const before = await casos()
    assert.equal((await importar(csv({ ...linha, X: '1' }))).inalterados, 1)
    assert.deepEqual(await casos(), before)
    const { RIO_MERG: _, HIV: __, ...rest } = linha
    const changed = await importar(csv({ ...rest, RIO_BANHO: '1' }))
    assert.deepEqual(numeros(changed), { ...ZERO, total_linhas: 1, atualizados: 1 })
    const { dados_especificos } = await app.read(numero)
    assert.deepEqual(
      [dados_especificos.banho, dados_especificos.mergulhos, dados_especificos.hiv],
      [true, 5, true],
    )
    const emptied = await importar(csv({ ...linha, RIO_MERG: '', RIO_BANHO: '1' }))
    assert.equal(emptied.atualizados, 1)
    assert.equal((await ownOf(numero))?.dados.mergulhos ?? null, null)
  })

  it('is undone as a whole', async () => {
    const linha = rio({ RIO_MERG: '5' })
    await importar(csv(linha))
    const before = await casos()
    const { importacao_id } = await importar(csv({ ...linha, RIO_MERG: '6' }, rio({ RIO_MERG: '7' })))
    const undo = await t.as(app.analista).post(`/agravos/importacoes/${importacao_id}/desfazer`, {})
    assert.equal(undo.status, 202, undo.text)
    await t.jobWorker.runAll()
    assert.deepEqual(await casos(), before)
  })

  it('has derived numbers that are the same in every format, and tells equal rows apart', async () => {
    const { NU_NOTIFIC: _, ...linha } = rio({ RIO_MERG: '9' })
    const file = csv(linha, linha, { ...linha, RIO_MERG: '10' })
    assert.equal((await importar(file)).importados, 3)
    const other = { ...linha, RIO_MERG: '9.0', DT_NOTIFIC: '25/04/2024' }
    const again = await importar(
      csv(...[{ ...other, RIO_MERG: '010' }, other, other].map((one) => ({ ...one, RIO_METROS: '0' }))),
    )
    assert.deepEqual(numeros(again), { ...numeros(again), total_linhas: 3, importados: 0, erros: 0 })
    const numbers = await pool.rows<{ numero: string }>(sql`
      select numero_notificacao as numero from casos where numero_notificacao like 'DATASUS-%' order by 1`)
    assert.equal(numbers.filter(({ numero }) => numero.endsWith('-2')).length, 1)
    assert.equal(numbers.length, 3)
  })

  it('is warned of where rows without a number may be cases that have one, and merges none', async () => {
    const told = { DT_NOTIFIC: '2024-05-06', NU_IDADE_N: '4031', CS_SEXO: 'F' }
    const equal = rio(told)
    await importar(csv(equal, rio({ ...told, CS_SEXO: 'M' })))
    const { NU_NOTIFIC: _, ...public_ } = rio({ ...told, RIO_MERG: '3' })
    const others = [{ CS_SEXO: 'I' }, { NU_IDADE_N: '4032' }, { DT_NOTIFIC: '2024-05-07' }]
    const file = csv(public_, ...others.map((other) => ({ ...public_, ...other })))
    const warned = ({ avisos_detalhados }: { avisos_detalhados: { aviso: string }[] }) =>
      avisos_detalhados.filter(({ aviso }) => aviso.includes('sem número')).map(({ aviso }) => aviso)
    const said = [
      '1 linha sem número é igual em data, unidade ou município, idade e sexo a casos com número: podem ser os mesmos, e não foram reunidos',
    ]
    assert.deepEqual(warned((await validar(file)).resultado), said)
    const resultado = await importar(file)
    assert.deepEqual([resultado.importados, warned(resultado)], [4, said])
    assert.deepEqual(warned(await importar(`${file}\r\n`)), [], 'those that are stored are told of once')
  })

  it('brings texts when they are asked for, also where it was imported before', async () => {
    const linha = rio({ RIO_RELATO: 'nadou' })
    const file = csv(linha)
    await importar(file)
    const told = async () => (await app.read(linha.NU_NOTIFIC as string)).dados_especificos.relato ?? null
    assert.equal(await told(), null)
    assert.equal((await importar(file, { textos: 'true' })).atualizados, 1)
    assert.equal(await told(), 'nadou')
    assert.equal((await app.send(file, { textos: 'talvez' })).status, 422)
  })

  it('is read again under a new version of the definition', async () => {
    const linha = rio({ RIO_NOVO: '1' })
    const file = csv(linha)
    await importar(file)
    assert.equal((await importar(file)).identico_a !== undefined, true)
    const novo = { nome: 'novo', rotulo: 'Novo', tipo: 'bool', grupo: 'Rio', sinan: ['RIO_NOVO'] }
    const { headers } = await t.as(admin).get('/agravos/tipos/febre_do_rio')
    const put = await t
      .as(admin)
      .put(
        '/agravos/tipos/febre_do_rio',
        { ...FEBRE_DO_RIO, campos: [...FEBRE_DO_RIO.campos, novo], ativar: true },
        { headers: { 'if-match': headers.etag as string } },
      )
    assert.equal(put.status, 200, put.text)
    const read = await importar(file)
    assert.equal(read.atualizados, 1)
    const stored = await ownOf(linha.NU_NOTIFIC as string)
    assert.deepEqual([stored?.dados.novo, stored?.versao], [true, 2])
  })
})

describe('a dry run of a file of defined diseases', () => {
  it('describes columns of own fields, and masks encrypted ones', async () => {
    const { resultado } = await validar(csv(rio({ RIO_DT: '2024-04-20', RIO_BANHO: '1', RIO_NADA: '1' })))
    const coluna = (nome: string) => resultado.colunas.find((one: { nome: string }) => one.nome === nome)
    const told = (nome: string) => [coluna(nome).campo, coluna(nome).uso, coluna(nome).exemplo]
    assert.deepEqual(told('RIO_DT'), ['dados_especificos.data_banho', 'usada', '2024-04-20'])
    assert.deepEqual(told('HIV'), ['dados_especificos.hiv', 'usada', '***'])
    assert.deepEqual(told('RIO_NADA'), [null, 'desconhecida', '***'])
  })
})

describe('a file in a layout of a definition', () => {
  it('is imported, listed and found by that layout', async () => {
    const linha = { CODIGO: '1', PRAIA: 'Boa', QUANDO: '21/04/2024', FIM: 'Óbito' }
    const file = csv(linha, { ...linha, CODIGO: '2', QUANDO: 'Assintomático' })
    const resultado = await importar(file, { ignorar_erros: 'true' })
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 2, importados: 1, erros: 1, avisos: 1 })
    assert.equal(resultado.arquivo.layout, 'definido')
    assert.equal((await app.read('RIO-1')).evolucao, 'obito')
    const { body } = await t.as(app.analista).get('/agravos/importacoes?layout=definido')
    assert.equal(body.total, 1)
  })
})
