import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/db/sql.ts'
import { columnName } from '../../../src/domain/importacao/layouts/header.ts'
import { keyOfColumn } from '../../../src/domain/importacao/layouts/tabela.ts'
import { type ReadTable, readTable } from '../../domain/importacao/formats/files.ts'
import { equalCells } from './celulas-declaradas.ts'
import { exportacoesApp } from './exportacoes-app.ts'
import { bestLoss, classSizes, lossOfExtrato, quaseRows, readExtrato } from './extrato-conferido.ts'
import { csv } from './importacoes-app.ts'

/**
 * Files as others wrote them, from the folder that `VIGIA_FILES` names: what is imported of each comes back from every file in SINAN's
 * layout, and differs from its source in declared ways only; nobody is alone in its research extracts.
 */
const FOLDER = process.env.VIGIA_FILES
const MODELOS = [
  ...['leptospirose', 'chagas_aguda', 'leishmaniose_visceral', 'leishmaniose_tegumentar'],
  ...['malaria', 'febre_amarela', 'hanseniase', 'tuberculose', 'meningite', 'sifilis_congenita'],
]
const KS = [5, 10, 20]
const EXTRATOS = '/agravos/casos/extratos'
const KNOWN = ['dengue', 'chikungunya', 'zika']
/** A file of fewer has too few rows for a share. */
const FEW_CELLS = 50_000
/** Of the record, not of what it says. */
const OF_THE_RECORD = ['id', 'criado_em', 'atualizado_em', 'paciente_iniciais']
/** In identified files only; without a number, one is made. */
const SEALED = [
  ...['numero_notificacao', 'paciente_nome', 'paciente_data_nascimento', 'dados_especificos.hospital_cnes'],
  ...['bairro_residencia', 'logradouro_residencia', 'numero_residencia', 'cep_residencia', 'zona_residencia'],
  'dados_especificos.coinfeccao_hiv',
]
/** Occupations that are no code: spreadsheets cut them, and SINAN writes some. */
const isOccupation = (text: unknown) => /^(?:\d{6}|\d{4}[A-Z]\d)$/.test(String(text))

const FILES =
  FOLDER === undefined
    ? []
    : (await readdir(FOLDER, { recursive: true })).filter((name) => /\.(csv|dbf|dbc)$/i.test(name)).toSorted()

