import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { cell, makeDbc, makeDbf, makeXlsx, type TestField } from '../../domain/importacao/formats/files.ts'
import { csv, importacoesApp, type Linha, linha, numeros, sinan, ZERO } from './importacoes-app.ts'

const app = await importacoesApp()
const { t, importar } = app
after(() => t.close())

const PASTA = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** The same table in every format. */
const xlsx = (...linhas: Linha[]): Promise<Buffer> => numberedXlsx(linhas)
function numberedXlsx(linhas: Linha[], numberOf: (i: number) => number = (i) => i + 1): Promise<Buffer> {
  const rows = [Object.keys(linhas[0] ?? {}), ...linhas.map((one) => Object.values(one))]
  const cells = rows.map(
    (row, i) =>
      `<row r="${numberOf(i)}">${row.map((text, j) => cell(`${PASTA[j]}${i + 1}`, text)).join('')}</row>`,
  )
  return makeXlsx({ data: cells.join('') })
}
function dbf(...linhas: Linha[]): Buffer {
  const campos = Object.keys(linhas[0] ?? {}).map((nome): TestField => {
    const isDate = nome.startsWith('DT_')
    return [nome, isDate ? 'D' : 'C', isDate ? 8 : 30]
  })
  const values = (one: Linha) =>
    Object.entries(one).map(([nome, text]) => (nome.startsWith('DT_') ? text.replaceAll('-', '') : text))
  return makeDbf(campos, linhas.map(values))
}

async function clear() {
  await t.database.pool.run(sql`delete from casos`)
  await t.database.pool.run(sql`delete from importacoes`)
}

const NOTIFICADOS = [
  sinan({ CS_SEXO: 'F', CS_GESTANT: '5', NU_IDADE_N: '4031', FEBRE: '1', CLASSI_FIN: '10', CRITERIO: '1' }),
  sinan({ CS_SEXO: 'M', CS_GESTANT: '6', NU_IDADE_N: '3007', FEBRE: '2', CLASSI_FIN: '5', CRITERIO: '2' }),
  sinan({ CS_SEXO: 'I', CS_GESTANT: '9', NU_IDADE_N: '', FEBRE: '', CLASSI_FIN: '', CRITERIO: '' }),
]

describe('A SINAN file', () => {
  it('gives the same cases as CSV, XLSX, DBF and DBC, and any of them after another changes nothing', async () => {
    const files: Record<string, Buffer | string> = {
      csv: csv(...NOTIFICADOS),
      xlsx: await xlsx(...NOTIFICADOS),
      dbf: dbf(...NOTIFICADOS),
      dbc: makeDbc(dbf(...NOTIFICADOS)),
    }
    let first: unknown
    for (const [formato, file] of Object.entries(files)) {
      await clear()
      const resultado = await importar(file, { formato, nome: `casos.${formato}` })
      assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 3, importados: 3 }, formato)
      assert.deepEqual([resultado.arquivo.formato, resultado.arquivo.layout], [formato, 'sinan'])
      const told = await app.contents()
      first ??= told
      assert.deepEqual(told, first, formato)
      const before = await app.casos()
      for (const [other, same] of Object.entries(files)) {
        const again = await importar(same, { formato: other })
        assert.deepEqual(numeros(again), { ...ZERO, total_linhas: 3, inalterados: 3 }, `${formato}, ${other}`)
      }
      assert.deepEqual(await app.casos(), before)
    }
    const [one] = Object.values(first as Record<string, { paciente: object; classificacao_final: string }>)
    assert.equal(one?.classificacao_final, 'dengue_sem_sinais_alarme')
  })
})

describe('A file of our own layout', () => {
  it('gives the same cases as CSV and as XLSX', async () => {
    const rows = [
      linha({ bairro_residencia: 'Casa Amarela; "A"', paciente_idade: '31', uti: 'sim' }),
      linha({ bairro_residencia: '', paciente_idade: '', uti: 'não' }),
    ]
    await clear()
    await importar(csv(...rows))
    const told = await app.contents()
    await clear()
    const resultado = await importar(await xlsx(...rows), { formato: 'xlsx' })
    assert.deepEqual([resultado.importados, resultado.arquivo.layout], [2, 'proprio'])
    assert.deepEqual(await app.contents(), told)
  })

  it('is read in latin1, with commas or tabs, as well as in UTF-8', async () => {
    const rows = [linha({ bairro_residencia: 'São José', paciente_nome: 'Ana Conceição' })]
    await clear()
    await importar(csv(...rows))
    const told = await app.contents()
    for (const other of [
      Buffer.from(csv(...rows), 'latin1'),
      csv(...rows).replaceAll(';', ','),
      csv(...rows).replaceAll(';', '\t'),
    ]) {
      await clear()
      await importar(other)
      assert.deepEqual(await app.contents(), told)
    }
  })
})

