import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/rows.ts'
import { PATHS, type Path, pathTo } from '../../paths.ts'
import { auditoriaTexts } from '../../state/texts/auditoria.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { useInSight, useRowKeys } from '../../ui/row-keys.ts'
import { type AuditFilters, auditPath } from './address.ts'

export type Registro = AnswerOf<'GET', '/api/v1/auditoria'>['items'][number]

/** Screens of the resources that have one. */
const SCREENS: Record<string, Path> = {
  caso: PATHS.caso,
  importacao: PATHS.importacao,
  boletim: PATHS.boletim,
  noticia: PATHS.noticia,
  webhook: PATHS.webhook,
  usuario: PATHS.usuario,
  grupo: PATHS.grupo,
  agravo: PATHS.agravo,
  duplicidade: PATHS.duplicidade,
  serie: PATHS.serie,
  epizootia: PATHS.epizootia,
}
/** Imports have one name and three screens. */
const IMPORTS: Record<string, Path> = {
  'serie.importacao_desfazer': PATHS.seriesImportacao,
  'epizootia.importacao_desfazer': PATHS.epizootiasImportacao,
}

export function Records({ records, filters }: { records: readonly Registro[]; filters: AuditFilters }) {
  const [opened, setOpened] = useState<ReadonlySet<Registro['id']>>(new Set())
  const toggle = ({ id }: Registro) =>
    setOpened((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))
  const { at } = useRowKeys(records, ({ id }) => id, { open: toggle })
  const list = useInSight<HTMLOListElement>(at)
  return (
    <ol class="card records" ref={list}>
      {records.map((record, index) => (
        <li key={record.id} aria-current={index === at ? 'true' : undefined}>
          <Record
            record={record}
            filters={filters}
            isOpen={opened.has(record.id)}
            onToggle={() => toggle(record)}
          />
        </li>
      ))}
    </ol>
  )
}

interface RecordProps {
  record: Registro
  filters: AuditFilters
  isOpen: boolean
  onToggle(): void
}

/** One act as a sentence; what is stored of it on demand. */
function Record({ record, filters, isOpen, onToggle }: RecordProps) {
  const own = auditoriaTexts()
  const { id, data, ator, endereco_ip } = record
  const when = own.moment(new Date(data))
  return (
    <>
      <div class="record">
        <p>
          <Sentence record={record} />
        </p>
        <p class="when">
          <time dateTime={data}>{when}</time>
          {endereco_ip !== null && <> · {endereco_ip}</>}
          {ator !== null && filters.ator !== String(ator.id) && (
            <span class="unprinted">
              {' · '}
              <a href={auditPath({ ...filters, ator: String(ator.id) })}>{own.onlyOf(ator.nome)}</a>
            </span>
          )}
        </p>
        <Button
          kind="quiet"
          aria-expanded={isOpen}
          aria-controls={`registro-${id}`}
          aria-label={`${isOpen ? own.close : own.open} ${id}`}
          onClick={onToggle}
        >
          {isOpen ? own.close : own.open}
        </Button>
      </div>
      <div id={`registro-${id}`}>{isOpen && <Raw record={record} />}</div>
    </>
  )
}

/** The text of the action, with its actor and its record, which is a link where it has a screen. */
function Sentence({ record: { acao, ator, recurso, recurso_id } }: { record: Registro }) {
  const own = auditoriaTexts()
  const who = ator?.nome ?? own.nobody
  const sentence = own.sentences[acao] ?? own.other(who, acao)
  const [before = '', after] = sentence.replace('{quem}', who).split('{id}')
  if (after === undefined) return <>{before}</>
  const screen = IMPORTS[acao] ?? (recurso === null ? undefined : SCREENS[recurso])
  return (
    <>
      {before}
      {screen === undefined || recurso_id === null ? (
        <b>{recurso_id}</b>
      ) : (
        <a href={pathTo(screen, { id: recurso_id, codigo: recurso_id })}>{recurso_id}</a>
      )}
      {after}
    </>
  )
}

function Raw({ record }: { record: Registro }) {
  const own = auditoriaTexts()
  const { acao, recurso, recurso_id, detalhes, request_id, hash } = record
  const isDetailed = Object.keys(detalhes).length > 0
  return (
    <div class="raw">
      <dl class="facts">
        <div>
          <dt>{own.raw}</dt>
          <dd>
            <code>{record.id}</code> <code>{acao}</code>
          </dd>
        </div>
        {request_id !== null && (
          <div>
            <dt>{own.request}</dt>
            <dd>
              <code>{request_id}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>{own.seal}</dt>
          <dd>
            <code>{hash}</code>
          </dd>
        </div>
      </dl>
      <h2>{own.details}</h2>
      {isDetailed ? (
        <CodeBlock label={own.details} text={JSON.stringify(detalhes, null, 2)} />
      ) : (
        <p class="note">{own.noDetails}</p>
      )}
      {recurso !== null && recurso_id !== null && (
        <p>
          <a href={auditPath({ recurso, id: recurso_id })}>{own.same}</a>
        </p>
      )}
    </div>
  )
}
