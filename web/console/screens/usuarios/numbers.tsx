import { useQuery } from '@tanstack/preact-query'
import type { AnswerOf } from '../../api/rows.ts'
import { api, holds } from '../../state/session.ts'
import { usuariosNumerosTexts } from '../../state/texts/usuarios-numeros.ts'
import { Answer } from '../../ui/states.tsx'
import { NO_FILTERS, type UsuarioFilters, usuariosPath } from './address.ts'
import { allGrupos } from './grupos.ts'
import './numbers-styles.ts'

/** Of entries; accounts are told as they are. */
const PERIODO = 'ultimos_30_dias'

type Numeros = AnswerOf<'GET', '/api/v1/usuarios/estatisticas'>

/** Numbers of all accounts within reach. */
export default function Numbers() {
  const query = useQuery({
    queryKey: ['usuarios', 'estatisticas'],
    queryFn: ({ signal }) =>
      api.get('/api/v1/usuarios/estatisticas', { query: { periodo: PERIODO } }, { signal }),
  })
  return (
    <Answer query={query} lines={4}>
      {(numeros) => <Figures numeros={numeros} />}
    </Answer>
  )
}

interface Figure {
  name: string
  value: number
  /** Filter of exactly these accounts, where the list has one. */
  filter?: Partial<UsuarioFilters>
}

function Figures({ numeros }: { numeros: Numeros }) {
  const t = usuariosNumerosTexts()
  const { seguranca, acessos } = numeros
  return (
    <div class="figure-groups">
      <p class="note">{t.note}</p>
      <FigureList
        title={t.accounts}
        figures={[
          { name: t.total, value: numeros.total_usuarios, filter: {} },
          { name: t.active, value: numeros.usuarios_ativos, filter: { situacao: 'ativas' } },
          { name: t.inactive, value: numeros.usuarios_inativos, filter: { situacao: 'desativadas' } },
          { name: t.factor, value: seguranca.mfa_habilitado, filter: { fator: 'com' } },
          { name: t.verified, value: seguranca.email_verificado },
          { name: t.admins, value: seguranca.administradores },
          { name: t.changing, value: seguranca.troca_de_senha_pendente },
        ]}
      />
      <FigureList
        title={t.month}
        figures={[
          { name: t.new, value: numeros.novos_usuarios_periodo },
          { name: t.logins, value: acessos.logins },
          { name: t.people, value: acessos.usuarios_distintos },
          { name: t.failed, value: seguranca.logins_falhos },
          { name: t.locks, value: seguranca.bloqueios },
        ]}
      />
      <ByGroup totals={numeros.por_grupo} />
      <FigureList
        title={t.states}
        figures={Object.entries(numeros.por_estado).map(([uf, value]) => ({
          name: uf === 'nao_informado' ? t.noState : uf,
          value,
        }))}
      />
    </div>
  )
}

function ByGroup({ totals }: { totals: Record<string, number> }) {
  const { data } = useQuery({ ...allGrupos(), enabled: holds(['grupos.listar']) })
  const filterOf = (nome: string) => {
    const id = data?.find((grupo) => grupo.nome === nome)?.id
    return id === undefined ? {} : { filter: { grupo: String(id) } }
  }
  const figures = Object.entries(totals).map(([name, value]) => ({ name, value, ...filterOf(name) }))
  return <FigureList title={usuariosNumerosTexts().groups} figures={figures} />
}

function FigureList({ title, figures }: { title: string; figures: readonly Figure[] }) {
  const { number } = usuariosNumerosTexts()
  return (
    <section>
      <h2>{title}</h2>
      <dl class="figure-list">
        {figures.map(({ name, value, filter }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {filter === undefined ? (
                number(value)
              ) : (
                <a
                  href={usuariosPath({ filters: { ...NO_FILTERS, ...filter } })}
                  aria-label={`${name}: ${number(value)}`}
                >
                  {number(value)}
                </a>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
