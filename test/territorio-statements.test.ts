import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

/**
 * Every statement about cases and the reason why it does not reach beyond a territory.
 *
 *   filter     takes a filter, a selection or bounds that `withinTerritorio` made
 *   guard      about one case: its caller is checked with `assertAcesso`, before or after, or the case is the caller's new one
 *   otherwise  the reason why it needs neither
 */
type Scope = 'filter' | 'guard' | { exempt: string }

const exempt = (reason: string): Scope => ({ exempt: reason })
const SERVICE = exempt(
  'keys and pairs of all cases, made by the service itself and shown where `opens` allows',
)
const PREPARED = exempt('a case that `deleteOutside` left in the import, or that an undo found inside')

const STATEMENTS: Record<string, [statements: number, Scope]> = {
  'domain/anexos/anexos.sql.ts findAnexo': [1, 'guard'],
  'domain/anexos/anexos.sql.ts reunidos': [
    1,
    exempt(
      'cases that a case absorbed, which is checked with `openCaso`: who reads it reads what became of them',
    ),
  ],
  'domain/casos/agravos/definicoes.sql.ts anyExcluido': [
    1,
    exempt('whether a disease may be removed; told to nobody'),
  ],
  'domain/casos/agravos/definicoes.sql.ts countComValor': [1, 'filter'],
  'domain/casos/agravos/definicoes.sql.ts longestTexto': [
    1,
    exempt('whether a text may become shorter; told to nobody'),
  ],
  'domain/casos/bulk/bulk.sql.ts countImported': [
    1,
    exempt('the shortcut for the same file, which bound importers do not take'),
  ],
  'domain/casos/bulk/bulk.sql.ts findPrincipal': [3, exempt('told of only where it is not `isOutside`')],
  'domain/casos/bulk/bulk.sql.ts createStaging': [1, exempt('reads the columns of the table, and no row')],
  'domain/casos/bulk/bulk.sql.ts insertUnmatched': [
    1,
    exempt('new cases: rows outside were rejected before'),
  ],
  'domain/casos/bulk/bulk.sql.ts lockCasosByIds': [1, PREPARED],
  'domain/casos/bulk/bulk.sql.ts matchCasos': [
    2,
    exempt('matches of cases outside are taken back by `deleteOutside` before any is counted'),
  ],
  'domain/casos/bulk/parecidos.sql.ts countParecidos': [
    1,
    exempt('of bound importers only cases of the municipalities of their own rows, which are inside'),
  ],
  'domain/casos/bulk/territorio.sql.ts anyImportedOutside': [2, 'filter'],
  'domain/casos/bulk/territorio.sql.ts anyTouchedOutside': [1, 'filter'],
  'domain/casos/bulk/territorio.sql.ts deleteOutside': [1, 'filter'],
  'domain/casos/bulk/territorio.sql.ts placesOfImported': [
    1,
    exempt('the places of an import, which decide who sees it'),
  ],
  'domain/casos/bulk/undo.sql.ts countUntouched': [
    1,
    exempt('an import that is undone: `anyTouchedOutside` stops before'),
  ],
  'domain/casos/bulk/undo.sql.ts deleteUntouched': [
    1,
    exempt('an import that is undone: `anyTouchedOutside` stops before'),
  ],
  'domain/casos/bulk/undo.sql.ts gatherTouched': [
    1,
    exempt('collects the ids that `anyTouchedOutside` checks'),
  ],
  'domain/casos/casos.sql.ts EXCLUIDOS': [1, 'filter'],
  'domain/casos/casos.sql.ts countCasosOf': [
    1,
    exempt('the number of cases that an account within reach answers for, as its deactivation tells it'),
  ],
  'domain/casos/casos.sql.ts deleteCaso': [1, 'guard'],
  'domain/casos/casos.sql.ts findCasoWithSigilo': [1, 'guard'],
  'domain/casos/casos.sql.ts findCasos': [1, 'guard'],
  'domain/casos/casos.sql.ts isMerged': [2, 'guard'],
  'domain/casos/casos.sql.ts markFundido': [1, 'guard'],
  'domain/casos/casos.sql.ts insertCasos': [1, 'guard'],
  'domain/casos/casos.sql.ts lockCaso': [1, 'guard'],
  'domain/casos/casos.sql.ts markExcluido': [1, 'guard'],
  'domain/casos/casos.sql.ts markImported': [1, PREPARED],
  'domain/casos/casos.sql.ts touchCaso': [1, 'guard'],
  'domain/casos/casos.sql.ts transferCasos': [
    1,
    exempt(
      'all cases of an account that leaves: answers with their number alone, to who may remove the account',
    ),
  ],
  'domain/casos/casos.sql.ts unmarkExcluido': [1, 'guard'],
  'domain/casos/casos.sql.ts updateCaso': [1, 'guard'],
  'domain/casos/counters/rows.sql.ts ofCasos': [
    1,
    exempt('its condition is the filter or the scope of a selection that `withinTerritorio` made'),
  ],
  'domain/casos/duplicados.sql.ts findByNotificacao': [
    1,
    exempt('its row is dropped where `isOutside`; that there is one is told as the creation would'),
  ],
  'domain/casos/duplicados.sql.ts listByPessoa': [1, exempt('its rows are dropped where `isOutside`')],
  'domain/casos/duplicidades/duplicidades.sql.ts FROM': [
    2,
    exempt('every statement over it asks `opens` of both'),
  ],
  'domain/casos/duplicidades/duplicidades.sql.ts columnsOf': [
    1,
    exempt('a filter of pairs that `opens` bounds'),
  ],
  'domain/casos/duplicidades/duplicidades.sql.ts listAcessiveis': [1, exempt('asks `opens` of each')],
  'domain/casos/duplicidades/duplicidades.sql.ts listCasosDosPares': [1, exempt('cases that `opens` left')],
  'domain/casos/duplicidades/duplicidades.sql.ts listSealed': [1, exempt('cases that `opens` left')],
  'domain/casos/duplicidades/fusoes.sql.ts FROM': [2, exempt('every statement over it asks `opens` of both')],
  'domain/casos/duplicidades/fusoes.sql.ts opens': [1, 'filter'],
  'domain/casos/duplicidades/identidade.sql.ts deleteOrphans': [1, SERVICE],
  'domain/casos/duplicidades/identidade.sql.ts lastCasoId': [1, SERVICE],
  'domain/casos/duplicidades/identidade.sql.ts listIdentidades': [
    1,
    exempt('compared by the service itself; a request tells only of those that `opens` left'),
  ],
  'domain/casos/duplicidades/identidade.sql.ts listUnkeyed': [1, SERVICE],
  'domain/casos/duplicidades/identidade.sql.ts nextCasoId': [1, SERVICE],
  'domain/casos/duplicidades/pares.sql.ts countOfImportacao': [1, SERVICE],
  'domain/casos/duplicidades/pares.sql.ts upsertPares': [1, SERVICE],
  'domain/casos/historico.sql.ts listSinceImport': [1, PREPARED],
  'domain/casos/qualidade/duplicados.sql.ts paresIn': [
    3,
    exempt('municipalities of a filter or a selection that `withinTerritorio` made; a pair is of one'),
  ],
  'domain/casos/qualidade/pendencias.sql.ts listWork': [1, 'filter'],
  'domain/casos/qualidade/pendencias.sql.ts workOf': [1, 'filter'],
  'domain/casos/qualidade/qualidade.sql.ts casosOf': [2, 'filter'],
  'domain/casos/reading/page.sql.ts listByDay': [2, 'filter'],
  'domain/casos/reading/page.sql.ts listCasos': [1, 'filter'],
  'domain/casos/reading/walk.sql.ts countFundidos': [1, 'filter'],
  'domain/casos/reading/walk.sql.ts readCasos': [1, 'filter'],
  'domain/casos/statistics/estatisticas.sql.ts countCasosBy': [1, 'filter'],
  'domain/casos/statistics/estatisticas.sql.ts countValues': [1, 'filter'],
  'domain/casos/statistics/estatisticas.sql.ts sumsOfMonths': [
    1,
    exempt('its condition is the scope of a selection that `withinTerritorio` made'),
  ],
  'domain/casos/statistics/estatisticas.sql.ts totalsOfCounters': [1, 'filter'],
  'domain/casos/statistics/mudancas.sql.ts findLatestChange': [
    1,
    exempt('one moment for whole states, of which the caller sees at least a part'),
  ],
  'domain/casos/statistics/mapa.sql.ts countBelow': [1, 'filter'],
  'domain/casos/statistics/mapa.sql.ts countSetores': [1, 'filter'],
  'domain/casos/statistics/mapa.sql.ts listMiddles': [1, 'filter'],
  'domain/casos/statistics/mapa.sql.ts listSealed': [
    1,
    exempt('one case of each cell that a filtered statement counted'),
  ],
  'domain/casos/statistics/mapa.sql.ts listSharedPoints': [1, 'filter'],
  'domain/casos/statistics/perfil.sql.ts withSorotipo': [1, 'filter'],
  'domain/casos/reading/quase.sql.ts countQuase': [1, 'filter'],
  'domain/casos/reading/quase.sql.ts walkShuffled': [1, 'filter'],
  'domain/publico/retratos.sql.ts countCasos': [
    1,
    exempt('the daily numbers for everybody, of which small ones are hidden before they are kept'),
  ],
  'domain/casos/statistics/estatisticas.sql.ts countDados': [1, 'filter'],
  'domain/registros/registros.sql.ts isPlacedWithin': [1, 'filter'],
}

