import { useQuery } from '@tanstack/preact-query'
import { useRef } from 'preact/hooks'
import { holds } from '../../state/session.ts'
import { usuariosTexts } from '../../state/texts/usuarios.ts'
import { texts } from '../../state/texts.ts'
import { Button } from '../../ui/button.tsx'
import { Choices, Pill } from '../../ui/filter-bar.tsx'
import { useKeys } from '../../ui/keys.ts'
import { ACESSOS, FATORES, NO_FILTERS, SITUACOES, type UsuarioFilters } from './address.ts'
import { allGrupos } from './grupos.ts'

interface UsuarioFilterBarProps {
  filters: UsuarioFilters
  onChange(next: UsuarioFilters, replace?: boolean): void
}

/** Group, state, second factor and access; one step of the history for each opening of a field. */
export function UsuarioFilterBar({ filters, onChange }: UsuarioFilterBarProps) {
  const t = texts()
  const own = usuariosTexts()
  const bar = useRef<HTMLDivElement>(null)
  const isChanged = useRef(false)
  const seesGrupos = holds(['grupos.listar'])
  const { data: grupos = [] } = useQuery({ ...allGrupos(), enabled: seesGrupos })
  useKeys({ '/': () => bar.current?.querySelector('button')?.focus() })
  const set = (next: Partial<UsuarioFilters>) => {
    onChange({ ...filters, ...next }, isChanged.current)
    isChanged.current = true
  }
  const onOpen = () => {
    isChanged.current = false
  }
  const { grupo, situacao, fator, acesso } = filters
  const pills = [
    ...(seesGrupos
      ? [
          {
            name: 'grupo' as const,
            label: own.group,
            value: grupo,
            options: [
              { value: '', label: own.anyGroup },
              ...grupos.map(({ id, nome }) => ({ value: String(id), label: nome })),
            ],
          },
        ]
      : []),
    {
      name: 'situacao' as const,
      label: own.state,
      value: situacao,
      options: [
        { value: '', label: own.states.todas },
        ...SITUACOES.map((value) => ({ value, label: own.states[value] })),
      ],
    },
    {
      name: 'fator' as const,
      label: own.factor,
      value: fator,
      options: [
        { value: '', label: own.factors.todos },
        ...FATORES.map((value) => ({ value, label: own.factors[value] })),
      ],
    },
    {
      name: 'acesso' as const,
      label: own.access,
      value: acesso,
      options: [
        { value: '', label: own.accesses.todos },
        ...ACESSOS.map((value) => ({ value, label: own.accesses[value] })),
      ],
    },
  ]
  return (
    <div class="filter-area">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out in a row */}
      <div class="filters" role="group" aria-label={own.bar} ref={bar}>
        {pills.map(({ name, label, value, options }) => (
          <Pill
            key={name}
            name={label}
            value={options.find((one) => one.value === (value ?? ''))?.label ?? value ?? ''}
            isOn={value !== null}
            onOpen={onOpen}
            panel={(close) => (
              <Choices
                label={label}
                value={value ?? ''}
                options={options}
                onChange={(chosen) => set({ [name]: chosen === '' ? null : chosen })}
                close={close}
              />
            )}
          />
        ))}
        {Object.values(filters).some((value) => value !== null) && (
          <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
            {t.filtros.clear}
          </Button>
        )}
      </div>
    </div>
  )
}
