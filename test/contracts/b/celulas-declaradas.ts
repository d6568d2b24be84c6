// Cells of a file of SINAN beside those of our file of the same cases, and the ways in which these may differ (interface, 4.6).
import { isMissing, readDate } from '../../../src/domain/importacao/layouts/values.ts'

type Row = Record<string, string>

const plain = (cell: string): string => {
  const text = cell.trim()
  if (isMissing(text)) return ''
  return readDate(text, { min: 1900, max: 2100 }) ?? text.replace(/\.0$/, '')
}
const isNumber = (text: string) => /^\d+$/.test(text)
const areSameCode = (one: string, other: string) =>
  one === other || (isNumber(one) && isNumber(other) && Number(one) === Number(other))

const COMORBIDADES = ['DIABETES', 'HEMATOLOG', 'HEPATOPAT', 'RENAL', 'HIPERTENSA', 'ACIDO_PEPT', 'AUTO_IMUNE']
const UFS =
  'RO11 AC12 AM13 RR14 PA15 AP16 TO17 MA21 PI22 CE23 RN24 PB25 PE26 AL27 SE28 BA29 MG31 ES32 RJ33 SP35 PR41 SC42 RS43 MS50 MT51 GO52 DF53'
const MUNICIPALITY_OF: Row = {
  ...{ COUFINF: 'COMUNINF', SG_UF: 'ID_MN_RESI', SG_UF_NOT: 'ID_MUNICIP', UF: 'MUNICIPIO' },
}
const IN_FORM: Record<string, RegExp> = { dengue: /^A9[01]/, chikungunya: /^A92\.?0/, zika: /^A92\.?8/ }

interface Pair {
  nome: string
  from: string
  to: string
  source: Row
  /** The import told that it left this cell out. */
  isWarned: boolean
}
const isOf = (tipo: string, { source }: Pair) => IN_FORM[tipo]?.test(source.ID_AGRAVO ?? '') === true

const DECLARED: Record<string, (pair: Pair) => boolean> = {
  'unknown (9, 99) is blank': ({ from, to }) => /^9?9$/.test(from) && to === '',
  'age in years': ({ nome, from, to }) =>
    nome === 'NU_IDADE_N' && (to === '4000' ? /^[0-3]/.test(from) : from === ''),
  'pregnancy that does not apply': ({ nome, from }) => nome === 'CS_GESTANT' && /^[569]?$/.test(from),
  'comorbidities are denied together': ({ nome, from, to }) =>
    COMORBIDADES.includes(nome) && from === '' && to === '2',
  'zero that is no answer': ({ from, to }) => /^0+$/.test(from) && to === '',
  'no occupation of the table': ({ nome, to }) => nome === 'ID_OCUPA_N' && to === '',
  'one serum of chikungunya': (pair) =>
    isOf('chikungunya', pair) && /^(?:RES_CHIKS|DT_CHIK_S)[12]$/.test(pair.nome),
  'column of another form': (pair) =>
    pair.to === '' &&
    (/^(?:RES_CHIKS[12]|DT_CHIK_S[12]|CLINC_CHIK)$/.test(pair.nome)
      ? !isOf('chikungunya', pair)
      : /^(?:RESUL_SORO|DT_SORO|SOROTIPO|RESUL_NS1|DT_NS1)$/.test(pair.nome) && !isOf('dengue', pair)),
  'column of the form before 2014': ({ nome, to }) =>
    /^(?:PETEQUIAS|LACO_N|HEMA_MAIOR|HEMA_MENOR)$/.test(nome) && to === '',
  'state of its municipality': ({ nome, from, to, source }) =>
    nome in MUNICIPALITY_OF && (from === '' || source[MUNICIPALITY_OF[nome] ?? '']?.startsWith(to) === true),
  'state by its number': ({ from, to }) => UFS.includes(`${from}${to}`) && /^[A-Z]{2}$/.test(from),
  'week of its date': ({ nome }) => nome.startsWith('SEM_'),
  'pregnancy, which the disease does not ask': (pair) =>
    pair.nome === 'CS_GESTANT' && pair.to === '' && !Object.keys(IN_FORM).some((tipo) => isOf(tipo, pair)),
  'severe signs are denied together': ({ nome, from, to }) =>
    nome.startsWith('GRAV_') && from === '' && to === '2',
  'severe signs that were all denied': ({ nome, from, to, source }) =>
    nome.startsWith('GRAV_') &&
    `${from} ${to}` === '2 ' &&
    !Object.keys(source).some((other) => other.startsWith('GRAV_') && plain(source[other] ?? '') === '1'),
  'mark of a decision that is none of ours': ({ nome, to }) => nome === 'NDUPLIC_N' && to === '',
  'left out with a warning': ({ to, isWarned }) => to === '' && isWarned,
}

/** `undeclared` names column and cells; both cells of a pair are compared as text and as codes, of which zeros in front say nothing. */
export function equalCells(
  rows: readonly { line: number; source: Row }[],
  written: readonly Row[],
  { taken, isWarned }: { taken: ReadonlySet<string>; isWarned(line: number, nome: string): boolean },
) {
  const keyOf = (row: Row) => `${Number(plain(row.NU_NOTIFIC ?? ''))} ${plain(row.DT_NOTIFIC ?? '')}`
  const byKey = new Map(written.map((row) => [keyOf(row), row]))
  let [cells, asText, asCode] = [0, 0, 0]
  const [declared, undeclared] = [new Map<string, number>(), new Map<string, number>()]
  const count = (of: Map<string, number>, what: string) => of.set(what, (of.get(what) ?? 0) + 1)
  for (const { line, source } of rows) {
    const row = byKey.get(keyOf(source))
    if (row === undefined) count(undeclared, 'a row without its case')
    for (const [nome, cell] of Object.entries(source)) {
      if (row === undefined || !taken.has(nome) || row[nome] === undefined) continue
      const [from, to] = [plain(cell), plain(row[nome])]
      cells++
      if (from === to) asText++
      if (areSameCode(from, to)) asCode++
      if (from === to) continue
      const reason = areSameCode(from, to)
        ? 'zeros in front'
        : Object.keys(DECLARED).find((one) =>
            DECLARED[one]?.({ nome, from, to, source, isWarned: isWarned(line, nome) }),
          )
      if (reason === undefined) count(undeclared, `${nome}: ${from} -> ${to}`)
      else count(declared, reason)
    }
  }
  return { cells, asText, asCode, declared, undeclared }
}
