-- Jobs, imports and what a case remembers of them.

-- What users see of a job.
create table jobs (
  id text constraint jobs__pk primary key,
  tipo text not null,
  status text not null default 'processing'
    constraint jobs__status__known check (status in ('processing', 'completed', 'failed', 'canceled')),
  progress smallint not null default 0 constraint jobs__progress__range check (progress between 0 and 100),
  message text not null,
  usuario_id integer constraint jobs__usuario_id__exists references usuarios on delete set null,
  usuario_nome text not null,
  parametros jsonb not null,
  resultado jsonb,
  -- The file it made, for its owner, for a while.
  arquivo_id uuid constraint jobs__arquivo_id__exists references arquivos on delete set null,
  arquivo_nome text,
  arquivo_tipo text,
  arquivo_expira_em timestamptz,
  created_at timestamptz not null,
  completed_at timestamptz
);
create index jobs__usuario on jobs (usuario_id, created_at desc);
create index jobs__completed_at on jobs (completed_at) where completed_at is not null;
create index jobs__arquivo on jobs (arquivo_id) where arquivo_id is not null;

-- The queue: who works on a job, until when that counts, and where to go on.
create table jobs_fila (
  job_id text constraint jobs_fila__pk primary key
    constraint jobs_fila__job_id__exists references jobs on delete cascade,
  numero integer generated always as identity,
  trabalhador text,
  vence_em timestamptz,
  tentativas integer not null default 0,
  disponivel_em timestamptz not null default now(),
  cancelar boolean not null default false,
  -- The file it reads; goes when the job is done.
  arquivo_id uuid constraint jobs_fila__arquivo_id__exists references arquivos on delete cascade,
  ponto jsonb
);
create index jobs_fila__disponivel_em on jobs_fila (disponivel_em);
create index jobs_fila__arquivo on jobs_fila (arquivo_id) where arquivo_id is not null;

create table importacoes (
  id integer generated always as identity constraint importacoes__pk primary key,
  job_id text,
  usuario_id integer,
  usuario_nome text not null,
  arquivo_nome text not null,
  arquivo_sha256 bytea not null,
  arquivo_tamanho bigint not null,
  formato text not null,
  layout text not null,
  tipo_agravo text,
  total_linhas integer not null,
  importados integer not null,
  atualizados integer not null,
  inalterados integer not null,
  duplicados_no_arquivo integer not null,
  erros integer not null,
  avisos integer not null,
  criado_em timestamptz not null,
  desfeita_em timestamptz,
  desfeita_por_nome text
);
create index importacoes__criado_em on importacoes (criado_em desc, id desc);
create index importacoes__arquivo on importacoes (arquivo_sha256);

alter table casos
  -- The import that wrote the case last, the line it came from, what that line said, and the version it made.
  add column importacao_id integer,
  add column importacao_linha integer,
  add column importacao_hash bytea,
  add column importacao_versao integer,
  -- The import that created it.
  add column criado_por_importacao integer;
create index casos__importacao on casos (importacao_id) where importacao_id is not null;

alter table casos_historico
  add column importacao_id integer,
  -- What the case remembered of an earlier import, for the day this one is undone.
  add column importacao_anterior jsonb;
create index casos_historico__importacao on casos_historico (importacao_id) where importacao_id is not null;

-- Tables of imports under way; dropped when they are done.
create schema preparo;