describe('Rows without a notification number', () => {
  const { NU_NOTIFIC: _, ...semNumero } = sinan({ CS_SEXO: 'F', NU_IDADE_N: '4031' })
  const outra = { ...semNumero, CS_SEXO: 'M' }
  const numbers = async () => Object.keys(await app.contents())

  it('get one that is derived from what they tell; equal rows -2 and -3; a warning says so once', async () => {
    await clear()
    const resultado = await importar(csv(semNumero, outra, semNumero, semNumero))
    assert.deepEqual(numeros(resultado), { ...ZERO, total_linhas: 4, importados: 4, avisos: 1 })
    assert.match(resultado.avisos_detalhados[0].aviso, /NU_NOTIFIC.*derivado/)
    const found = await numbers()
    const base = found.filter((numero) => !/-[23]$/.test(numero))
    assert.equal(base.length, 2)
    for (const numero of base) assert.match(numero, /^DATASUS-[0-9a-f]{16}$/)
    const [repeated] = found.filter((numero) => numero.endsWith('-3')).map((numero) => numero.slice(0, -2))
    assert.ok(repeated && base.includes(repeated))
    assert.ok(found.includes(`${repeated}-2`))
  })

  it('keep it on the next import, in any order, and from DBF as from CSV', async () => {
    const before = [await app.casos(), await numbers()]
    const rows = [semNumero, semNumero, outra, semNumero]
    for (const [file, formato] of [
      [csv(...rows), 'csv'],
      [dbf(...rows), 'dbf'],
      [await xlsx(...rows), 'xlsx'],
      [csv(semNumero, outra, semNumero, semNumero), 'csv'],
    ] as [string | Buffer, string][]) {
      const resultado = await importar(file, { formato })
      assert.deepEqual([resultado.inalterados, resultado.importados, resultado.atualizados], [4, 0, 0])
      assert.deepEqual([await app.casos(), await numbers()], before)
    }
    await clear()
    await importar(dbf(...rows), { formato: 'dbf' })
    assert.deepEqual(await numbers(), before[1])
  })

  it('that are one more than last time bring one more case', async () => {
    const { importados, inalterados } = await importar(csv(semNumero, semNumero, semNumero, semNumero, outra))
    assert.deepEqual([importados, inalterados], [1, 4])
    assert.equal((await numbers()).length, 5)
  })

  it('are told apart from those with one in the same file', async () => {
    await clear()
    const { NU_NOTIFIC: numero, ...rest } = sinan({ CS_SEXO: 'F', NU_IDADE_N: '4031' })
    const resultado = await importar(
      csv({ NU_NOTIFIC: numero as string, ...rest }, { NU_NOTIFIC: '', ...rest }),
    )
    assert.deepEqual([resultado.importados, resultado.duplicados_no_arquivo], [2, 0])
  })

  it('can be opened by right after they were numbered: what is sealed is bound to the number', async () => {
    await clear()
    const named = { ...semNumero, NM_PACIENT: 'Rita de Souza', NM_LOGRADO: 'Rua da Aurora' }
    await importar(csv(named, named))
    assert.equal((await numbers()).length, 2)
    for (const numero of await numbers()) {
      const { paciente, endereco } = await app.read(numero)
      assert.deepEqual([paciente.nome, endereco.logradouro], ['Rita de Souza', 'Rua da Aurora'])
    }
  })
})

describe('A file that no table could hold', () => {
  it('is refused where its rows are numbered beyond the limit, and a disease that is none with its row', async () => {
    const before = await app.casos()
    const rows = await numberedXlsx([linha()], (i) => 1 + i * 2 ** 31)
    const numbered = await app.run(rows, { formato: 'xlsx', modo: 'importar' })
    assert.equal(numbered.status, 'failed')
    assert.match(numbered.message, /mais de 10\.000\.000 linhas/)
    const named = await app.run(csv(sinan({ ID_AGRAVO: 'constructor' })), { modo: 'importar' })
    assert.deepEqual([named.status, named.resultado.erros], ['failed', 1])
    assert.match(named.resultado.erros_detalhados[0].erro, /^Agravo desconhecido/)
    assert.deepEqual(await app.casos(), before)
    await app.leavesNothing()
  })
})
