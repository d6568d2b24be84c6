import { PATHS, pathTo } from '../../paths.ts'
import { holds } from '../../state/session.ts'
import { texts } from '../../state/texts.ts'
import { Icon } from '../../ui/icon.tsx'
import type { ColumnName } from './address.ts'
import { columnsOf } from './columns.tsx'
import type { CasoListado } from './row.ts'

const SHOWN: ColumnName[] = [
  'agravo',
  'situacao',
  'notificacao',
  'sintomas',
  'paciente',
  'idade',
  'municipio',
  'uf',
  'classificacao',
  'criterio',
  'evolucao',
  'hospitalizacao',
  'unidade',
  'atualizado',
]

/** The case that keys are on, beside the list. */
export function Summary({ caso, onClose }: { caso: CasoListado; onClose: () => void }) {
  const t = texts()
  return (
    <aside class="card summary" aria-label={t.casos.summary}>
      <header>
        <h2>{caso.numero_notificacao}</h2>
        <button type="button" class="button quiet" aria-label={t.app.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      <dl class="pairs">
        {columnsOf(SHOWN, 'sintomas').map(({ key, title, cell }) => {
          const value = cell(caso)
          return (
            value !== '' && (
              <div key={key}>
                <dt>{title}</dt>
                <dd>{value}</dd>
              </div>
            )
          )
        })}
      </dl>
      <div class="row">
        <a class="button primary" href={pathTo(PATHS.caso, { id: caso.id })}>
          {t.casos.open}
        </a>
        {holds(['agravos.editar']) && (
          <a class="button plain" href={pathTo(PATHS.casoEditar, { id: caso.id })}>
            {t.casos.edit}
          </a>
        )}
      </div>
    </aside>
  )
}