const root = fileURLToPath(new URL('../src/', import.meta.url))

/** A table in a statement, or the table of a listing. */
const ABOUT_CASOS = /\b(?:from|join|update|into)\s+(?:only\s+)?(?:public\.)?"?casos"?(?![\w.])|sql`casos\b/gi
const DECLARATION = /^(?:export )?(?:async )?(?:function\*?|const|class) (\w+)/gm

interface Found {
  key: string
  /** Text of the declaration that holds the statement. */
  text: string
}

function statementsIn(file: string): Found[] {
  const text = readFileSync(join(root, file), 'utf8')
  const declarations = [...text.matchAll(DECLARATION)]
  return [...text.matchAll(ABOUT_CASOS)].map(({ index }) => {
    const at = declarations.findLastIndex((declaration) => declaration.index < index)
    const end = declarations[at + 1]?.index ?? text.length
    return {
      key: `${file} ${declarations[at]?.[1]}`,
      text: text.slice(declarations[at]?.index ?? 0, end),
    }
  })
}

const found = globSync('**/*.ts', { cwd: root }).flatMap(statementsIn)

describe('Every statement that reads, changes or deletes cases', () => {
  it('is in the table above, with its scope or the reason why it needs none, and nothing else is', () => {
    const counted = [...Map.groupBy(found, ({ key }) => key)].map(([key, all]) => [key, all.length])
    const known = Object.entries(STATEMENTS).map(([key, [statements]]) => [key, statements])
    assert.deepEqual(Object.fromEntries(counted.toSorted()), Object.fromEntries(known.toSorted()))
  })

  it('has a filter in it where the table says so', () => {
    const takesBounds = /where\(|isInside\(|: DayOrdered|Listing|: Selecao|: WorkList/
    const without = found.filter(
      ({ key, text }) => STATEMENTS[key]?.[1] === 'filter' && !takesBounds.test(text),
    )
    assert.deepEqual(
      without.map(({ key }) => key),
      [],
    )
  })

  it('is recognised in whichever way it is written', () => {
    for (const text of [
      'FROM casos c',
      'join\n  casos c',
      'update casos set',
      'insert into casos (',
      'sql`casos c`',
    ])
      assert.match(text, new RegExp(ABOUT_CASOS.source, 'i'))
    for (const text of ['from casos_historico', 'from casos.x', 'total as casos'])
      assert.doesNotMatch(text, new RegExp(ABOUT_CASOS.source, 'i'))
  })
})
