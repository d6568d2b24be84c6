/** Counters of events in animals, for other features. */
export { countWeeksKnownAt } from './conhecidas.sql.ts'
export {
  AGREGACOES,
  countMonths,
  countMunicipios,
  countWeeks,
  foldEpizootias,
  GRUPOS,
  listDiferencas,
  type RecorteDeEpizootias,
  recountEpizootias,
} from './contagens.sql.ts'