describe('A file of the folder VIGIA_FILES', {
  skip: FOLDER === undefined && 'no folder is named',
}, async () => {
  if (FOLDER === undefined) return
  const app = await exportacoesApp()
  after(() => app.t.close())
  const { t, admin, gestor } = app
  before(async () => {
    for (const modelo of MODELOS) {
      const { status, text } = await t.as(admin).post('/agravos/tipos', { modelo, ativar: true })
      assert.equal(status, 201, text)
    }
  })
  const golden = await goldenCounts(FOLDER)
  const found = new Set<string>()
  let held = 0
  /** Cells of the files of known diseases together. */
  const sums = { files: 0, cells: 0, asText: 0, asCode: 0 }

  async function removeAll() {
    await t.database.pool.run(sql`delete from casos`)
    await t.database.pool.run(sql`delete from importacoes`)
  }

  async function run(
    content: string | Buffer,
    formato: string,
    { nome = 'casos.csv', modo = 'importar' } = {},
  ) {
    const fields = { ...{ formato, nome, modo, by: gestor }, ignorar_erros: 'true', textos: 'true' }
    const { status, body, text } = await app.send(content, fields)
    assert.equal(status, 202, text)
    await t.jobWorker.runAll()
    return app.job(body.job_id, gestor)
  }

  /** Into an empty service. */
  async function read(content: string | Buffer, formato: string, nome?: string) {
    await removeAll()
    return run(content, formato, { ...(nome !== undefined && { nome }) })
  }

  /** Every field of every case, by number. */
  async function contents(tipo: string) {
    const rows = await app.rowsOf({ ...ask('json', tipo, true) }, gestor)
    const told = rows.map((row) => without(row, OF_THE_RECORD))
    return new Map(told.map((row) => [`${row.numero_notificacao} ${row.data_notificacao}`, row]))
  }

  async function resumo(tipo: string) {
    const counted = async (query: string) => {
      const { status, body } = await t
        .as(gestor)
        .get(`/agravos/casos/estatisticas/resumo?tipo_agravo=${tipo}${query}`)
      assert.equal(status, 200)
      return body
    }
    const { total, por_classificacao, hospitalizados, obitos } = await counted('')
    const of = async (evolucao: string) => (await counted(`&evolucao=${evolucao}`)).total
    return {
      ...{ total, por_classificacao, hospitalizados, obitos },
      outras: await of('obito_outras_causas'),
      investigacao: await of('obito_em_investigacao'),
    }
  }

  for (const name of FILES)
    it(name, async (test) => {
      const content = await readFile(join(FOLDER, name))
      const formato = extname(name).slice(1).toLowerCase()
      const first = await read(content, formato, basename(name))
      if (first.status !== 'completed')
        return test.skip(`holds no cases: ${String(first.message).slice(0, 40)}`)
      held++
      const tipos = await t.database.pool.rows<{ tipo: string }>(
        sql`select distinct tipo_agravo as tipo from casos`,
      )
      assert.equal(tipos.length, 1, 'one disease a file')
      const tipo = tipos[0]?.tipo as string
      const [cases, counts] = [await contents(tipo), await resumo(tipo)]
      assert.ok(cases.size > 0)
      const expected = golden.get(name)
      if (expected) {
        assert.deepEqual(toGolden(counts), expected)
        found.add(name)
      }

      test.diagnostic(`${cases.size} cases of ${tipo}; ${await extractsOf(tipo)}`)
      const { resultado } = await run(content, formato, { nome: basename(name), modo: 'validar' })
      test.diagnostic(await cellsOf(name, content, { ...first.resultado, tipo, colunas: resultado.colunas }))

      await read(content, formato, basename(name))
      const files = []
      for (const identificado of [true, false])
        for (const formato of ['csv_sinan', 'dbf', 'dbc'])
          files.push({
            identificado,
            formato,
            file: await app.fileOf(ask(formato, tipo, identificado), gestor),
          })
      for (const { identificado, formato, file } of files) {
        const again = await read(file, formato === 'csv_sinan' ? 'csv' : formato)
        assert.deepEqual([again.status, again.resultado?.erros], ['completed', 0], formato)
        const back = await contents(tipo)
        assert.equal(back.size, cases.size)
        if (identificado)
          for (const [key, one] of cases) assert.deepEqual(back.get(key), kept(one), `${formato} ${key}`)
        else assert.deepEqual(openOf(back), openOf(cases), formato)
        assert.deepEqual(await resumo(tipo), counts, formato)
      }
    })

  it('is there', () => assert.ok(held > 0, 'no file of the folder holds cases'))

  it('has the counts that its README tells', { skip: golden.size === 0 && 'the folder tells none' }, () =>
    assert.deepEqual([...found].toSorted(), [...golden.keys()].toSorted()),
  )

  it('of the known diseases is equal to its source in 99 of 100 cells, all files together', (test) => {
    const { files, cells, asText, asCode } = sums
    test.diagnostic(
      `${files} files, ${cells} cells, equal ${percent(asText, cells)} as text, ${percent(asCode, cells)} as codes`,
    )
    if (cells < FEW_CELLS) return test.skip(`${cells} cells are too few`)
    assert.ok(asText >= 0.99 * cells, percent(asText, cells))
    assert.ok(asCode >= 0.99 * cells, percent(asCode, cells))
  })

  const ask = (formato: string, tipo: string, identificado: boolean) => ({
    ...{ formato, identificado, filtros: { tipo_agravo: tipo } },
  })

  /** Of every `k`, from the files alone. */
  async function extractsOf(tipo: string): Promise<string> {
    const rows = await quaseRows(t.database.pool)
    const told: string[] = []
    const pseudonyms: (string | undefined)[] = []
    for (const k of KS) {
      const pedido = {
        formato: 'csv',
        k,
        finalidade: 'Conferência de arquivos',
        orgao: 'Vigia',
        filtros: { tipo_agravo: tipo },
      }
      const best = await bestLoss(rows, k)
      const asked = await t.as(gestor).post(EXTRATOS, pedido)
      await t.jobWorker.runAll()
      const job = await app.job(asked.body.job_id, gestor)
      if (best === Number.POSITIVE_INFINITY) {
        assert.deepEqual([job.status, job.codigo], ['failed', 'TOO_FEW_CASES'])
        told.push(`k=${k}: too few`)
        continue
      }
      const extrato = await readExtrato((await app.download(`/jobs/${job.job_id}/arquivo`, gestor)).bytes)
      const { casos, risco } = extrato
      const smallest = Math.min(...classSizes(casos))
      assert.ok(smallest >= k, `a class of ${smallest}`)
      assert.equal(risco.suprimidas, rows.length - casos.length)
      assert.ok(risco.suprimidas <= 0.05 * rows.length, `${risco.suprimidas} left out`)
      assert.equal(lossOfExtrato(extrato, rows.length), best)
      pseudonyms.push(...casos.map(({ pseudonimo }) => pseudonimo))
      const niveis = Object.values(risco.niveis).join('/')
      told.push(
        `k=${k}: ${niveis}, class of ${smallest}, ${((100 * risco.suprimidas) / rows.length).toFixed(1)} % left out`,
      )
    }
    assert.equal(new Set(pseudonyms).size, pseudonyms.length, 'one pseudonym in two extracts')
    return told.join('; ')
  }

  /** Compares the cells of the columns that are taken with those of an identified file; rows without a number get one to be found by. */
  async function cellsOf(
    name: string,
    content: Buffer,
    { tipo, colunas, erros_detalhados, avisos_detalhados }: Resultado,
  ): Promise<string> {
    const source = await readTable(content, extname(name).slice(1).toLowerCase() as 'csv')
    const warned = Map.groupBy(avisos_detalhados, ({ linha }) => linha)
    const isWarned = (line: number, nome: string) =>
      warned.get(line)?.some(({ aviso }) => aviso.includes(nome)) === true
    const rejected = new Set(erros_detalhados.map(({ linha }) => linha))
    const taken = new Set(
      colunas.filter(({ uso }) => uso === 'usada').map(({ nome }) => keyOfColumn(columnName(nome))),
    )
    const header = source.header.map((nome) => keyOfColumn(columnName(nome)))
    if (!header.includes('DT_NOTIFIC')) return 'no file of SINAN, whose cells could be compared'
    const isNumbered = header.includes('NU_NOTIFIC')
    const rows = source.rows
      .filter(({ line }) => !rejected.has(line))
      .map(({ line, values }) => ({
        line,
        source: {
          ...Object.fromEntries(header.map((nome, i) => [nome, values[i] ?? ''])),
          ...(!isNumbered && { NU_NOTIFIC: String(1_000_000 + line) }),
        } as Record<string, string>,
      }))
    if (!isNumbered)
      await read(csv(...rows.map(({ source }) => source)), 'csv', `${basename(name, extname(name))}.csv`)
    const written = rowsOf(await readTable(await app.fileOf(ask('csv_sinan', tipo, true), gestor)))
    const { cells, asText, asCode, declared, undeclared } = equalCells(rows, written, { taken, isWarned })
    if (KNOWN.includes(tipo)) {
      sums.files++
      sums.cells += cells
      sums.asText += asText
      sums.asCode += asCode
    }
    assert.deepEqual(
      undeclared,
      new Map(),
      `${name}: ${[...undeclared].map(([what, times]) => `${what} (${times})`)}`,
    )
    if (KNOWN.includes(tipo) && cells > FEW_CELLS)
      assert.ok(asCode >= 0.99 * cells, `${name}: ${percent(asCode, cells)}`)
    const why = [...declared].toSorted(([, a], [, b]) => b - a).map(([reason, times]) => `${reason} ${times}`)
    return `${cells} cells, equal ${percent(asText, cells)} as text, ${percent(asCode, cells)} as codes (${why.join(', ')})`
  }
})

