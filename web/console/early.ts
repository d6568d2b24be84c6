// Asks who is signed in and which diseases there are, and for the numbers of the painel where the address is one, while the scripts of the page are still on their way:
// small, and loaded before everything else. `api/client.ts` takes the answers.
import { dateInBrazil } from '../../src/brasil/calendar.ts'
import { askEarly, askPainel, PERFIL, TIPOS } from './api/early.ts'
import { urlOf } from './api/url.ts'
import { PATHS } from './paths.ts'
import { setAgravos } from './state/agravos.ts'
import { numbersQuery } from './state/divisao.ts'
import { PAINEL_RULES, readFilters } from './state/filter-address.ts'
import { mapaOf } from './state/filter-query.ts'

askEarly(urlOf(PERFIL.path, PERFIL))
askEarly(TIPOS)
if (location.pathname === PATHS.painel) {
  setAgravos(null)
  const today = dateInBrazil(new Date())
  const search = location.search.slice(1)
  const { filters } = readFilters(search, { today, ...PAINEL_RULES })
  // Whose cases `eu` means is not known yet.
  if (filters.responsavel === null)
    askPainel({ query: numbersQuery(filters, today, search), mapa: mapaOf(filters) })
}