const percent = (count: number, cells: number) => `${((100 * count) / Math.max(cells, 1)).toFixed(2)} %`

interface Resultado {
  tipo: string
  colunas: { nome: string; uso: string }[]
  erros_detalhados: { linha: number }[]
  avisos_detalhados: { linha: number | null; aviso: string }[]
}

const without = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([nome]) => !names.includes(nome)))

/** As it comes back. */
const kept = (row: Record<string, unknown>) =>
  isOccupation(row.paciente_ocupacao) ? row : { ...row, paciente_ocupacao: null }

/** Own fields of free text are in identified files alone. */
const textsIn = (row: Record<string, unknown>) =>
  Object.keys(row).filter((nome) => /^dados_especificos\..*_quais$/.test(nome))

/** An age beyond this comes from a birth date, and is left out where a file tells the age alone. */
const OLDEST = 120
const plausible = (row: Record<string, unknown>) =>
  Number(row.paciente_idade) > OLDEST ? { ...row, paciente_idade: null } : row

const openOf = (cases: Map<string, Record<string, unknown>>): string[] =>
  [...cases.values()]
    .map((row) => JSON.stringify(without(plausible(kept(row)), [...SEALED, ...textsIn(row)])))
    .toSorted()

const rowsOf = ({ header, values }: ReadTable) =>
  values.map((row) => Object.fromEntries(header.map((nome, i) => [nome, row[i] ?? ''])))

/** Counts that the folder's own README tells: `| file | valid | conf | desc | incl | blank | hosp | deaths … |`. */
async function goldenCounts(folder: string): Promise<Map<string, (number | null)[]>> {
  const text = await readFile(join(folder, 'README.md'), 'utf8').catch(() => '')
  const rows = text.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
  const counted = rows.filter((cells) => cells.length === 10 && /^\d+$/.test(cells[1] ?? ''))
  return new Map(
    counted.map(([name = '', ...cells]) => [
      name,
      cells.map((cell) => (/^\d+$/.test(cell) ? Number(cell) : null)),
    ]),
  )
}

/** In the order of that table; no hospital is asked of Zika. */
function toGolden({
  total,
  por_classificacao: p,
  hospitalizados,
  obitos,
  outras,
  investigacao,
}: Counts): (number | null)[] {
  const classes = [p.confirmado, p.descartado, p.inconclusivo, p.em_investigacao]
  return [total, ...classes, hospitalizados || null, obitos, outras, investigacao]
}
interface Counts {
  total: number
  por_classificacao: Record<'confirmado' | 'descartado' | 'inconclusivo' | 'em_investigacao', number>
  hospitalizados: number
  obitos: number
  outras: number
  investigacao: number
}
